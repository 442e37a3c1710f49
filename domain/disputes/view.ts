import { wait } from '../../schemas/common/error-row.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { Role } from '../../schemas/identity/authorisation.ts'
import type { DisputeEntry, SessionRecord } from '../../schemas/sessions/record.ts'
import { gasRequired } from '../chain/native-gas.ts'
import { ARBITRATOR_SLA_SECONDS, OPEN_DISPUTE_GAS } from '../common/constants.ts'
import { iso } from '../common/instants.ts'
import { amount } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import { bondRaw } from '../sessions/economics-view.ts'
import { bondRelease, describeDecision } from './outcome.ts'
import { decisionDeadline, disputeStatus, isAwaitingSignature, timeoutOutcome } from './stage.ts'
import { describeTimeout } from './timeouts.ts'

/** Roles whose verdict ends an arbitration. */
const DECIDERS: readonly Role[] = ['arbitrator', 'admin']

const OPEN_DISPUTE_ABI = 'function openDispute(bytes32 jobId)'

/** How a worker disputes a rejection: by its own transaction, because no endpoint opens a dispute. Source: lifecycle, "Disputes". */
export const disputeRemedy = (session: Pick<SessionRecord, 'chainJobId' | 'jobSnapshot' | 'timestamps' | 'status'>, now: number) => {
  const standing = disputeStatus(session, null, null)
  const open = standing.stage === 'window' && now < standing.dueAt
  return {
    available: open,
    contract: 'EscrowCore',
    address: session.jobSnapshot.escrowAddress,
    chainId: session.jobSnapshot.chainId,
    abi: OPEN_DISPUTE_ABI,
    function: 'openDispute(bytes32)',
    args: [session.chainJobId],
    value: '0',
    gasRequired: gasRequired(OPEN_DISPUTE_GAS, null),
    opensUntil: open ? iso(standing.deadlineAt) : null,
    brokeredPath: { available: false as const, reason: 'no_worker_reachable_brokered_open_dispute_route' },
  }
}

const executionOf = ({ arbitrator }: DisputeRecord) =>
  arbitrator === null
    ? { mode: 'out_of_band_hardware' as const, backendCanResolve: false, reason: 'no_arbitrator_key_held' }
    : { mode: 'backend_signer' as const, backendCanResolve: true, reason: null }

/** Deadlines, allowed verdicts and endpoints for an arbitrator. `now` in epoch ms. */
const arbitrationView = (dispute: DisputeRecord, decision: RoundDecision | null, now: number) => {
  const { openedAt, deadlineAt } = dispute
  const until = decisionDeadline(dispute, decision)
  const ended = decision?.observed ?? null
  /** The SLA clock stops when the dispute ends. */
  const at = ended === null ? now : Date.parse(ended.at)
  return {
    version: 1,
    authority: { review: ['verifier'], verdict: [...DECIDERS], release: 'settled_by_verdict' },
    execution: executionOf(dispute),
    allowedVerdicts: ['upheld', 'dismissed', 'split', 'timeout'],
    sla: {
      seconds: ARBITRATOR_SLA_SECONDS,
      openedAt: iso(openedAt),
      windowEndsAt: iso(deadlineAt),
      expired: at >= until,
      secondsRemaining: Math.max(0, Math.ceil((until - at) / 1000)),
    },
    reasoning: {
      contentType: 'dispute_rationale',
      hashAlgorithm: 'sha256',
      hashField: 'reasoningHash',
      uriField: 'metadataURI',
      canonicalHashRequired: true,
      publicContentPath: '/content/:hash',
    },
    release: {
      mode: 'settled_by_verdict',
      verdictEndpoint: `/disputes/${dispute.disputeId}/verdict`,
      ready: dispute.status === 'open' && decision === null,
      reason: ended !== null ? 'settled' : decision === null ? null : 'verdict_recorded',
    },
  }
}

interface DecisionOptions {
  baseUrl: string
  rationale: string | null
  /** Decimals of the amounts. */
  decimals: number
}

