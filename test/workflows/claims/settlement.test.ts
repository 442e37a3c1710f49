import { describe, expect, test } from '@jest/globals'
import { claimProgress } from '../../../schemas/claims/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { chainMoved } from '../../../schemas/processes.ts'
import { DAY, HOUR, MINUTE, shownState, until } from '../support/engine.ts'
import { CHAIN_EVENT } from '../support/reach.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

const claimed = () => engine.claimed()
const submitted = () => engine.submitted()
const outage = () => new ServiceError('blockchain_unavailable')

describe('a verdict', () => {
  test('about another session is ignored', async () => {
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, 'job-0:other-worker', engine.service.decide('job-0:other-worker', 'approved'))
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

  test('missing for a day is requested again', async () => {
    const { handle } = await submitted()
    await engine.move(DAY + HOUR)
    expect(engine.service.callsOf('startVerifier')).toHaveLength(2)
    await engine.move(DAY + MINUTE)
    expect(engine.service.callsOf('startVerifier')).toHaveLength(3)
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'submitted' })
  })

  test('given directly on chain is settled on the next chain event', async () => {
    const { handle, sessionId } = await submitted()
    await handle.signal(chainMoved, CHAIN_EVENT)
    await until(() => engine.service.callsOf('observeVerdict').length === 1)
    expect(await handle.query(claimProgress)).toMatchObject({ state: 'submitted' })
    const verdictId = engine.service.decide(sessionId, 'approved', 'CHAIN_VERDICT_OBSERVED')
    engine.service.replay({ observeVerdict: async () => ({ verdictId }) })
    await handle.signal(chainMoved, CHAIN_EVENT)
    expect(await handle.result()).toMatchObject({ status: 'resolved' })
    expect(engine.service.callsOf('settleApproval')).toMatchObject([{ input: { sessionId, verdictId } }])
    expect(engine.service.callsOf('startVerifier')).toHaveLength(1)
  })

  test('given on chain without a chain event is found within a day', async () => {
    const { sessionId, handle } = await submitted()
    const verdictId = engine.service.decide(sessionId, 'approved', 'CHAIN_VERDICT_OBSERVED')
    engine.service.replay({ observeVerdict: async () => ({ verdictId }) })
    await engine.move(DAY + MINUTE)
    expect(await handle.result()).toMatchObject({ status: 'resolved' })
  })

  test('given on chain while the submission was being recorded is not lost', async () => {
    const { handle, sessionId } = await claimed()
    const verdictId = engine.service.decide(sessionId, 'rejected', 'CHAIN_VERDICT_OBSERVED')
    engine.service.play({ observeVerdict: async () => ({ verdictId }) })
    await handle.signal(chainMoved, CHAIN_EVENT)
    await engine.submit(handle, sessionId, 'work')
    await until(async () => (await handle.query(claimProgress)).state === 'contested')
  })

  test('whose payout fails for a while is paid later, and recorded by the same step', async () => {
    let asked = 0
    engine.service.play({
      settleApproval: async () => {
        asked += 1
        if (asked < 3) throw outage()
        return { status: 'resolved' }
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
        return { status: 'resolved' }
      },
    })
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    await until(async () => (await shownState(handle)) === 'blocked')
    await engine.move(11 * MINUTE)
    expect(await handle.result()).toEqual({ sessionId, status: 'resolved' })
    expect(asked).toBe(2)
  })

  test('whose payout is refused for days is tried again every three hours', async () => {
    engine.service.play({
      settleApproval: async () => {
        throw new ServiceError('invalid_session_transition')
      },
    })
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    const asked = (): number => engine.service.callsOf('settleApproval').length
    await until(async () => (await shownState(handle)) === 'blocked')
    await engine.move(2 * DAY)
    const before = asked()
    await engine.move(3.5 * HOUR)
    await until(() => asked() > before)
    expect(asked() - before).toBeLessThanOrEqual(2)
  })

  test('whose payout finds the work rejected directly on chain goes to the dispute of the session', async () => {
    engine.service.play({
      settleApproval: async ({ sessionId }) => {
        engine.service.disputes.rejectElsewhere(sessionId)
        return { status: 'rejected' }
      },
    })
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    await until(async () => (await handle.query(claimProgress)).state === 'contested')
    await engine.move(7 * DAY + MINUTE)
    expect(await handle.result()).toEqual({ sessionId, status: 'rejected' })
    expect(engine.service.callsOf('applyTimeout')).toHaveLength(1)
  })

  test('whose payout finds no submission on chain ends the claim as diverged', async () => {
    engine.service.play({ settleApproval: async () => ({ status: 'chain_state_diverged' }) })
    const { handle, sessionId } = await submitted()
    await engine.announce(handle, sessionId, engine.service.decide(sessionId, 'approved'))
    expect(await handle.result()).toEqual({ sessionId, status: 'chain_state_diverged' })
  })
})
