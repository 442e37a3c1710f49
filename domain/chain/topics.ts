import { CHAIN_TOPICS, type ChainTopic } from '../events/topics.ts'

/** Contracts of a chain file, as rows of the follower name them. */
export type ChainContract = 'escrow' | 'accounts' | 'reputation' | 'policy' | 'registry' | 'token' | 'pool' | 'credit' | 'xcm'

/** Topics that are not named after contract and event. */
const OTHER_TOPICS: Partial<Record<ChainContract, Readonly<Record<string, ChainTopic>>>> = {
  escrow: { Disclosed: 'content.disclosed', AutoDisclosed: 'content.auto_disclosed' },
  pool: { Deposit: 'pool.deposited', Withdraw: 'pool.withdrawn' },
  credit: { Deposit: 'credit.deposited', Withdraw: 'credit.withdrawn' },
  reputation: { ReputationUpdated: 'reputation.updated', ReputationSlashed: 'reputation.slashed' },
}

/** `JobFunded` → `job_funded`. */
const inWords = (event: string): string => event.replaceAll(/(?!^)[A-Z]/g, '_$&').toLowerCase()

const isChainTopic = (name: string): name is ChainTopic => Object.hasOwn(CHAIN_TOPICS, name)

/** Topic of an event, such as `escrow.job_funded` of `JobFunded`; null for an event that is recorded only. */
export const chainTopicOf = (contract: ChainContract, event: string): ChainTopic | null => {
  const subject = contract === 'accounts' ? 'account' : contract
  const name = OTHER_TOPICS[contract]?.[event] ?? `${subject}.${inWords(event)}`
  return isChainTopic(name) ? name : null
}

/** Events of an escrow job that its processes may wait for. */
export const ESCROW_MOVES = [
  'JobClaimed',
  'WorkSubmitted',
  'JobReopened',
  'JobRejected',
  'JobClosed',
  'JobCancelled',
  'DisputeOpened',
  'DisputeResolved',
  'AutoResolvedOnTimeout',
] as const

/** Events that change what an account has, free or bound. */
export const BALANCE_MOVES = [
  'Deposited',
  'JobStakeReleased',
  'ReservationSettled',
  'Withdrawn',
  'AgentTransfer',
  'Reserved',
  'JobStakeLocked',
  'CollateralLocked',
  'StrategyAllocated',
  'StrategyDeallocated',
  'CollateralUnlocked',
  'ReservationReleased',
  'Borrowed',
  'StrategyRequestQueued',
  'StrategyRequestSettled',
] as const
