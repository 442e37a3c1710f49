// What the receipt of a paid run says, and whether its id, its checks and its payment bear that out.
import { commonDecimals, rawOf } from '../encoding/amounts.ts'
import { assert, assertRules, instantOf, isObject, type Members, type Rules, sha256Of, textOf } from '../encoding/json.ts'
import { type Sentence, sentence } from '../sentence.ts'
import * as is from '../shape.ts'
import { checkSigners, signature, signers } from '../verdict.ts'

/** The sentence of every receipt of a run. */
const STATEMENT =
  'States which request was judged by which profile, what each check found, and whether the run was paid. Does not state that what was judged has no defects, or who controls a wallet.'

/** Why a run has no decisive verdict. */
const REASONS = ['target_unreachable', 'flaky', 'ambiguous_evidence', 'runner_fault', 'artefact_unavailable', 'artefact_mismatch']

const patch = is.closed({ repository: is.text(/./), commit: is.text(/^[0-9a-f]{40}$/) })
const server = is.closed(
  { endpoint: is.text(/^https:\/\/[^\s?#@]+$/), transport: is.oneOf('streamable_http') },
  { auth: is.closed({ scheme: is.oneOf('bearer') }) },
)
/** A target by its members. */
const target: is.Shape = (value, place) => {
  if (isObject(value) && Object.hasOwn(value, 'repository')) return patch(value, place)
  return (isObject(value) && Object.hasOwn(value, 'endpoint') ? server : is.closed({}))(value, place)
}

/** Shape of `service.work-receipt.v1` for a paid run. */
const runShape = is.closed({
  schemaVersion: is.oneOf('service.work-receipt.v1'),
  kind: is.oneOf('run'),
  receiptType: is.oneOf('work_outcome'),
  receiptId: is.bytes32,
  worker: is.party,
  verifier: is.closed({
    profile: is.text(/^[a-z0-9-]+$/),
    profileVersion: is.integer(1),
    profileDigest: is.bytes32,
    handler: is.text(/^[a-z_]+$/),
    version: is.integer(1),
    mode: is.oneOf('deterministic'),
  }),
  intent: is.closed({
    specHash: is.bytes32,
    specSource: is.oneOf('verify_request'),
    successPolicy: is.closed({ profile: is.anyText, version: is.integer(1) }),
    valueAtRisk: is.closed({ asset: is.text(/./), amount: is.display, amountRaw: is.raw }),
    deadline: is.instant,
    poster: is.party,
    posterClass: is.oneOf('external'),
  }),
  execution: is.closed({
    provider: is.party,
    providerClass: is.oneOf('unknown'),
    target,
    artefacts: is.list(is.closed({ role: is.text(/./), sha256: is.text(/^[0-9a-f]{64}$/), bytes: is.integer(0) })),
    artifactHash: is.bytes32,
    sourceBinding: is.closed({ method: is.oneOf('request_hash'), verified: is.oneOf(true) }),
    evidenceHash: is.bytes32,
    environment: is.nullable(is.closed({ kind: is.anyText, runtime: is.anyText, version: is.anyText })),
    checks: is.list(
      is.closed({
        name: is.text(/./),
        verdict: is.oneOf('pass', 'fail', 'inconclusive'),
        reason: is.oneOf(null, ...REASONS),
        detail: is.anyText,
      }),
    ),
  }),
  verdict: is.closed({
    outcome: is.oneOf('approved', 'rejected', 'inconclusive'),
    reasonCode: is.text(/^[A-Z_]+$/),
    evidenceHash: is.bytes32,
    policyTags: is.list(is.oneOf()),
    workerConsequence: is.oneOf('none'),
  }),
  billing: is.closed({ status: is.oneOf('captured', 'not_billed'), reason: is.oneOf(null, 'sent_by_another') }),
  payment: is.closed({
    network: is.text(/^eip155:[1-9][0-9]*$/),
    asset: is.party,
    amountRaw: is.raw,
    transactionHash: is.nullable(is.bytes32),
  }),
  timestamps: is.closed({ claimedAt: is.instant, submittedAt: is.instant, verifiedAt: is.instant }),
  attestation: is.oneOf(STATEMENT),
  canonicalUrl: is.address,
  signature,
  signers,
})

const UNHASHED = ['receiptId', 'canonicalUrl', 'signers', 'signature']

/** Whether a work receipt is that of a paid run. */
export const isOfRun = ({ intent }: Members): boolean => isObject(intent) && intent.specSource === 'verify_request'

/** Parts of a receipt whose shape was checked. */
type Parts = Readonly<Record<'verifier' | 'intent' | 'execution' | 'verdict' | 'billing' | 'payment' | 'timestamps', Members>>
const partsOf = (receipt: Members): Parts => receipt as Parts

interface Facts extends Parts {
  worker: unknown
  /** Verdict of each check. */
  found: unknown[]
  /** Whether a transaction paid. */
  isPaid: boolean
}

const REASON_CODES: Readonly<Record<string, readonly string[]>> = {
  approved: ['CHECKS_PASSED'],
  rejected: ['CHECKS_FAILED'],
  inconclusive: REASONS.map((reason) => reason.toUpperCase()),
}

/** Whether a check that was not decided has the reason of the run, and no other check has one. */
const areReasoned = ({ execution, verdict: { outcome, reasonCode } }: Facts): boolean =>
  (execution.checks as Members[]).every(({ verdict, reason }) => {
    const expected = verdict === 'inconclusive' && outcome === 'inconclusive' ? String(reasonCode).toLowerCase() : null
    return reason === expected
  })

const RULES: Rules<Facts> = {
  'another account asked for it or was judged than the one that paid': ({ worker, intent, execution }) =>
    intent.poster === worker && execution.provider === worker,
  'its verdict is on other evidence than its run': ({ verdict, execution }) => verdict.evidenceHash === execution.evidenceHash,
  'another profile judged than was asked for': ({ verifier, intent: { successPolicy } }) =>
    (successPolicy as Members).profile === verifier.profile && (successPolicy as Members).version === verifier.profileVersion,
  'it approves over checks that did not pass': ({ verdict: { outcome }, found }) =>
    outcome !== 'approved' || (found.length > 0 && found.every((one) => one === 'pass')),
  'it rejects without a failed check': ({ verdict: { outcome }, found }) => outcome !== 'rejected' || found.includes('fail'),
  'its reason is none that its outcome can have': ({ verdict: { outcome, reasonCode } }) =>
    (REASON_CODES[String(outcome)] ?? []).includes(String(reasonCode)),
  'the reasons of its checks are not that of its outcome': areReasoned,
  'its billing is not that of its payment': ({ billing: { status }, isPaid }) => isPaid === (status === 'captured'),
  'its payment is not that of its billing': ({ payment, isPaid }) => isPaid === rawOf(payment, 'amountRaw') > 0n,
  'its payment is not the value of its terms': ({ payment, intent: { valueAtRisk } }) =>
    payment.amountRaw === (valueAtRisk as Members).amountRaw,
  'a decisive verdict was not billed': ({ verdict: { outcome }, isPaid }) => isPaid || outcome === 'inconclusive',
  'an inconclusive run was billed': ({ verdict: { outcome }, billing: { reason }, isPaid }) =>
    (isPaid && outcome === 'inconclusive') === (reason === 'sent_by_another'),
}

const checkDates = (receipt: Members): void => {
  const { claimedAt, submittedAt, verifiedAt } = receipt.timestamps as Record<'claimedAt' | 'submittedAt' | 'verifiedAt', string>
  const signedAt = textOf(receipt.signature as Members, 'signedAt')
  assert(claimedAt === submittedAt, 'a run is admitted once, and it has two instants of that')
  assert(instantOf(submittedAt) <= instantOf(verifiedAt), 'its verdict came before its admission')
  assert(instantOf(submittedAt) < instantOf(textOf(receipt.intent as Members, 'deadline')), 'its deadline came before its admission')
  assert(instantOf(verifiedAt) <= instantOf(signedAt), 'it was signed before its verdict: it is backdated')
  const parties = { poster: null, worker: receipt.worker, verifier: null, submittedAt, decidedAt: verifiedAt, signedAt }
  checkSigners(receipt.signers as Members[], parties)
}

/** Chain of the payment of a run. */
export const chainOfRun = ({ payment }: Members): number => Number(textOf(payment as Members, 'network').slice('eip155:'.length))

/** Checks shape, id, artefacts, verdict, payment and dates of the receipt of a run, without its signature. */
export const checkRun = async (receipt: Members): Promise<void> => {
  runShape(receipt, '')
  const hashed = Object.fromEntries(Object.entries(receipt).filter(([name]) => !UNHASHED.includes(name)))
  assert((await sha256Of(hashed)) === receipt.receiptId, 'its id is not the hash of its content')
  assert(textOf(receipt, 'canonicalUrl').endsWith(`/receipts/${receipt.receiptId}`), 'its address names another receipt')
  const parts = partsOf(receipt)
  const { intent, execution, payment } = parts
  assert((await sha256Of(execution.artefacts)) === execution.artifactHash, 'its artifactHash is not that of its artefacts')
  const found = (execution.checks as Members[]).map((check) => check.verdict)
  assertRules(RULES, { ...parts, worker: receipt.worker, found, isPaid: payment.transactionHash !== null })
  const value = intent.valueAtRisk as Members
  commonDecimals([{ raw: rawOf(value, 'amountRaw'), display: textOf(value, 'amount') }])
  checkDates(receipt)
}

const priceText = ({ intent, billing }: Parts): string => {
  const { amount, asset } = intent.valueAtRisk as Members
  return billing.status === 'captured' ? `paid ${amount} ${asset}` : 'was not billed'
}

/** A checked receipt of a run in one sentence. */
export const describeRun = (receipt: Members): Sentence => {
  const parts = partsOf(receipt)
  const { verifier, verdict, timestamps } = parts
  const profile = `${verifier.profile}@${verifier.profileVersion}`
  return sentence`Wallet ${{ id: String(receipt.worker) }} had a request judged by the profile ${profile} and ${priceText(parts)}; the outcome was ${String(verdict.outcome)} on ${{ at: String(timestamps.verifiedAt) }}.`
}

const targetLine = (value: Members): string[] => {
  if (value.repository !== undefined)
    return [`Judged was the bundle below at commit ${value.commit}; the buyer says that it is of ${value.repository}.`]
  return value.endpoint === undefined ? [] : [`Judged was the server ${value.endpoint}.`]
}

/** Sentences that a checked receipt of a run states. */
export const readRun = (receipt: Members): string[] => {
  const { verifier, intent, execution, verdict, billing, payment } = partsOf(receipt)
  return [
    `The request has the hash ${intent.specHash}; the profile ${verifier.profile}@${verifier.profileVersion} has the digest ${verifier.profileDigest}.`,
    ...targetLine(execution.target as Members),
    ...(execution.artefacts as Members[]).map(({ role, sha256, bytes }) => `  ${role}: ${bytes} bytes with the SHA-256 ${sha256}`),
    `The outcome is ${verdict.outcome} (${verdict.reasonCode}); the whole result has the hash ${execution.evidenceHash}.`,
    ...(execution.checks as Members[]).map(({ name, verdict: found }) => `  ${name}: ${found}`),
    payment.transactionHash === null
      ? 'The run was not billed.'
      : `Transaction ${payment.transactionHash} on ${payment.network} paid ${payment.amountRaw} base units of the token ${payment.asset}, as the service says.`,
    ...(billing.reason === null ? [] : ['Another account sent that payment: the operator owes it back.']),
  ]
}

export const RUN_CHECKED = [
  'The signature fits the record, and its key was valid on that day.',
  'Every member has its form, none was added, and the id is the hash of the content.',
  'Outcome, reason and checks belong together.',
  'The hash of the artefacts was computed again.',
  'Billing, amount and transaction belong together; only an inconclusive run is free.',
  'Dates are in their order.',
]

export const RUN_DOES_NOT_PROVE = [
  'that the wallet belongs to a certain person or program',
  'what the profile is: it is bound by its digest, which GET /verify/profiles lists',
  'what the request and its artefacts are: they are bound by their hashes only',
  'that the transaction is in the chain, and paid this amount: ask a node for it',
]
