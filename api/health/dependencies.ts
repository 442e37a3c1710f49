import { sql } from 'kysely'
import { readFollowerLag } from '../../activities/chain/follower/cursor.ts'
import type { NonceStatus } from '../../activities/chain/journal/nonce-status.ts'
import type { ChainReads } from '../../activities/chain/reads.ts'
import type { Database } from '../../activities/database/database.ts'
import type { Engine } from '../temporal/engine.ts'
import type { Probes } from './probes.ts'

/** The smallest read; rejects when the database does not answer. */
export const readRecords = async ({ rows }: Database): Promise<void> => void (await sql`select 1`.execute(rows))

interface Dependencies {
  database: Database
  engine: Pick<Engine, 'lastPollAt' | 'countStoppedRuns'>
  reads: ChainReads
  nonces: NonceStatus
}

/** Probes of the real dependencies. */
export const createProbes = ({ database, engine, reads, nonces }: Dependencies): Probes => ({
  database: () => readRecords(database),
  temporal: async () => ({ lastPollAt: await engine.lastPollAt() }),
  stopped: () => engine.countStoppedRuns(),
  chain: async () => {
    const [block, paused] = await Promise.all([reads.latestBlock(), reads.isPaused()])
    return { blockTime: block.time, paused }
  },
  nonces,
  follower: () => readFollowerLag(database.rows, reads.chain.chainId),
})
