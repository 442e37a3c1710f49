import { type Fact, known } from '../../domain/common/fact.ts'
import { foldPoolEvents, vestingAt } from '../../domain/pool/vesting.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { readCursor, readFollowerLag } from '../chain/follower/cursor.ts'
import type { BlockRef } from '../chain/node/answers.ts'
import type { Rows } from '../database/database.ts'
import { awaitVesting, readPoolEvents } from './records.ts'

/** Largest lag of the recorded events at which a deposit still raises limits, s. */
const MAX_LAG_SECONDS = 60

/** What the chain says of a wallet's capital at one block, base units; null where its contract did not answer. */
export interface CapitalReading {
  block: BlockRef
  /** Value of the wallet's shares of the deposit pool. */
  poolAssetsRaw: bigint | null
  /** What the wallet owes the credit pool. */
  creditDebtRaw: bigint | null
}

/**
 * Vested principal of a wallet (lower case) that raises its limits, base units: by the recorded events, which follow the chain within a minute,
 * and at most what its shares are worth at the block. A wallet without shares has none.
 */
export const readVestedRaw = async (
  rows: Rows,
  chain: ChainFile,
  wallet: string,
  { block, poolAssetsRaw }: CapitalReading,
): Promise<Fact<bigint>> => {
  if (poolAssetsRaw === null) return 'unreadable'
  if (poolAssetsRaw === 0n) return known(0n)
  const [lag, cursor] = await Promise.all([readFollowerLag(rows, chain.chainId), readCursor(rows, chain.chainId)])
  if (lag === null || cursor === null || lag.lagSeconds > MAX_LAG_SECONDS) return 'unreadable'
  const { stored, events } = await readPoolEvents(rows, chain, wallet, cursor)
  if (stored === null) return 'unreadable'
  return known(vestingAt(foldPoolEvents(stored, events, 0), poolAssetsRaw, block.time).vestedRaw)
}

/**
 * Vested principal of a wallet (lower case) that an attestation states, base units: by every event up to the newest confirmed block, and at
 * most what the shares are worth at `block`, the newest one. `unreadable` when not every event is recorded.
 */
export const awaitVestedRaw = async (
  rows: Rows,
  chain: ChainFile,
  wallet: string,
  { block, confirmed, poolAssetsRaw }: { block: BlockRef; confirmed: BlockRef; poolAssetsRaw: bigint },
): Promise<Fact<bigint>> => {
  const { state } = await awaitVesting(rows, chain, wallet, confirmed)
  return state === null ? 'unreadable' : known(vestingAt(state, poolAssetsRaw, block.time).vestedRaw)
}
