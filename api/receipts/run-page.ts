import { receiptUrl } from '../../domain/receipts/work-receipt.ts'
import { html } from '../../pages/html.ts'
import { codeWords, factTable, identifier, instant, state, type Tone } from '../../pages/parts.ts'
import type { RunReceipt } from '../../schemas/receipts/run.ts'
import { page } from '../http/pages/page.ts'

const OUTCOMES: Readonly<Record<RunReceipt['verdict']['outcome'], readonly [words: string, tone: Tone]>> = {
  approved: ['Approved', 'good'],
  rejected: ['Rejected', 'bad'],
  inconclusive: ['Inconclusive', 'warn'],
}

const CHECK_TONES = { pass: 'good', fail: 'bad', inconclusive: 'warn' } as const satisfies Record<string, Tone>

const targetText = ({ target }: RunReceipt['execution']): string | null => {
  if ('repository' in target) return `commit ${target.commit} of ${target.repository}`
  return 'endpoint' in target ? target.endpoint : null
}

const paymentText = ({ billing, intent }: RunReceipt): string => {
  const { amount, asset } = intent.valueAtRisk
  if (billing.status === 'not_billed') return 'Nothing: the run was not billed'
  return billing.reason === null
    ? `${amount} ${asset}`
    : `${amount} ${asset}, sent by another account; the operator owes it back, because the run is inconclusive`
}

/** Page of the receipt of a paid run: what was judged, by which profile, what it cost, and how to check it. */
export const runPage = (receipt: RunReceipt): string => {
  const { receiptId, worker, verifier, intent, execution, verdict, payment, timestamps, signature } = receipt
  const path = receiptUrl('', receiptId)
  return page(
    { title: 'Work receipt', lead: receipt.attestation, answer: path },
    html`<p>${state(...OUTCOMES[verdict.outcome])}</p>
<p><a class="go" href="/verify?record=${encodeURIComponent(path)}">Verify it yourself</a></p>
${factTable([
  ['Judged', targetText(execution) ?? 'The artefacts below'],
  ['Profile', `${verifier.profile}, version ${verifier.profileVersion}`],
  ['Paid for by', identifier(worker)],
  ['Reason', codeWords(verdict.reasonCode)],
  ['Paid', paymentText(receipt)],
])}
<h2>Checks</h2>
${factTable(
  execution.checks.map(({ name, verdict: found, detail }) => [name, html`${state(found, CHECK_TONES[found])} ${detail}`] as const),
)}
<h2>Artefacts</h2>
${factTable(execution.artefacts.map(({ role, sha256, bytes }) => [role, html`${identifier(sha256)} ${bytes} bytes`] as const))}
<h2>Times</h2>
${factTable([
  ['Admitted', instant(timestamps.submittedAt)],
  ['Judged', instant(timestamps.verifiedAt)],
])}
<h2>On chain</h2>
${factTable([
  ['Network', payment.network],
  ['Token', identifier(payment.asset)],
  ['Transaction', payment.transactionHash && identifier(payment.transactionHash)],
])}
<h2>What is signed</h2>
${factTable([
  ['Receipt', identifier(receiptId)],
  ['Fingerprint of the profile', identifier(verifier.profileDigest)],
  ['Fingerprint of the request', identifier(intent.specHash)],
  ['Fingerprint of the result', identifier(execution.evidenceHash)],
  ['Judged with', `${codeWords(verifier.handler)}, version ${verifier.version}`],
  ['Signed', html`${instant(signature.signedAt)} with the key <code>${signature.kid}</code>`],
])}`,
  )
}
