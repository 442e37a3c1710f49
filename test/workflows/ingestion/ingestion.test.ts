import { describe, expect, test } from '@jest/globals'
import { ApplicationFailure } from '@temporalio/common'
import { changeSchedule, readSchedule } from '../../../activities/temporal/schedules.ts'
import { ingestionProgress, ingestScheduleId, scheduledIngestId } from '../../../schemas/ingestion/process.ts'
import { PROVIDERS } from '../../../schemas/ingestion/providers.ts'
import { inTurn, MINUTE, shownDetails, until } from '../support/engine.ts'
import { pageOf } from '../support/savings.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()
let count = 0
const begin = () => {
  count += 1
  return engine.beginIngestion(`run-${count}`)
}
const inputsOf = (step: 'ingestPage' | 'endIngestion') => engine.service.callsOf(step).map(({ input }) => input)

describe('a run over a source', () => {
  test('reads one page after the other until nothing more is to be read', async () => {
    engine.service.replay({ ingestPage: inTurn(pageOf(1), pageOf(2), pageOf(3, { isOver: true })) })
    const handle = await begin()
    expect(await handle.result()).toMatchObject({ status: 'done', fault: null })
    expect(inputsOf('ingestPage').map(({ page }) => page)).toEqual([0, 1, 2])
    const { runId } = await handle.describe()
    expect(inputsOf('endIngestion')).toEqual([{ runId, stopped: null }])
  })

  test('shows how far it is, and waits while another run reads the source', async () => {
    engine.service.replay({ ingestPage: inTurn(pageOf(1), pageOf(1, { isBusy: true }), pageOf(2, { isOver: true })) })
    const handle = await begin()
    await until(async () => (await handle.query(ingestionProgress))?.isBusy === true)
    expect(await handle.query(ingestionProgress)).toMatchObject({ pages: 1, candidates: 3 })
    expect(await shownDetails(handle)).toContain('Waits for another run of the source.')
    await engine.move(MINUTE)
    expect(await handle.result()).toMatchObject({ status: 'done' })
  })

  test('gives up when another run reads the source for half an hour', async () => {
    engine.service.replay({ ingestPage: async () => pageOf(0, { isBusy: true }) })
    const handle = await begin()
    await engine.move(40 * MINUTE)
    await handle.result()
    expect(inputsOf('endIngestion')).toMatchObject([{ stopped: { reason: 'source_busy' } }])
  })

  test('tries a page that fails fifteen times at most', async () => {
    engine.service.replay({
      ingestPage: async () => {
        throw new RangeError('no such page')
      },
    })
    const handle = await begin()
    const attempts = async () => (await handle.describe()).raw.pendingActivities?.map(({ maximumAttempts }) => maximumAttempts)
    await until(async () => (await attempts())?.[0] === 15)
    await handle.terminate()
  })

  test('stops at a page that fails for good, and says why', async () => {
    engine.service.replay({
      ingestPage: async ({ page }) => {
        if (page === 0) return pageOf(1)
        throw ApplicationFailure.nonRetryable('no such page', 'RangeError')
      },
    })
    const handle = await begin()
    expect(await handle.result()).toMatchObject({ status: 'done' })
    expect(inputsOf('endIngestion')).toMatchObject([{ stopped: { reason: 'page_failed', detail: expect.stringContaining('RangeError') } }])
  })

  test('fails with the fault of its source when nothing could be read', async () => {
    engine.service.replay({
      ingestPage: async () => pageOf(0, { isOver: true }),
      endIngestion: async ({ runId }) => ({
        runId,
        status: 'failed',
        fault: 'source_unreadable',
        details: 'The source could not be read.',
      }),
    })
    const handle = await begin()
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'source_unreadable', nonRetryable: true } })
  })
})

describe('the schedules of the sources', () => {
  test('are off and dry at first, and keep what an operator changed over another start of a worker', async () => {
    await engine.beginSources()
    for (const provider of PROVIDERS) {
      const id = ingestScheduleId(provider)
      const described = await engine.client.schedule.getHandle(id).describe()
      expect([described.policies.overlap, described.policies.catchupWindow, described.state.paused]).toEqual([
        'BUFFER_ONE',
        10 * MINUTE,
        true,
      ])
      expect(described.action.workflowId).toBe(scheduledIngestId(provider))
      expect(described.action.args).toMatchObject([{ v: 1, provider, dryRun: true, origin: 'schedule', limit: 2 }])
    }
    const minutes = await Promise.all(
      PROVIDERS.map(async (provider) => (await readSchedule(engine.client, ingestScheduleId(provider)))?.everySeconds),
    )
    expect(minutes).toEqual([15, 30, 60, 60, 60, 60].map((each) => each * 60))

    const args = [
      {
        v: 1,
        provider: 'github',
        input: { query: 'label:bug' },
        dryRun: false,
        limit: 2,
        minScore: 75,
        origin: 'schedule',
        requestedBy: null,
      },
    ]
    await changeSchedule(engine.client, ingestScheduleId('github'), { isPaused: false, note: 'On.', args: () => args })
    await engine.beginSources()
    expect(await readSchedule(engine.client, ingestScheduleId('github'))).toMatchObject({ isPaused: false, note: 'On.', args })
    // A second operator changes what the first one left.
    await changeSchedule(engine.client, ingestScheduleId('github'), { args: ([run]) => [{ ...Object(run), dryRun: true }] })
    const changed = [{ ...args[0], dryRun: true }]
    expect(await readSchedule(engine.client, ingestScheduleId('github'))).toMatchObject({ isPaused: false, note: 'On.', args: changed })
    const refuse = (): never => {
      throw new RangeError('refused')
    }
    await expect(changeSchedule(engine.client, ingestScheduleId('github'), { isPaused: true, args: refuse })).rejects.toThrow('refused')
    expect(await readSchedule(engine.client, ingestScheduleId('github'))).toMatchObject({ isPaused: false, args: changed })
    expect(await readSchedule(engine.client, 'ingest/none')).toBeNull()
    await Promise.all(PROVIDERS.map((provider) => engine.client.schedule.getHandle(ingestScheduleId(provider)).delete()))
  })
})
