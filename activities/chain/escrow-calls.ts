import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { categoryHash, reasonCodeHash, verifierModeHash } from '../../domain/common/ids.ts'
import { escrowCoreAbi } from './abi/escrow-core.ts'
import type { TransactionIntent } from './journal/rows.ts'

/** Fixed gas per call, well above the measured use (a test checks it). Dependent writes are pipelined and cannot be estimated. */
export const GAS = {
  createJob: 1_000_000n,
  setWaiver: 150_000n,
  claimJobFor: 800_000n,
  submitWorkFor: 250_000n,
  handleClaimTimeout: 800_000n,
  resolveSinglePayout: 1_800_000n,
  finalizeRejectedJob: 1_200_000n,
  openDisputeFor: 250_000n,
  resolveDispute: 1_800_000n,
  autoResolveOnTimeout: 1_600_000n,
} as const

export interface CallContext {
  escrow: Hex
  jobId: string
  sessionId: string
  requestId?: string | undefined
}

const intent = (context: CallContext, key: string, functionName: string, data: Hex, gas: bigint): TransactionIntent => ({
  key,
  to: context.escrow,
  functionName,
  data,
  gas,
  jobId: context.jobId,
  sessionId: context.sessionId,
  requestId: context.requestId,
})

/** Terms of a job's definition that the escrow stores. */
export interface CreationTerms {
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
    verifierModeHash(definition.verifierMode),
    categoryHash(definition.category),
    job.specHash,
  ] as const
  const data = definition.onboardingWaiverEligible
    ? encodeFunctionData({ abi: escrowCoreAbi, functionName: 'createSinglePayoutJobFeeWaived', args })
    : encodeFunctionData({ abi: escrowCoreAbi, functionName: 'createSinglePayoutJob', args })
  return intent(
    context,
    key,
    definition.onboardingWaiverEligible ? 'createSinglePayoutJobFeeWaived' : 'createSinglePayoutJob',
    data,
    GAS.createJob,
  )
}

/** Sets whether a job waives the bond of new wallets. */
export const setWaiverIntent = (context: CallContext, key: string, chainJobId: Hex, eligible: boolean): TransactionIntent =>
  intent(
    context,
    key,
    'setOnboardingWaiverEligible',
    encodeFunctionData({ abi: escrowCoreAbi, functionName: 'setOnboardingWaiverEligible', args: [chainJobId, eligible] }),
    GAS.setWaiver,
  )

/** Claims a job for its worker. */
export const claimJobForIntent = (context: CallContext, key: string, chainJobId: Hex, worker: Hex): TransactionIntent =>
  intent(
    context,
    key,
    'claimJobFor',
    encodeFunctionData({ abi: escrowCoreAbi, functionName: 'claimJobFor', args: [chainJobId, worker] }),
    GAS.claimJobFor,
  )

/** Submits the evidence hash for the worker. */
export const submitWorkForIntent = (
  context: CallContext,
  key: string,
  chainJobId: Hex,
  worker: Hex,
  evidenceHash: Hex,
): TransactionIntent =>
  intent(
    context,
    key,
    'submitWorkFor',
    encodeFunctionData({ abi: escrowCoreAbi, functionName: 'submitWorkFor', args: [chainJobId, worker, evidenceHash] }),
    GAS.submitWorkFor,
  )

/** Reopens a job whose claim expired. */
export const claimTimeoutIntent = (context: CallContext, key: string, chainJobId: Hex): TransactionIntent =>
  intent(
    context,
    key,
    'handleClaimTimeout',
    encodeFunctionData({ abi: escrowCoreAbi, functionName: 'handleClaimTimeout', args: [chainJobId] }),
    GAS.handleClaimTimeout,
  )

/** Verdict of a single-payout job. The call carries hashes of the reason code and of a person's rationale, and the badge URL as metadata. */
export const resolveIntent = (
  context: CallContext,
  key: string,
  verdict: { chainJobId: Hex; approved: boolean; reasonCode: string; metadataURI: string; reasoningHash?: Hex | null },
): TransactionIntent =>
  intent(
    context,
    key,
    'resolveSinglePayout',
    encodeFunctionData({
      abi: escrowCoreAbi,
      functionName: 'resolveSinglePayout',
      args: [
        verdict.chainJobId,
        verdict.approved,
        reasonCodeHash(verdict.reasonCode),
        verdict.metadataURI,
        verdict.reasoningHash ?? zeroHash,
      ],
    }),
    GAS.resolveSinglePayout,
  )

/** Makes a rejection final after its window. */
export const finalizeRejectedIntent = (context: CallContext, key: string, chainJobId: Hex): TransactionIntent =>
  intent(
    context,
    key,
    'finalizeRejectedJob',
    encodeFunctionData({ abi: escrowCoreAbi, functionName: 'finalizeRejectedJob', args: [chainJobId] }),
    GAS.finalizeRejectedJob,
  )

/** Opens the dispute of a rejection for its worker. Only the operator may name another participant than itself. */
export const openDisputeForIntent = (context: CallContext, key: string, chainJobId: Hex, participant: Hex): TransactionIntent =>
  intent(
    context,
    key,
    'openDisputeFor',
    encodeFunctionData({ abi: escrowCoreAbi, functionName: 'openDisputeFor', args: [chainJobId, participant] }),
    GAS.openDisputeFor,
  )

/** An arbitrator's verdict as the contract takes it. `metadataURI` becomes the badge's URL if anything is paid. */
export interface DisputeResolution {
  chainJobId: Hex
  payoutRaw: bigint
  /** ASCII in 32 bytes. */
  reasonCode: Hex
  metadataURI: string
}

/** Call data of an arbitrator's verdict. */
export const resolveDisputeData = ({ chainJobId, payoutRaw, reasonCode, metadataURI }: DisputeResolution): Hex =>
  encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveDispute', args: [chainJobId, payoutRaw, reasonCode, metadataURI] })

/** Executes an arbitrator's verdict. */
export const resolveDisputeIntent = (context: CallContext, key: string, resolution: DisputeResolution): TransactionIntent =>
  intent(context, key, 'resolveDispute', resolveDisputeData(resolution), GAS.resolveDispute)

/** Ends a dispute by the contract's time-out. */
export const autoResolveIntent = (context: CallContext, key: string, chainJobId: Hex): TransactionIntent =>
  intent(
    context,
    key,
    'autoResolveOnTimeout',
    encodeFunctionData({ abi: escrowCoreAbi, functionName: 'autoResolveOnTimeout', args: [chainJobId] }),
    GAS.autoResolveOnTimeout,
  )
