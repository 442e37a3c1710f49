import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { createTemplateSteps } from '../../../activities/lanes/runs.ts'
import { getTemplate, insertTemplate, pauseTemplate, readLineage, resumeTemplate } from '../../../activities/lanes/templates.ts'
import { createTemplateWaker } from '../../../activities/lanes/wake.ts'
import { createMessageSender } from '../../../activities/temporal/send.ts'
import { recurringProgress, recurringWorkflowId } from '../../../schemas/lanes/process.ts'
import { type Records, startRecords } from '../../activities/support/service.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { DAY, HOUR, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const OPERATOR = `0x${'0'.repeat(39)}a`
const engine = useEngine()
let records: Records
let wake: () => Promise<void>

beforeAll(async () => {
  records = await startRecords({ CATALOGUE_LANES: JSON.stringify({ liveness: { dailyRaw: '1000000000', backlog: 1000 } }) })
})
afterAll(() => records.stop())
beforeEach(() => {
  const clock = { now: () => engine.now() }
  engine.service.play({ ...createTemplateSteps({ ...records, clock }) })
  wake = createTemplateWaker({ database: records.database, clock: { now: () => engine.now() }, send: createMessageSender(engine.client) })
})

const list = async (id: string, maxRuns: number): Promise<void> => {
  const body = jobBody({ id, lane: 'liveness', recurring: true, schedule: { cron: '0 6 * * *' }, maxRuns })
  await records.database.transaction(async (rows) => {
    await insertJob(rows, builtJob(body), { now: engine.now(), posterAddress: null })
    await insertTemplate(rows, id, engine.now())
  })
}
const handleOf = (id: string) => engine.client.workflow.getHandle(recurringWorkflowId(id))
const stateOf = async (id: string) =>
  (
    await handleOf(id)
      .query(recurringProgress)
      .catch(() => null)
  )?.state
const jobsOf = async (id: string) => (await readLineage(records.rows, id)).derivativeJobIds
const change = (id: string, work: typeof pauseTemplate | typeof resumeTemplate) =>
  records.database.transaction(async (rows) => work(rows, await getTemplate(rows, id), { by: OPERATOR, reason: 'A test.' }, engine.now()))

describe('the process of a recurring template', () => {
  test('begins with its listing, lists a job at each due time and ends with its last run', async () => {
    await list('daily', 2)
    await wake()
    await until(async () => (await stateOf('daily')) === 'waiting')
    await engine.move(DAY)
    await until(async () => (await jobsOf('daily')).length === 1)
    await engine.move(DAY)
    expect(await handleOf('daily').result()).toMatchObject({ runs: 2 })
    expect(await jobsOf('daily')).toEqual([expect.stringMatching(/^daily-run-.*T06-00-00-000Z$/), expect.stringMatching(/T06-00-00-000Z$/)])
  })

  test('gets a signal of a pause and of its end, and lists nothing meanwhile', async () => {
    await list('paused', 1)
    await wake()
    await until(async () => (await stateOf('paused')) === 'waiting')
    await change('paused', pauseTemplate)
    await wake()
    await until(async () => (await stateOf('paused')) === 'paused')
    await engine.move(3 * DAY)
    expect(await jobsOf('paused')).toEqual([])
    await change('paused', resumeTemplate)
    await wake()
    await until(async () => (await stateOf('paused')) === 'waiting')
    await engine.move(DAY + HOUR)
    expect(await handleOf('paused').result()).toMatchObject({ runs: 1 })
  })

  test('that was lost is started again by a worker that starts, and makes up the last due time', async () => {
    await list('lost', 5)
    await wake()
    await until(async () => (await stateOf('lost')) === 'waiting')
    await handleOf('lost').terminate()
    engine.moveServiceClock(3 * DAY)
    await createTemplateWaker({
      database: records.database,
      clock: { now: () => engine.now() },
      send: createMessageSender(engine.client),
    })()
    await until(async () => (await jobsOf('lost')).length === 1)
    expect((await getLast('lost')).runs).toBe(1)
    await handleOf('lost').terminate()
  })
})

const getLast = async (id: string) => (await records.database.transaction((rows) => getTemplate(rows, id))).state
