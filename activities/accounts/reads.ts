import { erc20Abi, type Hex } from 'viem'
import type { Position } from '../../domain/chain/account-position.ts'
import type { NativeGas } from '../../domain/chain/native-gas.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import type { ChainClients } from '../chain/clients.ts'
import { readNativeGas } from '../chain/native-gas.ts'
import { assertChain, type BlockRef, readLatestBlock } from '../chain/node/answers.ts'
import { convertReadErrors } from '../chain/reachable.ts'

/** A wallet's balances inside and outside the account contract, at one block. */
export interface WalletBalances {
  block: BlockRef
  position: Position
  /** Tokens in the wallet itself, base units. */
  walletBalanceRaw: bigint
}

/** Facts for an approve-and-deposit: the balances, the allowance and the token's name. */
export interface DepositFacts extends WalletBalances {
  /** Allowance of the account contract over the wallet's tokens, base units. */
  allowanceRaw: bigint
  assetName: string
}

/** Facts for a withdrawal: the balances, what sending costs, and whether the destination is a contract. */
export interface WithdrawFacts extends WalletBalances {
  native: NativeGas | null
  isContract: boolean
}

/** Reads a wallet's balances; each answer is pinned to one block. Throws 502 `blockchain_unavailable`. */
export const createAccountReads = (chain: ChainFile, { reader, chainId }: ChainClients) => {
  const asset = chain.asset.address as Hex
  const account = chain.contracts.agentAccount.address as Hex
  const token = { address: asset, abi: erc20Abi } as const

  const latestBlock = async (): Promise<BlockRef> => {
    const [block] = await Promise.all([readLatestBlock(reader), assertChain(reader, chainId)])
    return block
  }

  const sheetAt = async (wallet: Hex, block: BlockRef): Promise<WalletBalances> => {
    const blockNumber = block.number
    const [amounts, walletBalanceRaw] = await Promise.all([
      reader.readContract({ address: account, abi: agentAccountCoreAbi, functionName: 'positions', args: [wallet, asset], blockNumber }),
      reader.readContract({ ...token, functionName: 'balanceOf', args: [wallet], blockNumber }),
    ])
    const [liquid, reserved, strategyAllocated, collateralLocked, jobStakeLocked, debtOutstanding] = amounts
    const position = { liquid, reserved, strategyAllocated, collateralLocked, jobStakeLocked, debtOutstanding }
    return { block, position, walletBalanceRaw }
  }

  return {
    readBalances: (wallet: Hex): Promise<WalletBalances> => convertReadErrors(async () => sheetAt(wallet, await latestBlock())),

    depositFacts: (wallet: Hex): Promise<DepositFacts> =>
      convertReadErrors(async () => {
        const block = await latestBlock()
        const blockNumber = block.number
        const [sheet, allowanceRaw, assetName] = await Promise.all([
          sheetAt(wallet, block),
          reader.readContract({ ...token, functionName: 'allowance', args: [wallet, account], blockNumber }),
          reader.readContract({ ...token, functionName: 'name', blockNumber }),
        ])
        return { ...sheet, allowanceRaw, assetName }
      }),

    withdrawFacts: (wallet: Hex, destination: Hex): Promise<WithdrawFacts> =>
      convertReadErrors(async () => {
        const block = await latestBlock()
        const [sheet, native, code] = await Promise.all([
          sheetAt(wallet, block),
          readNativeGas({ reader }, chain, wallet),
          reader.getCode({ address: destination, blockNumber: block.number }),
        ])
        return { ...sheet, native, isContract: code !== undefined }
      }),
  }
}
