import type { Client } from '@temporalio/client'
import { readClockOffset } from '../../../local/time/clock.ts'
import type { World } from './world.ts'

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** Service time, epoch ms. */
export const serviceNow = ({ info }: { info: Pick<World['info'], 'clockOffsetFile'> }): number =>
  Date.now() + readClockOffset(info.clockOffsetFile)

const NEAR_MS = 3_000
const FAR_MS = 30_000
const ATTEMPTS = 5

/** Moves time so shortly before an instant; false when moving took so long that it has passed. Whatever is due before is done in a first, longer move. */
export const isShortlyBefore = async (world: World, instant: number, milliseconds: number): Promise<boolean> => {
  await world.stack.moveTime({ instant: instant - FAR_MS })
  await world.stack.moveTime({ instant: Math.max(instant - milliseconds, serviceNow(world)) })
  return serviceNow(world) < instant
}

/**
 * Acts in the very second of a deadline. Moving time takes time itself: when the
 * second was missed, or was over before the act ended, everything is tried again with a new subject.
 */
export const inSecondOf = async <Subject, Result>(
  world: World,
  make: () => Promise<{ subject: Subject; instant: number }>,
  act: (subject: Subject) => Promise<Result>,
): Promise<{ subject: Subject; instant: number; result: Result }> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { subject, instant } = await make()
    if (!(await isShortlyBefore(world, instant, NEAR_MS))) continue
    await waitUntil(world, instant)
    const [outcome] = await Promise.allSettled([act(subject)])
    if (serviceNow(world) >= instant + 1_000) continue
    if (outcome.status === 'rejected') throw outcome.reason
    return { subject, instant, result: outcome.value }
  }
  throw new Error(`in ${ATTEMPTS} attempts the second of the deadline was always missed`)
}

/** Waits, in real time, until service time is at an instant. */
export const waitUntil = async (world: World, instant: number): Promise<void> => {
  for (let remaining = instant - serviceNow(world); remaining > 0; remaining = instant - serviceNow(world))
    await sleep(Math.max(remaining, 1))
}

/** The next block, and it alone, gets exactly this time. */
export const nextBlockAt = async ({ view }: World, instant: number): Promise<void> => {
  const seconds = `0x${Math.floor(instant / 1000).toString(16)}` as const
  await view.client.request({ method: 'evm_setNextBlockTimestamp', params: [seconds] } as never)
}

const OPEN = 'ExecutionStatus="Running" AND WorkflowType IN ("claimSession", "dispute", "verifierRun")'
const LONGER_THAN_ANY_DEADLINE_SECONDS = 45 * 86_400

/** Ends the sessions that earlier files left open on the stack of this worker: their deadlines would move the money that a test counts. */
export const endOpenSessions = async (world: World, engine: Client): Promise<void> => {
  for (let moves = 0; moves < 3 && (await engine.workflow.count(OPEN)).count > 0; moves += 1)
    await world.stack.moveTime({ plusSeconds: LONGER_THAN_ANY_DEADLINE_SECONDS })
  for (const agent of [world.admin, world.verifier]) await agent.signInAgain()
}
