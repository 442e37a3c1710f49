// The commands of operators against a scripted service: what each asks for, shows and refuses.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { LANES } from '../../../client/cli/admin/arguments.ts'
import { ITEM_OUTCOMES } from '../../../client/cli/commands.ts'
import { SOURCE_RUNS } from '../../../client/src/requests.ts'
import { LANES as ALL_LANES } from '../../../schemas/catalogue/job-terms.ts'
import { PROVIDERS } from '../../../schemas/ingestion/providers.ts'
import { INGEST_OUTCOMES } from '../../../schemas/ingestion/record.ts'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { json, problem, type Script } from '../support/scripted-service.ts'

const USDC = (raw: string) => ({ asset: 'USDC', raw, decimals: 6, display: '' })
const COUNTS = { created: 0, proposed: 0, skipped: 0, parked: 0, error: 0 }
const JOB = { id: 'github-a', title: 'Fix the link', tier: 'starter', lane: 'liveness', score: 81 }
const RUN = {
  provider: 'github',
  dryRun: true,
  candidateCount: 5,
  counts: { ...COUNTS, proposed: 1, skipped: 3 },
  jobs: [JOB],
  stopped: null,
}
const SCHEDULE = { paused: false, dryRun: true, input: {}, everySeconds: 60, next: '2026-01-02T04:00:00.000Z', note: 'as agreed' }
const SOURCE = {
  ...{ provider: 'github', schedule: SCHEDULE, nextAllowedAt: '2026-01-02T05:00:00.000Z', created: 7, openJobs: 4, paidJobs: 2 },
  ...{ lastRun: { startedAt: '2026-01-02T03:04:05.000Z', status: 'failed', fault: 'source_rate_limited', stopped: null, counts: null } },
  ...{ paidTotal: USDC('3000000'), costPerDeliveredJob: USDC('1500000') },
}
const IDLE = { ...SOURCE, provider: 'osv', schedule: null, lastRun: null, nextAllowedAt: null, costPerDeliveredJob: null }
const LANE = {
  ...{ lane: 'liveness', dailyBudget: USDC('20000000'), postedToday: USDC('500000'), backlog: 3, backlogLimit: 40, openJobs: 5 },
  ...{ resumeAt: null, paused: { by: `0x${'ad'.repeat(20)}`, at: '2026-01-02T03:04:05.000Z', reason: 'Wrong dates.' } },
}
const TEMPLATE = {
  ...{ templateId: 'weekly', cron: '0 9 * * 1', state: 'paused', reason: 'Rewritten.', runs: 2, maxRuns: 9 },
  ...{ spent: USDC('400000'), reserve: USDC('2000000'), nextRunAt: null },
}
const ROW = { format: 'full', id: 'job-1', title: 'A job', rewardAmount: 1, rewardAsset: 'USDC', tier: 'pro', effectiveState: 'paused' }
const SWEEP = { total: 9, matching: 8, drifted: 1, markedUnclaimable: 1, action: 'paused', driftedJobs: ['job-1'], errors: [] }

const answer =
  (body: unknown, status = 200): Script =>
  (_request, response) =>
    json(response, status, body)

let chain: ScriptedChain
afterEach(() => chain.close())
const start = async (scripts: Record<string, Script> = {}): Promise<void> => {
  const runs = Object.keys(SOURCE_RUNS).map((name) => [`POST /admin/jobs/ingest/${name}`, answer({ ...RUN, provider: name })])
  chain = await startScriptedChain({
    ...Object.fromEntries(runs),
    'GET /admin/sources': answer({ sources: [SOURCE, IDLE] }),
    'GET /admin/sources/items': ({ url }, response) => {
      const isFirst = !url.includes('cursor=')
      const row = { provider: 'osv', itemKey: isFirst ? 'a' : 'b', outcome: 'parked', reason: 'screen', seenAt: '2026-01-02T03:04:05.000Z' }
      json(response, 200, { items: [row], nextCursor: isFirst ? 'next' : null })
    },
    'POST /admin/sources/steer': answer(SOURCE),
    'GET /admin/lanes': answer({ lanes: [LANE, { ...LANE, lane: 'oss-anchored', paused: null }] }),
    'POST /admin/lanes/state': answer(LANE),
    'POST /admin/jobs/fire': answer({ ...ROW, id: 'weekly-run-1' }, 201),
    'POST /admin/jobs/pause': answer(TEMPLATE),
    'POST /admin/jobs/resume': answer({ ...TEMPLATE, state: 'active', reason: null, nextRunAt: '2026-01-05T09:00:00.000Z' }),
    'POST /admin/jobs/spec-hash-sweep': answer(SWEEP),
    'GET /admin/jobs': answer({ jobs: [ROW], nextCursor: null }),
    ...scripts,
  })
}
const asked = () => chain.service.received.filter(({ url }) => url.startsWith('/admin'))
const file = (content: unknown): string => {
  const path = join(chain.state.directory, 'input.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('the command admin knows the providers, lanes and outcomes of the service', async () => {
  await start()
  expect([Object.keys(SOURCE_RUNS), LANES, ITEM_OUTCOMES]).toEqual([[...PROVIDERS], [...ALL_LANES], [...INGEST_OUTCOMES]])
})

