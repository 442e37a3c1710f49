import { SOURCE_RUNS } from '../../src/requests.ts'
import type { Answer, Input } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { EXIT, usageError } from '../failures.ts'
import { formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, formatTable, oneLine, wrap } from '../output/text.ts'
import { openSignedIn } from '../service/open.ts'
import { readMembers } from '../service/work-file.ts'
import { findNumber, parseProvider } from './arguments.ts'

type Run = Answer<'ingestGithub'>
type JobRow = Run['jobs'][number]

/** Members of a run that options of the command stand for. */
const BY_OPTION = { dryRun: 'create', limit: 'limit', minScore: 'min-score', idempotencyKey: undefined } as const

/** Own members of the source. Refuses those of every run, so that no file lists jobs without `--create`. */
const readInput = async (context: Context): Promise<Record<string, unknown>> => {
  const file = textOption(context.options, 'input')
  if (file === undefined) return {}
  const members = await readMembers(context, file)
  for (const [name, option] of Object.entries(BY_OPTION))
    if (Object.hasOwn(members, name))
      throw usageError(`The input holds the member ${name}, which is none of the source.`, ...(option === undefined ? [] : [`--${option}`]))
  return members
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Reasons of the left out candidates with how many have each, most frequent first, and the detail of the first one. */
const describeSkips = ({ skipped, counts }: Run): string[] => {
  if (skipped.length === 0) return []
  const byReason = new Map<string, (typeof skipped)[number][]>()
  for (const row of skipped) byReason.set(row.reason, [...(byReason.get(row.reason) ?? []), row])
  const pairs = [...byReason]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([reason, rows]): [string, string] => [oneLine(reason), `${rows.length}: ${rows[0]?.detail ?? ''}`])
  const all = counts.skipped + counts.parked
  const title = skipped.length < all ? `Left out, the first ${skipped.length} of ${all}` : 'Left out'
  return ['', title, ...formatPairs(pairs).map((line) => `  ${line}`)]
}

const describeErrors = ({ errors, counts }: Run): string[] =>
  counts.error === 0
    ? []
    : [
        '',
        errors.length < counts.error ? `Refused, the first ${errors.length} of ${counts.error}` : 'Refused',
        ...errors.flatMap(({ id, code, message }) => wrap(oneLine(`${id}: ${message} (${code})`), { indent: '  ' })),
      ]

const describeStop = ({ stopped }: Run): string[] => {
  if (stopped === null) return []
  const { reason, detail, resumeAt } = stopped
  const until = resumeAt === null ? '' : ` Another run gets further from ${formatInstant(resumeAt)} on.`
  return ['', ...wrap(oneLine(`The run ended before its candidates did: ${detail} (${reason}).${until}`))]
}

const describeRun = (run: Run, bold: (text: string) => string): string[] => {
  const { provider, dryRun, candidateCount, counts, jobs } = run
  const listed = dryRun ? `${counts.proposed} proposed` : `${counts.created} listed`
  const [head = '', ...table] = formatTable<JobRow>(
    [
      { title: 'JOB', value: ({ id }) => id },
      { title: 'TITLE', value: ({ title }) => title, shrinks: true },
      { title: 'TIER', value: ({ tier }) => tier },
      { title: 'LANE', value: ({ lane }) => lane },
      { title: 'SCORE', value: ({ score }) => String(score), align: 'right' },
    ],
    jobs,
  )
  return [
    `${dryRun ? 'Dry run' : 'Run'} of ${provider}: ${counted(candidateCount, 'candidate')}, ${listed}, ${counts.skipped} skipped, ${counts.parked} parked, ${counted(counts.error, 'error')}.`,
    ...(jobs.length === 0 ? [] : ['', bold(head), ...table]),
    ...describeSkips(run),
    ...describeErrors(run),
    ...describeStop(run),
    ...(dryRun && jobs.length > 0 ? ['', 'Nothing was listed. --create lists the jobs.'] : []),
  ]
}

/** `admin ingest`: one run over a source, followed to its answer. A dry run without `--create`. */
export const ingest = async (context: Context): Promise<Report> => {
  const { arguments: given, options, signal, output } = context
  const provider = parseProvider(given[1])
  const [limit, minScore] = [findNumber(context, 'limit'), findNumber(context, 'min-score')]
  const input = await readInput(context)
  const body = {
    ...input,
    dryRun: options.create !== true,
    ...(limit !== undefined && { limit }),
    ...(minScore !== undefined && { minScore }),
  }
  const { client } = await openSignedIn(context)
  // The service checks the own members; the time limit of the command ends the wait.
  const asked = body as Input<'ingestGithub'>
  const run: Run = await client.call(SOURCE_RUNS[provider], asked, { signal, followSeconds: Number.POSITIVE_INFINITY })
  return { document: run, lines: describeRun(run, output.bold), exit: run.counts.error > 0 ? EXIT.refused : EXIT.done }
}
