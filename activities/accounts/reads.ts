import { erc20Abi, type Hex } from 'viem'
import type { Position } from '../../domain/chain/account-position.ts'
import type { NativeGas } from '../../domain/chain/native-gas.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { awaitMembers, createBlockReads } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { readNativeGas } from '../chain/native-gas.ts'
import { type BlockRef, readLatestOf } from '../chain/node/answers.ts'
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
export const createAccountReads = (chain: ChainFile, clients: ChainClients) => {
  const { reader } = clients
  const token = { address: chain.asset.address as Hex, abi: erc20Abi } as const
  const { positionAt } = createBlockReads(chain, clients)

  const balancesAt = (wallet: Hex, block: BlockRef): Promise<WalletBalances> =>
    awaitMembers({
      block,
      position: positionAt(wallet, block.number),
      walletBalanceRaw: reader.readContract({ ...token, functionName: 'balanceOf', args: [wallet], blockNumber: block.number }),
    })

  /** Balances of the wallet at the newest block, and what `beside` reads of the block meanwhile. */
  const readWith = <Beside extends object>(wallet: Hex, beside: (block: BlockRef) => Beside) =>
    convertReadErrors(async () => {
      const block = await readLatestOf(clients)
      const [balances, read] = await Promise.all([balancesAt(wallet, block), awaitMembers(beside(block))])
      return { ...balances, ...read }
    })

  return {
    readBalances: (wallet: Hex): Promise<WalletBalances> => readWith(wallet, () => ({})),

    depositFacts: (wallet: Hex): Promise<DepositFacts> =>
      readWith(wallet, ({ number: blockNumber }) => ({
        allowanceRaw: reader.readContract({
          ...token,
          functionName: 'allowance',
          args: [wallet, chain.contracts.agentAccount.address as Hex],
          blockNumber,
        }),
        assetName: reader.readContract({ ...token, functionName: 'name', blockNumber }),
      })),

    withdrawFacts: (wallet: Hex, destination: Hex): Promise<WithdrawFacts> =>
      readWith(wallet, ({ number: blockNumber }) => ({
        native: readNativeGas({ reader }, chain, wallet),
        isContract: reader.getCode({ address: destination, blockNumber }).then((code) => code !== undefined),
      })),
  }
}
export type AccountReads = ReturnType<typeof createAccountReads>
