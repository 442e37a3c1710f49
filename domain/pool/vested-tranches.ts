import { DEPOSIT_VESTING_SECONDS } from '../common/constants.ts'
import { foldPoolEvents, type PoolEvent, type Tranche, type VestingState } from './vesting.ts'

/** Tranche that has vested in full, at `vestedAt` (epoch ms), with the principal that was left of it then. */
export interface VestedTranche extends Tranche {
  vestedAt: number
}

/** What is left of a state at a later instant before any event, and the tranches that vested in full meanwhile. */
const matureUntil = (state: VestingState, instant: number): { state: VestingState; vested: VestedTranche[] } => {
  const later = foldPoolEvents(state, [], instant)
  const vested = state.tranches.slice(0, state.tranches.length - later.tranches.length)
  return { state: later, vested: vested.map((one) => ({ ...one, vestedAt: one.vestingFrom + DEPOSIT_VESTING_SECONDS * 1000 })) }
}

/**
 * Tranches that vest in full after a state and until `now` (epoch ms), oldest first, also those that a later withdrawal burns. `events` are in
 * the order of the chain. Source: money, "Vesting of pool deposits".
 */
export const tranchesVestedUntil = (state: VestingState, events: readonly PoolEvent[], now: number): VestedTranche[] => {
  const vested: VestedTranche[] = []
  let current = state
  const passTo = (instant: number): void => {
    const later = matureUntil(current, instant)
    vested.push(...later.vested)
    current = later.state
  }
  for (const event of events.filter(({ at }) => at <= now)) {
    passTo(event.at)
    current = foldPoolEvents(current, [event], event.at)
  }
  passTo(now)
  return vested
}