const verdictMembers = (decision: RoundDecision | null, { baseUrl, rationale, decimals }: DecisionOptions) => {
  if (decision === null) return { verdict: null }
  const { observed } = decision
  const toAmount = (raw: bigint | null) => (raw === null ? null : amount({ raw, decimals }))
  const payout = toAmount(observed === null ? decision.workerPayoutRaw : BigInt(observed.workerPayoutRaw))
  const { reasoningHash, payoutSource, ...described } = describeDecision(decision)
  return {
    ...described,
    reasonCode: decision.reasonCode,
    chainStatus: observed === null ? ('submitted' as const) : ('confirmed' as const),
    ...(reasoningHash !== null && {
      ...(rationale !== null && { rationale }),
      reasoningHash,
      metadataURI: `${baseUrl}/content/${reasoningHash}`,
    }),
    ...(payoutSource !== null && { payoutSource }),
    ...(observed !== null && { txHash: observed.txHash }),
    ...(observed?.mismatch === true && { preparedPayout: toAmount(decision.workerPayoutRaw), payoutMismatch: true }),
    ...(decision.preparation !== null && { preparation: decision.preparation }),
    ...(payout !== null && { workerPayout: payout }),
  }
}

const nextActionsOf = (
  dispute: DisputeRecord,
  { chainState, economics }: Pick<SessionRecord, 'chainState' | 'economics'>,
  decision: RoundDecision | null,
): NextAction[] => {
  if (dispute.status === 'resolved') return []
  const until = iso(decisionDeadline(dispute, decision))
  const otherwise = describeTimeout(timeoutOutcome(dispute, decision), bondRaw(economics) > 0n)
  if (decision?.preparation != null && isAwaitingSignature(decision, dispute.arbitrator !== null)) {
    // Until then the contract would revert the prepared transaction.
    if (chainState !== 'disputed')
      return [wait(`The service opens the dispute on chain; then the arbitrator signs the verdict by ${until}; otherwise ${otherwise}.`)]
    return [
      {
        kind: 'transaction',
        description: `The arbitrator signs and sends the prepared verdict by ${until}; otherwise ${otherwise}.`,
        transaction: { ...decision.preparation.transaction },
      },
    ]
  }
  if (decision !== null) return [wait('The service sends the verdict to the chain.')]
  return [{ ...wait(`A verdict is due by ${until}; otherwise ${otherwise}.`), availableAt: until }]
}

/** The statement of the worker; null without one. `text` is that of its hash. */
export const statementView = ({ statementHash: hash, statedAt }: Pick<DisputeRecord, 'statementHash' | 'statedAt'>, text: string | null) =>
  hash === null || statedAt === null || text === null ? null : { text, hash, at: iso(statedAt) }

/** Body of a dispute, deadlines first. `rationale` belongs to the decision and `statement` to the worker; null without one. */
export const disputeView = (
  dispute: DisputeRecord,
  session: SessionRecord,
  decision: RoundDecision | null,
  timeline: readonly DisputeEntry[],
  options: { now: number; baseUrl: string; rationale: string | null; statement: string | null },
) => {
  const { claimStakeRaw, claimFeeRaw, asset } = session.economics
  const toAmount = (raw: bigint) => amount({ ...asset, raw })
  return {
    id: dispute.disputeId,
    ...pick(dispute, 'status', 'stage', 'origin', 'sessionId', 'jobId', 'chainJobId', 'claimant', 'respondent', 'evidence', 'evidenceHash'),
    statement: statementView(dispute, options.statement),
    deadline: dispute.status === 'open' ? iso(decisionDeadline(dispute, decision)) : null,
    openedAt: iso(dispute.openedAt),
    windowEndsAt: iso(dispute.deadlineAt),
    slaSeconds: ARBITRATOR_SLA_SECONDS,
    reason: dispute.reasonCode,
    since: iso(dispute.openedAt),
    sessionStatus: session.status,
    chainState: session.chainState,
    asset: asset.symbol,
    remainingPayout: toAmount(dispute.remainingRaw),
    stakedAmount: toAmount(claimStakeRaw),
    claimFee: toAmount(claimFeeRaw),
    totalClaimLock: toAmount(bondRaw(session.economics)),
    ...verdictMembers(decision, { ...options, ...asset }),
    release: bondRelease(session, decision),
    remedy: disputeRemedy(session, options.now),
    arbitration: arbitrationView(dispute, decision, options.now),
    timeline: timeline.map(({ seq, at, actor, action, data }) => ({ id: `${dispute.disputeId}-${seq}`, at: iso(at), actor, action, data })),
    nextActions: nextActionsOf(dispute, session, decision),
  }
}

/** Row of a list: a dispute without evidence, statement and timeline. */
export const disputeRow = ({ evidence: _evidence, statement: _statement, timeline: _timeline, ...row }: ReturnType<typeof disputeView>) =>
  row
