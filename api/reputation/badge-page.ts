import type { TrackedDelivery } from '../../activities/deliveries/records.ts'
import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { iso } from '../../domain/common/instants.ts'
import { BPS_ONE } from '../../domain/common/money.ts'
import { describeState } from '../../domain/deliveries/view.ts'
import { badgePictureUrl, badgeUrl } from '../../domain/reputation/badge.ts'
import { type Html, html } from '../../pages/html.ts'
import { codeWords, factTable, identifier, instant, percent, rowTable, state, type Tone } from '../../pages/parts.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import type { getBadge } from '../../schemas/reputation/operations.ts'
import { money } from '../http/pages/money.ts'
import { page } from '../http/pages/page.ts'

type Badge = Answer<typeof getBadge>['body']

/** Who decided the work, in words. Source: lifecycle, "Resolutions". */
export const DECIDERS: Readonly<Record<Badge['resolution']['kind'], string>> = {
  verifier: 'The verifier of the job',
  human_review: 'A reviewer',
  arbitration: 'An arbitrator, after a dispute',
  timeout: 'The terms of the job, as no decision came in time',
}

/** Checks of a decision with their results. */
export const checksTable = (items: Badge['items']): Html =>
  rowTable(
    'Checks',
    ['Check', 'Result'],
    items.map(({ criterion, result }) => [codeWords(criterion), codeWords(result)]),
    'None.',
  )

/** What came of the work, in words: a dispute or a missed deadline can pay a part. */
export const outcomeOf = ({ kind, workerShareBps }: Badge['resolution']): readonly [words: string, tone: Tone] => {
  if (workerShareBps < BPS_ONE) return [`Paid ${percent(workerShareBps / Number(BPS_ONE))}`, 'warn']
  return [kind === 'timeout' ? 'Paid' : 'Approved and paid', 'good']
}

/** A badge names an unknown wallet by the zero address. */
const knownWallet = (wallet: string): Html | null => (/^0x0+$/.test(wallet) ? null : identifier(wallet))

/** Transactions of the session of a badge, as hashes; null where the service sent none. */
export interface BadgeTransactions {
  claimed: string | null
  submitted: string | null
  paid: string | null
}

/** What the records of this service say beside the signed badge. */
interface BesideBadge {
  transactions: BadgeTransactions
  nativeAccount?: { ss58: string } | undefined
  /** What became of the work at its host; null for work of another kind. */
  delivery: TrackedDelivery | null
}

const deliveryPart = (delivery: TrackedDelivery): Html => html`<h2>Since the payment</h2>
<p class="soft">From the records of this service; no part of the signed badge, and without effect on scores.</p>
${factTable([
  ['What became of it', `${describeState(delivery)}.`],
  ['Since', instant(iso(delivery.changedAt))],
  ['Last reading', delivery.readAt === null ? null : instant(iso(delivery.readAt))],
])}`

/** Page of a badge: who did what, what was paid, who decided, by which transactions, and how to check it. */
export const badgePage = (
  { name, description, service, resolution, items, signature }: Badge,
  { transactions: { claimed, submitted, paid }, nativeAccount, delivery }: BesideBadge,
  baseUrl: string,
): string => {
  const path = badgeUrl('', service.sessionId)
  return page(
    {
      title: name,
      lead: description,
      answer: path,
      address: badgeUrl(baseUrl, service.sessionId),
      picture: badgePictureUrl(baseUrl, service.sessionId),
    },
    html`<p>${state(...outcomeOf(resolution))}</p>
<p><a class="go" href="/verify?record=${encodeURIComponent(path)}">Verify it yourself</a></p>
${factTable([
  ['Work', html`<a href="${definitionPath(service.jobId)}">${service.jobId}</a>`],
  ['Done by', identifier(service.worker)],
  ['Native account of the worker', nativeAccount && identifier(nativeAccount.ss58)],
  ['Paid', money(service.reward)],
  ['Stake', money(service.claimStake)],
  ['Category', service.category],
  ['Decided by', DECIDERS[resolution.kind]],
  ['Decided', instant(service.completedAt)],
  ['Posted by', knownWallet(service.poster)],
  ['Verifier', knownWallet(service.verifier)],
  ['Job on chain', identifier(service.chainJobId)],
  ['Fingerprint of the work', identifier(service.evidenceHash)],
  ['Signed', signature === undefined ? null : html`${instant(signature.signedAt)} with the key <code>${signature.kid}</code>`],
])}
<h2>Checks</h2>
${checksTable(items)}
<h2>Transactions</h2>
<p class="soft">From the records of this service; the signed badge names the job on chain.</p>
${factTable([
  ['Claim', claimed && identifier(claimed)],
  ['Submission', submitted && identifier(submitted)],
  ['Payment', paid && identifier(paid)],
])}
${delivery === null ? '' : deliveryPart(delivery)}
<p class="soft">A badge cannot be sold or given away. It belongs to the wallet that did the work.</p>`,
  )
}
