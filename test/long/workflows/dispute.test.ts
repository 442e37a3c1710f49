import { describe, expect, test } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import {
  type ArbitrationInput,
  disputeProgress,
  disputeWorkflowId,
  overturnUpdate,
  reviewGiven,
  reviewUpdate,
  verdictGiven,
  verdictUpdate,
} from '../../../schemas/disputes/process.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { chainMoved, SEARCH } from '../../../schemas/processes.ts'
import { DAY, HOUR, MINUTE, refusalOf, shownState, until } from '../../workflows/support/engine.ts'
import { useEngine } from '../../workflows/support/use-engine.ts'

const engine = useEngine()

const NOTICE = { chainJobId: '0x', event: 'DisputeOpened', txHash: '0x', blockNumber: '1', logIndex: 0 }
const verdict = (word: string, changes: Partial<ArbitrationInput> = {}): ArbitrationInput => ({
  verdict: word,
  rationale: 'The work answers the whole task.',
  by: '0xarbitrator',
  ...changes,
})

const stageOf = async (handle: WorkflowHandle): Promise<string> => (await handle.query(disputeProgress)).stage
const deadlineOf = async (handle: WorkflowHandle): Promise<number> => Date.parse((await handle.query(disputeProgress)).deadlineAt ?? '')

/** A claim whose verdict was this word, and its dispute, once it stands at `stage`. */
const contested = async (outcome: 'rejected' | 'disputed' | 'inconclusive' | 'platform_fault', stage: string) => {
  const claim = await engine.submitted()
  const verdictId = engine.service.decide(claim.sessionId, outcome, 'BENCHMARK_THRESHOLD_MISSED')
  await engine.announce(claim.handle, claim.sessionId, verdictId)
  const dispute = engine.client.workflow.getHandle(disputeWorkflowId(claim.sessionId))
  await until(async () => (await stageOf(dispute).catch(() => '')) === stage)
  // A new process looks at the chain once: what a test does there comes after that.
  await engine.untilIdle()
  return { ...claim, dispute, verdictId }
}
const rejected = () => contested('rejected', 'window')
const inReview = () => contested('disputed', 'review')
/** A rejection that the worker disputed on chain, which its dispute learned from a chain event. */
const disputed = async () => {
  const claim = await rejected()
  engine.service.disputes.disputeOnChain(claim.sessionId)
  await claim.dispute.signal(chainMoved, NOTICE)
  await until(async () => (await stageOf(claim.dispute)) === 'arbitration')
  return claim
}
const moveTo = (instant: number) => engine.move(instant - engine.now())
const decisionOf = (sessionId: string) => engine.service.disputes.of(sessionId).decision

describe('a rejection', () => {
  test('that is disputed without a notice is seen within half a day', async () => {
    const { dispute, sessionId } = await rejected()
    engine.service.disputes.disputeOnChain(sessionId)
    await engine.move(11 * HOUR)
    expect(await stageOf(dispute)).toBe('window')
    await engine.move(2 * HOUR)
    await until(async () => (await stageOf(dispute)) === 'arbitration')
  })

  test('can be overturned by an operator inside its window, and not in the second after it', async () => {
    const { dispute } = await rejected()
    const late = await rejected()
    const overturn = (handle: WorkflowHandle) => handle.executeUpdate(overturnUpdate, { args: [{ by: '0xadmin', note: 'Wrong terms.' }] })
    expect(await overturn(dispute)).toEqual({ status: 'disputed' })
    await until(async () => (await stageOf(dispute)) === 'arbitration')
    engine.moveServiceClock((await deadlineOf(late.dispute)) + 1_000 - engine.now())
    expect(await refusalOf(overturn(late.dispute))).toBe('overturn_window_closed')
  })
})

