import { sql } from 'kysely'
import type { Rows } from './database.ts'

/** What the operator can spend on rewards, and what creating a job costs it beside the reward. */
export interface BankReading {
  asset: string
  liquidRaw: bigint
  posterFeeBps: number
  posterFeeFloorRaw: bigint
  blockNumber: bigint
}

export interface StoredReading extends BankReading {
  /** Age by the database's own wall clock: moving the service's time must not make a fresh reading stale. */
  ageSeconds: number
  /** Epoch ms, wall clock. */
  readAt: number
}

/** Keeps the newest reading; one of an older block never replaces it. */
export const storeReading = async (rows: Rows, reading: BankReading): Promise<void> => {
  await sql`
    insert into reward_bank_reading (asset, liquid_raw, poster_fee_bps, poster_fee_floor_raw, block_number, read_at)
    values (${reading.asset}, ${reading.liquidRaw.toString()}, ${reading.posterFeeBps}, ${reading.posterFeeFloorRaw.toString()}, ${reading.blockNumber.toString()}, now())
    on conflict (asset) do update set liquid_raw = excluded.liquid_raw, poster_fee_bps = excluded.poster_fee_bps,
      poster_fee_floor_raw = excluded.poster_fee_floor_raw, block_number = excluded.block_number, read_at = excluded.read_at
    where reward_bank_reading.block_number <= excluded.block_number`.execute(rows)
}

interface ReadingRow {
  liquid_raw: string
  poster_fee_bps: number
  poster_fee_floor_raw: string
  block_number: string
  age: string
  read_at: Date
}

export const latestReading = async (rows: Rows, asset: string): Promise<StoredReading | null> => {
  const found = await sql<ReadingRow>`
    select liquid_raw, poster_fee_bps, poster_fee_floor_raw, block_number, extract(epoch from now() - read_at) as age, read_at
    from reward_bank_reading where asset = ${asset}`.execute(rows)
  const [row] = found.rows
  if (row === undefined) return null
  return {
    asset,
    liquidRaw: BigInt(row.liquid_raw),
    posterFeeBps: row.poster_fee_bps,
    posterFeeFloorRaw: BigInt(row.poster_fee_floor_raw),
    blockNumber: BigInt(row.block_number),
    ageSeconds: Number(row.age),
    readAt: new Date(row.read_at).getTime(),
  }
}
