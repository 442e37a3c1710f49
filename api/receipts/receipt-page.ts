import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { BPS_ONE } from '../../domain/common/money.ts'
import { receiptUrl } from '../../domain/receipts/work-receipt.ts'
import { html } from '../../pages/html.ts'
import { type Cell, codeWords, factTable, identifier, instant, percent, state, type Tone } from '../../pages/parts.ts'
import type { WorkReceipt } from '../../schemas/receipts/shapes.ts'
import type { RoundVerdict } from '../../schemas/sessions/verdicts.ts'
import { page } from '../http/pages/page.ts'
import { checksTable, DECIDERS } from '../reputation/badge-page.ts'

const OUTCOMES: Readonly<Record<WorkReceipt['verdict']['outcome'], readonly [words: string, tone: Tone]>> = {
  approved: ['Approved', 'good'],
  rejected: ['Rejected', 'bad'],
  inconclusive: ['Not judged', 'warn'],
  platform_fault: ['Not judged: a fault of the platform', 'warn'],
}

const CONSEQUENCES: Readonly<Record<WorkReceipt['verdict']['workerConsequence'], string>> = {
  none: 'None',
  stake_slashed: 'The bond is lost',
  no_payout: 'No payment; no bond was at stake',
}

/** Verdicts that ended the work, in words. */
export const VERDICTS: Readonly<Record<RoundVerdict, string>> = {
  approved: 'The work is approved',
  rejected: 'The work is rejected',
  upheld: 'The rejection stands',
  dismissed: 'The rejection is dismissed, and the worker is paid',
  split: 'The reward is divided',
  timeout: 'No decision came in time',
}

const POSTERS: Readonly<Record<WorkReceipt['intent']['posterClass'], string>> = {
  operator: 'the operator of this service',
  external: 'an external poster',
}

const bpsOf = (bps: number): string => percent(bps / Number(BPS_ONE))

type Facts = (readonly [name: string, value: Cell | null | undefined])[]

const payment = ({ settlement, intent }: WorkReceipt): Facts => {
  const { asset, amount } = intent.valueAtRisk
  if (settlement === undefined)
    return [
      ['Paid to the worker', 'Nothing'],
      ['Whole reward', `${amount} ${asset}`],
    ]
  const { assetSymbol, workerAmount, protocolFeeAmount, protocolFeeBps, gasRetentionAmount, gasRetentionBps } = settlement
  const { rewardAmount, posterTotalAmount, waived, brokered } = settlement
  return [
    ['Paid to the worker', `${workerAmount} ${assetSymbol}`],
    ['Protocol fee', `${protocolFeeAmount} ${assetSymbol} (${bpsOf(protocolFeeBps)})`],
    ['Kept for gas', `${gasRetentionAmount} ${assetSymbol}${waived ? '' : ` (${bpsOf(gasRetentionBps)})`}`],
    ['Whole reward', `${rewardAmount} ${assetSymbol}`],
    ['Paid by the poster in all', `${posterTotalAmount} ${assetSymbol}`],
    ['Bond', waived ? 'Waived at the claim' : 'Was at stake'],
    ['Gas of the claim', brokered ? 'Paid by the operator' : 'Paid by the worker'],
  ]
}

const proof = ({ settlementProof, settlement }: WorkReceipt): Facts => [
  ['Transaction', identifier(settlementProof.transactionHash)],
  ['Block', html`${settlementProof.blockNumber} of chain ${settlementProof.chainId}`],
  ['Hash of the block', identifier(settlementProof.blockHash)],
  ['Contract', identifier(settlementProof.event.address)],
  ['Account of the fee', settlement && identifier(settlement.treasuryAccount)],
  [
    'Proof in the receipt',
    settlementProof.binding === 'receipt_trie'
      ? 'The event and its path to the root of the block'
      : 'The event with hash and number of its block',
  ],
]

/** What came of the work: a dispute or a missed deadline can pay a part of an approved one. */
const outcomeOf = ({ verdict, resolution }: WorkReceipt): readonly [words: string, tone: Tone] =>
  verdict.outcome === 'approved' && resolution.workerShareBps < BPS_ONE
    ? [`Paid ${bpsOf(resolution.workerShareBps)}`, 'warn']
    : OUTCOMES[verdict.outcome]

/** Page of a work receipt: who did what, what was paid, who decided, what settled it, and how to check it. */
export const receiptPage = (receipt: WorkReceipt, nativeAccount?: { ss58: string }): string => {
  const { receiptId, sessionId, jobId, worker, verdict, resolution, intent, execution, timestamps, verifier, signature } = receipt
  const path = receiptUrl('', receiptId)
  return page(
    { title: 'Work receipt', lead: receipt.attestation, answer: path },
    html`<p>${state(...outcomeOf(receipt))}</p>
<p><a class="go" href="/verify?record=${encodeURIComponent(path)}">Verify it yourself</a></p>
${factTable([
  ['Work', html`<a href="${definitionPath(jobId)}">${jobId}</a>`],
  ['Done by', identifier(worker)],
  ['Native account of the worker', nativeAccount && identifier(nativeAccount.ss58)],
  ['Posted by', intent.poster === null ? POSTERS[intent.posterClass] : html`${identifier(intent.poster)} ${POSTERS[intent.posterClass]}`],
  ['Decided by', DECIDERS[resolution.kind]],
  ['Decision', VERDICTS[resolution.verdict]],
  ['Part of the reward for the worker, before gas', bpsOf(resolution.workerShareBps)],
  ['Reason', codeWords(verdict.reasonCode)],
  ['Consequence for the worker', CONSEQUENCES[verdict.workerConsequence]],
  ['Replaced verdict', resolution.replacedVerdict && codeWords(resolution.replacedVerdict.outcome)],
])}
<h2>Amounts</h2>
${factTable(payment(receipt))}
<h2>Times</h2>
${factTable([
  ['Claimed', instant(timestamps.claimedAt)],
  ['Submitted', instant(timestamps.submittedAt)],
  ['Last instant to submit', instant(intent.deadline)],
  ['Decided', instant(timestamps.verifiedAt)],
])}
<h2>Checks</h2>
${checksTable(verdict.items)}
<h2>On chain</h2>
${factTable(proof(receipt))}
<h2>What is signed</h2>
${factTable([
  ['Receipt', identifier(receiptId)],
  ['Session', identifier(sessionId)],
  ['Fingerprint of the work', identifier(execution.evidenceHash)],
  ['Fingerprint of the terms', identifier(intent.specHash)],
  ['Fingerprint of the reasons', verdict.rationaleHash && identifier(verdict.rationaleHash)],
  ['Judged with', `${codeWords(verifier.handler)}, version ${verifier.version}`],
  ['Wallet of the verifier', verifier.wallet && identifier(verifier.wallet)],
  ['Signed', html`${instant(signature.signedAt)} with the key <code>${signature.kid}</code>`],
])}`,
  )
}
