import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import type { VestedTranche } from '../../domain/pool/vested-tranches.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Rows } from '../database/database.ts'
import { emit, type NewEvent } from '../events/outbox.ts'

/** Deposits per SQL statement. */
const CHUNK = 500

const keyOf = ({ txHash, logIndex }: { txHash: string; logIndex: number }): string => `${txHash}/${logIndex}`

/** Stores tranches as vested; returns those that were not stored before. */
const storeVested = async (rows: Rows, chainId: number, wallet: string, vested: readonly VestedTranche[]): Promise<VestedTranche[]> => {
  const stored = await rows
    .insertInto('vested_tranche')
    .values(vested.map(({ txHash, logIndex, vestedAt }) => ({ chainId, txHash, logIndex, wallet, vestedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['txHash', 'logIndex'])
    .execute()
  const keys = new Set(stored.map(keyOf))
  return vested.filter((tranche) => keys.has(keyOf(tranche)))
}

const vestedEvent = (wallet: string, asset: ChainFile['asset'], tranche: VestedTranche): NewEvent => ({
  topic: 'pool.tranche_vested',
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
})

/** Announces tranches of a wallet (lower case) that have vested in full, each once. Runs in a transaction of the caller. */
export const announceVested = async (
  rows: Rows,
  { chainId, asset }: ChainFile,
  wallet: string,
  vested: readonly VestedTranche[],
): Promise<void> => {
  for (let from = 0; from < vested.length; from += CHUNK) {
    const fresh = await storeVested(rows, chainId, wallet, vested.slice(from, from + CHUNK))
    if (fresh.length > 0) await emit(rows, ...fresh.map((tranche) => vestedEvent(wallet, asset, tranche)))
  }
}
