import { moveTime } from '../../../local/time/move.ts'
import { chainAhead } from '../../e2e/support/edge-cases.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { createTurns } from '../turns.ts'

/** Runs whose deadlines lie so near to one another meet them in one move. */
const TOGETHER_MS = 120_000

type Place = Parameters<typeof moveTime>[0]

/** Moves the chain alone. No further than everybody meets there in one move. */
export const overtake = (info: Place, instant: number): Promise<void> =>
  chainAhead({ info }, Math.ceil((instant - serviceNow({ info })) / 1000))

/**
 * Moves time of chain, services and processes to an instant (epoch ms), unless it is there by now; one move at a time. `moved` runs
 * after each move and before the caller goes on, since sign-ins have expired by then.
 */
export const createCalendar = (place: Place, moved: () => Promise<void>): ((instant: number) => Promise<void>) => {
  const inTurn = createTurns()
  const move = async (instant: number): Promise<void> => {
    if (serviceNow({ info: place }) >= instant) return
    await moveTime(place, { instant: instant + TOGETHER_MS })
    await moved()
  }
  return (instant) => inTurn(() => move(instant))
}

/** Times that processes are moved again which no worker ran while time passed. */
const CATCH_UPS = 10

/** Moves processes that were left behind, as long as there are some: their worker was killed while time passed. */
export const catchUp = async (place: Place): Promise<void> => {
  for (let tries = 0; tries < CATCH_UPS; tries += 1) if ((await moveTime(place, { plusSeconds: 0 })).behind.length === 0) return
}
