import { readClockOffset } from '../../local/clock.ts'
import { moveTime } from '../../local/time.ts'

/** Runs whose deadlines lie so near to one another meet them in one move. */
const TOGETHER_MS = 120_000

type Place = Parameters<typeof moveTime>[0]

/**
 * Moves time of chain, services and processes to an instant (epoch ms), unless it is there by now; one move at a time. `moved` hears of
 * each, before whoever asked for it: sign-ins are over then.
 */
export const createCalendar = (place: Place, moved: () => Promise<void>): ((instant: number) => Promise<void>) => {
  let last: Promise<void> = Promise.resolve()
  const move = async (instant: number): Promise<void> => {
    if (Date.now() + readClockOffset(place.clockOffsetFile) >= instant) return
    await moveTime(place, { instant: instant + TOGETHER_MS })
    await moved()
  }
  return (instant) => {
    last = last.catch(() => undefined).then(() => move(instant))
    return last
  }
}
