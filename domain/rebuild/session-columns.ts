import type { Tables } from '../../schemas/entities/tables.ts'
import {
  SESSION_TIMESTAMPS,
  type SessionProtocol,
  type SessionTimestamps,
  type VerificationSummary,
} from '../../schemas/sessions/record.ts'
import type { EscrowEvent } from '../audit/session-ending.ts'
import { parseSessionId } from '../common/ids.ts'
import { iso } from '../common/instants.ts'
import { STATUS_TIMESTAMP } from '../sessions/state-machine.ts'

type Row = Tables['session']
type Entry = Tables['session_event']

/** A verdict that a session may show. */
export interface ShownVerdict {
  id: string
  outcome: string
  reasonCode: string
  handler: string
  summary: VerificationSummary
}

/** Columns that the history of a session and its id determine. */
export type LogColumns = Pick<
  Row,
  | 'jobId'
  | 'wallet'
  | 'attempt'
  | 'status'
  | 'idempotencyKey'
  | 'protocolHistory'
  | 'countsAsAttempt'
  | 'chainStateDivergence'
  | 'claimReconciliation'
  | 'operatorClose'
  | 'verificationId'
  | 'verificationSummary'
  | keyof SessionTimestamps
>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const timesOf = (history: readonly Entry[]): SessionTimestamps => {
  const times = { ...Object.fromEntries(SESSION_TIMESTAMPS.map((name) => [name, null])), claimedAt: 0 } as SessionTimestamps
  // A session that returns to its rejection keeps the time of the first.
  for (const { toStatus, at } of history) if (toStatus !== 'rejected' || times.rejectedAt === null) times[STATUS_TIMESTAMP[toStatus]] = at
  return times
}

const protocolsOf = (history: readonly Entry[]): SessionProtocol[] => {
  const named = history.map(({ metadata }) => metadata.protocol)
  return [...new Set(named.filter((name) => name === 'http' || name === 'mcp'))]
}

/** A platform fault, an inconclusive verification and a lost submission are no attempt of the worker. */
const isNoAttempt = ({ toStatus, metadata, reason }: Entry): boolean =>
  (toStatus === 'disputed' && metadata.handler !== undefined && metadata.outcome !== 'disputed') ||
  (reason === 'chain_state_diverged' && metadata.expected === 'submitted')

const divergenceOf = (history: readonly Entry[]): Row['chainStateDivergence'] => {
  const entry = history.findLast(({ reason }) => reason === 'chain_state_diverged')
  if (entry === undefined) return null
  const { expected = 'claimed', observed, observedState } = entry.metadata
  return { expected, observed: observed ?? observedState, at: iso(entry.at) } as Row['chainStateDivergence']
}

const reconciliationOf = (history: readonly Entry[], reconciledAt: unknown): Row['claimReconciliation'] => {
  const entry = history.findLast(({ metadata, fromStatus }) => metadata.claimTtlSeconds !== undefined && fromStatus === 'claimed')
  if (entry === undefined) return null
  const { claimExpiresAt: _expiry, claimTtlSeconds: _ttl, ...observed } = entry.metadata
  return { reconciledAt, ...observed } as Row['claimReconciliation']
}

const closeOf = (history: readonly Entry[]): Row['operatorClose'] => {
  const entry = history.findLast(({ metadata }) => metadata.operator !== undefined)
  if (entry === undefined) return null
  const { operator, ...observed } = entry.metadata
  return { ...observed, by: operator, at: iso(entry.at) } as Row['operatorClose']
}

/** The verdict that the last entry of a verdict names. `verdicts` newest first. */
const verdictOf = (history: readonly Entry[], verdicts: readonly ShownVerdict[]): ShownVerdict | null => {
  const entry = history.findLast(({ metadata: { handler } }) => handler !== undefined && handler !== 'arbitration')
  if (entry === undefined) return null
  const { outcome, reasonCode, handler } = entry.metadata
  return verdicts.find((one) => one.outcome === outcome && one.reasonCode === reasonCode && one.handler === handler) ?? null
}

/** Rebuilds columns from the history alone. Takes from the stored row what the table of inputs names. */
export const columnsOfLog = (
  stored: Pick<Row, 'sessionId' | 'claimReconciliation' | 'operatorClose'>,
  history: readonly Entry[],
  verdicts: readonly ShownVerdict[],
): LogColumns => {
  const id = parseSessionId(stored.sessionId)
  const first = history[0]
  const last = history.at(-1)
  if (id === null || first === undefined || last === undefined) throw new Error('has no history')
  const verdict = verdictOf(history, verdicts)
  const chainStateDivergence = divergenceOf(history)
  return {
    ...id,
    ...timesOf(history),
    status: last.toStatus,
    idempotencyKey: textOf(first.metadata.idempotencyKey),
    protocolHistory: protocolsOf(history),
    countsAsAttempt: !history.some(isNoAttempt),
    chainStateDivergence,
    claimReconciliation: reconciliationOf(history, stored.claimReconciliation?.reconciledAt),
    operatorClose: closeOf(history) ?? (chainStateDivergence === null ? null : stored.operatorClose),
    verificationId: verdict?.id ?? null,
    verificationSummary: verdict?.summary ?? null,
  }
}

