import type { ChainLogRecord } from '../../../domain/chain/log.ts'
import { BALANCE_MOVES, type ChainContract, ESCROW_MOVES } from '../../../domain/chain/topics.ts'
import type { ChainEventNotice } from '../../../schemas/processes.ts'
import type { Message } from '../../common/processes.ts'
import type { Rows } from '../../database/database.ts'

/** A confirmed event of a contract, or its removal by a fork. */
export interface FollowedEvent {
  contract: ChainContract
  event: string
  args: ChainLogRecord['args']
  /** Escrow job, 32 bytes hex; null for an event of no job. */
  chainJobId: string | null
  txHash: string
  /** Decimal digits. */
  blockNumber: string
  logIndex: number
  /** 1 until a fork removes the event; each removal and return adds one. */
  revision: number
  /** Whether this service sent the transaction. */
  own: boolean
}

/** A signal with the event that is its cause. */
export type Wake = Message & { cause: FollowedEvent }

/** Which events a subject wants, and which of its processes they wake. */
export interface Subscriber {
  /** Names of the wanted events of each contract. */
  events: Readonly<Partial<Record<ChainContract, readonly string[]>>>
  /** The signals of some of them, in order. It reads records and sends nothing. */
  findWakes: (events: readonly FollowedEvent[], records: { rows: Rows; chainId: number }) => Promise<readonly Wake[]>
}

export const wants = ({ events }: Subscriber, contract: ChainContract, event: string): boolean => events[contract]?.includes(event) ?? false

/** Whether one of some subscribers wants an event. */
export const isWantedBy =
  (subscribers: readonly Subscriber[]) =>
  (contract: ChainContract, event: string): boolean =>
    subscribers.some((subscriber) => wants(subscriber, contract, event))

/** Whether a transaction of this service caused the event, and no fork has changed it since. */
export const isRoutine = ({ own, revision }: FollowedEvent): boolean => own && revision === 1

/** Events that may belong to an escrow job. One of an account belongs to the job of its transaction. */
export const JOB_EVENTS: Subscriber['events'] = { escrow: ESCROW_MOVES, accounts: BALANCE_MOVES }

/** An event of a job, as its processes read it. */
export type JobEvent = FollowedEvent & { chainJobId: string }

export const jobEvents = (events: readonly FollowedEvent[]): JobEvent[] =>
  events.filter((event): event is JobEvent => event.chainJobId !== null)

export const noticeOf = ({ chainJobId, event, txHash, blockNumber, logIndex }: JobEvent): ChainEventNotice => ({
  chainJobId,
  event,
  txHash,
  blockNumber,
  logIndex,
})
