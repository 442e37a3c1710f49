import type { Hex } from 'viem'
import type { ChainFile } from '../../schemas/chain-file.ts'
import type { ArbitrationVerdict, RoundVerdict } from '../../schemas/dispute-record.ts'
import type { PrepareVerdict } from '../records/dispute-signatures.ts'
import { resolveDisputeData } from './escrow-calls.ts'
import { resolutionOf } from './verdict-calls.ts'

const isArbitration = (verdict: RoundVerdict): verdict is ArbitrationVerdict => verdict !== 'approved' && verdict !== 'rejected'

/** The unsigned `resolveDispute` of a verdict, for an arbitrator whose key the service does not hold. */
export const resolveDisputeTransaction =
  ({ chain, escrow, publicBaseUrl }: { chain: ChainFile; escrow: Hex; publicBaseUrl: string }): PrepareVerdict =>
  (session, award) => {
    const { verdict, payoutRaw, reasoningHash } = award
    if (!isArbitration(verdict)) throw new Error(`${verdict} is no verdict of an arbitration`)
    const resolution = resolutionOf(session, { verdict, payoutRaw, reasoningHash }, publicBaseUrl)
    return {
      to: escrow.toLowerCase(),
      data: resolveDisputeData(resolution),
      value: '0',
      chainId: chain.chainId,
      function: 'resolveDispute(bytes32,uint256,bytes32,string)',
      args: [resolution.chainJobId, resolution.payoutRaw.toString(), resolution.reasonCode, resolution.metadataURI],
    }
  }
