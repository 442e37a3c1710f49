import { html } from '../../pages/html.ts'
import { codeWords, factTable, linkList } from '../../pages/parts.ts'
import { type Column, PAGE_ROWS, table } from '../look/list.ts'
import { reasonWords, waitWords } from '../look/reasons.ts'
import { deadline, jobLink, sessionLink, status, when } from '../look/values.ts'
import type { Content, View } from '../view.ts'

type OwnSession = Awaited<ReturnType<View['client']['listSessions']>>['sessions'][number]

const COLUMNS: readonly Column<OwnSession>[] = [
  { name: 'Session', cell: ({ sessionId }, { access }) => (access.may('getSessionTimeline') ? sessionLink(sessionId) : sessionId) },
  { name: 'Job', cell: ({ jobId }) => jobLink(jobId) },
  { name: 'State', cell: (row) => status(row.status) },
  { name: 'Waits for', cell: ({ waitingFor }) => waitWords(waitingFor) },
  { name: 'Why', cell: ({ reason }) => reasonWords(reason) },
  { name: 'Deadline', cell: (row, { now }) => deadline(row.deadline, now) },
  { name: 'Changed', cell: ({ updatedAt }, { now }) => when(updatedAt, now) },
]

/** First page of a reader who decides nothing: what this sign-in shows, and the own sessions. */
export const startPage = async (view: View): Promise<Content> => {
  const { access, client } = view
  const own = access.may('listSessions') ? (await client.listSessions({ limit: PAGE_ROWS })).sessions : null
  return {
    title: 'Start',
    lead: 'The API has no queue for this sign-in. The console shows what is its own, and what is open to every reader.',
    body: html`${factTable([
      ['Roles', access.roles.length === 0 ? 'none' : access.roles.join(', ')],
      ['Kind of sign-in', codeWords(access.kind)],
      ['Ends', when(access.expiresAt, view.now)],
    ])}
${own === null ? '' : html`<h2>Your sessions</h2>${table('Your sessions', COLUMNS, own, view, 'This wallet has claimed no job yet.')}`}
<h2>Open to every reader</h2>
${linkList([
  ['/health', 'Health', 'says which parts of the service work.'],
  ['/log-heads', 'Log heads', 'sign the history of every session, day by day.'],
])}
<p class="soft">The other pages of the navigation are those that the API answers for this sign-in. A session or dispute of your own opens by its id in the search.</p>`,
    live: 'all',
    ...(own !== null && { raw: { operation: 'listSessions', input: { limit: String(PAGE_ROWS) } } }),
  }
}
