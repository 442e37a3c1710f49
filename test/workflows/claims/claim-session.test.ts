import { describe, expect, test } from '@jest/globals'
import { type WorkflowHandle, WorkflowUpdateStage } from '@temporalio/client'
import { REVIEW_SLA_SECONDS } from '../../../domain/common/constants.ts'
import { plusSeconds } from '../../../domain/common/instants.ts'
import { claimProgress, expiryDue, submitUpdate } from '../../../schemas/claims/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { SEARCH } from '../../../schemas/processes.ts'
import { DAY, gate, HOUR, MINUTE, only, refusalOf, shownState, timersOf, until, untilProcessed } from '../support/engine.ts'
import { answerOf, standOf } from '../support/outcomes.ts'
import { begunStep, CLAIM_STATES, hold, refuseOnce, STATE_OF } from '../support/reach.ts'
import { TTL_SECONDS } from '../support/scripted-service.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

const claimed = () => engine.claimed()
const submitted = () => engine.submitted()
const outage = () => new ServiceError('blockchain_unavailable')

describe('a claim without a fault', () => {
  test('is admitted, bonded, recorded, submitted, verified and settled, each step once and in this order', async () => {
    const { handle, sessionId, outcome } = await engine.beginClaim()
    expect(await outcome).toMatchObject({ sessionId })
    expect(await engine.submit(handle, sessionId, 'work')).toEqual({ sessionId, status: 'submitted' })
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    expect(await handle.result()).toEqual({ sessionId, status: 'resolved' })
    const asked = engine.service.steps().filter((step) => step !== 'millisecondsUntil')
    expect(asked).toEqual([
      ...['admitClaim', 'lockBond', 'recordClaim', 'admitSubmission', 'submitOnChain', 'recordSubmission'],
      ...['startVerifier', 'readVerdict', 'settleApproval'],
    ])
  })

  test('shows an operator its state and its deadline', async () => {
    const { handle, sessionId, expiresAt } = await claimed()
    const deadlineAt = new Date(expiresAt).toISOString()
    expect(await handle.query(claimProgress)).toEqual({
      state: 'claimed',
      sessionId,
      deadlineAt,
      next: `a submission; without one the claim expires at ${deadlineAt}`,
    })
    // Most claims submit within a minute and never publish the deadline of the claim.
    await engine.move(MINUTE)
    const { typedSearchAttributes } = await handle.describe()
    const shown = Object.fromEntries([...typedSearchAttributes.getAll()].map(({ key, value }) => [key.name, value]))
    expect(shown).toMatchObject({
      SessionId: sessionId,
      SessionState: 'claimed',
      DeadlineAt: new Date(expiresAt),
    })
  })

  const deadlineOf = async (handle: WorkflowHandle): Promise<Date | undefined> =>
    (await handle.describe()).typedSearchAttributes.get(SEARCH.deadlineAt)

  test.each([
    ['claiming', 'the chain: the bond', null],
    ['claimed', 'a submission; without one the claim expires at ', 'claim'],
    ['submitting', 'the chain: the submission', 'claim'],
    ['expiring', 'the chain: the time-out of the claim', 'claim'],
    ['resting', 'the chain: the time-out of the claim', 'claim'],
    ['submitted', 'the verifier; without a verdict people are called at ', 'review'],
    ['paying', 'the chain: the payout', 'review'],
    ['contested', 'the end of dispute/', null],
    ['resolved', 'nothing', null],
    ['refused', 'nothing', null],
  ] as const)('says in state %s what it waits for, and shows its deadline also when that is behind it', async (state, next, of) => {
    const { handle, sessionId, release } = await CLAIM_STATES[state](engine)
    const { claimExpiresAt, submittedAt } = ['claiming', 'refused'].includes(state)
      ? { claimExpiresAt: 0, submittedAt: null }
      : engine.service.sessionOf(sessionId)
    const at = of === 'claim' ? claimExpiresAt : plusSeconds(submittedAt ?? 0, REVIEW_SLA_SECONDS)
    const deadlineAt = of === null ? null : new Date(at).toISOString()
    const whole = next.endsWith(' at ') ? `${next}${deadlineAt}` : next
    expect(await handle.query(claimProgress)).toMatchObject({ deadlineAt, next: next.endsWith('/') ? `${next}${sessionId}` : whole })
    // A claim publishes its deadline after a minute.
    const isPublished = deadlineAt !== null && state !== 'claimed' && state !== 'submitting'
    expect(await deadlineOf(handle)).toEqual(isPublished ? new Date(deadlineAt) : undefined)
    release()
  })

  test('passes its run to every step', async () => {
    const { handle, outcome } = await engine.beginClaim()
    await outcome
    const { runId } = await handle.describe()
    expect(only(engine.service.callsOf('admitClaim')).input).toMatchObject({ runId })
    expect(only(engine.service.callsOf('lockBond')).input).toMatchObject({ runId, requestId: 'request-1' })
  })
})

