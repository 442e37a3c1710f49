import type { WorkReceipt } from '../../schemas/receipts/shapes.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { VerdictItem } from '../../schemas/sessions/verdicts.ts'
import { keccakOf, sha256Of } from '../common/hashes.ts'
import { chainJobId, parseSessionId } from '../common/ids.ts'
import { iso } from '../common/instants.ts'
import { rawAndDisplay, toDisplay } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import { badgeVerifierMode, signersOf } from '../reputation/badge.ts'
import type { Resolution } from '../sessions/resolution.ts'
import { pinnedDefinition } from '../sessions/snapshot.ts'

const RECEIPT_STATEMENT =
  'States which submission was judged under which terms, by which checks and with which outcome, and which transaction settled it. Does not state that the work has no defects, or who controls a wallet.'

type Outcome = WorkReceipt['verdict']['outcome']

/** What the settlement paid, base units. */
export interface ReceiptPayment {
  worker: string
  treasuryAccount: string
  /** Address of the token. */
  asset: string
  workerRaw: bigint
  protocolFeeRaw: bigint
  protocolFeeBps: number
  gasRetentionRaw: bigint
  gasRetentionBps: number
  txHash: string
}

/** Input of a receipt. Wallets in lower case, instants in epoch ms. */
export interface ReceiptFacts {
  session: SessionRecord
  outcome: Outcome
  reasonCode: string
  /** Checks of the decision that counts. */
  items: VerdictItem[]
  /** Handler of the verdict that counts; null when a dispute decided. */
  handler: string | null
  handlerVersion: number
  environment: WorkReceipt['execution']['environment']
  /** Content hash of the reasons; null without any. */
  rationaleHash: string | null
  /** Wallet that signed the verdict on chain; null when none did. */
  verifier: string | null
  resolution: Resolution
  replacedVerdict: NonNullable<WorkReceipt['resolution']['replacedVerdict']> | null
  /** Null when the worker was paid nothing. */
  payment: ReceiptPayment | null
  proof: WorkReceipt['settlementProof']
  verifiedAt: number
  /** Block time of the settlement. */
  settledAt: number
  /** No trailing slashes. */
  publicBaseUrl: string
}

/** Public address of a receipt. */
export const receiptUrl = (publicBaseUrl: string, receiptId: string): string => `${publicBaseUrl}/receipts/${receiptId}`

/** The submission as the evidence hash covers it. */
export const submittedWork = ({ submission }: SessionRecord): unknown =>
  submission === null || submission.kind === 'text' ? (submission?.rawText ?? null) : submission.structured

const consequenceOf = ({ session, resolution, payment }: ReceiptFacts): WorkReceipt['verdict']['workerConsequence'] => {
  const isSlashed = resolution.verdict === 'timeout' || payment === null
  if (isSlashed && session.economics.claimStakeRaw > 0n) return 'stake_slashed'
  return payment === null ? 'no_payout' : 'none'
}

const tagsOf = ({ session, resolution }: ReceiptFacts): string[] => [
  ...(session.economics.waived ? ['bond_waived'] : []),
  ...(session.economics.brokered ? ['gas_brokered'] : []),
  ...(resolution.kind === 'verifier' ? [] : [resolution.kind]),
]

const settlementOf = ({ asset, rewardRaw, brokered, waived }: SessionRecord['economics'], payment: ReceiptPayment) => {
  const amounts = rawAndDisplay(
    {
      workerAmount: payment.workerRaw,
      protocolFeeAmount: payment.protocolFeeRaw,
      rewardAmount: rewardRaw,
      posterTotalAmount: payment.workerRaw + payment.gasRetentionRaw + payment.protocolFeeRaw,
      gasRetentionAmount: payment.gasRetentionRaw,
    },
    asset.decimals,
  )
  return {
    ...pick(payment, 'worker', 'treasuryAccount', 'asset', 'protocolFeeBps', 'gasRetentionBps'),
    assetSymbol: asset.symbol,
    ...amounts,
    brokered,
    waived,
    settlementTx: payment.txHash,
  }
}

const intentOf = ({ jobSnapshot: pin, economics, verifierMode, ...session }: SessionRecord): WorkReceipt['intent'] => ({
  ...pick(pin, 'specHash', 'specSource'),
  successPolicy: { profile: verifierMode, version: pin.verifierPolicyVersion },
  valueAtRisk: {
    asset: economics.asset.symbol,
    amount: toDisplay(economics.rewardRaw, economics.asset.decimals),
    amountRaw: economics.rewardRaw.toString(),
  },
  deadline: iso(session.claimExpiresAt),
  poster: session.poster,
  posterClass: session.external ? 'external' : 'operator',
})

const executionOf = ({ session, environment }: ReceiptFacts): WorkReceipt['execution'] => {
  const work = submittedWork(session)
  const evidenceHash = session.evidenceHash ?? ''
  return {
    provider: session.wallet,
    // The registry of the operator's own wallets does not exist yet.
    providerClass: 'unknown',
    artifactHash: sha256Of(work),
    sourceBinding: { method: 'submission_hash', verified: keccakOf(work) === evidenceHash },
    evidenceHash,
    environment,
  }
}

const UNHASHED = ['receiptId', 'canonicalUrl', 'signers', 'signature'] as const

/** SHA-256 of the canonical receipt without id, address, signers and signature. Source: identity 9.2. */
export const receiptIdOf = (receipt: object): string =>
  sha256Of(Object.fromEntries(Object.entries(receipt).filter(([name]) => !UNHASHED.some((member) => member === name))))

