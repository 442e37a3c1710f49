import type { Hex } from 'viem'
import { type PlaceFacts, placesOf } from '../../domain/accounts/places.ts'
import type { Place } from '../../domain/strategies/places.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { awaitMembers } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { convertReadErrors } from '../chain/reachable.ts'
import type { ChainReads } from '../chain/reads.ts'
import { createCreditReads } from '../credit/reads.ts'
import { createPoolReads } from '../pool/reads.ts'
import { createStrategyReads } from '../strategies/reads.ts'
import type { WalletBalances } from './reads.ts'

/** Reads where the money of a wallet is. Throws 502 `blockchain_unavailable`. */
export const createPlaceReads = (chain: ChainFile, clients: ChainClients, reads: Pick<ChainReads, 'latestBlock'>) => {
  const { depositPool: pool, creditPool: credit, agentAccount } = chain.contracts
  const lower = (address: string): string => address.toLowerCase()
  const contracts = {
    asset: lower(chain.asset.address),
    account: lower(agentAccount.address),
    depositPool: pool === undefined ? null : lower(pool.address),
    creditPool: credit === undefined ? null : lower(credit.address),
  }
  const strategies = createStrategyReads(chain, clients)
  const pools = pool === undefined ? null : createPoolReads(chain, pool, clients, reads)
  const credits = pool === undefined || credit === undefined ? null : createCreditReads({ chain, pool, credit }, clients)

  return async (
    wallet: Hex,
    { block, position, walletBalanceRaw: walletRaw }: WalletBalances,
    locks: PlaceFacts['locks'],
  ): Promise<Place[]> => {
    const {
      reading,
      pool: own,
      figures,
    } = await convertReadErrors(() =>
      awaitMembers({
        reading: strategies.holdings(wallet, block),
        pool: pools === null ? null : pools.walletFiguresAt(wallet, block.number),
        figures: credits === null ? null : credits.figuresAt(wallet, block.number),
      }),
    )
    const holdings = reading.available ? reading.read.holdings : null
    const [lender, debtRaw] = [figures?.pool ?? null, figures?.debtRaw ?? 0n]
    return placesOf({ position, walletRaw, locks, holdings, pool: own, lender, debtRaw }, contracts)
  }
}
export type PlaceReads = ReturnType<typeof createPlaceReads>
