import type { Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { choices, figures } from '../../../pages/parts.ts'
import { type Column, list, table } from '../../look/list.ts'
import { words } from '../../look/texts.ts'
import { address, jobLink, link, money, sessionLink, transaction, walletLink, when } from '../../look/values.ts'
import type { Page, View } from '../../view.ts'
import { paymentChart } from './chart.ts'

const DAY_MS = 86_400_000
const DAYS = 30

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const dayAddress = (day: string): string => address('/payments/day', { day })

/** Links to the payments of today and yesterday, by the service's time in UTC. */
const nearDays = ({ now, query, path }: View): Html => {
  const isShown = (day: string): boolean => path === '/payments/day' && query.day === day
  const [today, yesterday] = [dayOf(now), dayOf(now - DAY_MS)]
  return choices('Saved views', [
    ["Today's payments", dayAddress(today), isShown(today)],
    ["Yesterday's payments", dayAddress(yesterday), isShown(yesterday)],
    [`${DAYS} days`, '/payments', path === '/payments'],
    ['All payments', '/payments/day', path === '/payments/day' && !query.day],
  ])
}

const DAY_COLUMNS: readonly Column<Schemas.PaymentDay>[] = [
  { name: 'Day', cell: ({ day }) => link(dayAddress(day), day) },
  { name: 'Payments', cell: ({ payments }) => payments, isAmount: true },
  { name: 'Wallets', cell: ({ wallets }) => wallets, isAmount: true },
  { name: 'To workers', cell: ({ worker }) => money(worker), isAmount: true },
  { name: 'Fee', cell: ({ protocolFee }) => money(protocolFee), isAmount: true },
  { name: 'Gas retained', cell: ({ gasRetention }) => money(gasRetention), isAmount: true },
  { name: 'Slashed', cell: ({ slashed }) => money(slashed), isAmount: true },
]

/** Days before the first of those that are shown. */
const earlier = (from: string): Html => {
  const to = dayOf(Date.parse(from) - DAY_MS)
  return link(address('/payments', { to }), html`The ${DAYS} days before`)
}

/** What workers were paid, day by day. */
export const paymentDays: Page = {
  path: '/payments',
  name: 'Payments',
  group: 'Money',
  operations: ['listPaymentDays'],
  show: async (view) => {
    const { to } = view.query
    const input = to ? { to } : {}
    const { days, from } = await view.client.listPaymentDays(input)
    return {
      title: 'Payments',
      lead: 'What workers were paid, by days in UTC.',
      body: html`${nearDays(view)}${paymentChart(days)}${table('Payments by day', DAY_COLUMNS, days, view, 'No day to show.')}
<p>${earlier(from)}${to ? html` · ${link('/payments', 'Newest days')}` : ''}</p>`,
      live: to ? 'none' : 'all',
      raw: { operation: 'listPaymentDays', input },
    }
  },
}

const dayFigures = async (view: View): Promise<Html> => {
  const { day, wallet } = view.query
  if (!day || wallet || !view.access.may('listPaymentDays')) return html``
  const [sums] = (await view.client.listPaymentDays({ from: day, to: day })).days
  return sums === undefined
    ? html``
    : figures([
        [money(sums.worker), 'to workers'],
        [sums.payments, sums.payments === 1 ? 'payment' : 'payments'],
        [sums.wallets, sums.wallets === 1 ? 'wallet' : 'wallets'],
        [money(sums.protocolFee), 'fee'],
      ])
}

/** Columns of payments; a wallet's own page leaves its name out. */
export const PAYMENT_COLUMNS: readonly Column<Schemas.Payment>[] = [
  { name: 'When', cell: ({ at }, { now }) => when(at, now) },
  { name: 'Wallet', cell: ({ wallet }) => walletLink(wallet) },
  { name: 'Paid', cell: ({ paid }) => money(paid), isAmount: true },
  { name: 'Fee', cell: ({ protocolFee }) => money(protocolFee), isAmount: true },
  { name: 'Verdict', cell: ({ kind }) => words(kind) },
  { name: 'Job', cell: ({ jobId, jobTitle }) => html`${jobTitle}<br>${jobLink(jobId)}` },
  { name: 'Session', cell: ({ sessionId }) => sessionLink(sessionId) },
  { name: 'Transaction', cell: ({ txHash }, { settings }) => transaction(txHash, settings.EXPLORER_URL) },
]

/** Payments to workers: of one day, to one wallet, or all. */
export const payments = list({
  path: '/payments/day',
  name: 'Payments of a day',
  title: 'Who was paid',
  lead: 'Payments to workers, newest first. A day is one in UTC.',
  operation: 'listPayments',
  filters: [
    { name: 'day', label: 'Day, such as 2026-11-30' },
    { name: 'wallet', label: 'Wallet' },
  ],
  acts: nearDays,
  read: async ({ client }, input) => {
    const { payments: rows, nextCursor } = await client.listPayments(input)
    return { rows, nextCursor }
  },
  above: dayFigures,
  columns: PAYMENT_COLUMNS,
  empty: 'No payment matches. Take a filter away, or look at the day before.',
})
