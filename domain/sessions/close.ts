import { toFunctionSelector } from 'viem/utils'
import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import { wait } from '../../schemas/common/error-row.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { SessionStatus } from '../../schemas/sessions/record.ts'
import { ARBITRATOR_SLA_SECONDS } from '../common/constants.ts'
import { isPast, plusSeconds } from '../common/instants.ts'
import { disputeWindowEndsAt, hasDiverged } from './state-machine.ts'

/** Status that an operator can give a session that can no longer progress. */
export type CloseOutcome = 'timed_out' | 'closed'

/** Reading of an escrow job. Times are epoch ms, amounts base units. */
export interface ObservedJob {
  state: ChainJobState
  /** Lower case; null while unclaimed. */
  worker: string | null
  claimExpiresAt: number | null
  rejectedAt: number | null
  disputedAt: number | null
  rewardRaw: bigint
  releasedRaw: bigint
}

interface ClosableSession {
  /** Lower case. */
  wallet: string
  /** When the claim was mined, epoch ms. */
  timestamps: { claimedAt: number }
  /** Deadline of its claim on chain, epoch ms. */
  claimExpiresAt: number
}

/** States in which a claim holds the money of an escrow. An `open` escrow is funded as well, and no claim holds it. */
export const CLAIM_HELD_STATES: ReadonlySet<ChainJobState> = new Set(['claimed', 'submitted', 'rejected', 'disputed'])

/**
 * Whether a deadline on chain (epoch ms) belongs to a later claim. A later claim starts after this one has lapsed, so it ends at least one
 * claim period later; a fork moves this claim by a few blocks only.
 */
const isOfLaterClaim = (deadline: number, { timestamps: { claimedAt }, claimExpiresAt }: ClosableSession): boolean =>
  deadline >= claimExpiresAt + (claimExpiresAt - claimedAt)

type JobClaim = Pick<ObservedJob, 'worker' | 'claimExpiresAt'>

/** Whether a claim on chain is that of a session, and no later one. */
export const isClaimOf = (session: ClosableSession, { worker, claimExpiresAt }: JobClaim): boolean =>
  worker === session.wallet && !(claimExpiresAt !== null && isOfLaterClaim(claimExpiresAt, session))

/** Whether the escrow has a claim, and it is of another wallet or a later one: a fork removed the submission, and the claim ran out. */
export const isOfOtherClaim = (session: ClosableSession, claim: JobClaim): boolean => claim.worker !== null && !isClaimOf(session, claim)

/**
 * Whether the escrow still has reward or bond of this session's claim. False for a job that is open again, closed or cancelled, and for
 * another wallet's or a later claim.
 */
export const escrowHoldsMoney = (session: ClosableSession, { state, ...claim }: JobClaim & Pick<ObservedJob, 'state'>): boolean =>
  CLAIM_HELD_STATES.has(state) && isClaimOf(session, claim)

/** Whether the claim on chain belongs to this session; the service times out no other claim for it. */
export const isClaimedOnChain = (session: ClosableSession, { state, ...claim }: JobClaim & Pick<ObservedJob, 'state'>): boolean =>
  state === 'claimed' && isClaimOf(session, claim)

/**
 * Whether the chain has approved and paid work that is recorded as submitted. Closing it would cost the worker badge and reputation; a
 * verification records the verdict on chain instead.
 */
export const isPaidUnrecorded = (
  session: ClosableSession & { status: SessionStatus },
  { state, releasedRaw, ...claim }: ObservedJob,
): boolean => session.status === 'submitted' && state === 'closed' && releasedRaw > 0n && isClaimOf(session, claim)

/** An escrow job on its chain. */
interface EscrowLocation {
  escrow: string
  chainJobId: string
  chainId: number
}

/** Next action: an unsigned call of the escrow that takes only the job. */
export const escrowAction = (name: string, description: string, { escrow, chainJobId, chainId }: EscrowLocation): NextAction => {
  const signature = `${name}(bytes32)`
  const data = `${toFunctionSelector(signature)}${chainJobId.slice(2)}`
  return {
    kind: 'transaction',
    description,
    transaction: { to: escrow, data, value: '0', chainId, function: signature, args: [chainJobId] },
  }
}

/** Call with which any account can release the money now; null where a party or a deadline has to. */
const findSettlementAction = (job: ObservedJob, at: EscrowLocation, now: number): NextAction | null => {
  if (job.state === 'claimed' && job.claimExpiresAt !== null && isPast(job.claimExpiresAt, now))
    return escrowAction('handleClaimTimeout', 'Time the lapsed claim out on chain; any account may send it.', at)
  if (job.state === 'rejected' && job.rejectedAt !== null && isPast(disputeWindowEndsAt(job.rejectedAt), now))
    return escrowAction('finalizeRejectedJob', 'Make the undisputed rejection final on chain; any account may send it.', at)
  if (job.state === 'disputed' && job.disputedAt !== null && plusSeconds(job.disputedAt, ARBITRATOR_SLA_SECONDS) <= now)
    return escrowAction('autoResolveOnTimeout', 'Let the contract decide the overdue dispute; any account may send it.', at)
  return null
}

const describeWait = (state: ChainJobState): string =>
  `The escrow job is ${state}: a verdict releases its money, or the end of its deadline.`

/** A submitted job has no deadline on chain and its verdict is the verifier's choice, so this is no transaction to sign. */
const needsVerdict = (escrow: string): string =>
  [
    'The escrow job is submitted: only a verdict releases its money. POST /verifier/run requests one, except for a session that has diverged.',
    `For that session a verifier decides by its own transaction on the escrow ${escrow}: resolveSinglePayout, or resolveMilestone for a milestone job.`,
    'Approved, it pays; otherwise the rejection is made final by finalizeRejectedJob after the seven days of its dispute window.',
  ].join(' ')

/** Next actions of an operator whose close is refused: the transaction that releases the money, or a wait. `now` in epoch ms. */
export const settlementActions = (job: ObservedJob, at: EscrowLocation, now: number): NextAction[] => [
  findSettlementAction(job, at, now) ?? wait(job.state === 'submitted' ? needsVerdict(at.escrow) : describeWait(job.state)),
]

/** New status of a session that an operator closes; null for a diverged session, which keeps its status. */
export const closedStatus = (session: Parameters<typeof hasDiverged>[0], outcome: CloseOutcome): SessionStatus | null =>
  hasDiverged(session) ? null : outcome
