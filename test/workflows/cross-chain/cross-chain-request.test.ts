import { expect, test } from '@jest/globals'
import { WorkflowUpdateStage } from '@temporalio/client'
import { observeUpdate, requestChanged, retryUpdate } from '../../../schemas/cross-chain/process.ts'
import { CANCELLATION, type OBSERVED, reads, watches } from '../replay/cross-chain-scenarios.ts'
import { refusalOf, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

/** A watched request whose second reading waits until it is let go. */
const held = async (second: typeof OBSERVED) => {
  const reading = Promise.withResolvers<void>()
  const progresses = [async () => watches(engine), () => reading.promise.then(() => second)]
  let calls = 0
  engine.service.replay({ advanceWatch: () => progresses[Math.min(calls++, 1)]?.() ?? Promise.reject(new Error('no reading')) })
  const handle = await engine.beginRequest(`0x${calls}`)
  await until(() => reads(engine) === 1)
  await engine.untilIdle()
  const settle = () => handle.startUpdate(retryUpdate, { args: [{ requestedBy: '0xadmin' }], waitForStage: WorkflowUpdateStage.ACCEPTED })
  return { handle, settle, letGo: reading.resolve }
}

test('settling right after an observation waits until the request has taken it up', async () => {
  const { handle, settle, letGo } = await held({ kind: 'observed', status: 'cancelled' })
  await handle.executeUpdate(observeUpdate, { args: [CANCELLATION] })
  const settling = await settle()
  await until(() => reads(engine) === 2)
  letGo()
  expect(await settling.result()).toEqual({ kind: 'settled', status: 'succeeded' })
})

test('settling is refused when the reading after the last message shows no outcome', async () => {
  const { handle, settle, letGo } = await held(watches(engine))
  await handle.signal(requestChanged)
  await until(() => reads(engine) === 2)
  const settling = await settle()
  letGo()
  expect(await refusalOf(settling.result())).toBe('xcm_request_not_observed')
})
