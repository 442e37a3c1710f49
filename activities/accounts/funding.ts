import { ContractFunctionExecutionError, encodeFunctionData, type Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import { testUsdcAbi } from '../chain/abi/test-usdc.ts'
import type { ChainClients } from '../chain/clients.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import type { Transactions } from '../chain/journal/send.ts'
import { convertReadErrors, isUnreachable } from '../chain/reachable.ts'
import { revertInfo } from '../chain/refusals.ts'

/** Fixed gas per step. Each step depends on the one before it, so none can be estimated. */
const STEP_GAS = 200_000n

/** One funding of the operator's own account. The same key and amount are sent at most once. */
export interface Funding {
  key: string
  amountRaw: bigint
  requestId: string
}

/** Mints test tokens to the operator and deposits them. The caller must allow it on local chains only. */
export const createFunding = (chain: ChainFile, clients: ChainClients, transactions: Transactions) => {
  const token = chain.asset.address as Hex
  const account = chain.contracts.agentAccount.address as Hex

  const intents = (operator: Hex, { key, amountRaw, requestId }: Funding): TransactionIntent[] => {
    const step = (functionName: string, to: Hex, data: Hex): TransactionIntent => ({
      key: `${key}/${amountRaw}/${functionName}`,
      to,
      functionName,
      data,
      gas: STEP_GAS,
      requestId,
    })
    return [
      step('mint', token, encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [operator, amountRaw] })),
      step('approve', token, encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [account, amountRaw] })),
      step('deposit', account, encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'deposit', args: [token, amountRaw] })),
    ]
  }

  /** Whether the operator can mint the asset. Throws if the node does not answer. */
  const isMintable = async (operator: Hex): Promise<boolean> => {
    try {
      await clients.reader.simulateContract({
        address: token,
        abi: testUsdcAbi,
        functionName: 'mint',
        args: [operator, 1n],
        account: operator,
      })
      return true
    } catch (error) {
      if (error instanceof ContractFunctionExecutionError && !isUnreachable(error)) return false
      throw error
    }
  }

  /** Mint, approve, deposit. Throws 400 `asset_not_mintable`, 409 `blockchain_revert`, 502 `blockchain_unavailable`. */
  return (funding: Funding): Promise<void> =>
    convertReadErrors(async () => {
      const operator = transactions.addressOf('operator')
      if (!(await isMintable(operator))) throw new ServiceError('asset_not_mintable', { details: { asset: chain.asset.symbol } })
      const mined = await transactions.send('operator', intents(operator, funding))
      const reverted = mined.find(({ status }) => status === 'reverted')
      if (reverted === undefined) return
      const { txHash, revertReason } = reverted
      // A repeat with this key returns the same error, so the answer does not ask the caller to wait.
      const { reason, details } = revertInfo('account_fund', revertReason, { txHash })
      throw new ServiceError('blockchain_revert', {
        ...(reason !== undefined && { reason }),
        detail: 'The contract refused a step of the funding. Transactions sent under this key remain; try again under a fresh key.',
        details: { ...details, remedy: 'Try again under a fresh key.' },
      })
    })
}