describe('a command of operators', () => {
  test.each<[string, string, object]>([
    ['sources', 'GET /admin/sources', {}],
    ['items', 'GET /admin/sources/items?limit=25', {}],
    ['items osv --outcome parked --limit 2', 'GET /admin/sources/items?provider=osv&outcome=parked&limit=2', {}],
    ['ingest github', 'POST /admin/jobs/ingest/github', { dryRun: true }],
    ['ingest wikipedia', 'POST /admin/jobs/ingest/wikipedia', { dryRun: true }],
    ['ingest osv', 'POST /admin/jobs/ingest/osv', { dryRun: true }],
    ['ingest open-data', 'POST /admin/jobs/ingest/open-data', { dryRun: true }],
    ['ingest openapi', 'POST /admin/jobs/ingest/openapi', { dryRun: true }],
    ['ingest standards --create', 'POST /admin/jobs/ingest/standards', { dryRun: false }],
    ['ingest osv --limit 3 --min-score 0', 'POST /admin/jobs/ingest/osv', { dryRun: true, limit: 3, minScore: 0 }],
    ['ingest github --input FILE', 'POST /admin/jobs/ingest/github', { query: 'label:bug', dryRun: true }],
    ['steer github pause', 'POST /admin/sources/steer', { provider: 'github', action: 'pause' }],
    ['steer github resume --live', 'POST /admin/sources/steer', { provider: 'github', action: 'resume', dryRun: false }],
    ['steer osv trigger --dry --note why', 'POST /admin/sources/steer', { provider: 'osv', action: 'trigger', dryRun: true, note: 'why' }],
    [
      'steer github resume --input FILE',
      'POST /admin/sources/steer',
      { provider: 'github', action: 'resume', input: { query: 'label:bug' } },
    ],
    ['lanes', 'GET /admin/lanes', {}],
    ['lane liveness pause --reason why', 'POST /admin/lanes/state', { lane: 'liveness', action: 'pause', reason: 'why' }],
    ['lane oss-anchored resume --reason why', 'POST /admin/lanes/state', { lane: 'oss-anchored', action: 'resume', reason: 'why' }],
    ['template weekly fire', 'POST /admin/jobs/fire', { templateId: 'weekly' }],
    ['template weekly pause --reason why', 'POST /admin/jobs/pause', { templateId: 'weekly', reason: 'why' }],
    ['template weekly resume', 'POST /admin/jobs/resume', { templateId: 'weekly' }],
    ['sweep', 'POST /admin/jobs/spec-hash-sweep', {}],
    ['jobs --state paused', 'GET /admin/jobs?state=paused&limit=25', {}],
  ])('admin %s asks for %s', async (words, request, body) => {
    await start()
    const input = file({ query: 'label:bug' })
    const { exit } = await chain.run(['admin', ...words.split(' ').map((word) => (word === 'FILE' ? input : word))])
    const [first] = asked()
    const { pathname, searchParams } = new URL(first?.url ?? '', 'http://service')
    const [method, url = ''] = request.split(' ')
    const expected = new URL(url, 'http://service')
    expect([exit, first?.method, pathname]).toEqual([0, method, expected.pathname])
    expect(Object.fromEntries(searchParams)).toEqual(Object.fromEntries(expected.searchParams))
    expect(method === 'GET' ? {} : JSON.parse(first?.body ?? '')).toEqual(body)
  })

  test.each([
    ['frobnicate', 'ACTION is one of sources, ingest'],
    ['ingest', 'admin ingest needs PROVIDER.'],
    ['ingest gitlab', 'PROVIDER is one of github, wikipedia'],
    ['ingest github osv', 'admin ingest has too many arguments.'],
    ['ingest github --limit ten', '--limit takes a whole number.'],
    ['ingest github --min-score 5.5', '--min-score takes a whole number.'],
    ['ingest github --reason why', 'admin ingest takes no --reason.'],
    ['ingest github --input missing.json', 'The file missing.json does not exist.'],
    ['items --outcome lost', '--outcome takes one of created, proposed'],
    ['items --limit 0', '--limit takes a number from 1 to 1000.'],
    ['items --create', 'admin items takes no --create.'],
    ['steer github', 'admin steer needs CHANGE.'],
    ['steer github fire', 'CHANGE is one of pause, resume, trigger.'],
    ['steer github pause --dry --live', 'admin steer takes one of --dry and --live.'],
    ['lane liveness pause', 'admin lane needs --reason TEXT.'],
    ['lane fast pause --reason why', 'LANE is one of liveness'],
    ['lane liveness trigger --reason why', 'CHANGE is one of pause, resume.'],
    ['template weekly', 'admin template needs CHANGE.'],
    ['template weekly fire --reason why', 'admin template ID fire takes no --reason.'],
    ['jobs --state lost', '--state takes one of open'],
    ['sweep now', 'admin sweep has too many arguments.'],
  ])('admin %s is refused before the service is asked', async (words, detail) => {
    await start()
    const { exit, document } = await chain.run(['admin', ...words.split(' ')])
    expect([exit, document.detail]).toEqual([2, expect.stringContaining(detail)])
    expect(asked()).toEqual([])
  })

  test.each([
    ['dryRun', { query: 'x', dryRun: false }, '--create'],
    ['limit', { limit: 50 }, '--limit'],
    ['minScore', { minScore: 0 }, '--min-score'],
  ])('admin ingest refuses the member %s in its input, and names the option', async (name, content, option) => {
    await start()
    const { exit, document } = await chain.run(['admin', 'ingest', 'github', '--input', file(content)])
    expect([exit, document.detail, document.advice]).toEqual([2, expect.stringContaining(`the member ${name}`), [option]])
    expect(asked()).toEqual([])
  })

  test.each([['[]'], ['query'], ['"query"']])('admin steer refuses the input %s', async (content) => {
    await start()
    const { exit, document } = await chain.run(['admin', 'steer', 'github', 'resume', '--input', file(content)])
    expect([exit, document.detail]).toEqual([2, expect.stringContaining('is not a JSON object.')])
  })

  test('of a wallet that is no operator says so, and for programs gives the refusal alone', async () => {
    await start({ 'GET /admin/lanes': (_request, response) => problem(response, 403, 'missing_role') })
    expect(await chain.run(['admin', 'lanes'])).toMatchObject({ exit: 1, document: { status: 403, code: 'missing_role' } })
    const { exit, out, error } = await chain.runForPeople(['admin', 'lanes'])
    expect([exit, out, error]).toEqual([1, '', expect.stringMatching(/This command is for operators\. The wallet[\s\S]*missing_role/)])
  })
})

