import { sql } from 'kysely'
import type { Rows } from '../database/database.ts'

/** What the operator can spend on rewards, with the live parameters that price creating and claiming a job. */
export interface BankReading {
  asset: string
  liquidRaw: bigint
  posterFeeBps: number
  posterFeeFloorRaw: bigint
  stakeBps: number
  feeBps: number
  minFeeRaw: bigint
  blockNumber: bigint
}

export interface StoredReading extends BankReading {
  /** Age by the database's own wall clock: moving the service's time must not make a fresh reading stale. */
  ageSeconds: number
  /** Epoch ms, wall clock. */
  readAt: number
}

/** Keeps the newest reading; one of an older block never replaces it. The age is counted by the database's own clock. */
export const storeReading = async (rows: Rows, reading: BankReading): Promise<void> => {
  const values = { ...reading, readAt: sql<number>`now()` }
  await rows
    .insertInto('reward_bank_reading')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('asset').doUpdateSet(values).where('reward_bank_reading.blockNumber', '<=', reading.blockNumber),
    )
    .execute()
}

export const latestReading = async (rows: Rows, asset: string): Promise<StoredReading | null> => {
  const row = await rows
    .selectFrom('reward_bank_reading')
    .selectAll()
    .select(sql<string>`extract(epoch from now() - read_at)`.as('age'))
    .where('asset', '=', asset)
    .executeTakeFirst()
  if (row === undefined) return null
  const { age, ...reading } = row
  return { ...reading, blockNumber: BigInt(reading.blockNumber), ageSeconds: Number(age) }
}
