import type { ChainLogRecord } from '../../../domain/chain/log.ts'
import type { Rows } from '../../database/database.ts'
import type { NewEvent } from '../../events/outbox.ts'

/** A stored event after it was added or removed. */
export interface StoredChainEvent extends ChainLogRecord {
  chainJobId: string | null
  removed: boolean
}

/** What a chain event concerns; what is absent or null it does not concern. */
export interface Concern {
  jobId?: string | null
  sessionId?: string | null
  /** Lower case; it learns of the event beside the wallets that the event names. */
  wallet?: string | null
  /** What events of one process share, where no session and no job does. */
  correlationId?: string
  severity?: NewEvent['severity'] | undefined
}

/** What a subject records of changed events, in the transaction that stores them. */
export interface ChainRecorder {
  /** What events concern. Events of other subjects are left out. */
  findConcerns?: (rows: Rows, events: readonly StoredChainEvent[], chainId: number) => Promise<ReadonlyMap<StoredChainEvent, Concern>>
  /** Records the effect of added and removed events. `now` is service time, epoch ms. */
  recordChanges?: (rows: Rows, events: readonly StoredChainEvent[], place: { chainId: number; now: number }) => Promise<void>
  /** Deletes what was computed from events of a block or a later one: the chain may have others there. */
  dropFrom?: (rows: Rows, chainId: number, block: bigint) => Promise<void>
}