/** Columns that the events of a claim determine. */
export type ChainColumns = Pick<
  Row,
  | 'chainJobId'
  | 'chainState'
  | 'claimExpiresAt'
  | 'claimStakeRaw'
  | 'claimFeeRaw'
  | 'claimNumber'
  | 'waived'
  | 'rewardRaw'
  | 'submitTxHash'
  | 'evidenceHash'
> &
  Pick<SessionTimestamps, 'rejectedAt' | 'disputedAt' | 'rejectionFinalizedAt'>

/** Escrow state after each event. */
const STATES: Readonly<Record<string, string>> = {
  JobClaimed: 'claimed',
  WorkSubmitted: 'submitted',
  JobRejected: 'rejected',
  DisputeOpened: 'disputed',
  JobClosed: 'closed',
}

/** The service reads the state that follows a released claim when it ends the session, and its entry names it. */
const chainStateOf = (claim: readonly EscrowEvent[], history: readonly Entry[]): string => {
  const last = claim.findLast(({ event }) => event in STATES || event === 'JobReopened')?.event ?? 'JobClaimed'
  const read = history.findLast(({ metadata }) => typeof metadata.observedState === 'string')?.metadata.observedState
  return last === 'JobReopened' || read !== undefined ? textOf(read ?? 'claimed') : (STATES[last] ?? 'claimed')
}

/** A rejection that an arbitrator's decision makes dates nothing, although it has an event, and a review is no dispute on chain. */
const timesOnChain = (claim: readonly EscrowEvent[], history: readonly Entry[], log: LogColumns) => {
  const timeOf = (name: string, among = claim) => among.findLast(({ event }) => event === name)?.blockTime ?? null
  const decided = claim.flatMap(({ event, txHash }) => (event === 'DisputeResolved' ? [txHash] : []))
  const undecided = claim.filter(({ txHash }) => !decided.includes(txHash))
  const rejection = history.find(({ toStatus, reason }) => toStatus === 'rejected' && reason !== 'DISPUTE_LOST')
  const dispute = history.findLast(({ toStatus }) => toStatus === 'disputed')
  const isFinal = log.status === 'rejected'
  return {
    rejectedAt: rejection === undefined ? log.rejectedAt : (timeOf('JobRejected', undecided) ?? log.rejectedAt),
    disputedAt: dispute?.metadata.txHash === undefined ? log.disputedAt : (timeOf('DisputeOpened') ?? log.disputedAt),
    rejectionFinalizedAt: isFinal ? timeOf('JobClosed') : null,
  }
}

/**
 * Times of claim and submission: those of the log, or those of the blocks that hold them now where the service followed them there after a fork.
 * The log keeps the first ones. `claim` are the events of the claim, its own first; none for times of the log alone.
 */
export const followedTimes = (
  stored: Pick<Row, 'claimedAt' | 'submittedAt'>,
  claim: readonly EscrowEvent[],
  log: Pick<LogColumns, 'claimedAt' | 'submittedAt'>,
): Pick<Row, 'claimedAt' | 'submittedAt'> => {
  const submitted = claim.findLast(({ event }) => event === 'WorkSubmitted')
  return {
    claimedAt: stored.claimedAt === claim[0]?.blockTime ? stored.claimedAt : log.claimedAt,
    submittedAt: log.submittedAt !== null && stored.submittedAt === submitted?.blockTime ? stored.submittedAt : log.submittedAt,
  }
}

/** Hash of accepted work that has not reached the chain. */
const unsentHash = ({ submission, evidenceHash }: Pick<Row, 'evidenceHash' | 'submission'>): string | null =>
  submission === null ? null : evidenceHash

/** Rebuilds columns from the events of a claim, its own first. Throws if the events lack the claim's terms. */
export const columnsOfChain = (
  stored: Pick<Row, 'jobSnapshot' | 'evidenceHash' | 'submission'>,
  { claim, economics }: { claim: readonly (EscrowEvent & { chainJobId: string })[]; economics: Record<string, unknown> | undefined },
  history: readonly Entry[],
  log: LogColumns,
): ChainColumns => {
  const first = claim[0]
  if (first === undefined || economics === undefined) throw new Error('has no claim with its terms on chain')
  const submitted = claim.findLast(({ event }) => event === 'WorkSubmitted')
  const { specDefinition } = stored.jobSnapshot as { specDefinition: Record<string, unknown> }
  return {
    chainJobId: first.chainJobId,
    chainState: chainStateOf(claim, history),
    claimExpiresAt: Number(first.args.claimExpiry) * 1_000,
    claimStakeRaw: BigInt(String(economics.claimStake)),
    claimFeeRaw: BigInt(String(economics.claimFee)),
    claimNumber: Number(economics.claimNumber),
    waived: economics.waived === true,
    rewardRaw: BigInt(String(specDefinition.rewardAmountRaw)),
    submitTxHash: submitted?.txHash ?? null,
    evidenceHash: submitted === undefined ? unsentHash(stored) : textOf(submitted.args.evidenceHash),
    ...timesOnChain(claim, history, log),
  }
}
