import type { ChainLogRecord } from '../../../domain/chain/log.ts'
import type { Rows } from '../../database/database.ts'

/** A stored event after it was added or removed. */
export interface StoredChainEvent extends ChainLogRecord {
  chainJobId: string | null
  removed: boolean
}

/** Job, session and wallet that a chain event concerns. */
export interface Concern {
  jobId: string | null
  sessionId: string | null
  wallet: string | null
}

/** What a subject records of changed events, in the transaction that stores them. */
export interface ChainRecorder {
  /** What events concern. Events of other subjects are left out. */
  findConcerns?: (rows: Rows, events: readonly StoredChainEvent[]) => Promise<ReadonlyMap<StoredChainEvent, Concern>>
  /** Records the effect of added and removed events. `now` is service time, epoch ms. */
  recordChanges?: (rows: Rows, events: readonly StoredChainEvent[], place: { chainId: number; now: number }) => Promise<void>
  /** Deletes what was computed from events of a block or a later one: the chain may have others there. */
  dropFrom?: (rows: Rows, chainId: number, block: bigint) => Promise<void>
}
