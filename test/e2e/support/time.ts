import type { Client } from '@temporalio/client'
import { readServiceTime } from '../../../local/time/clock.ts'
import { holdTime, moveTime } from '../../../local/time/move.ts'
import type { World } from './world.ts'

/** Service time, epoch ms. */
export const serviceNow = ({ info }: { info: Pick<World['info'], 'clockOffsetFile'> }): number => readServiceTime(info.clockOffsetFile)

/** How far before an instant time is moved: longer than any move takes. */
const BEFORE_MS = 120_000
/** How far time goes on after a hold: beyond every block that an act mines in it. */
const AFTER_MS = 10_000

/** Acts while the service's clock is held at an instant; the act may hold later ones. Then time runs on everywhere, some seconds later. */
export const actAt = async <Result>(world: World, instant: number, act: () => Promise<Result>): Promise<Result> => {
  if (serviceNow(world) < instant - BEFORE_MS) await moveTime(world.info, { instant: instant - BEFORE_MS })
  await holdTime(world.info, instant)
  try {
    return await act()
  } finally {
    await moveTime(world.info, { instant: serviceNow(world) + AFTER_MS })
  }
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
    await moveTime(world.info, { plusSeconds: LONGER_THAN_ANY_DEADLINE_SECONDS })
  for (const agent of [world.admin, world.verifier]) await agent.signInAgain()
}
