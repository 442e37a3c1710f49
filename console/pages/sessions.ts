import { list } from '../look/list.ts'
import { deadline, jobLink, sessionLink, status, walletLink, when } from '../look/values.ts'

/** Every session. */
export const sessions = list({
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
    { name: 'jobId', label: 'Job' },
    { name: 'wallet', label: 'Wallet' },
  ],
  read: async ({ client }, input) => {
    const { sessions: rows, nextCursor } = await client.listAdminSessions(input)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Session', cell: ({ sessionId }) => sessionLink(sessionId) },
    { name: 'Job', cell: ({ jobId }) => jobLink(jobId) },
    { name: 'Wallet', cell: ({ wallet }) => walletLink(wallet) },
    { name: 'State', cell: ({ status: code }) => status(code) },
    { name: 'Deadline', cell: (row, { now }) => deadline(row.deadline, now) },
    { name: 'Changed', cell: ({ updatedAt }, { now }) => when(updatedAt, now) },
  ],
  empty: 'No session matches. Take a filter away.',
})
