import { type ContractFunctionArgs, type EncodeFunctionDataParameters, encodeFunctionData, type Hex, zeroHash } from 'viem'
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
  finalizeRejectedJob: 1_200_000n,
  openDisputeFor: 250_000n,
  resolveDispute: 1_800_000n,
  autoResolveOnTimeout: 1_600_000n,
} as const

type Call = keyof typeof GAS

export interface CallContext {
  escrow: Hex
  jobId: string
  sessionId: string
  requestId?: string | undefined
}

const intent = <Name extends Call>(
  { escrow, jobId, sessionId, requestId }: CallContext,
  key: string,
  functionName: Name,
  args: ContractFunctionArgs<typeof escrowCoreAbi, 'nonpayable', Name>,
): TransactionIntent => {
  const data = encodeFunctionData({ abi: escrowCoreAbi, functionName, args } as EncodeFunctionDataParameters)
  return { key, to: escrow, functionName, data, gas: GAS[functionName], jobId, sessionId, requestId }
}

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
    labelHash(definition.verifierMode),
    labelHash(definition.category),
    job.specHash,
  ] as const
  return intent(context, key, definition.onboardingWaiverEligible ? 'createSinglePayoutJobFeeWaived' : 'createSinglePayoutJob', args)
}

/** Sets whether a job waives the bond of new wallets. */
export const setWaiverIntent = (context: CallContext, key: string, chainJobId: Hex, eligible: boolean): TransactionIntent =>
  intent(context, key, 'setOnboardingWaiverEligible', [chainJobId, eligible])

/** Claims a job for its worker. */
export const claimJobForIntent = (context: CallContext, key: string, chainJobId: Hex, worker: Hex): TransactionIntent =>
  intent(context, key, 'claimJobFor', [chainJobId, worker])

/** Submits the evidence hash for the worker. */
export const submitWorkForIntent = (
  context: CallContext,
  key: string,
  chainJobId: Hex,
  worker: Hex,
  evidenceHash: Hex,
): TransactionIntent => intent(context, key, 'submitWorkFor', [chainJobId, worker, evidenceHash])

/** Reopens a job whose claim expired. */
export const claimTimeoutIntent = (context: CallContext, key: string, chainJobId: Hex): TransactionIntent =>
  intent(context, key, 'handleClaimTimeout', [chainJobId])

/** Verdict of a single-payout job. The call carries hashes of the reason code and of a person's rationale, and the badge URL as metadata. */
export const resolveIntent = (
  context: CallContext,
  key: string,
  verdict: { chainJobId: Hex; approved: boolean; reasonCode: string; metadataURI: string; reasoningHash?: Hex | null },
): TransactionIntent => {
  const { chainJobId, approved, reasonCode, metadataURI, reasoningHash } = verdict
  return intent(context, key, 'resolveSinglePayout', [
    chainJobId,
    approved,
    reasonCodeHash(reasonCode),
    metadataURI,
    reasoningHash ?? zeroHash,
  ])
}

/** Makes a rejection final after its window. */
export const finalizeRejectedIntent = (context: CallContext, key: string, chainJobId: Hex): TransactionIntent =>
  intent(context, key, 'finalizeRejectedJob', [chainJobId])

/** Opens the dispute of a rejection for its worker. Only the operator may name another participant than itself. */
export const openDisputeForIntent = (context: CallContext, key: string, chainJobId: Hex, participant: Hex): TransactionIntent =>
  intent(context, key, 'openDisputeFor', [chainJobId, participant])

/** An arbitrator's verdict as the contract takes it. `metadataURI` becomes the badge's URL if anything is paid. */
export interface DisputeResolution {
  chainJobId: Hex
  payoutRaw: bigint
  /** ASCII in 32 bytes. */
  reasonCode: Hex
  metadataURI: string
}

const resolutionArgs = ({ chainJobId, payoutRaw, reasonCode, metadataURI }: DisputeResolution) =>
  [chainJobId, payoutRaw, reasonCode, metadataURI] as const

/** Call data of an arbitrator's verdict. */
export const resolveDisputeData = (resolution: DisputeResolution): Hex =>
  encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveDispute', args: resolutionArgs(resolution) })

/** Executes an arbitrator's verdict. */
export const resolveDisputeIntent = (context: CallContext, key: string, resolution: DisputeResolution): TransactionIntent =>
  intent(context, key, 'resolveDispute', resolutionArgs(resolution))

/** Ends a dispute by the contract's time-out. */
export const autoResolveIntent = (context: CallContext, key: string, chainJobId: Hex): TransactionIntent =>
  intent(context, key, 'autoResolveOnTimeout', [chainJobId])
