import { encodeFunctionData, type Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { escrowCoreAbi } from '../chain/abi/escrow-core.ts'
import { resolutionOf } from '../settlement/verdict-calls.ts'
import type { PrepareVerdict } from './signatures.ts'

/** Prepares the unsigned `resolveDispute` call of a verdict for an arbitrator with an external key. */
export const resolveDisputeTransaction =
  ({ chain, escrow, publicBaseUrl }: { chain: ChainFile; escrow: Hex; publicBaseUrl: string }): PrepareVerdict =>
  (session, award) => {
    const args = resolutionOf(session, award, publicBaseUrl)
    return {
      to: escrow.toLowerCase(),
      data: encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveDispute', args }),
      value: '0',
      chainId: chain.chainId,
      function: 'resolveDispute(bytes32,uint256,bytes32,string)',
      args: args.map(String),
    }
  }
