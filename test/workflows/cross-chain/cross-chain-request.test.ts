import { expect, test } from '@jest/globals'
import { WorkflowUpdateStage } from '@temporalio/client'
import { observeUpdate, requestChanged, retryUpdate, type WatchProgress } from '../../../schemas/cross-chain/process.ts'
import { CANCELLATION, reads, watches } from '../support/cross-chain.ts'
import { refusalOf, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

// Every workflow task replays its history, here and in blocked-steps.test.ts.
const engine = useEngine({ cachedWorkflows: 0 })

const CANCELLED: WatchProgress = { kind: 'observed', status: 'cancelled' }

/** A watched request whose second reading ends when `finishReading` is called; `later` is what the readings after the second answer. */
const startBlockedReading = async (second: WatchProgress, later: WatchProgress = second) => {
  const reading = Promise.withResolvers<void>()
  const readings = [async () => watches(engine), () => reading.promise.then(() => second), async () => later]
  let calls = 0
  engine.service.replay({
    advanceWatch: () => readings[Math.min(calls++, 2)]?.() ?? Promise.reject(new Error('no reading')),
    settleCrossChainRequest: async () => ({ kind: 'settled', status: 'cancelled' }),
  })
  const handle = await engine.beginRequest('0x1')
  await until(() => reads(engine) === 1)
  await engine.untilIdle()
  const settle = () => handle.startUpdate(retryUpdate, { args: [{ requestedBy: '0xadmin' }], waitForStage: WorkflowUpdateStage.ACCEPTED })
  return { handle, settle, finishReading: reading.resolve }
}

test('settling right after an observation waits until the request has read it', async () => {
  const { handle, settle, finishReading } = await startBlockedReading(CANCELLED)
  await handle.executeUpdate(observeUpdate, { args: [CANCELLATION] })
  const settling = await settle()
  await until(() => reads(engine) === 2)
  finishReading()
  expect(await settling.result()).toEqual({ kind: 'settled', status: 'cancelled' })
})

test('settling waits for another reading when a message arrives while the wrapper does not know the request', async () => {
  const { handle, settle, finishReading } = await startBlockedReading({ kind: 'unknown' }, CANCELLED)
  await handle.signal(requestChanged)
  await until(() => reads(engine) === 2)
  await handle.signal(requestChanged)
  const settling = await settle()
  finishReading()
  expect(await settling.result()).toEqual({ kind: 'settled', status: 'cancelled' })
})

test('settling is refused when the reading after the last message shows no outcome', async () => {
  const { handle, settle, finishReading } = await startBlockedReading(watches(engine))
  await handle.signal(requestChanged)
  await until(() => reads(engine) === 2)
  const settling = await settle()
  finishReading()
  expect(await refusalOf(settling.result())).toBe('xcm_request_not_observed')
})
