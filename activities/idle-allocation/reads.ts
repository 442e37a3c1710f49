import { type Hex, stringToHex, zeroAddress } from 'viem'
import type { Position } from '../../domain/chain/account-position.ts'
import { minRaw } from '../../domain/common/money.ts'
import type { VenueState } from '../../domain/idle-allocation/terms.ts'
import { quoteSeed } from '../../domain/pool/quotes.ts'
import { holderHeadroomRaw, poolHeadroomRaw, type ShareBook } from '../../domain/pool/shares.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { IDLE_STRATEGY_LABEL } from '../../schemas/idle-allocation/record.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { depositPoolAbi } from '../chain/abi/deposit-pool.ts'
import { strategyAdapterRegistryAbi } from '../chain/abi/strategy-adapter-registry.ts'
import { awaitMembers, createBlockReads } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { convertReadErrors } from '../chain/reachable.ts'
import type { ChainReads } from '../chain/reads.ts'
import { createPoolReads } from '../pool/reads.ts'

/** Id of the strategy on chain. */
export const IDLE_STRATEGY = stringToHex(IDLE_STRATEGY_LABEL, { size: 32 })

/** What decides about the next movement of a wallet, at one block, base units. */
export interface IdleReading {
  position: Position
  allocatedRaw: bigint
  book: ShareBook
  poolHeadroomRaw: bigint
  poolBufferRaw: bigint
}

/** Reads of the chain for idle-balance allocation. Throws 502 `blockchain_unavailable`. */
export const createIdleReads = (chain: ChainFile, clients: ChainClients, reads: Pick<ChainReads, 'latestBlock'>) => {
  const { reader } = clients
  const { depositPool, agentAccount, registry } = chain.contracts
  const { positionAt } = createBlockReads(chain, clients)

  return {
    /** State of the pool's venue; null on a chain without a pool. */
    venueState: (): Promise<VenueState | null> =>
      convertReadErrors(async () => {
        if (depositPool === undefined) return null
        const { number: blockNumber } = await reads.latestBlock()
        const pool = { address: depositPool.address, abi: depositPoolAbi, blockNumber } as const
        const [venue, deployment] = await Promise.all([
          reader.readContract({ ...pool, functionName: 'venueAdapter' }),
          reader.readContract({ ...pool, functionName: 'activeVenueDeploymentId' }),
        ])
        if (venue === zeroAddress) return 'unbound'
        return deployment === 0n ? 'inactive' : 'active'
      }),

    /** The wallet and the pool; null while no active strategy lends to the pool, or the pool is below its seed. */
    idleReading: (wallet: Hex): Promise<IdleReading | null> =>
      convertReadErrors(async () => {
        if (depositPool === undefined) return null
        const { number: blockNumber } = await reads.latestBlock()
        const { adapter, active } = await reader.readContract({
          address: registry.address,
          abi: strategyAdapterRegistryAbi,
          functionName: 'getStrategy',
          args: [IDLE_STRATEGY],
          blockNumber,
        })
        if (!active) return null
        const { position, allocatedRaw, pool } = await awaitMembers({
          position: positionAt(wallet, blockNumber),
          allocatedRaw: reader.readContract({
            address: agentAccount.address,
            abi: agentAccountCoreAbi,
            functionName: 'strategyAllocationValues',
            blockNumber,
            args: [wallet, IDLE_STRATEGY],
          }),
          pool: createPoolReads(chain, depositPool, clients, reads).walletFiguresAt(adapter, blockNumber),
        })
        if (quoteSeed(pool).quote === null) return null
        const headroomRaw = minRaw(poolHeadroomRaw(pool), holderHeadroomRaw(pool))
        return { position, allocatedRaw, book: pool, poolHeadroomRaw: headroomRaw, poolBufferRaw: pool.bufferRaw }
      }),
  }
}
export type IdleReads = ReturnType<typeof createIdleReads>
