import {
  BaseError,
  ContractFunctionExecutionError,
  ExecutionRevertedError,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
} from 'viem'
import type { Strategy, StrategyHolding } from '../../domain/strategies/position.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { StrategiesUnread } from '../../schemas/strategies/record.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { asyncStrategyAdapterAbi } from '../chain/abi/async-strategy-adapter.ts'
import { strategyAdapterAbi } from '../chain/abi/strategy-adapter.ts'
import { strategyAdapterRegistryAbi } from '../chain/abi/strategy-adapter-registry.ts'
import { awaitMembers } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { type BlockRef, readLatestOf } from '../chain/node/answers.ts'
import { convertReadErrors, isUnreachable } from '../chain/reachable.ts'

const UINT256_BYTES = 32
const lower = (address: Hex): Hex => address.toLowerCase() as Hex

/** Catches a failed reading. A contract that answers with an error makes the strategies unreadable; anything else is the node's fault. */
const readingOf = async <T>(read: () => Promise<T>) => {
  try {
    return { available: true as const, read: await read() }
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const ofContract = error instanceof ContractFunctionExecutionError && !isUnreachable(error)
    const reason: StrategiesUnread = ofContract ? 'strategies_unreadable' : 'blockchain_unavailable'
    return { available: false as const, reason }
  }
}

/** Reads registered strategies and positions in them. Every number of one reading is of one block. */
export const createStrategyReads = (chain: ChainFile, clients: ChainClients) => {
  const { reader } = clients
  const registry = { address: chain.contracts.registry.address as Hex, abi: strategyAdapterRegistryAbi } as const
  const accounts = { address: chain.contracts.agentAccount.address as Hex, abi: agentAccountCoreAbi } as const

  const assetAt = async (address: Hex, blockNumber: bigint): Promise<Strategy['asset']> => {
    const { asset } = chain
    if (address === lower(asset.address as Hex)) return { symbol: asset.symbol, address, decimals: asset.decimals }
    const token = { address, abi: erc20Abi, blockNumber } as const
    const [symbol, decimals] = await Promise.all([
      reader.readContract({ ...token, functionName: 'symbol' }),
      reader.readContract({ ...token, functionName: 'decimals' }),
    ])
    return { symbol, address, decimals }
  }

  /** An adapter is asynchronous if it answers this call with one word, as the account contract decides. */
  const unsettledAt = async (adapter: Hex, blockNumber: bigint): Promise<bigint | null> => {
    const data = encodeFunctionData({ abi: asyncStrategyAdapterAbi, functionName: 'pendingDepositAssets' })
    try {
      const { data: answer = '0x' } = await reader.call({ to: adapter, data, blockNumber })
      return answer.length === 2 + 2 * UINT256_BYTES ? hexToBigInt(answer) : null
    } catch (error) {
      if (error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) !== null) return null
      throw error
    }
  }

  const strategyAt = async (strategyId: Hex, blockNumber: bigint): Promise<Strategy> => {
    // `strategies` of the registry is the raw record; only this call knows that the policy withdrew its approval.
    const record = await reader.readContract({ ...registry, functionName: 'getStrategy', args: [strategyId], blockNumber })
    const adapter = { address: record.adapter, abi: strategyAdapterAbi, blockNumber } as const
    const { asset, totalAssetsRaw, totalSharesRaw, unsettledRaw } = await awaitMembers({
      asset: assetAt(lower(record.asset), blockNumber),
      totalAssetsRaw: reader.readContract({ ...adapter, functionName: 'totalAssets' }),
      totalSharesRaw: reader.readContract({ ...adapter, functionName: 'totalShares' }),
      unsettledRaw: unsettledAt(record.adapter, blockNumber),
    })
    const { riskLabel, active } = record
    return { strategyId, adapter: lower(record.adapter), asset, riskLabel, active, totalAssetsRaw, totalSharesRaw, unsettledRaw }
  }

  /** Strategies in the order of their registration. */
  const registered = async (at?: BlockRef) => {
    const block = at ?? (await readLatestOf(clients))
    const ids = await reader.readContract({ ...registry, functionName: 'listStrategyIds', blockNumber: block.number })
    return { block, strategies: await Promise.all(ids.map((id) => strategyAt(id, block.number))) }
  }

  const holdingAt = async (wallet: Hex, strategy: Strategy, blockNumber: bigint): Promise<StrategyHolding> => {
    const args = [wallet, strategy.strategyId] as const
    return awaitMembers({
      strategy,
      sharesRaw: reader.readContract({ ...accounts, functionName: 'strategyShares', args, blockNumber }),
      markedRaw: reader.readContract({ ...accounts, functionName: 'strategyAllocationValues', args, blockNumber }),
      pendingSharesRaw: reader.readContract({ ...accounts, functionName: 'pendingStrategyWithdrawalShares', args, blockNumber }),
      pendingOfAssetRaw: reader.readContract({
        ...accounts,
        functionName: 'pendingStrategyAssets',
        args: [wallet, strategy.asset.address],
        blockNumber,
      }),
    })
  }

  return {
    /** What a strategy can pay out of the balances of all accounts, at a block. */
    payableAt: (adapter: Hex, blockNumber: bigint): Promise<bigint> =>
      convertReadErrors(() =>
        reader.readContract({
          address: adapter,
          abi: strategyAdapterAbi,
          functionName: 'maxWithdraw',
          args: [accounts.address],
          blockNumber,
        }),
      ),

    registered: () => readingOf(() => registered()),

    /** One holding per strategy, also where the wallet has nothing, at the newest block or the given one. */
    holdings: (wallet: Hex, at?: BlockRef) =>
      readingOf(async () => {
        const { block, strategies } = await registered(at)
        const holdings = await Promise.all(strategies.map((strategy) => holdingAt(wallet, strategy, block.number)))
        return { block, strategies, holdings }
      }),
  }
}
export type StrategyReads = ReturnType<typeof createStrategyReads>
