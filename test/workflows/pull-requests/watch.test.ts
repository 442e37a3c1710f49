import { describe, expect, test } from '@jest/globals'
import { type WorkflowHandle, WorkflowUpdateStage } from '@temporalio/client'
import { SEARCH } from '../../../schemas/processes.ts'
import { type PullRequestResult, pullRequestChanged, runUpdate, verifierProgress } from '../../../schemas/verification/process.ts'
import { type Engine, gate, HOUR, MINUTE, only, shownDetails, timersOf, until } from '../support/engine.ts'
import { askForVerdict, decidedLook, HELD, heldPullRequest, looks, untilLooked } from '../support/pull-requests.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

type Steps = Parameters<Engine['service']['play']>[0]
const begin = (session: string, steps: Steps = {}) => {
  engine.service.play(heldPullRequest(engine, steps))
  return engine.beginVerification(session)
}
const approve = () => engine.service.replay({ readPullRequest: engine.service.usual.readPullRequest })
const announced = () => engine.service.callsOf('announceVerdict').map(({ input }) => input.verdictId)
const lookInputs = () => engine.service.callsOf('readPullRequest').map(({ input }) => input)

/** What the run shows that it waits for. */
const next = async (handle: WorkflowHandle): Promise<string> => (await handle.query(verifierProgress)).next

/** How long the run waits now, ms. */
const pause = async (handle: WorkflowHandle): Promise<number | undefined> => {
  await until(async () => (await timersOf(handle)).at(-1)?.open === true)
  return (await timersOf(handle)).at(-1)?.ms
}

