import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { readLaneUse } from '../../../../activities/catalogue/lanes.ts'
import { ingestKey } from '../../../../domain/ingestion/key.ts'
import { type IngestActivities, ingestWorkflowId } from '../../../../schemas/ingestion/process.ts'
import { serviceNow } from '../../../e2e/support/time.ts'
import { endOf, shapeOf } from '../end-state.ts'
import { type Effect, event, type ProcessRow, type Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'

const LANE = 'oss-anchored'
/** A page has the first twenty. */
const ISSUES = 24
/** The issues that make jobs, by number; all others are empty and are skipped. The source may have three open jobs, so that it refuses the last. */
const TITLES: Readonly<Record<number, string>> = {
  1: 'Docs of the reader name a removed flag',
  5: 'Docs of the writer name a removed flag',
  22: 'Docs of the parser name a removed flag',
  23: 'Docs of the client name a removed flag',
}
const RUN = { dryRun: false, limit: 50, minScore: 0 } as const

const INSTANTS = ['startedAt', 'endedAt']
const OF_THE_RUN = ['runId', 'workflowId', 'input', 'cursor', 'stopped', 'answer', 'requestsUsed']

/** Number of the issue in the key of a candidate or the id of a job. */
const issueIn = (id: string | null): number | null => (id === null ? null : Number(/\d+$/.exec(id)?.[0]))

/** Fills a new repository with issues, the first of which changed last. */
const fill = ({ codehost: { content } }: Stage, repo: string): void => {
  for (let number = 1; number <= ISSUES; number += 1) {
    const title = TITLES[number] ?? ''
    content.setIssue(repo, number, { title, body: title, updatedAt: content.newest - number * 60_000 })
  }
}

/** A run over the issues of a repository of its own, which an admin asks for. One run at a time reads the source, so no step needs a key. */
const listed = async (stage: Stage): Promise<Scenario> => {
  const { rows } = stage.database
  const repo = `acme/crash-${randomBytes(6).toString('hex')}`
  fill(stage, repo)
  const input = { query: `repo:${repo}` }
  const requestKey = `ingest-${repo}`
  const workflowId = ingestWorkflowId('github', ingestKey('github', { ...RUN, input }, requestKey))
  const ofRepository = sql<boolean>`definition::text like ${`%${repo}%`}`
  const jobs = () => rows.selectFrom('job').select(['id', 'rewardRaw']).where(ofRepository).orderBy('id').execute()
  const laneUse = () => readLaneUse(rows, LANE, serviceNow({ info: { clockOffsetFile: stage.files.clockOffset } }))
  let laneDifference: { postedRaw: string; backlog: number } | null = null
  let answered: number[] = []
  return {
    key: '',
    acts: {
      list: async () => {
        const before = await laneUse()
        const { created } = await stage.operatorPost('/admin/jobs/ingest/github', { ...RUN, ...input }, { key: requestKey })
        answered = created.map(issueIn)
        const after = await laneUse()
        laneDifference = { postedRaw: String(after.postedRaw - before.postedRaw), backlog: after.backlog - before.backlog }
        // The next run finds no open job of its source.
        for (const { id } of await jobs()) await stage.operatorPost('/admin/jobs/lifecycle', { jobId: id, action: 'archive' })
      },
    },
    readEnd: async () => {
      const runs = await rows.selectFrom('ingest_run').selectAll().where('workflowId', '=', workflowId).execute()
      const runIds = runs.map(({ runId }) => runId)
      const [results, items, source, cursors, ended, listedJobs] = await Promise.all([
        rows.selectFrom('ingest_result').selectAll().where('runId', 'in', runIds).orderBy('itemKey').execute(),
        rows
          .selectFrom('ingest_item')
          .selectAll()
          .where('itemKey', 'like', `${stage.codehost.world.repoIdOf(repo)}#%`)
          .execute(),
        rows.selectFrom('ingest_source').select('holderRunId').where('provider', '=', 'github').executeTakeFirst(),
        rows.selectFrom('ingest_cursor').select('inputKey').where('provider', '=', 'github').execute(),
        rows.selectFrom('event').select('topic').where('correlationId', '=', workflowId).execute(),
        jobs(),
      ])
      return {
        process: await endOf(stage, workflowId),
        runs: runs.map((row) => shapeOf(row, INSTANTS, OF_THE_RUN)),
        answers: runs.map(({ answer, stopped }) => ({
          jobs: answer?.jobs.map(({ id }) => issueIn(id)),
          skipped: answer?.skipped.map(({ itemKey, reason }) => [issueIn(itemKey), reason]),
          counts: answer?.counts,
          stopped: stopped?.reason,
        })),
        results: results.map(({ itemKey, jobId, outcome, reason }) => [issueIn(itemKey), issueIn(jobId), outcome, reason]),
        items: items
          .map(({ itemKey, jobId, outcome, reason, version, openCap }) => ({
            ...{ issue: issueIn(itemKey), job: issueIn(jobId), outcome, reason, version, openCap },
          }))
          .sort((left, right) => Number(left.issue) - Number(right.issue)),
        'answer names': answered,
        jobs: listedJobs.map(({ id, rewardRaw }) => [issueIn(id), String(rewardRaw)]),
        'use of the lane': laneDifference,
        'source is free': source?.holderRunId === null,
        'saved cursors': cursors.length,
        events: ended.map(({ topic }) => topic).sort(),
      }
    },
  }
}

const during = { scenario: 'listed', act: 'list' } as const
/** The transaction that lists the job of an issue. */
const job = (name: string, issue: number): Effect => ({
  ...{ ...during, name, isMidway: true },
  record: { call: '^insert into "ingest_result"', of: ['created', TITLES[issue] ?? ''] },
})
const PAGE_END = '^update "ingest_run" set "pages"'

export const ingestion: ProcessRow<IngestActivities> = {
  scenarios: {
    listed: {
      create: listed,
      leaves: {
        process: 'COMPLETED',
        runs: [{ status: 'done', fault: null, pages: 2, candidates: 24, freshCandidates: 24, taken: 3 }],
        answers: [{ jobs: [1, 5, 22], stopped: 'source_open_cap' }],
        'answer names': [1, 5, 22],
        jobs: [
          [1, '200000'],
          [22, '200000'],
          [5, '200000'],
        ],
        'use of the lane': { postedRaw: '600000', backlog: 3 },
        'source is free': true,
        events: ['ingestion.run_ended'],
      },
    },
  },
  steps: {
    beginIngestion: [{ ...during, record: { call: '^insert into "ingest_run"', of: [] } }],
    ingestPage: [
      job('first-job', 1),
      job('next-job', 5),
      { ...during, name: 'page', input: ['"page":0'], record: { call: PAGE_END, of: [] }, result: ['"pages":1'] },
      job('last-job', 22),
      { ...during, name: 'end', input: ['"page":1'], record: { call: PAGE_END, of: ['source_open_cap'] }, result: ['"pages":2'] },
    ],
    endIngestion: [{ ...during, record: event('ingestion.run_ended') }],
  },
  outside: {
    ingestGithub: [{ ...during, in: 'api', effect: { on: 'engine', call: '/StartWorkflowExecution$', of: ['ingest/github/'] } }],
  },
}
