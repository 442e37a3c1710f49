import type { Answer, Input } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { formatAmount, formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { type Column, formatPairs, formatTable, oneLine, wrap } from '../output/text.ts'
import { openSignedIn } from '../service/open.ts'
import { readMembers } from '../service/work-file.ts'
import { parseName, parseProvider, rowLimit, takeRows } from './arguments.ts'

type Source = Answer<'listSources'>['sources'][number]
type Item = Answer<'listSourceItems'>['items'][number]

const PAGE = 100

/** Instant to the minute. */
const minute = (iso: string | null | undefined): string => (iso == null ? '' : formatInstant(iso).replace(/:[0-9]{2}Z$/, 'Z'))

const scheduleText = ({ schedule }: Source): string =>
  schedule === null ? 'none' : `${schedule.paused ? 'off' : 'on'}, ${schedule.dryRun ? 'dry' : 'live'}`

const COLUMNS: readonly Column<Source>[] = [
  { title: 'SOURCE', value: ({ provider }) => provider },
  { title: 'SCHEDULE', value: scheduleText },
  { title: 'LAST RUN', value: ({ lastRun }) => minute(lastRun?.startedAt) },
  { title: 'CREATED', value: ({ created }) => String(created), align: 'right' },
  { title: 'OPEN', value: ({ openJobs }) => String(openJobs), align: 'right' },
  { title: 'PAID', value: ({ paidJobs }) => String(paidJobs), align: 'right' },
  {
    title: 'COST A JOB',
    value: ({ costPerDeliveredJob: cost }) => (cost === null ? '' : formatAmount(cost, cost.asset)),
    align: 'right',
  },
  { title: 'WAITS UNTIL', value: ({ nextAllowedAt }) => minute(nextAllowedAt) },
]

/** Last runs that ended badly or early, one line each. */
const describeRuns = (rows: readonly Source[]): string[] => {
  const notes = rows.flatMap(({ provider, lastRun }) => {
    if (lastRun?.fault != null) return [`${provider}: the last run failed (${lastRun.fault}).`]
    if (lastRun?.stopped != null) return [`${provider}: the last run ended early. ${lastRun.stopped.detail} (${lastRun.stopped.reason})`]
    return []
  })
  return notes.length === 0 ? [] : ['', ...notes.flatMap((note) => wrap(oneLine(note)))]
}

const describeSources = (rows: readonly Source[], bold: (text: string) => string): string[] => {
  const [head = '', ...table] = formatTable(COLUMNS, rows)
  return [bold(head), ...table, ...describeRuns(rows)]
}

/** `admin sources`: a table of the sources. */
export const sources = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  const found = await client.listSources({}, { signal: context.signal })
  return { document: found, lines: describeSources(found.sources, context.output.bold) }
}

/** `admin items`: candidates and what last became of each. */
export const items = async (context: Context): Promise<Report> => {
  const {
    arguments: [, name],
    options,
    signal,
    output,
  } = context
  const provider = name === undefined ? undefined : parseProvider(name)
  const limit = rowLimit(context)
  // The parser has checked the choice.
  const outcome = textOption(options, 'outcome') as Input<'listSourceItems'>['outcome']
  const { client } = await openSignedIn(context)
  const rows = await takeRows(client.paginate('listSourceItems', { provider, outcome, limit: Math.min(limit, PAGE) }, { signal }), limit)
  const [head = '', ...table] = formatTable<Item>(
    [
      { title: 'SOURCE', value: (row) => row.provider },
      { title: 'CANDIDATE', value: ({ itemKey }) => itemKey, shrinks: true },
      { title: 'OUTCOME', value: (row) => row.outcome },
      { title: 'SCORE', value: ({ score }) => (score === null ? '' : String(score)), align: 'right' },
      { title: 'SEEN', value: ({ seenAt }) => minute(seenAt) },
      { title: 'JOB OR REASON', value: ({ jobId, reason }) => reason ?? jobId ?? '' },
    ],
    rows,
  )
  return {
    document: { items: rows, count: rows.length },
    lines: rows.length === 0 ? ['No candidate matches.'] : [output.bold(head), ...table],
  }
}

/** Whether runs of the schedule become dry ones; undefined to leave that as it is. */
const findDryRun = ({ options }: Context): boolean | undefined => {
  if (options.dry === true && options.live === true) throw usageError('admin steer takes one of --dry and --live.', 'agent-work help admin')
  return options.dry === true ? true : options.live === true ? false : undefined
}

/** `admin steer`: pauses, resumes or triggers the schedule of a source, and changes its runs. */
export const steer = async (context: Context): Promise<Report> => {
  const { arguments: given, options, signal } = context
  const provider = parseProvider(given[1])
  const action = parseName(given[2], 'CHANGE', ['pause', 'resume', 'trigger'])
  const [dryRun, note, file] = [findDryRun(context), textOption(options, 'note'), textOption(options, 'input')]
  const input = file === undefined ? undefined : await readMembers(context, file)
  const { client } = await openSignedIn(context)
  const found = await client.steerSource({ provider, action, dryRun, note, input }, { signal })
  const { schedule } = found
  return {
    document: found,
    lines: formatPairs([
      ['Source', provider],
      ['Schedule', scheduleText(found)],
      ['Next run', schedule?.next == null ? null : formatInstant(schedule.next)],
      ['Input', schedule === null ? null : JSON.stringify(schedule.input)],
      ['Note', schedule?.note],
    ]),
  }
}
