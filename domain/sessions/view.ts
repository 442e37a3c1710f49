import { CHOOSE_ANOTHER, get, post, wait } from '../../schemas/common/error-row.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { DeliveryView } from '../../schemas/sessions/delivery-shapes.ts'
import type { PendingClaim, SessionRecord, StatusHistoryEntry } from '../../schemas/sessions/record.ts'
import type { SubmissionContract } from '../catalogue/submission-contract.ts'
import { gasRequired, type NativeGas } from '../chain/native-gas.ts'
import { ARBITRATOR_SLA_SECONDS, inDays, OPEN_DISPUTE_GAS } from '../common/constants.ts'
import { disputeId } from '../common/ids.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { pick } from '../common/pick.ts'
import { escrowAction } from './close.ts'
import { bondRaw, describeFinalRejection, economicsView } from './economics-view.ts'
import { effectiveStatus, hasDiverged, isLapsedSession, sessionLifecycle, timestampsView } from './state-machine.ts'
import { disputableUntil, NO_WAITING_FACTS, type WaitingFacts, waitingView } from './waiting.ts'

const query = (sessionId: string): string => `sessionId=${encodeURIComponent(sessionId)}`

const RECONCILED = wait('An operator reconciles this session with the chain; you lose nothing meanwhile.')

/** The transaction that disputes a rejection, with the gas that its sender needs; null when it cannot be disputed. */
export const findDisputeAction = (session: SessionRecord, now: number, native: NativeGas | null): NextAction | null => {
  const { chainJobId, jobSnapshot } = session
  const until = disputableUntil(session, now)
  if (until === null) return null
  const description = `Dispute the rejection by your own transaction by ${until}: an arbitrator decides within ${inDays(ARBITRATOR_SLA_SECONDS)}. Without a dispute ${describeFinalRejection(bondRaw(session.economics) > 0n)}.`
  const escrow = { escrow: jobSnapshot.escrowAddress, chainJobId, chainId: jobSnapshot.chainId }
  return { ...escrowAction('openDispute', description, escrow), gasRequired: gasRequired(OPEN_DISPUTE_GAS, native) }
}

const rejectedActions = (session: SessionRecord, now: number, native: NativeGas | null): NextAction[] => {
  const result = get(`/verifier/result?${query(session.sessionId)}`, 'Read why the work was rejected.')
  return [result, findDisputeAction(session, now, native) ?? CHOOSE_ANOTHER]
}

const expiredActions = (session: SessionRecord): NextAction[] => [
  get(`/jobs/preflight?jobId=${encodeURIComponent(session.jobId)}`, 'See whether the job can be claimed again.'),
  CHOOSE_ANOTHER,
]

const claimedActions = (session: SessionRecord): NextAction[] =>
  session.submission === null
    ? [
        post('/jobs/validate-submission', 'Check the submission without sending it.'),
        post('/jobs/submit', `Submit the work by ${iso(session.claimExpiresAt)}.`),
      ]
    : [get(`/session?${query(session.sessionId)}&waitSeconds=25`, 'Wait until the accepted submission is on chain.')]