describe('admin ingest', () => {
  const ERROR = { id: 'github-b', code: 'invalid_request', message: 'The title is too short.' }

  test('repeats its request under one key until the run has its answer', async () => {
    const pending = { provider: 'github', status: 'running', workflowId: 'ingest/github/1', dryRun: true, retryAfterSeconds: 0 }
    await start({
      'POST /admin/jobs/ingest/github': (_request, response, number) =>
        json(response, ...((number < 3 ? [202, pending] : [200, RUN]) as [number, object])),
    })
    expect(await chain.run(['admin', 'ingest', 'github'])).toMatchObject({ exit: 0, document: { jobs: [JOB], counts: { proposed: 1 } } })
    const keys = new Set(asked().map(({ headers }) => headers['idempotency-key']))
    expect([asked().length, keys.size, keys.has(undefined)]).toEqual([3, 1, false])
  })

  test.each([
    [200, {}, 0],
    [201, { dryRun: false, created: ['github-a'], counts: { ...COUNTS, created: 1 } }, 0],
    [207, { dryRun: false, created: ['github-a'], errors: [ERROR], counts: { ...COUNTS, created: 1, error: 1 } }, 1],
    [200, { errors: [ERROR], counts: { ...COUNTS, error: 1 } }, 1],
  ])('answers %i with %j with the exit code %i', async (status, members, exit) => {
    await start({ 'POST /admin/jobs/ingest/github': answer({ ...RUN, ...members }, status) })
    expect(await chain.run(['admin', 'ingest', 'github'])).toMatchObject({ exit, document: { provider: 'github', ...members } })
  })

  test('shows jobs with their score, reasons of what it left out, refusals and why it stopped', async () => {
    const skipped = [
      { id: 'c', reason: 'already_listed', detail: 'It has a job.' },
      { id: 'd', reason: 'low_score', detail: 'It has 40 of 55 points.' },
      { id: 'e', reason: 'low_score', detail: 'It has 12 of 55 points.' },
    ]
    const stopped = { reason: 'source_rate_limited', detail: 'The source asks to wait.', resumeAt: '2026-01-02T05:00:00.000Z' }
    const counts = { ...COUNTS, proposed: 1, skipped: 300, parked: 1, error: 1 }
    await start({ 'POST /admin/jobs/ingest/github': answer({ ...RUN, counts, skipped, errors: [ERROR], stopped }) })
    const { exit, out } = await chain.runForPeople(['admin', 'ingest', 'github'])
    expect([exit, out.split('\n').map((line) => line.replaceAll(/(?<=\S) {2,}/g, ' | '))]).toEqual([
      1,
      [
        'Dry run of github: 5 candidates, 1 proposed, 300 skipped, 1 parked, 1 error.',
        '',
        'JOB | TITLE | TIER | LANE | SCORE',
        'github-a | Fix the link | starter | liveness | 81',
        '',
        'Left out, the first 3 of 301',
        '  low_score | 2: It has 40 of 55 points.',
        '  already_listed | 1: It has a job.',
        '',
        'Refused',
        '  github-b: The title is too short. (invalid_request)',
        '',
        'The run ended before its candidates did: The source asks to wait. (source_rate_limited). Another run',
        'gets further from 2026-01-02 05:00:00Z on.',
        '',
        'Nothing was listed. --create lists the jobs.',
        '',
      ],
    ])
  })
})

