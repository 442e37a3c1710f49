import type { Hex } from 'viem'
import { type Fact, known } from '../../domain/common/fact.ts'
import type { LockChainFacts, PoolSnapshot } from '../../domain/locked-deposits/checks.ts'
import { holderHeadroomRaw, poolHeadroomRaw } from '../../domain/pool/shares.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { isServiceError } from '../../schemas/errors.ts'
import { createBlockReads } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { convertReadErrors } from '../chain/reachable.ts'
import type { ChainReads } from '../chain/reads.ts'
import { createPoolReads } from '../pool/reads.ts'

const UNREADABLE: LockChainFacts = { position: 'unreadable', creditDebtRaw: 'unreadable', pool: 'unreadable' }

const asFact = async <T>(reading: Promise<T>): Promise<Fact<T>> => {
  try {
    return known(await convertReadErrors(() => reading))
  } catch (error) {
    if (isServiceError(error) && error.code === 'blockchain_unavailable') return 'unreadable'
    throw error
  }
}

/** Reads what the chain says of a wallet that locks a part of its balance; all parts at one block, each on its own readable or not. */
export const createLockReads = (chain: ChainFile, clients: ChainClients, reads: Pick<ChainReads, 'latestBlock'>) => {
  const { positionAt, creditDebtAt } = createBlockReads(chain, clients)
  const { depositPool } = chain.contracts
  const pool = depositPool === undefined ? null : createPoolReads(chain, depositPool, clients, reads)

  const poolAt = async (wallet: Hex, block: bigint): Promise<PoolSnapshot> => {
    if (pool === null) throw new Error('the chain has no deposit pool')
    const { caps, ...figures } = await pool.walletFiguresAt(wallet, block)
    return {
      block,
      managedRaw: figures.managedRaw,
      supplyRaw: figures.supplyRaw,
      placedRaw: figures.placedRaw,
      balanceRaw: figures.balanceRaw,
      headroomRaw: poolHeadroomRaw(figures, caps),
      holderHeadroomRaw: holderHeadroomRaw(figures, caps, figures.balanceRaw),
    }
  }

  /** A debt that the contract did not tell is unreadable. */
  const debtAt = async (wallet: Hex, block: bigint): Promise<Fact<bigint>> => {
    const debt = await creditDebtAt(wallet, block)
    return debt === null ? 'unreadable' : known(debt)
  }

  return {
    lockFacts: async (wallet: Hex): Promise<LockChainFacts> => {
      const block = await asFact(reads.latestBlock())
      if (typeof block === 'string') return UNREADABLE
      const { number } = block.known
      const [position, debt, snapshot] = await Promise.all([
        asFact(positionAt(wallet, number)),
        asFact(debtAt(wallet, number)),
        pool === null ? ('unreadable' as const) : asFact(poolAt(wallet, number)),
      ])
      return { position, creditDebtRaw: typeof debt === 'string' ? debt : debt.known, pool: snapshot }
    },
  }
}
export type LockReads = ReturnType<typeof createLockReads>
