import type { Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { resolveDisputeData } from '../chain/escrow-calls.ts'
import { resolutionOf } from '../settlement/verdict-calls.ts'
import type { PrepareVerdict } from './signatures.ts'

/** Prepares the unsigned `resolveDispute` call of a verdict for an arbitrator with an external key. */
export const resolveDisputeTransaction =
  ({ chain, escrow, publicBaseUrl }: { chain: ChainFile; escrow: Hex; publicBaseUrl: string }): PrepareVerdict =>
  (session, award) => {
    const resolution = resolutionOf(session, award, publicBaseUrl)
    return {
      to: escrow.toLowerCase(),
      data: resolveDisputeData(resolution),
      value: '0',
      chainId: chain.chainId,
      function: 'resolveDispute(bytes32,uint256,bytes32,string)',
      args: [resolution.chainJobId, resolution.payoutRaw.toString(), resolution.reasonCode, resolution.metadataURI],
    }
  }
