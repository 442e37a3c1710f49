import { html } from '../../../pages/html.ts'
import { list } from '../../look/list.ts'
import { words } from '../../look/texts.ts'
import { jobLink, money, status, transaction, walletLink, when } from '../../look/values.ts'

/** Drafts and posted jobs of every wallet. */
export const postings = list({
  path: '/postings',
  name: 'Postings',
  group: 'Work',
  lead: 'Drafts and funded jobs of posters, newest first.',
  operation: 'listAdminPostings',
  filters: [
    {
      name: 'status',
      label: 'State',
      options: ['quoted', 'awaiting_funding', 'live', 'mismatch', 'expired', 'delisted', 'cancelled', 'settled'],
    },
    { name: 'poster', label: 'Poster' },
  ],
  views: [
    { name: 'Live', query: { status: 'live' } },
    { name: 'Mismatch', query: { status: 'mismatch' } },
  ],
  read: async ({ client }, input) => {
    const { jobs: rows, nextCursor } = await client.listAdminPostings(input)
    return { rows, nextCursor }
  },
  columns: [
    // A job that is not in the catalogue has no page.
    {
      name: 'Job',
      cell: ({ jobId, title, claimState }) =>
        html`${title}<br>${claimState === null ? html`<code>${jobId.slice(0, 18)}…</code>` : jobLink(jobId)}`,
    },
    { name: 'Poster', cell: ({ poster }) => walletLink(poster) },
    {
      name: 'State',
      cell: ({ status: code, reason, mismatchField }) =>
        html`${status(code)} ${reason === undefined ? '' : words(reason)}${mismatchField === undefined ? '' : html` <code>${mismatchField}</code>`}`,
    },
    { name: 'Claims', cell: ({ claimState }) => (claimState === null ? '–' : words(claimState)) },
    { name: 'Reward', cell: ({ reward }) => money(reward), isAmount: true },
    { name: 'Reserved', cell: ({ posterReserved }) => money(posterReserved), isAmount: true },
    { name: 'Created', cell: ({ createdAt }, { now }) => when(createdAt, now) },
    { name: 'Funded', cell: ({ fundedAt }, { now }) => when(fundedAt, now) },
    { name: 'Transaction', cell: ({ txHash }, { settings }) => transaction(txHash, settings.EXPLORER_URL) },
  ],
  empty: 'No posting matches. A draft appears here when a wallet asks for the quote of a job.',
})