describe('a claim that is refused', () => {
  test('at admission ends its run and returns the code', async () => {
    engine.service.play({ admitClaim: async () => Promise.reject(new ServiceError('worker_open_exposure_cap_reached')) })
    const { handle, outcome } = await engine.beginClaim()
    expect(await refusalOf(outcome)).toBe('worker_open_exposure_cap_reached')
    expect(await handle.result()).toEqual({ sessionId: null, status: 'refused:worker_open_exposure_cap_reached' })
    expect(engine.service.steps()).toEqual(['admitClaim', 'releaseClaim'])
  })

  test('by the chain releases its reservation, and returns the code', async () => {
    engine.service.play({ lockBond: async () => Promise.reject(new ServiceError('insufficient_liquidity')) })
    const { handle, outcome } = await engine.beginClaim()
    expect(await refusalOf(outcome)).toBe('insufficient_liquidity')
    expect(await handle.result()).toEqual({ sessionId: null, status: 'refused:insufficient_liquidity' })
    const { runId } = await handle.describe()
    expect(only(engine.service.callsOf('releaseClaim')).input).toEqual({ runId, code: 'insufficient_liquidity' })
  })

  test('only by a short outage of the database is admitted by a later attempt', async () => {
    let asked = 0
    engine.service.play({
      admitClaim: async (input) => {
        asked += 1
        if (asked < 3) throw new Error('connection refused')
        return engine.service.usual.admitClaim(input)
      },
    })
    expect(await (await engine.beginClaim()).outcome).toMatchObject({ sessionId: expect.any(String) })
  })
})

describe('a bond whose outcome is unknown', () => {
  test('keeps the claim pending and is read again until the chain knows it', async () => {
    engine.service.play({ lockBond: async () => Promise.reject(outage()) })
    const { handle, sessionId, outcome } = await engine.beginClaim()
    await until(() => engine.service.callsOf('lockBond').length >= 3)
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'claiming' })
    engine.service.replay({ lockBond: engine.service.usual.lockBond })
    expect(await outcome).toMatchObject({ sessionId })
    expect(engine.service.callsOf('releaseClaim')).toEqual([])
  })

  test('that is locked but whose record is refused is never released: it is shown as blocked, and recorded later', async () => {
    engine.service.play({ recordClaim: async () => Promise.reject(new ServiceError('job_not_found')) })
    const { handle, sessionId, outcome } = await engine.beginClaim()
    await until(async () => (await shownState(handle)) === 'blocked')
    engine.service.replay({ recordClaim: engine.service.usual.recordClaim })
    await engine.move(11 * MINUTE)
    expect(await outcome).toMatchObject({ sessionId })
    expect(await shownState(handle)).toBe('claimed')
    expect(engine.service.callsOf('releaseClaim')).toEqual([])
  })
})

