import type { Hex } from 'viem'
import { type Fact, known, knownValue } from '../../domain/common/fact.ts'
import type { LockChainFacts, PoolSnapshot } from '../../domain/locked-deposits/checks.ts'
import { holderHeadroomRaw, poolHeadroomRaw } from '../../domain/pool/shares.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { createBlockReads } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { readOrElse } from '../chain/reachable.ts'
import type { ChainReads } from '../chain/reads.ts'
import { createPoolReads } from '../pool/reads.ts'

const UNREADABLE: LockChainFacts = { position: 'unreadable', claims: 'unreadable', creditDebtRaw: 'unreadable', pool: 'unreadable' }

const asFact = <T>(read: () => Promise<T>): Promise<Fact<T>> =>
  readOrElse<Fact<T>, Fact<T>>(
    async () => known(await read()),
    () => 'unreadable',
  )

/** Reads what the chain says of a wallet that locks a part of its balance; all parts at one block, each on its own readable or not. */
export const createLockReads = (chain: ChainFile, clients: ChainClients, reads: Pick<ChainReads, 'latestBlock'>) => {
  const { positionAt, claimCountAt, creditDebtAt } = createBlockReads(chain, clients)
  const { depositPool } = chain.contracts
  const pool = depositPool === undefined ? null : createPoolReads(chain, depositPool, clients, reads)

  const poolAt = async (wallet: Hex, block: bigint): Promise<PoolSnapshot> => {
    if (pool === null) throw new Error('the chain has no deposit pool')
    const figures = await pool.walletFiguresAt(wallet, block)
    const { managedRaw, supplyRaw, placedRaw, balanceRaw } = figures
    const headrooms = { headroomRaw: poolHeadroomRaw(figures), holderHeadroomRaw: holderHeadroomRaw(figures) }
    return { block, managedRaw, supplyRaw, placedRaw, balanceRaw, ...headrooms }
  }

  return {
    lockFacts: async (wallet: Hex): Promise<LockChainFacts> => {
      const block = await asFact(reads.latestBlock)
      if (typeof block === 'string') return UNREADABLE
      const { number } = block.known
      const [position, claims, debt, snapshot] = await Promise.all([
        asFact(() => positionAt(wallet, number)),
        asFact(async () => ({ block: number, claimCount: await claimCountAt(wallet, number) })),
        asFact(() => creditDebtAt(wallet, number)),
        pool === null ? ('unreadable' as const) : asFact(() => poolAt(wallet, number)),
      ])
      // A debt that the contract did not tell is unreadable.
      const debtRaw = knownValue(debt) ?? null
      return { position, claims, creditDebtRaw: debtRaw === null ? 'unreadable' : known(debtRaw), pool: snapshot }
    },
  }
}
export type LockReads = ReturnType<typeof createLockReads>
