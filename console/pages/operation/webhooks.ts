import type { Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { codeWords, identifier } from '../../../pages/parts.ts'
import { list } from '../../look/list.ts'
import { reasonWords } from '../../look/reasons.ts'
import { sessionLink, status, walletLink, when } from '../../look/values.ts'

type Webhook = Schemas.WebhookOverview

const lastCell = ({ lastDelivery: last }: Webhook, now: number): Html | string => {
  if (last === null) return 'none yet'
  const answer = last.httpStatus === null ? '' : `, answer ${last.httpStatus}`
  const failure = last.failure === null ? '' : `, ${codeWords(last.failure)}`
  return html`${status(last.outcome)} ${when(last.sentAt, now)}<br><span class="soft">${last.durationMs} ms${answer}${failure}</span>`
}

const failureCell = ({ failures, failingSince, nextAttemptAt }: Webhook, now: number): Html | string =>
  failures === 0
    ? '–'
    : html`${failures} since ${when(failingSince, now)}<br><span class="soft">next try ${nextAttemptAt === null ? 'none' : when(nextAttemptAt, now)}</span>`

/** Endpoints that get events, of every wallet. Only their owners steer them. */
export const webhooks = list<Webhook>({
  path: '/webhooks',
  name: 'Webhooks',
  lead: 'Endpoints that get events. An owner resumes a paused one; deliveries then go on where they stopped.',
  group: 'Operation',
  operation: 'listAdminWebhooks',
  filters: [
    { name: 'state', label: 'State', options: ['active', 'paused'] },
    { name: 'wallet', label: 'Wallet' },
  ],
  views: [{ name: 'Paused', query: { state: 'paused' } }],
  read: async ({ client }, input) => {
    const { webhooks: rows, nextCursor } = await client.listAdminWebhooks(input as never)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Endpoint', cell: ({ address, id }) => html`${address}<br>${identifier(id)}` },
    { name: 'Wallet', cell: ({ wallet }, { access }) => (access.may('listAdminWallets') ? walletLink(wallet) : identifier(wallet)) },
    {
      name: 'State',
      cell: ({ state, pauseReason }) => html`${status(state)}${pauseReason === null ? '' : html`<br>${reasonWords(pauseReason)}`}`,
    },
    { name: 'Last delivery', cell: (row, { now }) => lastCell(row, now) },
    { name: 'Failed tries', cell: (row, { now }) => failureCell(row, now) },
    {
      name: 'Gets',
      cell: ({ topics, sessionId }) =>
        html`${topics.length === 0 ? 'every topic' : topics.map(codeWords).join(', ')}${sessionId === null ? '' : html` of ${sessionLink(sessionId)}`}`,
    },
    { name: 'Created', cell: ({ createdAt }, { now }) => when(createdAt, now) },
  ],
  empty: 'No endpoint matches. A wallet registers one with POST /webhooks.',
})
