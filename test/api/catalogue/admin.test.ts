import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createCatalogueAdminHandlers } from '../../../api/catalogue/admin-handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createJob, listAdminJobs, setJobLifecycle } from '../../../schemas/catalogue/admin-operations.ts'
import type { JobView } from '../../../schemas/catalogue/shapes.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { testChain } from '../../support/api.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { ask, BASE_URL, NOW, refusal } from '../support/account-world.ts'
import { fillBank, jobInput, listJob } from '../support/listed-job.ts'
import { useDatabase } from '../support/own-database.ts'

const OPERATOR: Hex = `0x${'a1'.repeat(20)}`

const database = useDatabase()
let admin: ReturnType<typeof createCatalogueAdminHandlers>
beforeAll(async () => {
  await fillBank(database)
  await listJob(database, 'listed-1')
  const settings = readSettings({
    DATABASE_URL: 'postgres://unused',
    CHAIN_FILE: 'unused',
    ANSWER_SECRET: 'answers '.repeat(5),
    CATALOGUE_LANES: JSON.stringify({ liveness: { dailyRaw: '1000000000', backlog: 100 } }),
  })
  const clock = { now: () => NOW }
  const reads = { operator: OPERATOR } as ApiDeps['reads']
  const evaluations = createEvaluations({ database, settings, chain: testChain, clock, reads, identities: evmIdentities })
  admin = createCatalogueAdminHandlers({ database, evaluations, chain: testChain, clock, baseUrl: BASE_URL, settings, reads } as ApiDeps)
})

const change = (body: Record<string, unknown>) => ask(setJobLifecycle, admin.setJobLifecycle, { wallet: OPERATOR, body })
const changes = () => database.rows.selectFrom('event').selectAll().where('topic', '=', 'job.lifecycle_changed').orderBy('id').execute()

describe('a job that cannot be listed', () => {
  test.each([
    [
      'a repository on the deny list, by its address',
      { repoUrl: 'https://codehost.example/api/v3/repos/golang/go' },
      '/source/repo',
      'No work is listed for golang/go.',
    ],
    [
      'a source that denies itself and names no repository',
      { maintainerPolicy: { repoDenied: true } },
      '/source/maintainerPolicy/repoDenied',
      'No work is listed where the source says that its maintainers take none.',
    ],
  ])('is not listed: %s', async (_what, members, pointer, detail) => {
    const body = { ...jobInput('denied-1'), source: { type: 'codehost_issue', ...members } }
    await expect(ask(createJob, admin.createJob, { wallet: OPERATOR, body })).rejects.toMatchObject({
      code: 'invalid_request',
      info: { detail, errors: [{ pointer, rule: 'repo_denylisted', message: detail }] },
    })
    expect(await database.rows.selectFrom('job').select('id').where('id', '=', 'denied-1').execute()).toEqual([])
  })
})

describe('a change of a job’s lifecycle', () => {
  test('records its operator and reason', async () => {
    await change({ jobId: 'listed-1', action: 'pause', reason: 'Source moved.' })
    await change({ jobId: 'listed-1', status: 'open' })
    expect(await changes()).toMatchObject([
      {
        jobId: 'listed-1',
        source: 'operator',
        phase: 'listing',
        severity: 'info',
        data: { action: 'pause', reason: 'Source moved.', by: OPERATOR, from: 'open', to: 'paused' },
      },
      { jobId: 'listed-1', data: { action: 'open', reason: null, by: OPERATOR, from: 'paused', to: 'open' } },
    ])
  })

  test('that is refused records no event', async () => {
    const before = (await changes()).length
    expect(await refusal(change({ jobId: 'no-such-job', action: 'pause' }))).toBe('job_not_found')
    expect(await changes()).toHaveLength(before)
  })
})

describe('the counts of the operators’ list', () => {
  const counts = async () => (await ask(listAdminJobs, admin.listAdminJobs, { wallet: OPERATOR })).body.jobLifecycle

  test('are cached for some seconds with their instant; a change through this process clears them', async () => {
    expect(await counts()).toMatchObject({ total: 1, paused: 0, asOf: new Date(NOW).toISOString() })
    await listJob(database, 'listed-2')
    expect(await counts()).toMatchObject({ total: 1 })
    await change({ jobId: 'listed-2', action: 'pause' })
    expect(await counts()).toMatchObject({ total: 2, paused: 1 })
  })
  test('cover the whole catalogue on every page', async () => {
    for (const id of ['listed-3', 'listed-4']) await listJob(database, id)
    await change({ jobId: 'listed-3', action: 'reopen' })
    const claimable = async (limit: number) => {
      const { body } = await ask(listAdminJobs, admin.listAdminJobs, { wallet: OPERATOR, query: { limit: `${limit}` } })
      return body.jobLifecycle.claimable
    }
    expect([await claimable(1), await claimable(100)]).toEqual([3, 3])
  })
})

describe('what a deterministic job expects', () => {
  const body = { ...jobInput('secret-1'), title: 'Answer of a test', verifierMode: 'deterministic', verifierTerms: ['Quince 7'] }
  const all = (expectedOutputs: string[]) => ({
    verifierConfig: { handler: 'deterministic', matchMode: 'contains_all', expectedOutputs },
    verifierTerms: undefined,
  })
  const create = (changes: object = {}) => ask(createJob, admin.createJob, { wallet: OPERATOR, body: { ...body, ...changes } })

  test('is given once: the answer commits to it, and an equal draft is the same job', async () => {
    const { body: job } = (await create()) as unknown as { body: JobView }
    expect(JSON.stringify(job)).not.toMatch(/quince/i)
    expect(job.verifierConfig).toEqual({ handler: 'deterministic', version: 1, matchMode: 'exact', commitments: [expect.any(String)] })
    await expect(create()).rejects.toMatchObject({ code: 'job_exists', info: { details: { jobId: 'secret-1', sameDefinition: true } } })
  })

  test.each([
    ['the title', { description: 'Another text.' }],
    ['the description', { title: 'Another title' }],
    ['the task, in another spelling of the value', { verifierTerms: [' QUINCE  7'] }],
    ['the task, with a value more', { verifierTerms: ['Quince 9', 'Quince 7'] }],
    ['the title, with other signs and capitals', { title: 'ANSWER of a test!', description: 'Another text.' }],
    ['the task, and asks for a word of its value', all(['Quince'])],
    ['the task, and gives its value with others', all(['Quince 7', 'Medlar 2'])],
    [
      'the task, and asks for all of it',
      { verifierConfig: { handler: 'deterministic', matchMode: 'contains_all', expectedOutputs: ['Quince 7'] }, verifierTerms: undefined },
    ],
  ])('must be another value in a job that repeats %s', async (_what, changes) => {
    const message =
      'Another job has this task, and the values of one give the answer of the other once they are public. Give a task with other ones.'
    await expect(create({ id: 'secret-2', ...changes })).rejects.toMatchObject({
      code: 'invalid_request',
      info: { errors: [{ pointer: '/verifierConfig/expectedOutputs', rule: 'values_of_another_job', message }] },
    })
    expect(await database.rows.selectFrom('job').select('id').where('id', '=', 'secret-2').execute()).toEqual([])
  })

  test('may be the same in another task, other values in the same task, and a value of two tasks that each have it', async () => {
    await create({ id: 'secret-3', title: 'Another title', description: 'Another text.' })
    await create({ id: 'secret-4', verifierTerms: ['Quince 8'] })
    await create({ id: 'secret-5', title: 'Another title', verifierTerms: ['Quince 77'] })
  })
})