describe('an arbitration', () => {
  test('takes one of several verdicts that come at once, by update and by signal, and refuses the others', async () => {
    const { dispute, sessionId } = await disputed()
    const words = ['dismissed', 'upheld', 'split', 'dismissed']
    const answers = await Promise.all([
      ...words.map((word) =>
        dispute.executeUpdate(verdictUpdate, { args: [verdict(word)] }).then(
          ({ state }) => state,
          (error) => refusalOf(Promise.reject(error)),
        ),
      ),
      dispute.signal(verdictGiven, verdict('upheld', { by: 'operator' })).then(() => 'signalled'),
    ])
    await dispute.result()
    const settled = answers.filter((answer) => answer === 'settled')
    expect(settled.length).toBeLessThanOrEqual(1)
    expect(answers.filter((answer) => answer === 'dispute_already_decided')).toHaveLength(4 - settled.length)
    expect(decisionOf(sessionId)).toMatchObject({ source: 'arbitrator', observed: { mismatch: false } })
  })

  test('is decided by a signal from the engine’s own tools, and says why it refused one', async () => {
    const { dispute, sessionId } = await disputed()
    await dispute.signal(verdictGiven, verdict('reject'))
    await until(async () => (await dispute.query(disputeProgress)).refused === 'invalid_request')
    await dispute.signal(verdictGiven, verdict('dismissed', { by: 'operator' }))
    expect(await dispute.result()).toEqual({ sessionId, status: 'resolved' })
    expect(decisionOf(sessionId)).toMatchObject({ decidedBy: 'operator', verdict: 'dismissed' })
  })

  test('that the arbitrator ended with its own transaction refuses what comes later', async () => {
    const { dispute, sessionId } = await disputed()
    engine.service.disputes.decideOnChain(sessionId, 'upheld')
    expect(await refusalOf(dispute.executeUpdate(verdictUpdate, { args: [verdict('dismissed')] }))).not.toBe('internal_error')
    expect(await dispute.result()).toEqual({ sessionId, status: 'rejected' })
    expect(engine.service.callsOf('applyDecision')).toEqual([])
  })

  test('whose word meets another end on chain answers that it did not decide', async () => {
    const { dispute, sessionId } = await disputed()
    engine.service.replay({
      applyDecision: async () => {
        engine.service.disputes.decideOnChain(sessionId, 'upheld')
        await engine.service.usual.reconcileWithChain({ sessionId })
      },
    })
    expect(await refusalOf(dispute.executeUpdate(verdictUpdate, { args: [verdict('dismissed')] }))).toBe('dispute_already_decided')
    expect(await dispute.result()).toEqual({ sessionId, status: 'rejected' })
  })

  test('is not ended by the time-out before its deadline', async () => {
    const { dispute } = await disputed()
    expect(await refusalOf(dispute.executeUpdate(verdictUpdate, { args: [verdict('timeout')] }))).toBe('dispute_timeout_not_reached')
  })

  test('without a key is prepared, replaced by who names the preparation, and settled by what the chain shows', async () => {
    engine.service.disputes.holdArbitratorKey(false)
    const { dispute, sessionId } = await disputed()
    expect(await dispute.executeUpdate(verdictUpdate, { args: [verdict('split')] })).toMatchObject({
      state: 'prepared',
      status: 'disputed',
    })
    const waits = 'the arbitrator’s signature; otherwise the contract pays half of the reward and slashes the bond'
    await until(async () => (await dispute.query(disputeProgress)).next === waits)
    const supersedes = decisionOf(sessionId)?.preparation?.preparationId
    expect(await refusalOf(dispute.executeUpdate(verdictUpdate, { args: [verdict('dismissed')] }))).toBe('dispute_already_decided')
    expect(await dispute.executeUpdate(verdictUpdate, { args: [verdict('dismissed', { supersedes })] })).toMatchObject({
      state: 'prepared',
    })
    await engine.move(2 * DAY)
    expect(await stageOf(dispute)).toBe('arbitration')
    engine.service.disputes.decideOnChain(sessionId, 'dismissed')
    await dispute.signal(chainMoved, NOTICE)
    expect(await dispute.result()).toEqual({ sessionId, status: 'resolved' })
  })

  test.each(['by itself, within half a day', 'by a notice'] as const)(
    'that was prepared is given by the run that prepared it at its next look once the key is held again, long before a caller may time out: %s',
    async (how) => {
      engine.service.disputes.holdArbitratorKey(false)
      const { dispute, sessionId } = await disputed()
      await dispute.executeUpdate(verdictUpdate, { args: [verdict('dismissed')] })
      const end = await deadlineOf(dispute)
      if (how !== 'by a notice') await engine.move(2 * DAY)
      expect(engine.service.callsOf('applyDecision')).toHaveLength(1)
      engine.service.disputes.holdArbitratorKey(true)
      if (how === 'by a notice') await dispute.signal(chainMoved, NOTICE)
      else await engine.move(13 * HOUR)
      expect(await dispute.result()).toEqual({ sessionId, status: 'resolved' })
      expect(engine.now()).toBeLessThan(end - DAY)
      expect(engine.service.callsOf('applyDecision')).toHaveLength(2)
      expect(engine.service.callsOf('applyTimeout')).toEqual([])
      expect(decisionOf(sessionId)).toMatchObject({ verdict: 'dismissed', observed: { verdict: 'dismissed', mismatch: false } })
    },
  )

  test('that was prepared, and that the chain refuses with the key held again, is held, not asked for without end', async () => {
    engine.service.disputes.holdArbitratorKey(false)
    const { dispute, sessionId } = await disputed()
    await dispute.executeUpdate(verdictUpdate, { args: [verdict('dismissed')] })
    const supersedes = decisionOf(sessionId)?.preparation?.preparationId
    let asked = 0
    engine.service.replay({
      applyDecision: async (input) => {
        asked += 1
        if (asked === 1) throw new ServiceError('invalid_session_transition')
        await engine.service.usual.applyDecision(input)
      },
    })
    engine.service.disputes.holdArbitratorKey(true)
    await dispute.signal(chainMoved, NOTICE)
    await until(async () => (await shownState(dispute)) === 'blocked')
    expect(asked).toBe(1)
    const late = refusalOf(dispute.executeUpdate(verdictUpdate, { args: [verdict('upheld', { supersedes })] }))
    await engine.move(11 * MINUTE)
    expect(await dispute.result()).toEqual({ sessionId, status: 'resolved' })
    expect(await late).toBe('dispute_already_decided')
    expect(asked).toBe(2)
  })
})

