import type { Answer, Input } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { formatAmount, formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs, formatTable, oneLine, wrap } from '../output/text.ts'
import { openSignedIn } from '../service/open.ts'
import { LANES, parseName, rowLimit, takeRows } from './arguments.ts'

type Lane = Answer<'listLanes'>['lanes'][number]
type JobRow = Answer<'listAdminJobs'>['jobs'][number]

const HELP = 'agent-work help admin'
const PAGE = 100

const describeLanes = (rows: readonly Lane[], bold: (text: string) => string): string[] => {
  const [head = '', ...table] = formatTable<Lane>(
    [
      { title: 'LANE', value: ({ lane: name }) => name },
      { title: 'STATE', value: ({ paused }) => (paused === null ? 'open' : 'paused') },
      { title: 'LISTED IN 24 HOURS', value: ({ postedToday: sum }) => formatAmount(sum, sum.asset), align: 'right' },
      { title: 'BUDGET', value: ({ dailyBudget: sum }) => formatAmount(sum, sum.asset), align: 'right' },
      { title: 'BACKLOG', value: ({ backlog, backlogLimit }) => `${backlog} of ${backlogLimit}`, align: 'right' },
      { title: 'OPEN', value: ({ openJobs }) => String(openJobs), align: 'right' },
    ],
    rows,
  )
  const pauses = rows.flatMap(({ lane: name, paused }) =>
    paused === null ? [] : wrap(oneLine(`${name}: paused by ${paused.by} at ${formatInstant(paused.at)}. ${paused.reason}`)),
  )
  return [bold(head), ...table, ...(pauses.length === 0 ? [] : ['', ...pauses])]
}

/** `admin lanes`: budget and use of each lane. */
export const lanes = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  const found = await client.listLanes({}, { signal: context.signal })
  return { document: found, lines: describeLanes(found.lanes, context.output.bold) }
}

/** `admin lane`: pauses or resumes a lane. */
export const lane = async (context: Context): Promise<Report> => {
  const { arguments: given, options, signal, output } = context
  const name = parseName(given[1], 'LANE', LANES)
  const action = parseName(given[2], 'CHANGE', ['pause', 'resume'])
  const reason = textOption(options, 'reason')
  if (reason === undefined) throw usageError('admin lane needs --reason TEXT.', HELP)
  const { client } = await openSignedIn(context)
  const found = await client.setLaneState({ lane: name, action, reason }, { signal })
  return { document: found, lines: describeLanes([found], output.bold) }
}

/** `admin template`: lists a job of a recurring template now, or pauses or resumes it. */
export const template = async (context: Context): Promise<Report> => {
  const { arguments: given, options, signal } = context
  const [, templateId = ''] = given
  const action = parseName(given[2], 'CHANGE', ['fire', 'pause', 'resume'])
  const reason = textOption(options, 'reason')
  if (action === 'fire' && reason !== undefined) throw usageError('admin template ID fire takes no --reason.', HELP)
  const { client } = await openSignedIn(context)
  if (action === 'fire') {
    const job = await client.fireTemplate({ templateId }, { signal })
    return { document: job, lines: [`${oneLine(job.id)} is listed.`, `  agent-work show ${oneLine(job.id)}`] }
  }
  const found = await client[action === 'pause' ? 'pauseTemplate' : 'resumeTemplate']({ templateId, reason }, { signal })
  const { spent, reserve, runs, maxRuns, nextRunAt } = found
  return {
    document: found,
    lines: formatPairs([
      ['Template', found.templateId],
      ['State', found.reason === null ? found.state : `${found.state}: ${found.reason}`],
      ['Times', `${found.cron} (UTC)`],
      ['Runs', maxRuns === null ? String(runs) : `${runs} of ${maxRuns}`],
      ['Spent', `${formatAmount(spent, spent.asset)}${reserve === null ? '' : ` of ${formatAmount(reserve, reserve.asset)}`}`],
      ['Next run', nextRunAt === null ? null : formatInstant(nextRunAt)],
    ]),
  }
}

/** What a sweep came to, by its action. */
const SWEPT = {
  none: 'No job was paused.',
  paused: 'The drifted jobs are paused.',
  stopped: 'No job was paused: more than half of the catalogue drifted, so the hashes are in doubt.',
} as const satisfies Record<Answer<'sweepDefinitions'>['action'], string>

/** `admin sweep`: compares every definition with its hash. */
export const sweep = async (context: Context): Promise<Report> => {
  const { client } = await openSignedIn(context)
  const found = await client.sweepDefinitions({}, { signal: context.signal })
  return {
    document: found,
    lines: [
      ...formatPairs([
        ['Jobs', String(found.total)],
        ['As their hash', String(found.matching)],
        ['Drifted', String(found.drifted)],
        ['Paused', String(found.markedUnclaimable)],
        ['Drifted jobs', found.driftedJobs.join(', ')],
      ]),
      ...found.errors.flatMap(({ jobId, message }) => wrap(oneLine(`${jobId}: ${message}`), { indent: '  ' })),
      '',
      SWEPT[found.action],
    ],
  }
}

/** `admin jobs`: every job, paused, archived and stale ones included. */
export const jobs = async (context: Context): Promise<Report> => {
  const { options, signal, output } = context
  const limit = rowLimit(context)
  const filters: Input<'listAdminJobs'> = { state: textOption(options, 'state'), limit: Math.min(limit, PAGE) }
  const { client } = await openSignedIn(context)
  const rows = await takeRows(client.paginate('listAdminJobs', filters, { signal }), limit)
  const [head = '', ...table] = formatTable<JobRow>(
    [
      { title: 'JOB', value: ({ id }) => id },
      { title: 'TITLE', value: ({ title }) => title, shrinks: true },
      { title: 'REWARD', value: ({ rewardAmount, rewardAsset }) => `${rewardAmount} ${rewardAsset}`, align: 'right' },
      { title: 'TIER', value: ({ tier }) => tier },
      { title: 'STATE', value: ({ effectiveState }) => effectiveState },
    ],
    rows,
  )
  return { document: { jobs: rows, count: rows.length }, lines: rows.length === 0 ? ['No job matches.'] : [output.bold(head), ...table] }
}
