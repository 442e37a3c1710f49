import type { ReputationKind } from '../reputation/scores.ts'

/** A recorded event of an escrow job. */
export interface EscrowEvent {
  event: string
  args: Record<string, unknown>
  txHash: string
  /** Epoch ms. */
  blockTime: number
}

/** How the chain ended a claim. `released` is a claim that was timed out; the others closed the job. */
export type ChainEnding = 'approved' | 'awarded' | 'upheld' | 'timeout' | 'finalized' | 'released'

/** What the recorded events show of one claim. */
export interface ClaimOnChain {
  /** Whether the claim itself is recorded. */
  claimed: boolean
  submitted: boolean
  ending: { kind: ChainEnding; txHash: string; at: number; workerRaw: string | null } | null
}

const NOT_CLAIMED: ClaimOnChain = { claimed: false, submitted: false, ending: null }

const closingKind = (closing: readonly EscrowEvent[]): ChainEnding => {
  const last = (name: string) => closing.findLast(({ event }) => event === name)?.args
  if (last('AutoResolvedOnTimeout') !== undefined) return 'timeout'
  const resolved = last('DisputeResolved')
  if (resolved !== undefined) return resolved.workerPayout === '0' ? 'upheld' : 'awarded'
  return last('Verified')?.approved === true ? 'approved' : 'finalized'
}

const endingOf = (events: readonly EscrowEvent[]): ClaimOnChain['ending'] => {
  const end = events.find(({ event }) => event === 'JobClosed' || event === 'JobReopened')
  if (end === undefined) return null
  const { txHash, blockTime: at } = end
  if (end.event === 'JobReopened') return { kind: 'released', txHash, at, workerRaw: null }
  const closing = events.filter((one) => one.txHash === txHash)
  const split = closing.findLast(({ event }) => event === 'SettlementSplit')
  return { kind: closingKind(closing), txHash, at, workerRaw: split === undefined ? null : String(split.args.workerAmount) }
}

/** Events of one claim of an escrow job, in the order of the chain: from its claim until the next one. Empty without the claim. */
export const eventsOfClaim = <Event extends EscrowEvent>(events: readonly Event[], claimTxHash: string): Event[] => {
  const isClaim = ({ event }: EscrowEvent) => event === 'JobClaimed'
  const begin = events.findIndex((one) => isClaim(one) && one.txHash === claimTxHash)
  if (begin === -1) return []
  const next = events.findIndex((one, index) => index > begin && isClaim(one))
  return events.slice(begin, next === -1 ? undefined : next)
}

/** Reads one claim from the events of its escrow job. */
export const claimOnChain = (events: readonly EscrowEvent[], claimTxHash: string): ClaimOnChain => {
  const [claim, ...own] = eventsOfClaim(events, claimTxHash)
  if (claim === undefined) return NOT_CLAIMED
  return { claimed: true, submitted: own.some(({ event }) => event === 'WorkSubmitted'), ending: endingOf(own) }
}

/** A session as its row shows it. */
export interface StoredEnd {
  status: string
  isFinal: boolean
}

/** Statuses with which a session may record each ending. A rejection must be final. */
const RECORDED: Readonly<Record<ChainEnding, readonly string[]>> = {
  approved: ['resolved'],
  awarded: ['resolved'],
  timeout: ['closed'],
  upheld: ['rejected'],
  finalized: ['rejected'],
  released: ['expired', 'timed_out', 'closed'],
}

/** Statuses that need an ending on chain. A session may expire by the clock before the chain releases the claim. */
const NEEDS_ENDING: ReadonlySet<string> = new Set(['resolved', 'closed'])

/** Describes the contradiction between the record and the chain; null if they agree. */
export const sessionContradiction = (
  { claimed, submitted, ending }: ClaimOnChain,
  { status, isFinal }: StoredEnd,
): { expected: string; found: string } | null => {
  const found = isFinal ? `${status}, final` : status
  if (!claimed) return { expected: 'a recorded claim on chain', found: `${found} without one` }
  if (ending === null) {
    if (NEEDS_ENDING.has(status) || isFinal) return { expected: 'no end, as on chain', found }
    return status === 'submitted' && !submitted ? { expected: 'no submission, as on chain', found } : null
  }
  const statuses = RECORDED[ending.kind]
  const agrees = statuses.includes(status) && (status !== 'rejected' || isFinal)
  return agrees ? null : { expected: `${statuses.join(' or ')} (${ending.kind} on chain by ${ending.txHash})`, found }
}

const KINDS: Partial<Record<ChainEnding, ReputationKind>> = {
  approved: 'approval_level_1',
  awarded: 'dispute_won',
  upheld: 'dispute_lost',
  finalized: 'rejection_final',
}

/** The ledger entry that an ending writes; null for none. */
export const ledgerKindOf = ({ ending }: ClaimOnChain): ReputationKind | null => (ending && KINDS[ending.kind]) ?? null

/** Whether an ending pays the worker and earns a badge. */
export const earnsBadge = ({ ending }: ClaimOnChain): boolean => ending?.kind === 'approved' || ending?.kind === 'awarded'

/** Whether an ending has a work receipt: every one after a submission. */
export const earnsReceipt = ({ ending }: ClaimOnChain): boolean => ending !== null && ending.kind !== 'released'
