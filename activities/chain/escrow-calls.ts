import { type ContractFunctionArgs, type EncodeFunctionDataParameters, encodeFunctionData, type Hex, zeroHash } from 'viem'
import { OPEN_DISPUTE_GAS } from '../../domain/common/constants.ts'
import { labelHash, reasonCodeHash } from '../../domain/common/ids.ts'
import { escrowCoreAbi } from './abi/escrow-core.ts'
import type { TransactionIntent } from './journal/rows.ts'

/** Fixed gas per call, well above the measured use (a test checks it). Dependent writes are pipelined and cannot be estimated. */
export const GAS = {
  createSinglePayoutJob: 1_000_000n,
  createSinglePayoutJobFeeWaived: 1_000_000n,
  setOnboardingWaiverEligible: 150_000n,
  claimJobFor: 800_000n,
  submitWorkFor: 250_000n,
  handleClaimTimeout: 800_000n,
  resolveSinglePayout: 1_800_000n,
  resolveMilestone: 400_000n,
  finalizeRejectedJob: 1_200_000n,
  openDisputeFor: OPEN_DISPUTE_GAS,
  resolveDispute: 1_800_000n,
  autoResolveOnTimeout: 1_600_000n,
} as const

/**
 * What the journal keeps beside a call of the escrow. A call for a job without a session has no `sessionId`: only what frees the escrow of a job
 * that is not listed. Every other caller gives the id, or its transaction is missing among those of the session.
 */
export interface CallContext {
  escrow: Hex
  jobId: string
  sessionId?: string | undefined
  requestId?: string | undefined
}

/** Intent of one call of the escrow. */
export const escrowIntent = <Name extends keyof typeof GAS>(
  { escrow, jobId, sessionId, requestId }: CallContext,
  key: string,
  functionName: Name,
  args: ContractFunctionArgs<typeof escrowCoreAbi, 'nonpayable', Name>,
): TransactionIntent => {
  const data = encodeFunctionData({ abi: escrowCoreAbi, functionName, args } as EncodeFunctionDataParameters)
  return { key, to: escrow, functionName, data, gas: GAS[functionName], jobId, sessionId, requestId }
}

/** Terms of a job's definition that the escrow stores. */
interface CreationTerms {
  /** Base units, as digits. */
  rewardAmountRaw: string
  claimTtlSeconds: number
  verifierMode: string
  category: string
  onboardingWaiverEligible: boolean
}

/** Creates a curated job from the operator's liquid balance when its first claim needs it. Waiver-eligible jobs pay no poster fee. */
export const createJobIntent = (
  context: CallContext,
  key: string,
  job: { chainJobId: Hex; definition: CreationTerms; specHash: Hex; asset: Hex },
): TransactionIntent => {
  const { definition } = job
  const args = [
    job.chainJobId,
    job.asset,
    BigInt(definition.rewardAmountRaw),
    0n,
    0n,
    BigInt(definition.claimTtlSeconds),
    labelHash(definition.verifierMode),
    labelHash(definition.category),
    job.specHash,
  ] as const
  return escrowIntent(context, key, definition.onboardingWaiverEligible ? 'createSinglePayoutJobFeeWaived' : 'createSinglePayoutJob', args)
}

/** Verdict of a single-payout job. The call carries hashes of the reason code and of a person's rationale, and the badge URL as metadata. */
export const resolveIntent = (
  context: CallContext,
  key: string,
  verdict: { chainJobId: Hex; approved: boolean; reasonCode: string; metadataURI: string; reasoningHash?: Hex | null },
): TransactionIntent => {
  const { chainJobId, approved, reasonCode, metadataURI, reasoningHash } = verdict
  return escrowIntent(context, key, 'resolveSinglePayout', [
    chainJobId,
    approved,
    reasonCodeHash(reasonCode),
    metadataURI,
    reasoningHash ?? zeroHash,
  ])
}