describe('a review', () => {
  test.each(['inconclusive', 'platform_fault'] as const)('of %s is paid when a verifier approves', async (outcome) => {
    const { handle, dispute, sessionId } = await contested(outcome, 'review')
    const answer = await dispute.executeUpdate(reviewUpdate, {
      args: [{ verdict: 'approve', rationale: 'It is right.', by: '0xverifier' }],
    })
    expect(answer).toEqual({ round: 1, state: 'settled', status: 'resolved' })
    expect(await handle.result()).toEqual({ sessionId, status: 'resolved' })
  })

  test('that people reject has its dispute window, and may be disputed as a second round', async () => {
    const { dispute, sessionId } = await inReview()
    await dispute.signal(reviewGiven, { verdict: 'reject', rationale: 'It is not right.', by: '0xverifier' })
    await until(async () => (await stageOf(dispute)) === 'window')
    engine.service.disputes.disputeOnChain(sessionId)
    await dispute.signal(chainMoved, NOTICE)
    await until(async () => (await stageOf(dispute)) === 'arbitration')
    expect(await dispute.executeUpdate(verdictUpdate, { args: [verdict('dismissed')] })).toMatchObject({ round: 2, status: 'resolved' })
  })

  test('that people and an arbitrator decide at once has one decision', async () => {
    const { dispute, sessionId } = await inReview()
    const review = dispute.executeUpdate(reviewUpdate, { args: [{ verdict: 'approve', rationale: 'It is right.', by: '0xverifier' }] })
    const answers = await Promise.allSettled([review, dispute.executeUpdate(verdictUpdate, { args: [verdict('upheld')] })])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await dispute.result()
    const byPeople = answers[0]?.status === 'fulfilled'
    expect(decisionOf(sessionId)).toMatchObject(byPeople ? { source: 'reviewer' } : { source: 'arbitrator' })
  })

  test('is settled by a later verdict of the machine, once', async () => {
    const { handle, sessionId } = await inReview()
    const verdictId = engine.service.decide(sessionId, 'approved')
    await engine.announce(handle, sessionId, verdictId)
    await engine.announce(handle, sessionId, verdictId)
    expect(await handle.result()).toEqual({ sessionId, status: 'resolved' })
    expect(engine.service.callsOf('applyDecision')).toHaveLength(1)
  })

  test('that stays unanswered goes to the chain without an arbitrator key, whose own fourteen days follow', async () => {
    engine.service.disputes.holdArbitratorKey(false)
    const { dispute, sessionId } = await inReview()
    const next = async () => (await dispute.query(disputeProgress)).next
    await until(async () => (await next()).endsWith('otherwise the service opens the dispute on chain, where an arbitrator has 14 days'))
    const end = await deadlineOf(dispute)
    await moveTo(end)
    await until(async () => (await stageOf(dispute)) === 'arbitration')
    const second = await deadlineOf(dispute)
    expect(second - end).toBeGreaterThanOrEqual(14 * DAY)
    expect(await next()).toBe('the arbitrator; otherwise the contract pays half of the reward and slashes the bond')
    await moveTo(second)
    expect(await dispute.result()).toEqual({ sessionId, status: 'closed' })
  })
})

