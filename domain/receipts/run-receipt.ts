import type { RunReceipt } from '../../schemas/receipts/run.ts'
import { sha256Of } from '../common/hashes.ts'
import { iso } from '../common/instants.ts'
import { type Asset, toDisplay } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import { receiptIdOf, receiptUrl } from './work-receipt.ts'

const RUN_STATEMENT =
  'States which request was judged by which profile, what each check found, and whether the run was paid. Does not state that what was judged has no defects, or who controls a wallet.'

type Unsigned = Omit<RunReceipt, 'signature'>
type Outcome = RunReceipt['verdict']['outcome']

/** Input of the receipt of a paid run. Wallets and hashes in lower case, instants in epoch ms. */
export interface RunReceiptFacts {
  profile: { name: string; version: number; digest: string; handler: string; handlerVersion: number; timeoutMs: number }
  requestHash: string
  /** Whether that is the hash of the stored request. */
  isRequestBound: boolean
  payer: string
  /** Without credentials and queries. */
  target: RunReceipt['execution']['target']
  outcome: Outcome
  /** Why the result is inconclusive; null otherwise. */
  reason: string | null
  checks: readonly { id: string; passed: boolean | null; detail: string }[]
  artefacts: RunReceipt['execution']['artefacts']
  /** keccak256 of the whole result. */
  evidenceHash: string
  environment: RunReceipt['execution']['environment']
  /** CAIP-2. */
  network: string
  /** Token of the payment. */
  asset: Asset & { address: string }
  /** The price, base units. */
  amountRaw: bigint
  /** Transaction that paid; null where the run was not billed. */
  txHash: string | null
  submittedAt: number
  executedAt: number
  /** No trailing slashes. */
  publicBaseUrl: string
}

/** Addresses can hold credentials of their readers. */
const withoutAddresses = (text: string): string => text.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, '[address]')

const VERDICTS = { true: 'pass', false: 'fail', null: 'inconclusive' } as const

const checkOf = ({ id, passed, detail }: RunReceiptFacts['checks'][number], reason: string | null) => ({
  name: id,
  verdict: VERDICTS[`${passed}`],
  reason: passed === null ? reason : null,
  detail: withoutAddresses(detail),
})

const reasonCodeOf = ({ outcome, reason }: Pick<RunReceiptFacts, 'outcome' | 'reason'>): string => {
  if (outcome === 'inconclusive') return (reason ?? 'ambiguous_evidence').toUpperCase()
  return outcome === 'approved' ? 'CHECKS_PASSED' : 'CHECKS_FAILED'
}

const intentOf = ({ profile, asset, ...facts }: RunReceiptFacts, paidRaw: bigint): RunReceipt['intent'] => ({
  specHash: facts.requestHash,
  specSource: 'verify_request',
  successPolicy: { profile: profile.name, version: profile.version },
  valueAtRisk: { asset: asset.symbol, amount: toDisplay(paidRaw, asset.decimals), amountRaw: paidRaw.toString() },
  deadline: iso(facts.submittedAt + profile.timeoutMs),
  poster: facts.payer,
  posterClass: 'external',
})

const executionOf = ({ payer, target, artefacts, checks, reason, ...facts }: RunReceiptFacts): RunReceipt['execution'] => ({
  provider: payer,
  providerClass: 'unknown',
  target,
  artefacts,
  artifactHash: sha256Of(artefacts),
  sourceBinding: { method: 'request_hash', verified: facts.isRequestBound },
  ...pick(facts, 'evidenceHash', 'environment'),
  checks: checks.map((check) => checkOf(check, reason)),
})

