import { sql } from 'kysely'
import type { Payout } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'

/** One movement of money for a wallet's work, from a mined transaction. Amounts in base units, `at` in epoch ms. */
export interface StatementEntry {
  type: 'earnings_in' | 'stake_locked' | 'stake_released'
  /** Effect on the liquid balance. */
  direction: 'in' | 'out'
  amountRaw: bigint
  sessionId: string
  jobId: string
  txHash: string
  blockNumber: string | null
  at: number
  protocolFeeRaw: bigint
}

export interface StatementQuery {
  wallet: string
  /** Symbol. */
  asset: string
  limit: number
}

const newestSessions = (rows: Rows, { wallet, asset, limit }: StatementQuery) =>
  rows
    .selectFrom('session')
    .select(['sessionId', 'jobId', 'claimStakeRaw', 'claimFeeRaw'])
    .where('wallet', '=', wallet)
    .where('rewardAsset', '=', asset)
    .limit(limit)

const listLocks = async (rows: Rows, query: StatementQuery): Promise<StatementEntry[]> => {
  const found = await newestSessions(rows, query)
    .select(['claimTxHash', 'claimBlock', 'claimedAt'])
    .where('claimTxHash', 'is not', null)
    .where(sql<boolean>`claim_stake_raw + claim_fee_raw > 0`)
    .orderBy('claimedAt', 'desc')
    .orderBy('sessionId')
    .execute()
  return found.map((row) => ({
    type: 'stake_locked',
    direction: 'out',
    amountRaw: row.claimStakeRaw + row.claimFeeRaw,
    sessionId: row.sessionId,
    jobId: row.jobId,
    txHash: row.claimTxHash ?? '',
    blockNumber: row.claimBlock === null ? null : String(row.claimBlock),
    at: row.claimedAt,
    protocolFeeRaw: 0n,
  }))
}

/** Payouts. A payout that resolved its session also releases the bond; a dispute that timed out pays but slashes the bond. */
const listPayouts = async (rows: Rows, query: StatementQuery): Promise<StatementEntry[]> => {
  const found = await newestSessions(rows, query)
    .select(['status', 'payoutTx', 'evidence', 'resolvedAt', 'closedAt', 'updatedAt'])
    .where('payoutTx', 'is not', null)
    .orderBy(sql`coalesce(resolved_at, closed_at, updated_at)`, 'desc')
    .orderBy('sessionId')
    .execute()
  return found.flatMap((row) => {
    const payout = row.payoutTx as unknown as Payout
    const common = {
      direction: 'in',
      sessionId: row.sessionId,
      jobId: row.jobId,
      txHash: payout.txHash,
      blockNumber: payout.blockNumber,
      at: row.resolvedAt ?? row.closedAt ?? row.updatedAt,
    } as const
    const { workerAmountRaw, protocolFeeAmountRaw } = payout.settlement
    const feeBackRaw = row.evidence.claimFeeRetainedOnSuccess === true ? 0n : row.claimFeeRaw
    const releasedRaw = row.status === 'resolved' ? row.claimStakeRaw + feeBackRaw : 0n
    const entries: StatementEntry[] = [
      { ...common, type: 'earnings_in', amountRaw: BigInt(workerAmountRaw), protocolFeeRaw: BigInt(protocolFeeAmountRaw) },
      { ...common, type: 'stake_released', amountRaw: releasedRaw, protocolFeeRaw: 0n },
    ]
    return entries.filter((entry) => entry.amountRaw > 0n)
  })
}

/** The newest money movements of a wallet's work in one asset, newest first. */
export const readStatement = async (rows: Rows, query: StatementQuery): Promise<StatementEntry[]> => {
  const entries = (await Promise.all([listPayouts(rows, query), listLocks(rows, query)])).flat()
  return entries.sort((left, right) => right.at - left.at || left.sessionId.localeCompare(right.sessionId)).slice(0, query.limit)
}
