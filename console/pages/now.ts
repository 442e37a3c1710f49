import type { Schemas } from '../../client/src/index.ts'
import { type Html, html } from '../../pages/html.ts'
import { type Cell, choices, codeWords, figures } from '../../pages/parts.ts'
import { actionAddress, isAllowed } from '../actions/action.ts'
import { finalizeRequest, observeRequest } from '../actions/cross-chain.ts'
import { type Column, PAGE_ROWS, table } from '../look/list.ts'
import { reasonWords } from '../look/reasons.ts'
import { address, deadline, link, money, when, workflowAddress } from '../look/values.ts'
import type { Content, Page, View } from '../view.ts'
import { startPage } from './start.ts'

type Row = Schemas.QueueRow

const KINDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  review: ['Review', 'reviews'],
  dispute: ['Dispute', 'disputes'],
  signature: ['Signature', 'signatures'],
  request: ['Cross-chain request', 'cross-chain requests'],
  blocked: ['Blocked workflow', 'blocked workflows'],
  diverged: ['Differs from the chain', 'that differ from the chain'],
  alarm: ['Alarm', 'alarms'],
  source: ['Source', 'sources'],
  webhook: ['Webhook', 'webhooks'],
  lane: ['Lane', 'lanes'],
  template: ['Template', 'templates'],
}

const one = (kind: string): string => KINDS[kind]?.[0] ?? codeWords(kind)
const many = (kind: string): string => KINDS[kind]?.[1] ?? codeWords(kind)

/** Page of what a row is about, if the reader has it. */
const subjectOf = ({ kind, ...row }: Row, view: View): string | undefined => {
  const { may } = view.access
  if (row.disputeId !== undefined && may('getDispute')) return address('/dispute', { disputeId: row.disputeId })
  if (row.sessionId !== undefined && may('getSessionTimeline')) return address('/session', { sessionId: row.sessionId })
  if (row.requestId !== undefined) {
    // A request whose outcome is unclear is in no list: the decision is all there is of it.
    const action = row.decidedBy?.operation === 'observeXcmRequest' ? observeRequest : finalizeRequest
    return isAllowed(view, action) ? actionAddress(action, { requestId: row.requestId }) : undefined
  }
  if (row.jobId !== undefined) return address('/job', { jobId: row.jobId })
  if (kind === 'alarm') return '/health'
  if (kind === 'source' && may('listSources')) return '/sources'
  if (kind === 'lane' && may('listLanes')) return '/lanes'
  return kind === 'webhook' && may('listAdminWebhooks') ? '/webhooks?state=paused' : undefined
}

const titleCell = (row: Row, view: View): Cell => {
  const to = subjectOf(row, view)
  const workflow = row.workflowId && workflowAddress(view.settings, row.workflowId)
  const engine = workflow ? html` <a class="soft" href="${workflow}" rel="noreferrer">workflow</a>` : ''
  return html`${to === undefined ? row.title : link(to, row.title)}${engine}`
}

const ROLES: Readonly<Record<string, string>> = { admin: 'an admin', verifier: 'a verifier', arbitrator: 'an arbitrator' }

/** Who decides, and whether the reader is one of them. */
const deciderCell = ({ decidedBy }: Row, { access }: View): Cell => {
  if (decidedBy === null) return 'No decision: it goes when its cause does'
  const role = ROLES[decidedBy.role] ?? codeWords(decidedBy.role)
  const isReader = access.roles.includes(decidedBy.role)
  return isReader ? html`<b>You</b>, as ${role}` : `${role.charAt(0).toUpperCase()}${role.slice(1)}`
}

