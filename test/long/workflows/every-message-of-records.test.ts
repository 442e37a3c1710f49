// Messages to the processes that follow records and places outside of the chain: deliveries, recurring templates and runs over sources.
import { describe, expect, test } from '@jest/globals'
import { deliveryChanged, deliveryProgress } from '../../../schemas/deliveries/process.ts'
import { ingestionProgress } from '../../../schemas/ingestion/process.ts'
import { type RecurringProgress, recurringProgress, templateChanged } from '../../../schemas/lanes/process.ts'
import { settlementObserved, verificationProgress } from '../../../schemas/paid-verification/process.ts'
import { handledBy } from '../../workflows/support/contracts.ts'
import { DAY, gate, until } from '../../workflows/support/engine.ts'
import { signalRaw, UNREADABLE } from '../../workflows/support/outcomes.ts'
import { deliveryIn, pageOf, runIn, templateIn } from '../../workflows/support/savings.ts'
import { useEngine } from '../../workflows/support/use-engine.ts'

const engine = useEngine()

describe('deliveryTracking', () => {
  test.each(['open', 'merged'] as const)('waits while the delivery is %s, says so, and reads again after each message', async (state) => {
    expect(handledBy('deliveryTracking')).toEqual(['deliveryProgress', 'deliveryChanged'])
    const stands = deliveryIn(state, engine.now() + DAY)
    let isSettled = false
    const readings = () => engine.service.callsOf('readDelivery').length
    engine.service.replay({ readDelivery: async () => (isSettled ? deliveryIn('reverted') : stands) })
    const handle = await engine.beginDelivery(`job:0x${state}`)
    await until(async () => (await handle.query(deliveryProgress)) !== null)
    expect(await handle.query(deliveryProgress)).toEqual(stands)
    const read = readings()
    await handle.signal(deliveryChanged, { deliveryId: 'a-webhook' })
    await until(() => readings() > read)
    await engine.untilIdle()
    const again = readings()
    await handle.signal(deliveryChanged.name, { what: 'is undeclared' })
    await until(() => readings() > again)
    for (const payload of UNREADABLE) await signalRaw(engine, handle, { signal: deliveryChanged.name, payload })
    isSettled = true
    await handle.signal(deliveryChanged, { deliveryId: 'a-webhook' })
    expect(await handle.result()).toEqual({ state: 'reverted' })
  })
})

describe('verificationRun', () => {
  test('waits while its payment is not decided, says so, and looks again after each message', async () => {
    expect(handledBy('verificationRun')).toEqual(['verificationProgress', 'settlementObserved'])
    const stands = runIn('capturing', engine.now() + DAY)
    let isPaid = false
    const looks = () => engine.service.callsOf('billRun').length
    engine.service.replay({ billRun: async () => (isPaid ? runIn('captured') : stands) })
    const handle = await engine.beginPaidRun('c'.repeat(64))
    await until(async () => (await handle.query(verificationProgress))?.state === 'capturing')
    const looked = looks()
    await handle.signal(settlementObserved)
    await until(() => looks() > looked)
    await engine.untilIdle()
    const again = looks()
    await handle.signal(settlementObserved.name, { what: 'is undeclared' })
    await until(() => looks() > again)
    for (const payload of UNREADABLE) await signalRaw(engine, handle, { signal: settlementObserved.name, payload })
    isPaid = true
    await handle.signal(settlementObserved)
    expect(await handle.result()).toEqual({ state: 'captured' })
  })
})

describe('recurringJob', () => {
  const STATES: [string, () => RecurringProgress][] = [
    ['waits for its next run', () => templateIn('waiting', engine.now() + DAY, 1)],
    ['waits for its lane', () => templateIn('held', engine.now() + DAY, 1)],
    ['is paused', () => templateIn('paused', null, 1)],
  ]

  test.each(STATES)('that %s says so, and reads again after each message', async (_state, progress) => {
    expect(handledBy('recurringJob')).toEqual(['recurringProgress', 'templateChanged'])
    const stands = progress()
    let isUsedUp = false
    const readings = () => engine.service.callsOf('advanceTemplate').length
    engine.service.replay({ advanceTemplate: async () => (isUsedUp ? templateIn('ended', null, 1) : stands) })
    const handle = await engine.beginTemplate(`template-${stands.state}`)
    await until(async () => (await handle.query(recurringProgress)) !== null)
    expect(await handle.query(recurringProgress)).toEqual(stands)
    const read = readings()
    await handle.signal(templateChanged)
    await until(() => readings() > read)
    await engine.untilIdle()
    const again = readings()
    await handle.signal(templateChanged.name, { what: 'is undeclared' })
    await until(() => readings() > again)
    for (const payload of UNREADABLE) await signalRaw(engine, handle, { signal: templateChanged.name, payload })
    isUsedUp = true
    await handle.signal(templateChanged)
    expect(await handle.result()).toEqual({ runs: 1, details: 'The template is ended.' })
  })
})

describe('ingestion', () => {
  test('takes only the query for its progress, answers it while a page is read, and passes over a signal that it does not declare', async () => {
    expect(handledBy('ingestion')).toEqual(['ingestionProgress'])
    const held = gate()
    engine.service.replay({ ingestPage: () => held.passed.then(() => pageOf(1, { isOver: true })) })
    const handle = await engine.beginIngestion('messages')
    await until(() => engine.service.callsOf('ingestPage').length > 0)
    const progress = await handle.query(ingestionProgress)
    expect(progress).toMatchObject({ pages: 0, isOver: false })
    await handle.signal('isUndeclared', { runId: 'another' })
    for (const payload of UNREADABLE) await signalRaw(engine, handle, { signal: 'isUndeclared', payload })
    expect(await handle.query(ingestionProgress)).toEqual(progress)
    held.open()
    expect(await handle.result()).toMatchObject({ status: 'done' })
    expect(engine.service.callsOf('ingestPage')).toHaveLength(1)
  })
})
