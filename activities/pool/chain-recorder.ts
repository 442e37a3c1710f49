import { minRaw } from '../../domain/common/money.ts'
import type { ChainRecorder } from '../chain/follower/recorder.ts'
import type { Rows } from '../database/database.ts'

/** Contracts from whose events checkpoints are computed. */
const COUNTED: ReadonlySet<string> = new Set(['pool', 'credit'])

/** Deletes the checkpoints that count an event of a block or a later one. */
const dropFrom = async (rows: Rows, chainId: number, block: bigint): Promise<void> => {
  await rows.deleteFrom('vesting_checkpoint').where('chainId', '=', chainId).where('upToBlock', '>=', block).execute()
}

export const vestingRecorder: ChainRecorder = {
  dropFrom,
  recordChanges: async (rows, events, { chainId }) => {
    const [first, ...others] = events.flatMap(({ contract, blockNumber }) => (COUNTED.has(contract) ? [blockNumber] : []))
    if (first !== undefined) await dropFrom(rows, chainId, others.reduce(minRaw, first))
  },
}
