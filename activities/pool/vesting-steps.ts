import { iso } from '../../domain/common/instants.ts'
import { assetAmount, toDisplay } from '../../domain/common/money.ts'
import { tranchesVestedUntil, type VestedTranche } from '../../domain/pool/vested-tranches.ts'
import { foldPoolEvents, type VestingState, vestingAt } from '../../domain/pool/vesting.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { VestingActivities, VestingProgress } from '../../schemas/pool/process.ts'
import { lockCursorForShare, readCursor } from '../chain/follower/cursor.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { readPoolEvents, storeCheckpoint } from './records.ts'

/** Events behind the last checkpoint from which on a new one is stored. */
const CHECKPOINT_EVENTS = 64
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

export interface VestingDeps {
  database: Database
  chain: ChainFile
  clock: Clock
  checkpointEvents?: number
}

/** Steps of the process that waits for a wallet's deposits to vest. Source: money, "Vesting of pool deposits". */
export const createVestingSteps = ({ database, chain, clock, checkpointEvents = CHECKPOINT_EVENTS }: VestingDeps): VestingActivities => {
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

  const progressOf = (state: VestingState, now: number): VestingProgress => {
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

  /** Stores a checkpoint when many events stand behind the last one. All that had vested by then is announced. */
  const checkpoint = (wallet: string, now: number): Promise<void> =>
    database.transaction(async (rows) => {
      const cursor = await lockCursorForShare(rows, chainId)
      const read = cursor === null ? null : await readPoolEvents(rows, chain, wallet, cursor)
      const last = read?.events?.at(-1)
      if (read?.stored && last !== undefined && last.at <= now)
        await storeCheckpoint(rows, chainId, wallet, foldPoolEvents(read.stored, read.events, 0))
    })

  return {
    advanceVesting: async ({ wallet }) => {
      const cursor = await readCursor(database.rows, chainId)
      if (cursor === null) return { kind: 'unread', reason: 'chain_events_behind' }
      const { stored, events, reason } = await readPoolEvents(database.rows, chain, wallet, cursor)
      if (stored === null) return { kind: 'unread', reason }
      const now = clock.now()
      await announce(wallet, tranchesVestedUntil(stored, events, now))
      if (events.length >= checkpointEvents) await checkpoint(wallet, now)
      return progressOf(foldPoolEvents(stored, events, now), now)
    },
  }
}
