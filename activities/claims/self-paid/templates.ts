import type { Hex } from 'viem'
import { escrowCoreAbi } from '../../chain/abi/escrow-core.ts'
import { contractCall, type TemplateStep } from '../../chain/templates.ts'

const escrowStep = (
  escrow: Hex,
  functionName: 'claimJob' | 'handleClaimTimeout',
  chainJobId: Hex,
  prerequisite?: TemplateStep['prerequisite'],
): TemplateStep => ({
  step: functionName,
  call: contractCall(escrow, { abi: escrowCoreAbi, functionName, args: [chainJobId] }),
  prerequisite,
})

/** The transactions that claim a job; a claim that has run out is timed out first, which every account may do. */
export const claimSteps = (escrow: Hex, chainJobId: Hex, hasLapsedClaim: boolean): TemplateStep[] => {
  if (!hasLapsedClaim) return [escrowStep(escrow, 'claimJob', chainJobId)]
  const reason = 'The claim reverts until the expired claim is timed out, so its gas cannot be estimated before.'
  return [
    escrowStep(escrow, 'handleClaimTimeout', chainJobId),
    escrowStep(escrow, 'claimJob', chainJobId, { code: 'timeout_confirmed_on_chain', reason }),
  ]
}

/** The transaction that submits the hash of a work. */
export const submitSteps = (escrow: Hex, chainJobId: Hex, evidenceHash: Hex): TemplateStep[] => [
  { step: 'submitWork', call: contractCall(escrow, { abi: escrowCoreAbi, functionName: 'submitWork', args: [chainJobId, evidenceHash] }) },
]