describe('what waits for people', () => {
  test('is reminded of with every look, whose record knows whether a day has passed', async () => {
    await inReview()
    for (const days of [1, 2]) {
      await engine.move(DAY)
      expect(engine.service.callsOf('remindPeople').length).toBeGreaterThanOrEqual(days)
    }
  })
})

/** A dispute that has looked once after a notice, and whose looks answer with what `found` gives; how many there were since. */
const lookedOnce = async (found: () => { again: boolean; behind: boolean }) => {
  const { dispute } = await disputed()
  engine.service.replay({ reconcileWithChain: async () => found() })
  const looks = () => engine.service.callsOf('reconcileWithChain').length
  const before = looks() + 1
  await dispute.signal(chainMoved, NOTICE)
  await until(() => looks() === before)
  const more = () => looks() - before
  const untilMore = async (milliseconds: number, wanted: number): Promise<void> => {
    await engine.move(milliseconds)
    await until(() => more() === wanted)
  }
  return { more, untilMore }
}

describe('a look that may have come too early', () => {
  test('is followed by others, soon and then ever later, until one was not', async () => {
    let early = true
    const { more, untilMore } = await lookedOnce(() => ({ again: early, behind: false }))
    await untilMore(16_000, 1)
    await engine.move(16_000)
    expect(more()).toBe(1)
    early = false
    await untilMore(16_000, 2)
    await engine.move(HOUR)
    expect(more()).toBe(2)
  })
})

describe('a look while the chain lacks a later block', () => {
  test('is followed by another within a minute, however often', async () => {
    const { untilMore } = await lookedOnce(() => ({ again: true, behind: true }))
    await untilMore(16_000, 1)
    await untilMore(31_000, 2)
    for (const wanted of [3, 4]) await untilMore(61_000, wanted)
  })
})

describe('a dispute', () => {
  /** One whose deadline is over, and whose first time-out has no effect. */
  const timedOutInVain = async () => {
    const claim = await disputed()
    let asked = 0
    engine.service.replay({
      applyTimeout: async (input) => {
        asked += 1
        if (asked > 1) await engine.service.usual.applyTimeout(input)
      },
    })
    // A near deadline, in short steps: a long one, with all its looks, takes the process over its ten minutes, too.
    const end = engine.now() + HOUR
    const { dispute } = engine.service.disputes.of(claim.sessionId)
    if (dispute !== null) dispute.deadlineAt = end
    await claim.dispute.signal(chainMoved, NOTICE)
    await until(async () => (await deadlineOf(claim.dispute)) === end)
    for (const instant of [end - MINUTE, end]) await moveTo(instant)
    await until(() => asked > 0)
    return { ...claim, timeouts: () => asked }
  }

  test('whose time-out had no effect asks again after ten minutes, not before', async () => {
    const { dispute, sessionId, timeouts } = await timedOutInVain()
    // Real time passes as well while it is moved, on a busy machine a good deal of it.
    const reminded = () => engine.service.callsOf('remindPeople').length
    const before = reminded()
    await engine.move(5 * MINUTE)
    expect(timeouts()).toBe(1)
    await engine.move(6 * MINUTE)
    expect(await dispute.result()).toEqual({ sessionId, status: 'closed' })
    expect(timeouts()).toBe(2)
    expect(reminded()).toBe(before + 1)
  })

  test('whose time-out had no effect applies a verdict meanwhile, at once', async () => {
    const { dispute, sessionId, timeouts } = await timedOutInVain()
    expect(await dispute.executeUpdate(verdictUpdate, { args: [verdict('dismissed')] })).toMatchObject({ status: 'resolved' })
    expect(await dispute.result()).toEqual({ sessionId, status: 'resolved' })
    expect(timeouts()).toBe(1)
  })

  test('that was lost is begun again from the record, by the claim', async () => {
    const { dispute, sessionId } = await rejected()
    const end = await deadlineOf(dispute)
    await dispute.terminate('lost')
    await engine.move(DAY + MINUTE)
    const again = engine.client.workflow.getHandle(disputeWorkflowId(sessionId))
    await until(async () => (await again.describe()).status.name === 'RUNNING')
    await until(async () => (await stageOf(again)) === 'window')
    expect(await deadlineOf(again)).toBe(end)
    expect(engine.service.callsOf('takeVerdict')).toHaveLength(1)
  })

  test('shows its state and deadline where an operator filters', async () => {
    const { dispute } = await disputed()
    await until(async () => (await shownState(dispute)) === 'arbitration')
    const { typedSearchAttributes } = await dispute.describe()
    expect(typedSearchAttributes.get(SEARCH.deadlineAt)?.getTime()).toBe(await deadlineOf(dispute))
  })
})