describe('for people', () => {
  test.each<[string, string[]]>([
    [
      'sources',
      [
        'SOURCE | SCHEDULE | LAST RUN | CREATED | OPEN | PAID | COST A JOB | WAITS UNTIL',
        'github | on, dry | 2026-01-02 03:04Z | 7 | 4 | 2 | 1.5 USDC | 2026-01-02 05:00Z',
        'osv | none | 7 | 4 | 2',
        '',
        'github: the last run failed (source_rate_limited).',
      ],
    ],
    [
      'items',
      [
        'SOURCE | CANDIDATE | OUTCOME | SCORE | SEEN | JOB OR REASON',
        'osv | a | parked | 2026-01-02 03:04Z | screen',
        'osv | b | parked | 2026-01-02 03:04Z | screen',
      ],
    ],
    ['steer github pause', ['Source | github', 'Schedule | on, dry', 'Next run | 2026-01-02 04:00:00Z', 'Input | {}', 'Note | as agreed']],
    [
      'lanes',
      [
        'LANE | STATE | LISTED IN 24 HOURS | BUDGET | BACKLOG | OPEN',
        'liveness | paused | 0.5 USDC | 20 USDC | 3 of 40 | 5',
        'oss-anchored | open | 0.5 USDC | 20 USDC | 3 of 40 | 5',
        '',
        `liveness: paused by 0x${'ad'.repeat(20)} at 2026-01-02 03:04:05Z. Wrong dates.`,
      ],
    ],
    ['template weekly fire', ['weekly-run-1 is listed.', '  agent-work show weekly-run-1']],
    [
      'template weekly pause',
      ['Template | weekly', 'State | paused: Rewritten.', 'Times | 0 9 * * 1 (UTC)', 'Runs | 2 of 9', 'Spent | 0.4 USDC of 2 USDC'],
    ],
    ['sweep', ['Jobs | 9', 'As their hash | 8', 'Drifted | 1', 'Paused | 1', 'Drifted jobs | job-1', '', 'The drifted jobs are paused.']],
    ['jobs', ['JOB | TITLE | REWARD | TIER | STATE', 'job-1 | A job | 1 USDC | pro | paused']],
  ])('admin %s is a table within 100 columns', async (words, lines) => {
    await start()
    const { exit, out } = await chain.runForPeople(['admin', ...words.split(' ')])
    expect([
      exit,
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll(/(?<=\S) {2,}/g, ' | ')),
    ]).toEqual([0, lines])
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([])
  })
})