/** Unsigned receipt of a paid run that was paid, or will never be billed. It names no run: the id of a run is the right to read it. */
export const buildRunReceipt = (facts: RunReceiptFacts): Unsigned => {
  const { profile, payer, outcome, txHash, evidenceHash } = facts
  const paidRaw = txHash === null ? 0n : facts.amountRaw
  const submittedAt = iso(facts.submittedAt)
  // The clocks of the processes that admit and execute may differ.
  const verifiedAt = iso(Math.max(facts.submittedAt, facts.executedAt))
  const hashed: Omit<Unsigned, 'receiptId' | 'canonicalUrl' | 'signers'> = {
    schemaVersion: 'service.work-receipt.v1',
    kind: 'run',
    receiptType: 'work_outcome',
    worker: payer,
    verifier: {
      profile: profile.name,
      profileVersion: profile.version,
      profileDigest: profile.digest,
      handler: profile.handler,
      version: profile.handlerVersion,
      mode: 'deterministic',
    },
    intent: intentOf(facts, paidRaw),
    execution: executionOf(facts),
    verdict: { outcome, reasonCode: reasonCodeOf(facts), evidenceHash, policyTags: [], workerConsequence: 'none' },
    billing: {
      status: txHash === null ? 'not_billed' : 'captured',
      reason: txHash !== null && outcome === 'inconclusive' ? 'sent_by_another' : null,
    },
    payment: { network: facts.network, asset: facts.asset.address, amountRaw: paidRaw.toString(), transactionHash: txHash },
    timestamps: { claimedAt: submittedAt, submittedAt, verifiedAt },
    attestation: RUN_STATEMENT,
  }
  const receiptId = receiptIdOf(hashed)
  return {
    ...hashed,
    receiptId,
    canonicalUrl: receiptUrl(facts.publicBaseUrl, receiptId),
    signers: [{ role: 'worker', wallet: payer, at: submittedAt, status: 'submitted' }],
  }
}

const billingProblem = ({ verdict, billing, payment, intent }: Unsigned): string | null => {
  if (payment.amountRaw !== intent.valueAtRisk.amountRaw) return 'the value at risk is not the payment'
  const isPaid = payment.transactionHash !== null
  if (isPaid !== (billing.status === 'captured')) return 'its billing is not that of its payment'
  if (isPaid !== BigInt(payment.amountRaw) > 0n) return 'its amount is not that of its billing'
  if (!isPaid && verdict.outcome !== 'inconclusive') return 'a decisive verdict was not billed'
  const isOwedBack = isPaid && verdict.outcome === 'inconclusive'
  return isOwedBack === (billing.reason === 'sent_by_another') ? null : 'its reason of billing is not that of its verdict'
}

const verdictProblem = ({ verdict: { outcome }, execution: { checks } }: Unsigned): string | null => {
  if (outcome === 'approved' && (checks.length === 0 || checks.some(({ verdict }) => verdict !== 'pass')))
    return 'it approves over checks that did not pass'
  return outcome === 'rejected' && checks.every(({ verdict }) => verdict !== 'fail') ? 'it rejects without a failed check' : null
}

/** Which invariant the receipt of a run breaks; null when none. Source: identity 9.2 and 9.3. */
export const findRunReceiptProblem = (receipt: Unsigned): string | null => {
  const { worker, intent, execution, verdict, verifier, timestamps } = receipt
  if (receiptIdOf(receipt) !== receipt.receiptId) return 'the id is not the hash of the receipt'
  if (verdict.evidenceHash !== execution.evidenceHash) return 'the verdict is on other evidence'
  if (intent.poster !== worker || execution.provider !== worker) return 'worker, poster and provider are not the payer'
  if (sha256Of(execution.artefacts) !== execution.artifactHash) return 'its artifactHash is not that of its artefacts'
  if (intent.successPolicy.profile !== verifier.profile || intent.successPolicy.version !== verifier.profileVersion)
    return 'another profile judged than was asked for'
  const { claimedAt, submittedAt, verifiedAt } = timestamps
  if (claimedAt !== submittedAt || submittedAt > verifiedAt) return 'admission and verdict are not in this order'
  return verdictProblem(receipt) ?? billingProblem(receipt)
}
