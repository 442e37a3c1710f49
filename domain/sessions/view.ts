import type { NextAction } from '../../schemas/errors.ts'
import type { PendingClaim, SessionRecord, StatusHistoryEntry } from '../../schemas/sessions/record.ts'
import type { SubmissionContract } from '../catalogue/submission-contract.ts'
import { disputeId } from '../common/ids.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { escrowAction } from './close.ts'
import { economicsView } from './economics-view.ts'
import { disputeWindowEndsAt, effectiveStatus, hasDiverged, isRejectionFinal, sessionLifecycle, timestampsView } from './state-machine.ts'

const http = (method: string, path: string, description: string): NextAction => ({ kind: 'http', method, path, description })
const query = (sessionId: string): string => `sessionId=${encodeURIComponent(sessionId)}`

const CHOOSE_ANOTHER = http('GET', '/jobs/recommendations', 'Choose another job.')
const RECONCILED: NextAction = {
  kind: 'wait',
  description: 'An operator reconciles this session with the chain; you lose nothing meanwhile.',
}

const openDisputeAction = ({ chainJobId, jobSnapshot }: SessionRecord, rejectedAt: number): NextAction => {
  const description = `Dispute the rejection on the escrow contract before ${iso(disputeWindowEndsAt(rejectedAt))}.`
  return escrowAction('openDispute', description, { escrow: jobSnapshot.escrowAddress, chainJobId, chainId: jobSnapshot.chainId })
}

const rejectedActions = (session: SessionRecord, now: number): NextAction[] => {
  const result = http('GET', `/verifier/result?${query(session.sessionId)}`, 'Read why the work was rejected.')
  const rejectedAt = session.timestamps.rejectedAt
  if (rejectedAt === null || isRejectionFinal({ ...session.timestamps, status: 'rejected' }, now)) return [result, CHOOSE_ANOTHER]
  return [result, openDisputeAction(session, rejectedAt)]
}

const expiredActions = (session: SessionRecord): NextAction[] => [
  http('GET', `/jobs/preflight?jobId=${encodeURIComponent(session.jobId)}`, 'See whether the job can be claimed again.'),
  CHOOSE_ANOTHER,
]

const claimedActions = (session: SessionRecord): NextAction[] =>
  session.submission === null
    ? [
        http('POST', '/jobs/validate-submission', 'Check the submission without sending it.'),
        http('POST', '/jobs/submit', `Submit the work by ${iso(session.claimExpiresAt)}.`),
      ]
    : [http('GET', `/session?${query(session.sessionId)}&waitSeconds=25`, 'Wait until the accepted submission is on chain.')]

/** Next actions of the worker in the session's status at `now` (epoch ms). */
export const sessionNextActions = (session: SessionRecord, now: number): NextAction[] => {
  const status = effectiveStatus(session, now)
  switch (status) {
    case 'claimed':
      return claimedActions(session)
    case 'submitted':
      return [http('GET', `/verifier/result?${query(session.sessionId)}&waitSeconds=25`, 'Wait for the verdict.')]
    case 'disputed':
      return [http('GET', `/disputes/${disputeId(session.sessionId)}`, 'Follow the dispute.')]
    case 'rejected':
      return rejectedActions(session, now)
    case 'resolved':
      return [
        http('GET', `/badges/${encodeURIComponent(session.sessionId)}`, 'Read the earned badge.'),
        http('GET', '/account', 'See the payout in the account.'),
        CHOOSE_ANOTHER,
      ]
    case 'expired':
      return expiredActions(session)
    case 'closed':
    case 'timed_out':
    case 'chain_state_diverged':
      return hasDiverged(session) && session.operatorClose === null ? [RECONCILED, CHOOSE_ANOTHER] : [CHOOSE_ANOTHER]
  }
}

const historyView = (entry: StatusHistoryEntry) => ({ ...entry, at: iso(entry.at) })

const deadlineOf = (session: SessionRecord, now: number): string | null => {
  const status = effectiveStatus(session, now)
  if (status === 'claimed' && session.submission === null) return iso(session.claimExpiresAt)
  const { rejectedAt } = session.timestamps
  const open = status === 'rejected' && rejectedAt !== null && !isRejectionFinal({ ...session.timestamps, status }, now)
  return open ? iso(disputeWindowEndsAt(rejectedAt)) : null
}

