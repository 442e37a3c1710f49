import { type Html, html } from '../../../pages/html.ts'
import { factTable, identifier } from '../../../pages/parts.ts'
import { NoPage } from '../../http/failures.ts'
import { list } from '../../look/list.ts'
import { openValue, words } from '../../look/texts.ts'
import { status, transaction, walletLink, when } from '../../look/values.ts'
import type { Page, View } from '../../view.ts'

const customer = ({ access }: View, wallet: string): Html => (access.may('listAdminWallets') ? walletLink(wallet) : identifier(wallet))

/** Paid runs of every customer. The list has no ids: the id of a run is the right to read it. */
export const runs = list({
  path: '/runs',
  name: 'Verification runs',
  group: 'Money',
  lead: 'Paid runs, newest first. Their ids belong to their customers: who has one finds the run by it.',
  operation: 'listVerificationRuns',
  filters: [
    { name: 'status', label: 'State', options: ['queued', 'running', 'executed', 'complete'] },
    { name: 'billing', label: 'Payment', options: ['authorized', 'capture_pending', 'captured', 'not_billed', 'uncollectable'] },
    { name: 'profile', label: 'Profile' },
    { name: 'customer', label: 'Customer' },
  ],
  read: async ({ client }, input) => {
    const { runs: rows, nextCursor } = await client.listVerificationRuns(input)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Run', cell: ({ runKey }) => identifier(runKey) },
    { name: 'Profile', cell: ({ profileRef }) => profileRef },
    { name: 'Customer', cell: (row, view) => customer(view, row.customer) },
    { name: 'State', cell: ({ status: code }) => status(code) },
    { name: 'Price', cell: ({ billing }) => billing.amount, isAmount: true },
    {
      name: 'Payment',
      cell: ({ billing }) => html`${status(billing.status)} ${billing.reason === undefined ? '' : words(billing.reason)}`,
    },
    { name: 'Verdict', cell: ({ verdict }) => (verdict === undefined ? 'hidden' : words(verdict)) },
    { name: 'Submitted', cell: ({ submittedAt }, { now }) => when(submittedAt, now) },
    { name: 'Transaction', cell: ({ billing }, { settings }) => transaction(billing.transactionHash, settings.EXPLORER_URL) },
  ],
  empty: 'No run matches. A run appears here when a customer pays for one.',
})

/** One run, for a reader who has its id. */
export const run: Page = {
  path: '/run',
  name: 'Verification run',
  operations: ['listVerificationRuns', 'getVerificationRun'],
  show: async (view) => {
    const { runId } = view.query
    if (!runId) throw new NoPage()
    const one = await view.client.getVerificationRun({ runId })
    const { billing } = one
    return {
      title: `Run of ${one.profileRef}`,
      lead: 'A paid verification.',
      body: html`${factTable([
        ['State', status(one.status)],
        ['Verdict', one.verdict === undefined ? 'hidden until it is paid or will not be billed' : words(one.verdict)],
        ['Customer', customer(view, one.customer)],
        ['Price', billing.amount],
        ['Payment', html`${status(billing.status)} ${billing.detail ?? (billing.reason === undefined ? '' : words(billing.reason))}`],
        ['Transaction', transaction(billing.transactionHash, view.settings.EXPLORER_URL)],
        ['Submitted', when(one.submittedAt, view.now)],
        ['Record ends', when(one.expiresAt, view.now)],
        ['Receipt', one.receiptId === undefined ? null : identifier(one.receiptId)],
      ])}<div class="two"><section><h2>Target</h2>${openValue(one.target)}</section><section><h2>Inputs</h2>${openValue(one.inputs)}</section></div>
${one.execution === undefined ? '' : html`<h2>Execution</h2>${openValue(one.execution)}`}`,
      raw: { operation: 'getVerificationRun', input: { runId } },
    }
  },
}