/** Next actions of the worker in the session's status at `now` (epoch ms); `native` tells fee and balance where the chain was read. */
export const sessionNextActions = (session: SessionRecord, now: number, native: NativeGas | null = null): NextAction[] => {
  const status = effectiveStatus(session, now)
  switch (status) {
    case 'claimed':
      return claimedActions(session)
    case 'submitted':
      return [get(`/verifier/result?${query(session.sessionId)}&waitSeconds=25`, 'Wait for the verdict.')]
    case 'disputed':
      return [get(`/disputes/${disputeId(session.sessionId)}`, 'Follow the dispute.')]
    case 'rejected':
      return rejectedActions(session, now, native)
    case 'resolved':
      return [
        get(`/badges/${encodeURIComponent(session.sessionId)}`, 'Read the earned badge.'),
        get('/account', 'See the payout in the account.'),
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

const historyView = ({ recordedAt: _recordedAt, ...entry }: StatusHistoryEntry) => ({ ...entry, at: iso(entry.at) })

/** Since when the session has its status, epoch ms. */
export const sinceOf = (session: SessionRecord, now: number): number =>
  isLapsedSession(session, now) ? session.claimExpiresAt : (session.statusHistory.at(-1)?.at ?? session.timestamps.claimedAt)

/** A submission may be known by its hash alone. */
const submissionView = ({ submission, evidenceHash }: SessionRecord) => ({
  ...(evidenceHash !== null && { evidenceHash }),
  ...(submission !== null && { outputSchemaBuiltin: true, outputSchemaRegistered: true }),
})

/** The members that have a value. */
const withoutNulls = <Parts extends object>(parts: Parts) =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null)) as {
    [Name in keyof Parts]?: NonNullable<Parts[Name]>
  }

/** Members of a record that exist only later. */
const outcomeView = (session: SessionRecord) =>
  withoutNulls({
    ...pick(session, 'verificationSummary', 'payoutTx', 'workReceiptId', 'disputeResolution', 'chainStateDivergence'),
    ...pick(session, 'humanReview', 'operatorOverturn', 'claimReconciliation', 'operatorClose'),
    submitFailedAt: isoOrNull(session.submitFailedAt),
    submitFailureCode: session.submitFailureCode ?? null,
    chainClaimExpiresAt: iso(session.claimExpiresAt),
  })

/** What a session's own record does not say: texts for the worker, and facts of other records. */
export interface WorkerHelp {
  disclosureFooter?: string | undefined
  submissionContract?: SubmissionContract | undefined
  /** What the session waits for, by the records beside it. */
  waiting?: WaitingFacts | undefined
  /** Fee and balance for a transaction of the worker, where the chain was read. */
  native?: NativeGas | null | undefined
  /** What became of the delivery of paid work. */
  delivery?: DeliveryView | undefined
  /** The native account of the worker. */
  nativeAccount?: { ss58: string; accountId32: string } | undefined
}

/** Row of a list: a session without its pinned terms, its work and its history. */
export const sessionRow = (session: SessionRecord, now: number, help: Pick<WorkerHelp, 'waiting' | 'native' | 'nativeAccount'> = {}) => ({
  ...(help.nativeAccount !== undefined && { nativeAccount: help.nativeAccount }),
  ...pick(session, 'sessionId', 'wallet', 'jobId', 'chainJobId', 'idempotencyKey', 'protocolHistory', 'version'),
  ...pick(session, 'chainState', 'claimTtlSeconds', 'badgeSnapshot'),
  status: effectiveStatus(session, now),
  ...waitingView(session, help.waiting ?? NO_WAITING_FACTS, now),
  since: iso(sinceOf(session, now)),
  ...timestampsView(session, now),
  claimedAt: iso(session.timestamps.claimedAt),
  claimExpiresAt: iso(session.claimExpiresAt),
  updatedAt: iso(session.updatedAt),
  lifecycle: sessionLifecycle(session, now),
  ...economicsView(session.economics),
  claimEconomicsWaivedAtClaim: session.economics.waived,
  claimEconomicsWaiverScope: 'claim_time',
  claimStakeCustody: 'chain_escrow',
  ...session.admission,
  ...(session.responsiblePerson !== undefined && { responsiblePerson: session.responsiblePerson }),
  ...submissionView(session),
  ...outcomeView(session),
  nextActions: sessionNextActions(session, now, help.native),
})

/** Served session record (HTTP and tools). Members without a value are absent; the `status` of a lapsed claim is expired. */
export const sessionView = (session: SessionRecord, now: number, help: WorkerHelp = {}) => ({
  ...sessionRow(session, now, help),
  statusHistory: session.statusHistory.map(historyView),
  jobSnapshot: session.jobSnapshot,
  ...(session.submission !== null && { submission: session.submission }),
  ...(help.delivery !== undefined && { delivery: help.delivery }),
  ...(help.disclosureFooter !== undefined && { disclosureFooter: help.disclosureFooter }),
  ...(help.submissionContract !== undefined && { submissionContract: help.submissionContract }),
})

const repeatOf = (pending: PendingClaim): NextAction =>
  pending.stage === 'submitting'
    ? post('/jobs/submit', 'Or repeat the same submit; it converges to the same session.')
    : post('/jobs/claim', 'Or repeat the same claim; it converges to the same session.')

/** Body of a 202 and of `GET /session` during the chain write of a claim or submit. */
export const pendingSessionView = (pending: PendingClaim, retryAfterSeconds: number) => ({
  ...pending,
  status: 'pending',
  retryAfterSeconds,
  nextActions: [get(`/session?${query(pending.sessionId)}&waitSeconds=25`, 'Wait until the chain write is recorded.'), repeatOf(pending)],
})
