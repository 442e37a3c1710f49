import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { amountText } from '../../domain/common/money.ts'
import { receiptUrl } from '../../domain/receipts/work-receipt.ts'
import { html } from '../../pages/html.ts'
import { factTable, identifier, instant } from '../../pages/parts.ts'
import type { FundingReceipt } from '../../schemas/receipts/funding.ts'
import { page } from '../http/pages/page.ts'

/** Page of a funding receipt: what was funded for which job, how it comes back, and how to check it. */
export const fundingPage = (receipt: FundingReceipt): string => {
  const { receiptId, jobId, specHash, poster, chainId, escrow, asset, amounts, funding, cancellation, judgement, signature } = receipt
  const path = receiptUrl('', receiptId)
  const amount = ({ raw }: { raw: string }): string => amountText(BigInt(raw), asset)
  return page(
    { title: 'Funding receipt', lead: receipt.attestation, answer: path },
    html`<p><a class="go" href="/verify?record=${encodeURIComponent(path)}">Verify it yourself</a></p>
${factTable([
  ['Work', html`<a href="${definitionPath(jobId)}">${jobId}</a>`],
  ['Funded by', identifier(poster)],
  ['Funded', instant(funding.fundedAt)],
])}
<h2>Amounts</h2>
${factTable([
  ['Reward', amount(amounts.reward)],
  ['Operations reserve', amount(amounts.opsReserve)],
  ['Contingency reserve', amount(amounts.contingencyReserve)],
  ['Fee', amount(amounts.posterFee)],
  ['In all', amount(amounts.totalReserved)],
])}
<h2>If it is cancelled</h2>
${factTable([
  ['Possible from', instant(cancellation.earliestAt)],
  ['Comes back', amount(cancellation.refund.total)],
  ['To', identifier(cancellation.refundTo)],
  ['How', html`the poster calls <code>${cancellation.method}</code> of the escrow while the job is open`],
])}
<h2>Judgement</h2>
<p>${judgement.description}</p>
<h2>On chain</h2>
${factTable([
  ['Transaction', identifier(funding.transactionHash)],
  ['Block', html`${funding.blockNumber} of chain ${chainId}`],
  ['Hash of the block', identifier(funding.blockHash)],
  ['Contract', identifier(escrow)],
  ['Token', identifier(asset.address)],
])}
<h2>What is signed</h2>
${factTable([
  ['Receipt', identifier(receiptId)],
  ['Fingerprint of the terms', identifier(specHash)],
  ['Signed', html`${instant(signature.signedAt)} with the key <code>${signature.kid}</code>`],
])}`,
  )
}