describe('a claim without a submission', () => {
  test('expires when its last second is over, and not a second later', async () => {
    const { handle, sessionId, expiresAt } = await claimed()
    await engine.move(expiresAt - 5_000 - engine.now())
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'claimed' })
    expect(engine.service.callsOf('timeoutClaim')).toEqual([])
    await engine.move(expiresAt + 1_000 - engine.now())
    expect(await handle.result()).toEqual({ sessionId, status: 'expired' })
    const awaited = engine.service.callsOf('millisecondsUntil').map(({ input }) => String(input))
    expect(new Set(awaited)).toEqual(new Set([new Date(expiresAt + 1_000).toISOString()]))
  })

  test('reads the service clock each day, so that it notices a moved clock', async () => {
    engine.service.play({
      lockBond: async (input) => {
        const bond = await engine.service.usual.lockBond(input)
        return { ...bond, claimExpiresAt: new Date(Date.parse(bond.claimedAt) + 14 * DAY).toISOString() }
      },
    })
    const { handle } = await claimed()
    for (const day of [1, 2, 3]) {
      await engine.move(DAY + 2 * MINUTE)
      expect(engine.service.callsOf('millisecondsUntil')).toHaveLength(day)
    }
    await engine.move(11 * DAY + 2_000)
    expect(await handle.result()).toMatchObject({ status: 'expired' })
  })

  test('ends at once on an expiry signal, although its own timer still runs', async () => {
    const { handle } = await claimed()
    engine.moveServiceClock((TTL_SECONDS + 2) * 1_000)
    await handle.signal(expiryDue)
    expect(await handle.result()).toMatchObject({ status: 'expired' })
  })

  test('ignores an expiry signal that arrives before its expiry', async () => {
    const { handle } = await claimed()
    await handle.signal(expiryDue)
    await until(() => engine.service.callsOf('millisecondsUntil').length === 1)
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'claimed' })
    expect(engine.service.callsOf('timeoutClaim')).toEqual([])
  })

  test('ends with the outcome of the chain', async () => {
    engine.service.play({ recordExpiry: async ({ sessionId }) => ({ sessionId, status: 'closed' }) })
    const { handle, sessionId } = await claimed()
    await engine.move((TTL_SECONDS + 2) * 1_000)
    expect(await handle.result()).toEqual({ sessionId, status: 'closed' })
  })

  test('does not end while the chain does not answer', async () => {
    let asked = 0
    engine.service.play({
      timeoutClaim: async (input) => {
        asked += 1
        if (asked < 3) throw outage()
        return engine.service.usual.timeoutClaim(input)
      },
    })
    const { handle } = await claimed()
    engine.moveServiceClock((TTL_SECONDS + 2) * 1_000)
    await handle.signal(expiryDue)
    expect(await handle.result()).toMatchObject({ status: 'expired' })
    expect(engine.service.callsOf('recordExpiry')).toHaveLength(1)
  })
})

