import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { ServiceError } from '../../schemas/errors.ts'
import { claimProgress } from '../../schemas/processes/claim-session.ts'
import { DAY, type Engine, HOUR, MINUTE, only, shownState, startEngine, until } from './support/engine.ts'

let engine: Engine
beforeAll(async () => {
  engine = await startEngine()
}, 60_000)
afterEach(() => engine.settle())
afterAll(() => engine.stop())

const claimed = () => engine.claimed()
const submitted = () => engine.submitted()
const outage = () => new ServiceError('blockchain_unavailable')

describe('a verdict', () => {
  test('about another session is ignored', async () => {
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, 'job-0:somebody', engine.service.decide('job-0:somebody', 'approved'))
    await engine.move(HOUR)
    expect(engine.service.callsOf('readVerdict')).toEqual([])
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    expect(await handle.result()).toMatchObject({ status: 'resolved' })
  })

  test('announced several times is settled once', async () => {
    const { handle, sessionId } = await submitted()
    const verdictId = engine.service.decide(sessionId, 'approved')
    await Promise.all([1, 2, 3].map(() => engine.announce(handle, sessionId, verdictId)))
    await handle.result()
    expect(engine.service.callsOf('settleApproval')).toHaveLength(1)
  })

  test('announced before the submission was recorded is not lost', async () => {
    const { handle, sessionId } = await claimed()
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    await engine.submit(handle, sessionId, 'work')
    expect(await handle.result()).toMatchObject({ status: 'resolved' })
  })

  test('nobody gives for a day is asked for again', async () => {
    const { handle } = await submitted()
    await engine.move(DAY + HOUR)
    expect(engine.service.callsOf('startVerifier')).toHaveLength(2)
    await engine.move(DAY + MINUTE)
    expect(engine.service.callsOf('startVerifier')).toHaveLength(3)
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'submitted' })
  })

  test('whose payout fails for a while is paid later, and recorded by the same step', async () => {
    let asked = 0
    engine.service.play({
      settleApproval: async () => {
        asked += 1
        if (asked < 3) throw outage()
      },
    })
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    expect(await handle.result()).toMatchObject({ status: 'resolved' })
    expect(asked).toBe(3)
  })

  test('whose payout is refused keeps the job taken and is tried again', async () => {
    let asked = 0
    engine.service.play({
      settleApproval: async () => {
        asked += 1
        if (asked < 2) throw new ServiceError('invalid_session_transition')
      },
    })
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    await until(async () => (await shownState(handle)) === 'held')
    await engine.move(11 * MINUTE)
    expect(await handle.result()).toEqual({ sessionId, status: 'resolved' })
    expect(asked).toBe(2)
  })
})

describe('a rejection', () => {
  const rejected = async () => {
    const claim = await submitted()
    const verdictId = engine.service.decide(claim.sessionId, 'rejected', 'BENCHMARK_THRESHOLD_MISSED')
    await engine.announce(claim.handle, claim.sessionId, verdictId)
    await until(async () => (await claim.handle.query(claimProgress)).state === 'rejected')
    return { ...claim, verdictId, windowEndsAt: Date.parse((await claim.handle.query(claimProgress)).deadlineAt ?? '') }
  }

  test('is final one second after its dispute window, and not before', async () => {
    const { handle, sessionId, windowEndsAt } = await rejected()
    expect(windowEndsAt - only(engine.service.callsOf('rejectOnChain')).at).toBeGreaterThan(7 * DAY - 2_000)
    await engine.move(windowEndsAt - MINUTE - engine.now())
    expect(engine.service.callsOf('endRejection')).toEqual([])
    await engine.move(windowEndsAt + 1_000 - engine.now())
    expect(await handle.result()).toEqual({ sessionId, status: 'rejected' })
    expect(engine.service.callsOf('endRejection')).toHaveLength(1)
    expect(String(engine.service.callsOf('millisecondsUntil').at(-1)?.input)).toBe(new Date(windowEndsAt + 1_000).toISOString())
  })

  test('that is disputed on chain waits on for what the chain decides', async () => {
    engine.service.play({ endRejection: async () => ({ state: 'disputed', disputedAt: new Date(engine.now()).toISOString() }) })
    const { handle, sessionId } = await rejected()
    await engine.move(7 * DAY + HOUR)
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'disputed', deadlineAt: null })
    await engine.move(2 * DAY)
    engine.service.replay({ observeDispute: async () => ({ status: 'resolved' }) })
    await engine.move(DAY + MINUTE)
    expect(await handle.result()).toEqual({ sessionId, status: 'resolved' })
  })

  test('that is disputed on chain is the arbitrator’s: no verdict of a verifier settles it, neither an old nor a new one', async () => {
    engine.service.play({ endRejection: async () => ({ state: 'disputed', disputedAt: new Date(engine.now()).toISOString() }) })
    const { handle, sessionId, verdictId } = await rejected()
    await engine.announce(handle, sessionId, verdictId)
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    await engine.move(7 * DAY + HOUR)
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    await engine.move(2 * DAY)
    expect(engine.service.callsOf('rejectOnChain')).toHaveLength(1)
    expect(engine.service.callsOf('settleApproval')).toEqual([])
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'disputed' })
  })
})

describe('a verdict that people must complete', () => {
  test.each(['disputed', 'inconclusive', 'platform_fault'] as const)('%s is recorded, waits, and a later approval pays', async (word) => {
    const { handle, sessionId } = await submitted()
    const verdictId = engine.service.decide(sessionId, word, 'HUMAN_REVIEW_REQUIRED')
    await engine.announce(handle, sessionId, verdictId)
    for (const days of [1, 2]) {
      await engine.move(DAY + MINUTE)
      expect(engine.service.callsOf('observeDispute')).toHaveLength(days)
    }
    expect(only(engine.service.callsOf('recordReview')).input).toEqual({ sessionId, verdictId })
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'disputed' })
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    expect(await handle.result()).toEqual({ sessionId, status: 'resolved' })
  })

  test('that was announced twice is recorded once', async () => {
    const { handle, sessionId } = await submitted()
    const verdictId = engine.service.decide(sessionId, 'disputed', 'HUMAN_REVIEW_REQUIRED')
    await engine.announce(handle, sessionId, verdictId)
    await engine.announce(handle, sessionId, verdictId)
    await engine.move(HOUR)
    expect(engine.service.callsOf('recordReview')).toHaveLength(1)
    expect(engine.service.callsOf('readVerdict')).toHaveLength(1)
  })

  test('may be completed by a rejection, which then has its dispute window', async () => {
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'inconclusive'))
    await engine.move(HOUR)
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'rejected'))
    await until(async () => (await handle.query(claimProgress)).state === 'rejected')
    await engine.move(7 * DAY + 2_000)
    expect(await handle.result()).toEqual({ sessionId, status: 'rejected' })
    expect(engine.service.callsOf('endRejection')).toHaveLength(1)
  })
})
