import { beforeAll, describe, expect, test } from '@jest/globals'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createPosterReader } from '../../../activities/postings/poster-record.ts'
import { createCatalogueHandlers } from '../../../api/catalogue/handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { fillBank } from '../support/listed-job.ts'
import { useApi } from '../support/started.ts'

const POSTER = `0x${'c3'.repeat(20)}`
const api = useApi({
  handlers: (service) => {
    const reads = {} as ApiDeps['reads']
    const readPoster = createPosterReader(service)
    return createCatalogueHandlers({ ...service, reads, readPoster, evaluations: createEvaluations({ ...service, reads }) } as ApiDeps)
  },
})

const EMPTY = { fundedJobs: 0, judged: 0, judgedInTime: 0, medianSecondsToVerdict: null, lostDisputes: 0, cancelled: 0, since: null }

describe('the definition of a job of another wallet', () => {
  beforeAll(async () => {
    const { database } = api.deps
    await fillBank(database)
    await database.transaction(async (rows) => {
      const listed = { now: Date.now(), posterAddress: POSTER }
      await insertJob(rows, builtJob(jobBody({ id: 'posted' })), { ...listed, postingRoute: 'external-direct' })
      await insertJob(rows, builtJob(jobBody({ id: 'curated', title: 'Retry budget of a server' })), listed)
    })
  })

  test('has the record of its poster beside its provenance, and who judges by when', async () => {
    const { status, body } = await api.call('/jobs/definition?jobId=posted')
    expect([status, body.contentTrust]).toEqual([200, 'external-unreviewed'])
    expect(body.poster).toMatchObject(EMPTY)
    expect(body.settlement.judgement.stages).toHaveLength(2)
  })

  test('tells people so on its page', async () => {
    const { text } = await api.call('/jobs/definition?jobId=posted', { headers: { accept: 'text/html' } })
    expect(text).toContain('0 jobs funded with 0 USDC; 0 of 0 verdicts in time; 0 disputes lost, 0 jobs cancelled.')
    expect(text).toContain('Without a verdict within 48 hours of the submission people decide')
  })

  test('alone has it: the job of an operator and the rows of a list have none', async () => {
    const { body: curated } = await api.call('/jobs/definition?jobId=curated')
    expect(curated).not.toHaveProperty('poster')
    const { body: list } = await api.call('/jobs')
    expect(list.jobs.map(({ id, poster }: { id: string; poster?: object }) => [id, poster])).toEqual(
      expect.arrayContaining([
        ['posted', undefined],
        ['curated', undefined],
      ]),
    )
  })
})
