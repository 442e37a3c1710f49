import { type Schemas, SOURCE_RUNS } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { codeWords, duration, state } from '../../../pages/parts.ts'
import { actionLinks } from '../../actions/action.ts'
import { ingestInput } from '../../actions/ingest.ts'
import { changeRuns, pauseSource, resumeSource, triggerSource } from '../../actions/sources.ts'
import { type Column, list, PAGE_ROWS, table } from '../../look/list.ts'
import { reasonWords } from '../../look/reasons.ts'
import { address, jobLink, link, money, status, when } from '../../look/values.ts'
import type { Page, View } from '../../view.ts'

type Source = Schemas.IngestSource

/** How a source stands, the worst first; `why` is in words. */
export const STANDINGS = ['failed', 'silent', 'waiting', 'works', 'paused', 'unscheduled'] as const
type Standing = (typeof STANDINGS)[number]

/** A source with the reason for which the queue of the service names it; null where it does not. */
export interface WatchedSource extends Source {
  alarm: string | null
}

/** How a source stands and why. */
export const standingOf = (source: WatchedSource, now: number): { standing: Standing; why: string } => {
  const { schedule, lastRun, nextAllowedAt } = source
  const fault = lastRun?.fault ?? (lastRun?.status === 'failed' ? (lastRun.stopped?.reason ?? 'page_failed') : null)
  if (schedule === null) return { standing: 'unscheduled', why: 'It has no schedule yet.' }
  if (schedule.paused) return { standing: 'paused', why: schedule.note === '' ? 'An operator paused it.' : schedule.note }
  if (fault !== null) return { standing: 'failed', why: reasonWords(fault) }
  if (source.alarm !== null) return { standing: 'silent', why: reasonWords(source.alarm) }
  if (nextAllowedAt !== null && Date.parse(nextAllowedAt) > now) return { standing: 'waiting', why: reasonWords('source_rate_limited') }
  return {
    standing: 'works',
    why: lastRun?.stopped ? `${reasonWords(lastRun.stopped.reason)} ${lastRun.stopped.detail}` : 'Its last run ended well.',
  }
}

const TONES = { failed: 'bad', silent: 'bad', waiting: 'warn', works: 'good', paused: 'off', unscheduled: 'off' } as const

const runCell = ({ lastRun }: Source, { now }: View): Html | string => {
  if (lastRun === null) return 'none yet'
  const { counts, dryRun, status: code, candidateCount, endedAt, startedAt } = lastRun
  const made =
    counts === null ? '' : `, ${counts.created} listed, ${counts.proposed} proposed, ${counts.skipped} skipped, ${counts.error} failed`
  return html`${status(code)} ${when(endedAt ?? startedAt, now)}${dryRun ? ', as dry run' : ''}<br><span class="soft">${candidateCount} candidates${made}</span>`
}

const scheduleCell = ({ schedule }: Source, { now }: View): Html | string =>
  schedule === null
    ? '–'
    : html`every ${duration(schedule.everySeconds)}${schedule.dryRun ? ', lists nothing (dry run)' : ''}<br><span class="soft">next ${schedule.next === null ? 'none' : when(schedule.next, now)}</span>`

const stepsCell = ({ provider, schedule }: Source, view: View): Html | string => {
  const subject = { provider }
  const steer = schedule === null ? [] : [schedule.paused ? resumeSource : pauseSource, triggerSource, changeRuns]
  return actionLinks(
    view,
    [...steer, ingestInput].map((action) => [action, subject] as const),
  )
}

const COLUMNS: readonly Column<WatchedSource>[] = [
  {
    name: 'Source',
    cell: ({ provider }) => html`<b>${provider}</b><br>${link(address('/source-items', { provider }), 'candidates')}`,
  },
  {
    name: 'State',
    cell: (source, { now }) => {
      const { standing, why } = standingOf(source, now)
      return html`${state(standing, TONES[standing])}<br>${why}`
    },
  },
  { name: 'Last run', cell: runCell },
  { name: 'Last success', cell: ({ lastSuccessAt }, { now }) => when(lastSuccessAt, now) },
  { name: 'Schedule', cell: scheduleCell },
  { name: 'Jobs', cell: ({ openJobs, claimedJobs, paidJobs }) => `${openJobs} open, ${claimedJobs} claimed, ${paidJobs} paid` },
  { name: 'Paid in all', cell: ({ paidTotal }) => money(paidTotal), isAmount: true },
  { name: 'Steps', cell: stepsCell },
]

/** Sources of jobs, those that give nothing first. */
export const sources: Page = {
  path: '/sources',
  name: 'Sources',
  group: 'Operation',
  operations: ['listSources', 'listQueue'],
  show: async (view) => {
    const [{ sources: found }, queue] = await Promise.all([
      view.client.listSources({}),
      view.client.listQueue({ kind: 'source', limit: PAGE_ROWS }),
    ])
    const alarms = new Map(queue.items.map(({ id, reason }) => [id, reason]))
    const rows = found.map((source) => ({ ...source, alarm: alarms.get(source.provider) ?? null }))
    const place = (source: WatchedSource): number => STANDINGS.indexOf(standingOf(source, view.now).standing)
    const sorted = [...rows].sort((left, right) => place(left) - place(right))
    return {
      title: 'Sources',
      lead: 'Where the service finds work to list. Sources that fail or are silent stand first.',
      body: html`${table('Sources', COLUMNS, sorted, view, 'This service reads no source.')}${view.access.may('listSourceItems') ? html`<p>${link('/source-items', 'Every candidate')}</p>` : ''}`,
      raw: { operation: 'listSources', input: {} },
    }
  },
}

/** Candidates of the sources, and what became of each. */
export const sourceItems = list<Schemas.IngestItem>({
  path: '/source-items',
  name: 'Candidates',
  lead: 'What the sources offered, last seen first, and what became of it.',
  operation: 'listSourceItems',
  filters: [
    { name: 'provider', label: 'Source', options: Object.keys(SOURCE_RUNS) },
    { name: 'outcome', label: 'Outcome', options: ['created', 'proposed', 'skipped', 'parked', 'error'] },
  ],
  views: [
    { name: 'Parked', query: { outcome: 'parked' } },
    { name: 'Failed', query: { outcome: 'error' } },
  ],
  read: async ({ client }, input) => {
    const { items: rows, nextCursor } = await client.listSourceItems(input as never)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Candidate', cell: ({ itemKey }) => itemKey },
    { name: 'Source', cell: ({ provider }) => provider },
    { name: 'Outcome', cell: ({ outcome }) => status(outcome) },
    {
      name: 'Why',
      cell: ({ reason, detail, rules, changed }) =>
        html`${reasonWords(reason)}${detail === null ? '' : html`<br><span class="soft">${detail}</span>`}${rules.length === 0 ? '' : html`<br><span class="soft">Rules: ${rules.map(codeWords).join(', ')}</span>`}${changed ? html`<br>${state('changed since', 'warn')}` : ''}`,
    },
    { name: 'Score', cell: ({ score }) => score ?? '–', isAmount: true },
    { name: 'Job', cell: ({ jobId }) => (jobId === null ? '–' : jobLink(jobId)) },
    { name: 'Listed', cell: ({ listedAt }, { now }) => when(listedAt, now) },
    { name: 'Seen', cell: ({ seenAt }, { now }) => when(seenAt, now) },
  ],
  empty: html`No candidate matches. A source gives some when it runs: <a href="/sources">see the sources</a>.`,
})
