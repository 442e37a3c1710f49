import { describe, expect, test } from '@jest/globals'
import { type WorkflowHandle, WorkflowUpdateStage } from '@temporalio/client'
import { ServiceError } from '../../../schemas/errors.ts'
import { type RunResult, runUpdate, verifierProgress } from '../../../schemas/verification/process.ts'
import { gate, HOUR, MINUTE, only, shownState, timersOf, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

const UNAVAILABLE: RunResult = { kind: 'unavailable', reasonCode: 'BENCHMARK_PINNED_REVISION_UNAVAILABLE', detail: 'The page is away.' }
const unavailable = async (): Promise<RunResult> => UNAVAILABLE
const evaluations = (): number => engine.service.callsOf('evaluateSubmission').length
const run = (handle: WorkflowHandle) => handle.executeUpdate(runUpdate, { args: [{ requestId: 'request-2', requestedBy: '0x1' }] })

/** Without a verdict, a review is required this long after the start. */
const reviewIn = (ms: number) => ({
  loadSubject: async ({ sessionId }: { sessionId: string }) => ({
    ...(await engine.service.usual.loadSubject({ sessionId })),
    slaDeadline: new Date(engine.now() + ms).toISOString(),
  }),
})

describe('a verification', () => {
  test('evaluates once, stores the verdict and notifies the claim', async () => {
    const handle = await engine.beginVerification('session-1')
    const { verdictId } = await handle.result()
    expect(engine.service.steps()).toEqual(['loadSubject', 'evaluateSubmission', 'announceVerdict'])
    expect(only(engine.service.callsOf('announceVerdict')).input).toEqual({ sessionId: 'session-1', verdictId })
  })

  test('names run and attempt to the step that stores, so a repeat stores nothing new', async () => {
    engine.service.play({ evaluateSubmission: unavailable })
    const handle = await engine.beginVerification('session-2')
    await engine.move(16_000)
    const { runId } = await handle.describe()
    expect(engine.service.callsOf('evaluateSubmission').map(({ input }) => [input.runId, input.attempt])).toEqual([
      [runId, 1],
      [runId, 2],
    ])
  })

  test('announces the verdict until the claim accepts it', async () => {
    let asked = 0
    engine.service.play({
      announceVerdict: async () => {
        asked += 1
        if (asked < 3) throw new Error('the engine is away')
      },
    })
    await (await engine.beginVerification('session-3')).result()
    expect(asked).toBe(3)
    expect(evaluations()).toBe(1)
  })

  test('shows an operator its attempts and its deadline', async () => {
    engine.service.play({ evaluateSubmission: unavailable, ...reviewIn(48 * HOUR) })
    const handle = await engine.beginVerification('session-4')
    await until(() => evaluations() === 1)
    const { slaDeadline, ...shown } = await handle.query(verifierProgress)
    expect(shown).toEqual({ state: 'verifying', attempts: 1, next: `a verdict of the handler; people at ${slaDeadline}` })
    expect((await handle.describe()).typedSearchAttributes.getAll()).toContainEqual(
      expect.objectContaining({ value: new Date(slaDeadline ?? '') }),
    )
  })
})

describe('the status text of a verification', () => {
  test('shows that no step follows once it is decided', async () => {
    const handle = await engine.beginVerification('session-20')
    await handle.result()
    expect(await handle.query(verifierProgress)).toMatchObject({ state: 'decided', next: 'nothing: decided' })
  })

  test('shows that no step follows once people decide', async () => {
    const late = { ...(await engine.service.usual.loadSubject({ sessionId: 'session-21' })), underReview: true }
    const slaDeadline = new Date(engine.now() - HOUR).toISOString()
    engine.service.play({ evaluateSubmission: unavailable, loadSubject: async () => ({ ...late, slaDeadline }) })
    const handle = await engine.beginVerification('session-21')
    await handle.result()
    expect(await handle.query(verifierProgress)).toMatchObject({ next: 'nothing: people have it' })
  })

  test('is found among those that verify', async () => {
    engine.service.play({ evaluateSubmission: unavailable })
    const handle = await engine.beginVerification('session-22')
    expect(await shownState(handle)).toBe('verifying')
  })
})

describe('a handler that is unavailable', () => {
  test('is called again after pauses that double up to half an hour', async () => {
    engine.service.play({ evaluateSubmission: unavailable })
    const handle = await engine.beginVerification('session-5')
    const expected = [15, 30, 60, 120, 240, 480, 960, 1_800, 1_800]
    for (const seconds of expected.slice(1)) await engine.move(seconds * 1_000)
    const pauses = (await timersOf(handle)).map(({ ms }) => ms / 1_000)
    expect(pauses.slice(0, expected.length)).toEqual(expected)
  })

  test('decides as soon as it is back', async () => {
    engine.service.play({ evaluateSubmission: unavailable })
    const handle = await engine.beginVerification('session-6')
    await until(() => evaluations() === 1)
    engine.service.replay({ evaluateSubmission: engine.service.usual.evaluateSubmission })
    await engine.move(MINUTE)
    await handle.result()
    expect(engine.service.callsOf('recordReviewRequired')).toEqual([])
  })

  test('for 48 hours leads to a review, and the work does not expire', async () => {
    engine.service.play({ evaluateSubmission: unavailable })
    const handle = await engine.beginVerification('session-7')
    await engine.move(48 * HOUR - 5 * MINUTE)
    expect(engine.service.callsOf('recordReviewRequired')).toEqual([])
    await engine.move(6 * MINUTE)
    const { verdictId } = await handle.result()
    expect(only(engine.service.callsOf('recordReviewRequired')).input).toMatchObject({ sessionId: 'session-7' })
    expect(only(engine.service.callsOf('announceVerdict')).input).toEqual({ sessionId: 'session-7', verdictId })
  })

  test('is called a last time at the deadline, for any pause', async () => {
    engine.service.play({ evaluateSubmission: unavailable, ...reviewIn(40_000) })
    const handle = await engine.beginVerification('session-8')
    await engine.move(16_000)
    await engine.move(MINUTE)
    await handle.result()
    expect(evaluations()).toBe(3)
    const last = only(engine.service.callsOf('recordReviewRequired')).at
    expect(engine.service.callsOf('evaluateSubmission').at(-1)?.at).toBeLessThanOrEqual(last)
  })
})

describe('a handler that fails', () => {
  test.each([
    ['throws every time', () => new Error('no such page')],
    ['refuses every time', () => new ServiceError('session_not_found')],
  ])('%s leads to a review', async (_name, failure) => {
    engine.service.play({ evaluateSubmission: async () => Promise.reject(failure()), ...reviewIn(2_000) })
    const handle = await engine.beginVerification('session-9')
    await until(() => evaluations() >= 1)
    engine.moveServiceClock(MINUTE)
    const { verdictId } = await handle.result()
    expect(only(engine.service.callsOf('announceVerdict')).input).toEqual({ sessionId: 'session-9', verdictId })
  })
})

describe('a caller who runs the verifier', () => {
  test('gets the verdict', async () => {
    engine.service.play({ evaluateSubmission: unavailable })
    const handle = await engine.beginVerification('session-10')
    await until(() => evaluations() === 1)
    engine.service.replay({ evaluateSubmission: engine.service.usual.evaluateSubmission })
    expect(await run(handle)).toMatchObject({ kind: 'verdict', outcome: 'approved' })
  })

  test('gets the decision of a handler that is called at once, without the pause', async () => {
    engine.service.play({ evaluateSubmission: unavailable })
    const handle = await engine.beginVerification('session-11')
    await until(() => evaluations() === 1)
    expect(await run(handle)).toEqual(UNAVAILABLE)
    expect(evaluations()).toBe(2)
  })

  test('shares one evaluation with a concurrent caller', async () => {
    let answer: (result: RunResult) => void = () => undefined
    engine.service.play({
      evaluateSubmission: () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    })
    const handle = await engine.beginVerification('session-12')
    await until(() => evaluations() === 1)
    const both = Promise.all([run(handle), run(handle)])
    await until(
      async () =>
        ((await handle.fetchHistory()).events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length === 2,
    )
    answer({ kind: 'verdict', verdictId: 'verdict-x', outcome: 'approved', reasonCode: 'BENCHMARK_THRESHOLD_MET' })
    expect(new Set((await both).map((found) => JSON.stringify(found))).size).toBe(1)
    expect(evaluations()).toBe(1)
  })

  test('is answered that a review decides once the review time is over', async () => {
    engine.service.play({ evaluateSubmission: unavailable, ...reviewIn(30_000) })
    const handle = await engine.beginVerification('session-13')
    await until(() => evaluations() === 1)
    engine.moveServiceClock(MINUTE)
    expect(await run(handle)).toMatchObject({ kind: 'verdict', outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED' })
    await handle.result()
  })

  test('of work under review is answered that the handler is unavailable, and no second review is required', async () => {
    const { loadSubject } = reviewIn(-MINUTE)
    const way = gate()
    engine.service.play({
      evaluateSubmission: async () => {
        await way.passed
        return UNAVAILABLE
      },
      loadSubject: async (input) => ({ ...(await loadSubject(input)), underReview: true }),
    })
    const handle = await engine.beginVerification('session-14')
    const args: [{ requestId: string; requestedBy: string }] = [{ requestId: 'request-2', requestedBy: '0x1' }]
    const asked = await handle.startUpdate(runUpdate, { args, waitForStage: WorkflowUpdateStage.ACCEPTED })
    way.open()
    expect(await asked.result()).toEqual(UNAVAILABLE)
    expect(await handle.result()).toEqual({ verdictId: null })
    expect(engine.service.callsOf('recordReviewRequired')).toEqual([])
    expect(engine.service.callsOf('announceVerdict')).toEqual([])
  })

  test('is named in the verdict; otherwise the verdict names the starter of the run', async () => {
    engine.service.play({ evaluateSubmission: unavailable })
    const handle = await engine.beginVerification('session-15')
    await until(() => evaluations() === 1)
    await run(handle)
    await handle.executeUpdate(runUpdate, { args: [{ requestId: 'r', requestedBy: '0x2', metadataURI: 'https://work.example/own' }] })
    await engine.move(MINUTE)
    await until(() => evaluations() >= 4)
    const asked = engine.service.callsOf('evaluateSubmission').map(({ input }) => [input.requestedBy, input.metadataURI])
    expect(asked.slice(0, 4)).toEqual([
      ['system:auto-verifier', undefined],
      ['0x1', undefined],
      ['0x2', 'https://work.example/own'],
      ['system:auto-verifier', undefined],
    ])
  })
})
