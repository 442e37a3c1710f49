import { describe, expect, test } from '@jest/globals'
import { optionalTsToMs } from '@temporalio/common/lib/time.js'
import { oneIn } from '../../support/cases/sample.ts'
import { type Engine, MINUTE, shownState, timersOf, until } from '../support/engine.ts'
import { standOf } from '../support/outcomes.ts'
import { CLAIM_STATES, DISPUTE_STATES, type Reached, STATE_OF, VERIFIER_STATES } from '../support/reach.ts'
import { CLAIM_TIMEOUTS, DISPUTE_TIMEOUTS, SAVINGS_TIMEOUTS, type Timeout, VERIFIER_TIMEOUTS } from '../support/timeouts.ts'
import { useEngine } from '../support/use-engine.ts'

// Where a wait ends counts here, not what a workflow that polls does meanwhile.
const engine = useEngine({ stepwiseMs: 300 })

interface Table {
  states: Record<string, (engine: Engine) => Promise<Reached>>
  timeouts: Record<string, Timeout>
  stateOf: (typeof STATE_OF)[keyof typeof STATE_OF]
}
const TABLES: Record<keyof typeof STATE_OF, Table> = {
  claimSession: { states: CLAIM_STATES, timeouts: CLAIM_TIMEOUTS, stateOf: STATE_OF.claimSession },
  dispute: { states: DISPUTE_STATES, timeouts: DISPUTE_TIMEOUTS, stateOf: STATE_OF.dispute },
  verifierRun: { states: VERIFIER_STATES, timeouts: VERIFIER_TIMEOUTS, stateOf: STATE_OF.verifierRun },
}
const ROWS = Object.entries(TABLES).flatMap(([workflow, { states, timeouts, stateOf }]) =>
  Object.entries(timeouts).flatMap(([state, timeout]) => {
    const reach = states[state]
    return timeout === 'ended' || reach === undefined ? [] : [{ workflow, state, timeout, reach, stateOf }]
  }),
)

const calls = (step: Parameters<Engine['service']['callsOf']>[0]): number => engine.service.callsOf(step).length

/** A process that lags behind wakes as often as its wait goes into the way: so many times at most. */
const WAKES = 28

/** The step runs again after this time. Of a pause longer than a blocked step's: not a twenty-eighth before, nor three minutes. */
const expectStepAfter = async (step: Parameters<typeof calls>[0], afterMs: number): Promise<void> => {
  const before = calls(step)
  const earlyMs = afterMs > 20 * MINUTE ? afterMs - Math.max(3 * MINUTE, afterMs / WAKES) : 0
  if (earlyMs > 0) await engine.move(earlyMs)
  expect(calls(step)).toBe(before)
  await engine.move(afterMs - earlyMs)
  await until(() => calls(step) > before)
}

/** Every second state in a gate; `npm run properties` waits in all. */
const PLAYED = oneIn(2, ROWS)
const PLAYED_SAVINGS = oneIn(2, SAVINGS_TIMEOUTS)

describe('no workflow waits for ever', () => {
  test.each(PLAYED)('$workflow, $state: without a message it goes on by itself', async ({ timeout, reach, stateOf }) => {
    const { handle, release } = await reach(engine)
    if ('attempts' in timeout) {
      const { pendingActivities } = (await handle.describe()).raw
      // A step that has just ended can still be listed beside the one that goes on.
      const attempts = new Set(pendingActivities?.map(({ maximumAttempts }) => maximumAttempts))
      await release()
      return expect(attempts).toEqual(new Set([timeout.attempts]))
    }
    await until(async () => (await timersOf(handle)).some(({ open }) => open))
    await expectStepAfter(timeout.step, timeout.afterMs)
    await engine.untilIdle()
    expect(await standOf(handle, stateOf)).toBe(timeout.state)
  })

  test.each(PLAYED_SAVINGS)('$workflow, $state: without a message it goes on by itself', async ({ state, reach, afterMs, step }) => {
    const handle = await reach(engine)
    await until(async () => (await shownState(handle).catch(() => '')) === state)
    await until(async () => (await timersOf(handle)).some(({ open }) => open))
    await expectStepAfter(step, afterMs)
  })
})

test('a step of the tests has the short limits', async () => {
  const handle = await engine.beginDisclosure(`0x${'3'.repeat(64)}`)
  await handle.result()
  const { events } = await handle.fetchHistory()
  const limits = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: step }) => optionalTsToMs(step?.heartbeatTimeout) || [])
  expect([...new Set(limits)]).toEqual([3_000])
})
