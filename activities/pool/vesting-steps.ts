import { iso } from '../../domain/common/instants.ts'
import { assetAmount, toDisplay } from '../../domain/common/money.ts'
import { tranchesVestedUntil, type VestedTranche } from '../../domain/pool/vested-tranches.ts'
import { foldPoolEvents, NO_VESTING, type PoolEvent, vestingAt } from '../../domain/pool/vesting.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { VestingActivities, VestingProgress } from '../../schemas/pool/process.ts'
import { readCursor } from '../chain/follower/cursor.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { readPoolEvents } from './records.ts'

/** Deposits per SQL statement. */
const CHUNK = 500

const keyOf = ({ txHash, logIndex }: { txHash: string; logIndex: number }): string => `${txHash}/${logIndex}`

/** Stores tranches as vested; returns those that were not stored before. */
const storeVested = async (rows: Rows, chainId: number, wallet: string, vested: readonly VestedTranche[]): Promise<VestedTranche[]> => {
  const stored = new Set<string>()
  for (let from = 0; from < vested.length; from += CHUNK) {
    const values = vested
      .slice(from, from + CHUNK)
      .map(({ txHash, logIndex, vestedAt }) => ({ chainId, txHash, logIndex, wallet, vestedAt }))
    const returning = await rows
      .insertInto('vested_tranche')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['txHash', 'logIndex'])
      .execute()
    for (const row of returning) stored.add(keyOf(row))
  }
  return vested.filter((tranche) => stored.has(keyOf(tranche)))
}

/** Steps of the process that waits for a wallet's deposits to vest. Source: money, "Vesting of pool deposits". */
export const createVestingSteps = ({
  database,
  chain,
  clock,
}: {
  database: Database
  chain: ChainFile
  clock: Clock
}): VestingActivities => {
  const { chainId, asset } = chain
  const shown = (raw: bigint): string => `${toDisplay(raw, asset.decimals)} ${asset.symbol}`

  const announce = (wallet: string, vested: readonly VestedTranche[]): Promise<void> =>
    database.transaction(async (rows) => {
      const fresh = await storeVested(rows, chainId, wallet, vested)
      if (fresh.length === 0) return
      await emit(
        rows,
        ...fresh.map((tranche) => ({
          topic: 'pool.tranche_vested' as const,
          wallets: [wallet],
          correlationId: tranche.txHash,
          blockNumber: tranche.blockNumber,
          txHash: tranche.txHash,
          at: tranche.vestedAt,
          data: {
            logIndex: tranche.logIndex,
            deposited: assetAmount(tranche.depositedRaw, asset),
            remaining: assetAmount(tranche.remainingRaw, asset),
            depositedAt: iso(tranche.depositedAt),
            vestedAt: iso(tranche.vestedAt),
          },
        })),
      )
    })

  const progressOf = (events: readonly PoolEvent[], now: number): VestingProgress => {
    const state = foldPoolEvents(NO_VESTING, events, now)
    const principalRaw = state.tranches.reduce((sum, { remainingRaw }) => sum + remainingRaw, state.maturedRaw)
    const { vestedRaw, next } = vestingAt(state, principalRaw, now)
    const deposit = state.tranches.find(({ blockNumber, logIndex }) => blockNumber === next?.blockNumber && logIndex === next.logIndex)
    return {
      kind: 'vesting',
      waiting: state.tranches.length,
      principal: shown(principalRaw),
      vested: shown(vestedRaw),
      next: next === null || deposit === undefined ? null : { at: iso(next.at), amount: shown(next.remainingRaw), txHash: deposit.txHash },
    }
  }

  return {
    advanceVesting: async ({ wallet }) => {
      const cursor = await readCursor(database.rows, chainId)
      if (cursor === null) return { kind: 'unread', reason: 'chain_events_behind' }
      const { events, reason } = await readPoolEvents(database.rows, chain, wallet, cursor)
      if (events === null) return { kind: 'unread', reason }
      const now = clock.now()
      await announce(wallet, tranchesVestedUntil(NO_VESTING, events, now))
      return progressOf(events, now)
    },
  }
}