const progressView = (session: SessionRecord, now: number) => {
  const last = session.statusHistory.at(-1)
  const lapsed = effectiveStatus(session, now) !== session.status
  const deadline = deadlineOf(session, now)
  return {
    reason: lapsed ? 'claim_ttl_expired' : (last?.reason ?? null),
    since: lapsed ? iso(session.claimExpiresAt) : iso(last?.at ?? session.timestamps.claimedAt),
    ...(deadline !== null && { deadline }),
  }
}

const submissionView = ({ submission, evidenceHash }: SessionRecord) =>
  submission === null ? {} : { evidenceHash, outputSchemaBuiltin: true, outputSchemaRegistered: true }

/** Members of a record that exist only later. */
const outcomeView = (session: SessionRecord) => {
  const parts = {
    verificationSummary: session.verificationSummary,
    payoutTx: session.payoutTx,
    disputeResolution: session.disputeResolution,
    chainStateDivergence: session.chainStateDivergence,
    humanReview: session.humanReview,
    operatorOverturn: session.operatorOverturn,
    claimReconciliation: session.claimReconciliation,
    operatorClose: session.operatorClose,
    submitFailedAt: isoOrNull(session.submitFailedAt),
    submitFailureCode: session.submitFailureCode ?? null,
    chainClaimExpiresAt: iso(session.claimExpiresAt),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null))
}

const identityView = (session: SessionRecord) => ({
  sessionId: session.sessionId,
  wallet: session.wallet,
  jobId: session.jobId,
  chainJobId: session.chainJobId,
  idempotencyKey: session.idempotencyKey,
  protocolHistory: session.protocolHistory,
  version: session.version,
})

/** Texts for the worker: the footer of a pull-request job and the job's submission contract. */
export interface WorkerHelp {
  disclosureFooter?: string | undefined
  submissionContract?: SubmissionContract | undefined
}

/** Row of a list: a session without its pinned terms, its work and its history. */
export const sessionRow = (session: SessionRecord, now: number) => ({
  ...identityView(session),
  status: effectiveStatus(session, now),
  chainState: session.chainState,
  ...progressView(session, now),
  ...timestampsView(session, now),
  claimedAt: iso(session.timestamps.claimedAt),
  claimExpiresAt: iso(session.claimExpiresAt),
  claimTtlSeconds: session.claimTtlSeconds,
  updatedAt: iso(session.updatedAt),
  lifecycle: sessionLifecycle(session, now),
  ...economicsView(session.economics),
  claimEconomicsWaivedAtClaim: session.economics.waived,
  claimEconomicsWaiverScope: 'claim_time',
  claimStakeCustody: 'chain_escrow',
  ...session.admission,
  badgeSnapshot: session.badgeSnapshot,
  ...submissionView(session),
  ...outcomeView(session),
  nextActions: sessionNextActions(session, now),
})

/** Served session record (HTTP and tools). Members without a value are absent; the `status` of a lapsed claim is expired. */
export const sessionView = (session: SessionRecord, now: number, help: WorkerHelp = {}) => ({
  ...sessionRow(session, now),
  statusHistory: session.statusHistory.map(historyView),
  jobSnapshot: session.jobSnapshot,
  ...(session.submission !== null && { submission: session.submission }),
  ...(help.disclosureFooter !== undefined && { disclosureFooter: help.disclosureFooter }),
  ...(help.submissionContract !== undefined && { submissionContract: help.submissionContract }),
})

const repeatOf = (pending: PendingClaim): NextAction =>
  pending.stage === 'submitting'
    ? http('POST', '/jobs/submit', 'Or repeat the same submit; it converges to the same session.')
    : http('POST', '/jobs/claim', 'Or repeat the same claim; it converges to the same session.')

/** Body of a 202 and of `GET /session` during the chain write of a claim or submit. */
export const pendingSessionView = (pending: PendingClaim, retryAfterSeconds: number) => ({
  ...pending,
  status: 'pending',
  retryAfterSeconds,
  nextActions: [
    http('GET', `/session?${query(pending.sessionId)}&waitSeconds=25`, 'Wait until the chain write is recorded.'),
    repeatOf(pending),
  ],
})
