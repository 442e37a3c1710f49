import { iso } from '../../domain/common/instants.ts'
import { amountText } from '../../domain/common/money.ts'
import { tranchesVestedUntil } from '../../domain/pool/vested-tranches.ts'
import { foldPoolEvents, type VestingState, vestingAt } from '../../domain/pool/vesting.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { VestingActivities, VestingProgress } from '../../schemas/pool/process.ts'
import { lockCursorForShare, readCursor, readFollowerLag } from '../chain/follower/cursor.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { announceVested } from './announcements.ts'
import { type RecordedEvents, readPoolEvents, storeCheckpoint } from './records.ts'

/** Events behind the last checkpoint from which on a new one is stored. */
const CHECKPOINT_EVENTS = 64
/** Longest lag of the records, s; with a longer one they tell no vesting. */
const MAX_LAG_SECONDS = 60
/** Time until a block counts as confirmed, where confirmations are waited for, ms. */
const CONFIRMATION_MS = 60_000
/** Shortest pause before the records are read again, ms. */
const RECORDS_PAUSE_MS = 1_000

export interface VestingDeps {
  database: Database
  chain: ChainFile
  clock: Clock
  checkpointEvents?: number
}

/** Steps of the process that waits for a wallet's deposits to vest. Source: money, "Vesting of pool deposits". */
export const createVestingSteps = ({ database, chain, clock, checkpointEvents = CHECKPOINT_EVENTS }: VestingDeps): VestingActivities => {
  const { chainId, asset } = chain
  const shown = (raw: bigint): string => amountText(raw, asset)

  const announce = (
    rows: Rows,
    wallet: string,
    { stored, events }: Extract<RecordedEvents, { reason: null }>,
    until: number,
  ): Promise<void> => announceVested(rows, chain, wallet, tranchesVestedUntil(stored, events, until))

  /** Until when every withdrawal is recorded, by the service clock (epoch ms); null when the records are too far behind. */
  const recordedUntil = async (now: number): Promise<number | null> => {
    const lag = await readFollowerLag(database.rows, chainId)
    if (lag === null || lag.lagSeconds > MAX_LAG_SECONDS) return null
    return now - Math.ceil(lag.lagSeconds * 1000) - (chain.confirmations === 0 ? 0 : CONFIRMATION_MS)
  }

  const progressOf = (state: VestingState, now: number, until: number): VestingProgress => {
    const principalRaw = state.tranches.reduce((sum, { remainingRaw }) => sum + remainingRaw, state.maturedRaw)
    const { vestedRaw, next } = vestingAt(state, principalRaw, until)
    const deposit = state.tranches.find(({ blockNumber, logIndex }) => blockNumber === next?.blockNumber && logIndex === next.logIndex)
    return {
      kind: 'vesting',
      waiting: state.tranches.length,
      principal: shown(principalRaw),
      vested: shown(vestedRaw),
      next:
        next === null || deposit === undefined
          ? null
          : {
              at: iso(next.at),
              amount: shown(next.remainingRaw),
              txHash: deposit.txHash,
              readAt: iso(Math.max(next.at + now - until, now + RECORDS_PAUSE_MS)),
            },
    }
  }

  /** Stores a checkpoint of the events up to an instant. It sums up what has vested, so that is announced with it, also what was recorded since the first reading. */
  const checkpoint = (wallet: string, until: number): Promise<void> =>
    database.transaction(async (rows) => {
      const cursor = await lockCursorForShare(rows, chainId)
      const read = cursor === null ? null : await readPoolEvents(rows, chain, wallet, cursor)
      if (!read?.stored) return
      await announce(rows, wallet, read, until)
      const whole = read.events.filter(({ at }) => at <= until)
      if (whole.length > 0) await storeCheckpoint(rows, chain, wallet, foldPoolEvents(read.stored, whole, 0))
    })

  return {
    advanceVesting: async ({ wallet }) => {
      // The lag first: later records only add to what it promises.
      const now = clock.now()
      const until = await recordedUntil(now)
      const cursor = await readCursor(database.rows, chainId)
      if (cursor === null || until === null) return { kind: 'unread', reason: 'chain_events_behind' }
      const read = await readPoolEvents(database.rows, chain, wallet, cursor)
      if (read.stored === null) return { kind: 'unread', reason: read.reason }
      await database.transaction((rows) => announce(rows, wallet, read, until))
      if (read.events.length >= checkpointEvents) await checkpoint(wallet, until)
      return progressOf(foldPoolEvents(read.stored, read.events, until), now, until)
    },
  }
}
