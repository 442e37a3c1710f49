import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { ChainReads } from '../chain/reads.ts'
import type { Database, Rows } from '../database/database.ts'

/** The operator's spendable balance for rewards, with the contract parameters that price the creation and claim of a job. */
type BankReading = Omit<Tables['reward_bank_reading'], 'readAt'>

export interface StoredReading extends BankReading {
  /** Age by the wall clock of the database. An offset of the service clock must not age a reading. */
  ageSeconds: number
  /** Epoch ms, wall clock. */
  readAt: number
}

/** Stores a reading unless a newer block is stored already. The age counts by the database's clock. */
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

/** Newest reading of an asset with its age; null before the first. */
export const latestReading = async (rows: Rows, asset: string): Promise<StoredReading | null> => {
  const row = await rows
    .selectFrom('reward_bank_reading')
    .selectAll()
    .select(sql<string>`extract(epoch from now() - read_at)`.as('age'))
    .where('asset', '=', asset)
    .executeTakeFirst()
  if (row === undefined) return null
  const { age, ...reading } = row
  return { ...reading, ageSeconds: Number(age) }
}

export interface BankDeps {
  database: Database
  reads: Pick<ChainReads, 'walletFacts'>
  /** Wallet whose balance is the reward bank; null in a process without its key, which reads nothing. */
  operator: Hex | null
  asset: string
}

/** Reads the reward bank on chain and stores the reading. Concurrent callers share one reading. Throws 502 if the chain cannot be read. */
export const createBankRefresh = ({ database, reads, operator, asset }: BankDeps) => {
  let reading: Promise<void> | null = null

  const refresh = async (): Promise<void> => {
    if (operator === null) return
    const { position, policy, block } = await reads.walletFacts(operator)
    const { posterFeeBps, posterFeeFloorRaw, stakeBps, feeBps, minFeeRaw } = policy
    const terms = { posterFeeBps, posterFeeFloorRaw, stakeBps, feeBps, minFeeRaw }
    await storeReading(database.rows, { asset, liquidRaw: position.liquid, ...terms, blockNumber: block.number })
  }

  return (): Promise<void> => {
    reading ??= refresh().finally(() => {
      reading = null
    })
    return reading
  }
}
