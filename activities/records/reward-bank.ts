import { sql } from 'kysely'
import type { Rows } from './database.ts'

export interface StoredReading {
  asset: string
  liquidRaw: bigint
  blockNumber: bigint
  /** Age by the database's own wall clock: moving the service's time must not make a fresh reading stale. */
  ageSeconds: number
  /** Epoch ms, wall clock. */
  readAt: number
}

export const storeReading = async (rows: Rows, reading: { asset: string; liquidRaw: bigint; blockNumber: bigint }): Promise<void> => {
  await sql`
    insert into reward_bank_reading (asset, liquid_raw, block_number, read_at)
    values (${reading.asset}, ${reading.liquidRaw.toString()}, ${reading.blockNumber.toString()}, now())
    on conflict (asset) do update set liquid_raw = excluded.liquid_raw, block_number = excluded.block_number, read_at = excluded.read_at
    where reward_bank_reading.block_number <= excluded.block_number`.execute(rows)
}

export const latestReading = async (rows: Rows, asset: string): Promise<StoredReading | null> => {
  const found = await sql<{ liquid_raw: string; block_number: string; age: string; read_at: Date }>`
    select liquid_raw, block_number, extract(epoch from now() - read_at) as age, read_at from reward_bank_reading where asset = ${asset}`.execute(
    rows,
  )
  const [row] = found.rows
  if (row === undefined) return null
  return {
    asset,
    liquidRaw: BigInt(row.liquid_raw),
    blockNumber: BigInt(row.block_number),
    ageSeconds: Number(row.age),
    readAt: new Date(row.read_at).getTime(),
  }
}