const untilCell = (row: Row, { now }: View): Cell =>
  row.deadline !== null ? deadline(row.deadline, now) : row.since === null ? '–' : html`none, waits since ${when(row.since, now)}`

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Kind', cell: ({ kind }) => one(kind) },
  { name: 'What', cell: titleCell },
  { name: 'Why', cell: ({ reason }) => reasonWords(reason) },
  { name: 'Deadline', cell: untilCell },
  { name: 'At stake', cell: ({ atStake }) => money(atStake), isAmount: true },
  { name: 'If nothing is decided', cell: ({ byDefault }) => (byDefault === null ? 'It goes on waiting.' : sentence(byDefault.text)) },
  { name: 'Who decides', cell: deciderCell },
]

const filters = ({ kinds, counts, unreadable }: Schemas.QueueSummary, kind: string | undefined): Html => {
  const offered = kinds.filter((name) => (counts[name] ?? 0) > 0 || name === kind)
  const unknown: string[] = kind !== undefined && !offered.some((name) => name === kind) ? [kind] : []
  const links = [...offered, ...unknown].map(
    (name) => [`${one(name)} (${counts[name] ?? 0})`, address('/', { kind: name }), name === kind] as const,
  )
  const lost =
    unreadable.length === 0
      ? ''
      : html`<p class="note" role="status">The API could not read some kinds just now: ${unreadable.map(many).join(', ')}. They are not in this list, and not in its counts.</p>`
  return html`${lost}${links.length === 0 ? '' : choices('Kinds', [['All', '/', kind === undefined], ...links])}`
}

const nothing = ({ unreadable }: Schemas.QueueSummary, kind: string | undefined): Html => {
  if (unreadable.length > 0) return html`Nothing else waits for a person, as far as the API could read it.`
  return kind === undefined
    ? html`Nothing waits for a person. This page changes by itself when something does.`
    : html`Nothing of this kind waits. <a href="/">Show every kind</a>.`
}

/** Lists that an operator asks for often, on other pages. */
const elsewhere = ({ access, now }: View): Html | string => {
  const payments = (name: string, at: number) =>
    ['listPayments', name, address('/payments/day', { day: new Date(at).toISOString().slice(0, 10) })] as const
  const lists = [
    ['listAdminSessions', 'Stuck sessions', address('/sessions', { view: 'stuck', order: 'deadline' })] as const,
    ['listAdminSessions', 'Money waiting', address('/sessions', { view: 'money_waiting' })] as const,
    payments("Today's payments", now),
    payments("Yesterday's payments", now - 86_400_000),
  ]
  const links = lists.flatMap(([operation, name, to]) => (access.may(operation) ? [[name, to, false] as const] : []))
  return links.length === 0 ? '' : choices('Saved views', links)
}

const showQueue = async (view: View): Promise<Content> => {
  const { kind: wanted, cursor } = view.query
  const kind = wanted === undefined || wanted === '' ? undefined : wanted
  const input = { ...(kind !== undefined && { kind }), limit: String(PAGE_ROWS), ...(cursor && { cursor }) }
  const { items, summary, nextCursor } = await view.client.listQueue(input as never)
  const total = Object.values(summary.counts).reduce((sum, count) => sum + count, 0)
  const next = nextCursor === null ? '' : html`<a class="go" href="${address('/', { kind, cursor: nextCursor })}">Next rows</a>`
  const first = cursor === undefined ? '' : html`<a class="go" href="${address('/', { kind })}">First rows</a>`
  return {
    title: 'Now',
    lead: 'What needs a person, soonest deadline first.',
    body: html`${figures([
      [String(total), total === 1 ? 'thing waits' : 'things wait'],
      [money(summary.atStake), 'at stake in all'],
    ])}${elsewhere(view)}${filters(summary, kind)}${table('What needs a person', COLUMNS, items, view, nothing(summary, kind))}<p>${first} ${next}</p>`,
    live: cursor === undefined ? 'all' : 'none',
    raw: { operation: 'listQueue', input },
  }
}

/** The first page: what needs a person; for a reader who decides nothing, what the console shows. */
export const now: Page = {
  path: '/',
  name: 'Now',
  group: 'Now',
  operations: [],
  show: async (view) => (view.access.may('listQueue') ? showQueue(view) : startPage(view)),
}
