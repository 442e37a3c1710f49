import { toFunctionSelector } from 'viem/utils'
import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { SessionStatus } from '../../schemas/sessions/record.ts'
import { ARBITRATOR_SLA_SECONDS } from '../common/constants.ts'
import { isPast, plusSeconds } from '../common/instants.ts'
import { disputeWindowEndsAt, hasDiverged } from './state-machine.ts'

/** How an operator may end a session that can no longer progress by itself. */
export type CloseOutcome = 'timed_out' | 'closed'

/** An escrow job as it was read for the decision. Times are epoch ms, amounts base units. */
export interface ObservedJob {
  state: ChainJobState
  /** Lower case; null when nobody holds the job. */
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
  /** The deadline of its claim on chain, epoch ms; null when it was never seen. */
  chainClaimExpiresAt: number | null
}

const HELD: ReadonlySet<ChainJobState> = new Set(['claimed', 'submitted', 'rejected', 'disputed'])

/**
 * Whether a deadline that the chain shows is that of a later claim. A job is open again only when its claim has lapsed, so a later claim
 * ends a whole claim's time after the first at the earliest; a fork moves this very claim by a few blocks.
 */
const isOfLaterClaim = (shown: number, { timestamps: { claimedAt }, chainClaimExpiresAt }: ClosableSession): boolean =>
  chainClaimExpiresAt !== null && shown >= chainClaimExpiresAt + (chainClaimExpiresAt - claimedAt)

type HeldJob = Pick<ObservedJob, 'worker' | 'claimExpiresAt'>

const isHeldBy = (session: ClosableSession, { worker, claimExpiresAt }: HeldJob): boolean =>
  worker === session.wallet && !(claimExpiresAt !== null && isOfLaterClaim(claimExpiresAt, session))

/**
 * Whether the escrow still holds reward or bond for this very claim: its worker has the job, and not by a later claim. A job that is open
 * again, closed, cancelled or another wallet's holds nothing for it.
 */
export const escrowHoldsMoney = (session: ClosableSession, { state, ...holder }: HeldJob & Pick<ObservedJob, 'state'>): boolean =>
  HELD.has(state) && isHeldBy(session, holder)

/** Whether a job that is claimed on chain is claimed by this very session: only that claim may be timed out for it. */
export const holdsItsClaim = (session: ClosableSession, { state, ...holder }: HeldJob & Pick<ObservedJob, 'state'>): boolean =>
  state === 'claimed' && isHeldBy(session, holder)

/**
 * Whether the chain has approved and paid work that the records still have as submitted. Closing would take badge and reputation from who
 * earned them: a verification takes over what the chain has decided.
 */
export const isPaidUnrecorded = (
  session: ClosableSession & { status: SessionStatus },
  { state, releasedRaw, ...holder }: ObservedJob,
): boolean => session.status === 'submitted' && state === 'closed' && releasedRaw > 0n && isHeldBy(session, holder)

interface Move {
  name: string
  /** What it brings about. */
  description: string
}

/** The call by which anybody can let the money move now; null where only a party or time can. */
const moveNow = (job: ObservedJob, now: number): Move | null => {
  if (job.state === 'claimed' && job.claimExpiresAt !== null && isPast(job.claimExpiresAt, now))
    return { name: 'handleClaimTimeout', description: 'Time the lapsed claim out on chain; anybody may send it.' }
  if (job.state === 'rejected' && job.rejectedAt !== null && isPast(disputeWindowEndsAt(job.rejectedAt), now))
    return { name: 'finalizeRejectedJob', description: 'Make the undisputed rejection final on chain; anybody may send it.' }
  if (job.state === 'disputed' && job.disputedAt !== null && plusSeconds(job.disputedAt, ARBITRATOR_SLA_SECONDS) <= now)
    return { name: 'autoResolveOnTimeout', description: 'Let the contract decide the overdue dispute; anybody may send it.' }
  return null
}

const waitsFor = (state: ChainJobState): string =>
  `The escrow job is ${state}: its money moves by a verdict, or when its deadline has passed.`

/** No time moves what was handed in, and which way it goes is for a verifier to say: so nothing is handed out to be signed. */
const needsVerdict = (escrow: string): string =>
  [
    'The escrow job is submitted: only a verdict moves its money. POST /verifier/run asks for one; a session that has diverged gets none here.',
    `Then a holder of the verifier's role gives it by its own transaction on the escrow ${escrow}: resolveSinglePayout, or resolveMilestone for a job in parts.`,
    'Approved, it pays; otherwise the rejection is made final by finalizeRejectedJob after the seven days of its dispute window.',
  ].join(' ')

/** What gets an operator out of a refusal: the transaction that moves the money, or what to wait for. */
export const moneyMoves = (job: ObservedJob, at: { escrow: string; chainJobId: string; chainId: number }, now: number): NextAction[] => {
  const move = moveNow(job, now)
  if (move === null) return [{ kind: 'wait', description: job.state === 'submitted' ? needsVerdict(at.escrow) : waitsFor(job.state) }]
  const signature = `${move.name}(bytes32)`
  return [
    {
      kind: 'transaction',
      description: move.description,
      transaction: {
        to: at.escrow,
        data: `${toFunctionSelector(signature)}${at.chainJobId.slice(2)}`,
        value: '0',
        chainId: at.chainId,
        function: signature,
        args: [at.chainJobId],
      },
    },
  ]
}

/** Where the closing takes a session: its new status, or null for a diverged one, whose row stays as it is and keeps the note. */
export const closedStatus = (session: Parameters<typeof hasDiverged>[0], outcome: CloseOutcome): SessionStatus | null =>
  hasDiverged(session) ? null : outcome