describe('a pull request', () => {
  test('is settled at once when the first read brings a verdict', async () => {
    const handle = await begin('session-1', { readPullRequest: engine.service.usual.readPullRequest })
    const { verdictId } = await handle.result()
    expect(announced()).toEqual([verdictId])
    expect(engine.service.callsOf('evaluateSubmission')).toEqual([])
  })

  test('that is not approved gets no verdict, is read every half hour, and is settled at the read after its approval', async () => {
    const handle = await begin('session-2')
    await untilLooked(engine, 1)
    expect(await pause(handle)).toBe(30 * MINUTE)
    await engine.move(31 * MINUTE)
    await untilLooked(engine, 2)
    await engine.move(31 * MINUTE)
    await untilLooked(engine, 3)
    expect(lookInputs().map(({ attempt, decisive }) => [attempt, decisive])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ])
    expect(announced()).toEqual([])
    expect((await handle.describe()).status.name).toBe('RUNNING')
    approve()
    await engine.move(31 * MINUTE)
    const { verdictId } = await handle.result()
    expect(announced()).toEqual([verdictId])
  })

  test('is read as often as the subject says', async () => {
    const subject = { ...(await engine.service.usual.loadSubject({ sessionId: 'session-3' })), verifierMode: 'codehost_pr' }
    const handle = await begin('session-3', { loadSubject: async () => ({ ...subject, pollSeconds: 300 }) })
    await untilLooked(engine, 1)
    expect(await pause(handle)).toBe(5 * MINUTE)
  })

  test('is read at once when a change is signalled', async () => {
    const handle = await begin('session-5')
    await untilLooked(engine, 1)
    await handle.signal(pullRequestChanged, { deliveryId: 'delivery-1' })
    await untilLooked(engine, 2)
    approve()
    await handle.signal(pullRequestChanged, { deliveryId: 'delivery-2' })
    await handle.result()
    expect(looks(engine)).toBe(3)
  })

  test('is read once more for all changes that arrive during a read', async () => {
    let release: () => void = () => undefined
    const handle = await begin('session-6', {
      readPullRequest: () =>
        new Promise<PullRequestResult>((done) => {
          release = () => done(HELD)
        }),
    })
    await untilLooked(engine, 1)
    engine.service.replay({ readPullRequest: async () => HELD })
    for (const deliveryId of ['a', 'b', 'c']) await handle.signal(pullRequestChanged, { deliveryId })
    release()
    await untilLooked(engine, 2)
    await until(async () => (await timersOf(handle)).at(-1)?.open === true)
    expect(looks(engine)).toBe(2)
  })

  test('that could not be read is read again when the host says so, after 15 seconds at least', async () => {
    const away = (retryAfterSeconds?: number): PullRequestResult => ({
      kind: 'unavailable',
      reasonCode: 'CODEHOST_PR_LOOKUP_UNAVAILABLE',
      detail: 'codehost_api_429',
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
    const answers = [away(1), away(600), away(86_400), away()]
    const handle = await begin('session-7', { readPullRequest: async () => answers.shift() ?? HELD })
    for (const [index, seconds] of [15, 600, 1_800, 1_800].entries()) {
      await untilLooked(engine, index + 1)
      await until(async () => (await timersOf(handle)).length > index)
      expect((await timersOf(handle)).at(-1)?.ms).toBe(seconds * 1_000)
      await engine.move((seconds + 1) * 1_000)
    }
    expect(announced()).toEqual([])
  })

  test('is not read again once its session has ended', async () => {
    const handle = await begin('session-8', { readPullRequest: async () => ({ kind: 'ended', status: 'resolved' }) })
    expect(await handle.result()).toEqual({ verdictId: null })
    expect(announced()).toEqual([])
    expect(await next(handle)).toBe('nothing: resolved')
  })
})

describe('a request for a verdict on a pull request', () => {
  test('gets one, also a rejection', async () => {
    const handle = await begin('session-9')
    await untilLooked(engine, 1)
    engine.service.replay({ readPullRequest: decidedLook(engine, 'rejected', 'CODEHOST_PR_EVIDENCE_INCOMPLETE') })
    expect(await askForVerdict(handle)).toMatchObject({ kind: 'verdict', outcome: 'rejected' })
    expect(lookInputs().map(({ decisive }) => decisive)).toEqual([false, true])
    const { verdictId } = await handle.result()
    expect(announced()).toEqual([verdictId])
  })

  test('that requires a review keeps the run reading, since an approval still settles', async () => {
    const handle = await begin('session-10')
    await untilLooked(engine, 1)
    engine.service.replay({ readPullRequest: decidedLook(engine, 'disputed', 'HUMAN_REVIEW_REQUIRED') })
    expect(await askForVerdict(handle)).toMatchObject({ outcome: 'disputed' })
    await engine.untilIdle()
    expect(await next(handle)).toBe('a change of the pull request or an operator; people have it')
    approve()
    await engine.move(31 * MINUTE)
    await handle.result()
    expect(announced()).toHaveLength(2)
    expect(lookInputs().map(({ decisive }) => decisive)).toEqual([false, true, false])
    expect(engine.service.callsOf('recordReviewRequired')).toEqual([])
  })

  test('is answered that the host is unavailable, and can be repeated', async () => {
    const unavailable = { kind: 'unavailable', reasonCode: 'CODEHOST_PR_LOOKUP_UNAVAILABLE', detail: 'codehost_api_503' } as const
    const handle = await begin('session-11', { readPullRequest: async () => unavailable })
    await untilLooked(engine, 1)
    expect(await askForVerdict(handle)).toEqual(unavailable)
    approve()
    expect(await askForVerdict(handle)).toMatchObject({ outcome: 'approved' })
    await handle.result()
  })
})

describe("a request for a verdict at the end of a pull request's run", () => {
  const ask = (handle: WorkflowHandle) =>
    handle.startUpdate(runUpdate, {
      args: [{ requestId: 'request-2', requestedBy: '0x1' }],
      waitForStage: WorkflowUpdateStage.ACCEPTED,
    })

  test('gets the verdict of the read under way, and the run ends', async () => {
    const way = gate()
    const handle = await begin('session-15', {
      readPullRequest: async (input) => {
        await way.passed
        return engine.service.usual.readPullRequest(input)
      },
    })
    await untilLooked(engine, 1)
    const asked = await ask(handle)
    way.open()
    expect(await asked.result()).toMatchObject({ kind: 'verdict', outcome: 'approved' })
    await handle.result()
    expect(looks(engine)).toBe(1)
  })

  test('gets the verdict at once, while the claim is notified', async () => {
    const way = gate()
    const handle = await begin('session-16', {
      readPullRequest: decidedLook(engine, 'approved', 'CODEHOST_PR_EVIDENCE_ACCEPTED'),
      announceVerdict: async (input) => {
        await way.passed
        return engine.service.usual.announceVerdict(input)
      },
    })
    await until(() => engine.service.callsOf('announceVerdict').length === 1)
    expect(await (await ask(handle)).result()).toMatchObject({ kind: 'verdict', outcome: 'approved' })
    way.open()
    await handle.result()
    expect(looks(engine)).toBe(1)
  })

  test('is answered that no verdict is needed when a read finds the session ended', async () => {
    const way = gate()
    const handle = await begin('session-17', {
      readPullRequest: async () => {
        await way.passed
        return { kind: 'ended', status: 'resolved' }
      },
    })
    await untilLooked(engine, 1)
    const asked = await ask(handle)
    way.open()
    expect(await asked.result()).toMatchObject({ kind: 'unavailable', detail: 'The session is resolved.' })
    await handle.result()
  })
})

describe('the review time of a pull request', () => {
  const dueIn = async (session: string, ms: number): Promise<Steps> => {
    const subject = { ...(await engine.service.usual.loadSubject({ sessionId: session })), verifierMode: 'codehost_pr', pollSeconds: 1_800 }
    const slaDeadline = new Date(engine.now() + ms).toISOString()
    return { loadSubject: async () => ({ ...subject, slaDeadline }) }
  }

  test('ends with one review after a last read, and the reads go on', async () => {
    const handle = await begin('session-12', await dueIn('session-12', HOUR + 10 * MINUTE))
    await untilLooked(engine, 1)
    await engine.move(HOUR + 9 * MINUTE)
    expect(engine.service.callsOf('recordReviewRequired')).toEqual([])
    await engine.move(2 * MINUTE)
    await until(() => announced().length === 1)
    const review = only(engine.service.callsOf('recordReviewRequired'))
    expect(engine.service.callsOf('readPullRequest').at(-1)?.at).toBeLessThanOrEqual(review.at)
    const before = looks(engine)
    await engine.move(31 * MINUTE)
    await untilLooked(engine, before + 1)
    expect(engine.service.callsOf('recordReviewRequired')).toHaveLength(1)
    approve()
    await handle.signal(pullRequestChanged, { deliveryId: 'merged' })
    const { verdictId } = await handle.result()
    expect(announced()).toEqual([expect.anything(), verdictId])
  })

  test('does not request a second review for a session under review', async () => {
    const steps = await dueIn('session-13', -HOUR)
    const handle = await begin('session-13', {
      loadSubject: async (input) => ({ ...(await (steps.loadSubject ?? engine.service.usual.loadSubject)(input)), underReview: true }),
    })
    await untilLooked(engine, 1)
    await handle.signal(pullRequestChanged, { deliveryId: 'again' })
    await untilLooked(engine, 2)
    expect(engine.service.callsOf('recordReviewRequired')).toEqual([])
  })

  test('ends with a review although every read fails', async () => {
    await begin('session-14', {
      ...(await dueIn('session-14', 0)),
      readPullRequest: async () => Promise.reject(new Error('no database')),
    })
    await until(() => announced().length === 1)
    expect(engine.service.callsOf('recordReviewRequired')).toHaveLength(1)
  })
})

describe("the status text of a pull request's run", () => {
  test('shows what the run waits for, before and after a review is required, and that it ends with its verdict', async () => {
    const subject = { ...(await engine.service.usual.loadSubject({ sessionId: 'session-18' })), verifierMode: 'codehost_pr' }
    const slaDeadline = new Date(engine.now() + HOUR).toISOString()
    const handle = await begin('session-18', { loadSubject: async () => ({ ...subject, slaDeadline, pollSeconds: 1_800 }) })
    await untilLooked(engine, 1)
    expect(await next(handle)).toBe(`a change of the pull request or an operator; people at ${slaDeadline}`)
    await engine.move(HOUR + MINUTE)
    await until(() => announced().length === 1)
    expect(await next(handle)).toBe('a change of the pull request or an operator; people have it')
    approve()
    await handle.signal(pullRequestChanged, { deliveryId: 'merged' })
    await handle.result()
    expect(await handle.query(verifierProgress)).toMatchObject({ state: 'decided', next: 'nothing: decided' })
  })

  test('shows why the pull request has no verdict', async () => {
    const detail = 'Score 90 (80 needed). Waiting for an operator or its merge.'
    const handle = await begin('session-21', { readPullRequest: async () => ({ ...HELD, outcome: 'approved', detail }) })
    await untilLooked(engine, 1)
    await engine.untilIdle()
    expect(await shownDetails(handle)).toContain(detail)
  })
})

describe('a run whose history grew long', () => {
  const small = useEngine({ historyLimit: 40 })

  test('continues as new with the same search attributes and status text', async () => {
    small.service.play(heldPullRequest(small))
    const first = await small.beginVerification('session-1')
    const begun = await first.describe()
    for (let look = 1; (await first.describe()).runId === begun.runId; look += 1) {
      await untilLooked(small, look)
      await first.signal(pullRequestChanged, { deliveryId: `delivery-${look}` })
    }
    let details = ''
    await until(async () => {
      details = await shownDetails(first)
      return details.includes('is undecided')
    })
    const { typedSearchAttributes } = await first.describe()
    for (const key of [SEARCH.jobId, SEARCH.sessionId, SEARCH.wallet, SEARCH.chainJobId, SEARCH.verifierMode])
      expect([key.name, typedSearchAttributes.get(key)]).toEqual([key.name, begun.typedSearchAttributes.get(key) ?? 'is lost'])
    expect(typedSearchAttributes.get(SEARCH.deadlineAt)).toBeInstanceOf(Date)
    expect(typedSearchAttributes.get(SEARCH.sessionState)).toBe('verifying')
    const { title, wallet, jobId } = await small.service.usual.loadSubject({ sessionId: 'session-1' })
    for (const word of [`Verify ${title}`, wallet, jobId, HELD.kind === 'undecided' && HELD.detail]) expect(details).toContain(word)
  })
})