/** The profile that judged by the terms of a claim, and its contract; none for another verifier. */
const pinnedProfile = ({ jobSnapshot }: SessionRecord) => {
  const { verifierConfig: config } = pinnedDefinition(jobSnapshot)
  if (config.handler !== 'verification_profile') return {}
  const { profileRef, profileDigest, contract } = config
  return { profileRef, profileDigest, contractDigest: `0x${contract.contractDigest}` }
}

/** Unsigned work receipt of a session that was paid, finally rejected or ended by its dispute. */
export function buildReceipt(facts: ReceiptFacts): Omit<WorkReceipt, 'signature'> {
  const { session, resolution, replacedVerdict, payment, verifier, verifiedAt } = facts
  const { verifierMode, listedAt } = pinnedMembers(session)
  const { claimedAt, submittedAt } = session.timestamps
  const hashed = {
    schemaVersion: 'service.work-receipt.v1',
    kind: 'run',
    receiptType: 'work_outcome',
    ...pick(session, 'sessionId', 'jobId', 'chainJobId'),
    worker: session.wallet,
    verifier: {
      profile: session.verifierMode,
      handler: facts.handler ?? resolution.kind,
      version: Math.max(1, facts.handlerVersion),
      mode: badgeVerifierMode({ verifierMode, handler: facts.handler }),
      ...pinnedProfile(session),
      ...(verifier !== null && { wallet: verifier }),
    },
    intent: intentOf(session),
    execution: executionOf(facts),
    verdict: {
      outcome: facts.outcome,
      reasonCode: facts.reasonCode,
      evidenceHash: session.evidenceHash ?? '',
      policyTags: tagsOf(facts),
      workerConsequence: consequenceOf(facts),
      ...(facts.rationaleHash !== null && { rationaleHash: facts.rationaleHash }),
      items: facts.items,
    },
    resolution: { ...pick(resolution, 'kind', 'verdict', 'workerShareBps'), ...(replacedVerdict !== null && { replacedVerdict }) },
    ...(payment !== null && { settlement: settlementOf(session.economics, payment) }),
    settlementProof: facts.proof,
    timestamps: { claimedAt: iso(claimedAt), submittedAt: iso(submittedAt ?? verifiedAt), verifiedAt: iso(verifiedAt) },
    attestation: RECEIPT_STATEMENT,
  }
  const receiptId = receiptIdOf(hashed)
  const parties = { poster: session.poster, verifier, worker: session.wallet }
  const signers = signersOf({ ...parties, listedAt, submittedAt: submittedAt ?? verifiedAt, resolvedAt: verifiedAt })
  return { ...hashed, receiptId, canonicalUrl: receiptUrl(facts.publicBaseUrl, receiptId), signers }
}

const pinnedMembers = ({ jobSnapshot }: SessionRecord) => ({
  verifierMode: pinnedDefinition(jobSnapshot).verifierMode,
  listedAt: Date.parse(String(jobSnapshot.definition.listedAt)),
})

const settlementProblem = ({ settlement }: Pick<WorkReceipt, 'settlement'>): string | null => {
  if (settlement === undefined) return null
  const [worker, gas, fee, reward, total] = [
    settlement.workerAmountRaw,
    settlement.gasRetentionAmountRaw,
    settlement.protocolFeeAmountRaw,
    settlement.rewardAmountRaw,
    settlement.posterTotalAmountRaw,
  ].map(BigInt) as [bigint, bigint, bigint, bigint, bigint]
  if (total !== worker + gas + fee) return 'the total of the poster is not the sum of its parts'
  // A decision divides what the escrow still holds, which may be less than the reward.
  if (reward < worker + gas) return 'the reward is not what was paid and retained'
  return settlement.waived && gas !== 0n ? 'gas was retained from waived work' : null
}

type Identified = Pick<WorkReceipt, 'jobId' | 'chainJobId' | 'sessionId' | 'worker' | 'timestamps'>

const identityProblem = ({ jobId, sessionId, worker, timestamps, ...receipt }: Identified): string | null => {
  if (receipt.chainJobId !== chainJobId(jobId)) return 'the chain id is not that of the job'
  const session = parseSessionId(sessionId)
  if (session?.jobId !== jobId || session.wallet !== worker) return 'the session is of another job or worker'
  const { claimedAt, submittedAt, verifiedAt } = timestamps
  return claimedAt <= submittedAt && submittedAt <= verifiedAt ? null : 'claim, submission and verdict are not in this order'
}

/** Which invariant a receipt breaks; null when none. Source: identity 9.2. */
export const findReceiptProblem = (receipt: Omit<WorkReceipt, 'signature'>): string | null => {
  const { verdict, execution, settlement, intent, receiptId } = receipt
  if (receiptIdOf(receipt) !== receiptId) return 'the id is not the hash of the receipt'
  if (verdict.evidenceHash !== execution.evidenceHash) return 'the verdict is on other evidence'
  if (verdict.outcome === 'approved' && settlement === undefined) return 'approved work has no settlement'
  if (settlement !== undefined && intent.valueAtRisk.amountRaw !== settlement.rewardAmountRaw) return 'the value at risk is not the reward'
  if (settlement !== undefined && receipt.settlementProof.transactionHash !== settlement.settlementTx)
    return 'the proof is of another transaction'
  return identityProblem(receipt) ?? settlementProblem(receipt)
}
