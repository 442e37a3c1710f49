import type { Schemas } from '../../client/src/index.ts'
import { html } from '../../pages/html.ts'
import { list } from '../look/list.ts'
import { reasonWords, waitWords } from '../look/reasons.ts'
import { address, deadline, jobLink, link, money, status, walletLink, when } from '../look/values.ts'

/** Every session, by who or what has to act next. */
export const sessions = list<Schemas.CompactSession>({
  path: '/sessions',
  name: 'Sessions',
  group: 'Work',
  operation: 'listAdminSessions',
  filters: [
    {
      name: 'status',
      label: 'State',
      options: ['claimed', 'submitted', 'disputed', 'rejected', 'resolved', 'closed', 'expired', 'timed_out', 'chain_state_diverged'],
    },
    {
      name: 'waitingFor',
      label: 'Waits for',
      options: ['worker', 'chain', 'verifier', 'pull_request', 'reviewer', 'arbitrator', 'operator'],
    },
    { name: 'jobId', label: 'Job' },
    { name: 'wallet', label: 'Wallet' },
    { name: 'view', label: 'View', options: ['stuck', 'money_waiting'] },
    { name: 'order', label: 'Order', options: ['updated', 'deadline'] },
  ],
  views: [
    { name: 'Stuck', query: { view: 'stuck', order: 'deadline' } },
    { name: 'Money waiting', query: { view: 'money_waiting' } },
  ],
  read: async ({ client }, input) => {
    const { sessions: rows, nextCursor } = await client.listAdminSessions({ ...input, format: 'compact' } as never)
    return { rows: rows as Schemas.CompactSession[], nextCursor }
  },
  columns: [
    {
      name: 'Job',
      cell: ({ jobTitle, jobId, sessionId }) => html`${link(address('/session', { sessionId }), jobTitle)}<br>${jobLink(jobId)}`,
    },
    { name: 'State', cell: ({ status: code }) => status(code) },
    { name: 'Waits for', cell: ({ waitingFor }) => waitWords(waitingFor) },
    { name: 'Why', cell: ({ heldBecause, reason }) => reasonWords(heldBecause ?? reason) },
    { name: 'Deadline', cell: (row, { now }) => deadline(row.deadline, now) },
    { name: 'Reward', cell: ({ reward }) => money(reward), isAmount: true },
    { name: 'Bond held', cell: ({ locked }) => money(locked), isAmount: true },
    { name: 'Wallet', cell: ({ wallet }) => walletLink(wallet) },
    { name: 'Changed', cell: ({ updatedAt }, { now }) => when(updatedAt, now) },
  ],
  empty: 'No session matches. Take a filter away; before the first claim there is none.',
})