describe('a submission', () => {
  /** Brings the service clock to an instant; the timer of the process does not know. */
  const setClock = (at: number): void => engine.moveServiceClock(at - engine.now())

  test('is accepted during the very second in which the claim expires', async () => {
    const { handle, sessionId, expiresAt } = await claimed()
    setClock(expiresAt)
    expect(await engine.submit(handle, sessionId, 'work')).toEqual({ sessionId, status: 'submitted' })
  })

  test('is refused a second later', async () => {
    const { handle, sessionId, expiresAt } = await claimed()
    setClock(expiresAt + 1_000)
    expect(await refusalOf(engine.submit(handle, sessionId, 'work'))).toBe('claim_expired')
    expect(engine.service.callsOf('submitOnChain')).toEqual([])
  })

  test('stops the clock of the claim', async () => {
    const { handle } = await submitted()
    await engine.move(2 * HOUR)
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'submitted' })
    expect(engine.service.callsOf('timeoutClaim')).toEqual([])
  })

  test('that is on its way to the chain when the claim expires decides: once mined, the claim goes on', async () => {
    const way = gate()
    engine.service.play({
      submitOnChain: async () => {
        await way.passed
        return { txHash: '0x1', submittedAt: new Date().toISOString() }
      },
    })
    const { handle, sessionId, expiresAt } = await claimed()
    const submission = engine.submit(handle, sessionId, 'work')
    await until(() => engine.service.callsOf('submitOnChain').length === 1)
    setClock(expiresAt + 60_000)
    await handle.signal(expiryDue)
    await untilProcessed(handle)
    expect(engine.service.callsOf('timeoutClaim')).toEqual([])
    way.open()
    expect(await submission).toEqual({ sessionId, status: 'submitted' })
    expect(engine.service.callsOf('timeoutClaim')).toEqual([])
  })

  test.each([
    ['blockchain_revert', 'the claim expires', 'expired', 'dropSubmission'],
    ['brokered_submit_expired', 'it came in the last moments', 'expired', 'dropSubmission'],
    ['claim_expired', 'it was the platform that came too late', 'chain_state_diverged', 'recordLateSubmission'],
  ] as const)('that is under way when the claim runs out decides itself: refused with %s, %s', async (code, _why, status, step) => {
    const way = gate()
    engine.service.play({
      submitOnChain: async () => {
        await way.passed
        throw new ServiceError(code)
      },
    })
    const { handle, sessionId, expiresAt } = await claimed()
    const submission = refusalOf(engine.submit(handle, sessionId, 'work'))
    await until(() => engine.service.callsOf('submitOnChain').length === 1)
    setClock(expiresAt + 60_000)
    await handle.signal(expiryDue)
    way.open()
    expect(await submission).toBe(code)
    expect(await handle.result()).toEqual({ sessionId, status })
    expect(engine.service.callsOf(step)).toHaveLength(1)
  })

  describe('that was accepted in time and arrives during the time-out', () => {
    const inTime = (sessionId: string, expiresAt: number) => ({
      sessionId,
      submission: 'work',
      requestId: 'request-2',
      protocol: 'http' as const,
      acceptedAt: new Date(expiresAt - 60_000).toISOString(),
    })

    test('is refused once the time-out was sent, and the claim expires as the chain says', async () => {
      const { handle, sessionId, release } = await CLAIM_STATES.expiring(engine)
      const { claimExpiresAt } = engine.service.sessionOf(sessionId)
      const submission = await handle.startUpdate(submitUpdate, {
        args: [inTime(sessionId, claimExpiresAt)],
        waitForStage: WorkflowUpdateStage.ACCEPTED,
      })
      release()
      expect(await refusalOf(submission.result())).toBe('claim_expired')
      expect(await handle.result()).toEqual({ sessionId, status: 'expired' })
      expect(engine.service.callsOf('submitOnChain')).toEqual([])
    })

    test.each([
      ['lapses on its way: the session is left to people, its claim not timed out', 'claim_expired', 'chain_state_diverged', 1],
      ['is refused for another reason: the time-out is sent again', 'blockchain_revert', 'expired', 2],
    ] as const)('is tried while that rests, and %s', async (_what, code, status, timeOuts) => {
      const { handle, sessionId } = await CLAIM_STATES.resting(engine)
      const { claimExpiresAt } = engine.service.sessionOf(sessionId)
      engine.service.replay({ submitOnChain: async () => Promise.reject(new ServiceError(code)) })
      expect(await refusalOf(handle.executeUpdate(submitUpdate, { args: [inTime(sessionId, claimExpiresAt)] }))).toBe(code)
      await engine.move(11 * MINUTE)
      expect(await handle.result()).toEqual({ sessionId, status })
      expect(engine.service.callsOf('timeoutClaim')).toHaveLength(timeOuts)
    })

    test('is sent while the time-out is blocked, and the claim goes on once it is mined', async () => {
      const { handle, sessionId } = await CLAIM_STATES.resting(engine)
      const { claimExpiresAt } = engine.service.sessionOf(sessionId)
      const submittedAt = new Date(claimExpiresAt).toISOString()
      engine.service.replay({ submitOnChain: async () => ({ txHash: '0x1', submittedAt }) })
      const submitted = handle.executeUpdate(submitUpdate, { args: [inTime(sessionId, claimExpiresAt)] })
      expect(await submitted).toEqual({ sessionId, status: 'submitted' })
      await engine.move(11 * MINUTE)
      expect(await handle.query(claimProgress)).toMatchObject({ state: 'submitted' })
      expect(engine.service.callsOf('startVerifier')).toHaveLength(1)
      expect(engine.service.callsOf('timeoutClaim')).toHaveLength(1)
    })

    /** The time-out was refused, and rests for five seconds more of real time: none passes for a process while a step is under way. */
    const restingSoonOver = async () => {
      const { handle, sessionId, expiresAt } = await claimed()
      refuseOnce(engine, 'timeoutClaim', 'blockchain_revert')
      await engine.move(expiresAt + 1_000 - engine.now())
      await until(async () => (await shownState(handle)) === 'blocked')
      const [rest] = (await timersOf(handle)).filter(({ open }) => open)
      expect(rest?.ms).toBe(10 * MINUTE)
      await engine.move((rest?.dueAt ?? 0) - 5_000 - engine.now())
      return { handle, sessionId }
    }

    test.each([
      ['landed, the claim goes on', 'recordSubmission', null, 'submitted', 1],
      ['lapsed, the session is left to people', 'recordLateSubmission', 'claim_expired', 'ended chain_state_diverged', 1],
      ['refused, the time-out is sent again', 'dropSubmission', 'blockchain_revert', 'ended expired', 2],
    ] as const)('is waited for when that has rested: %s', async (_what, step, code, stands, timeOuts) => {
      const { handle, sessionId } = await restingSoonOver()
      const { claimExpiresAt } = engine.service.sessionOf(sessionId)
      const landed = { txHash: '0x1', submittedAt: new Date(claimExpiresAt).toISOString() }
      engine.service.replay({ submitOnChain: async () => (code === null ? landed : Promise.reject(new ServiceError(code))) })
      const release = hold(engine, step)
      const answer = answerOf(handle.executeUpdate(submitUpdate, { args: [inTime(sessionId, claimExpiresAt)] }))
      await begunStep(engine, step)
      await until(async () => (await timersOf(handle)).every(({ open }) => !open))
      expect(engine.service.callsOf('timeoutClaim')).toHaveLength(1)
      release()
      expect(await answer).toBe(code ?? 'submitted')
      await engine.untilIdle()
      expect(await standOf(handle, STATE_OF.claimSession)).toBe(stands)
      expect(engine.service.callsOf('timeoutClaim')).toHaveLength(timeOuts)
    })
  })

  test('that the rules refuse leaves the claim as it was', async () => {
    engine.service.play({ admitSubmission: async () => Promise.reject(new ServiceError('invalid_submission_shape')) })
    const { handle, sessionId } = await claimed()
    expect(await refusalOf(engine.submit(handle, sessionId, 'bad'))).toBe('invalid_submission_shape')
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'claimed' })
    engine.service.play({})
    expect(await engine.submit(handle, sessionId, 'good')).toMatchObject({ status: 'submitted' })
  })

  test('that the chain refuses is dropped, and another one is accepted under its own number', async () => {
    engine.service.play({ submitOnChain: async () => Promise.reject(new ServiceError('blockchain_revert')) })
    const { handle, sessionId } = await claimed()
    expect(await refusalOf(engine.submit(handle, sessionId, 'work'))).toBe('blockchain_revert')
    expect(only(engine.service.callsOf('dropSubmission')).input).toEqual({ sessionId, code: 'blockchain_revert' })
    engine.service.replay({ submitOnChain: engine.service.usual.submitOnChain })
    expect(await engine.submit(handle, sessionId, 'work')).toMatchObject({ status: 'submitted' })
    expect(engine.service.callsOf('submitOnChain').map(({ input }) => input.submitNumber)).toEqual([1, 2])
  })

  test('whose outcome is unknown is never dropped', async () => {
    engine.service.play({ submitOnChain: async () => Promise.reject(outage()) })
    const { handle, sessionId } = await claimed()
    const submission = engine.submit(handle, sessionId, 'work')
    await until(() => engine.service.callsOf('submitOnChain').length >= 3)
    engine.service.replay({ submitOnChain: engine.service.usual.submitOnChain })
    expect(await submission).toMatchObject({ status: 'submitted' })
    expect(engine.service.callsOf('dropSubmission')).toEqual([])
    expect(new Set(engine.service.callsOf('submitOnChain').map(({ input }) => input.submitNumber))).toEqual(new Set([1]))
  })

  test('sent nine times at once is one transaction and one answer', async () => {
    const { handle, sessionId } = await claimed()
    const answers = await Promise.all(Array.from({ length: 9 }, () => engine.submit(handle, sessionId, 'work')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['submitted']))
    expect(engine.service.callsOf('submitOnChain')).toHaveLength(1)
  })

  test('that differs from the accepted one gets its code', async () => {
    const { handle, sessionId } = await submitted()
    expect(await engine.submit(handle, sessionId, 'work')).toEqual({ sessionId, status: 'submitted' })
    expect(await refusalOf(engine.submit(handle, sessionId, 'other'))).toBe('invalid_session_transition')
  })

  test('for an earlier session of the job is refused', async () => {
    const { handle } = await claimed()
    expect(await refusalOf(engine.submit(handle, 'job-0:other-worker', 'work'))).toBe('job_session_completed')
  })
})

describe('a run that ends', () => {
  test('without a claim answers a submission that came too early', async () => {
    const way = gate()
    engine.service.play({
      lockBond: async () => {
        await way.passed
        throw new ServiceError('insufficient_liquidity')
      },
    })
    const { handle, sessionId } = await engine.beginClaim()
    const early = await engine.handIn(handle, sessionId, 'work')
    await until(() => engine.service.callsOf('lockBond').length === 1)
    way.open()
    expect(await refusalOf(early.result())).toBe('session_not_found')
    expect(engine.service.callsOf('admitSubmission')).toHaveLength(0)
    expect(await handle.result()).toMatchObject({ status: 'refused:insufficient_liquidity' })
  })

  test('answers every message it has accepted first', async () => {
    const way = gate()
    const { handle, sessionId } = await submitted()
    engine.service.replay({
      admitSubmission: async () => {
        await way.passed
        return { alreadySubmitted: true, status: 'submitted' }
      },
    })
    const late = await engine.handIn(handle, sessionId, 'work')
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    await until(() => engine.service.callsOf('settleApproval').length === 1)
    way.open()
    expect(await late.result()).toEqual({ sessionId, status: 'submitted' })
    expect(await handle.result()).toEqual({ sessionId, status: 'resolved' })
  })
})
