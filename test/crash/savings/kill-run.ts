// One life of a savings process during which a worker or an API is killed at one point.
import { randomUUID } from 'node:crypto'
import { differences, type Print } from '../prints/print.ts'
import type { Target } from '../strike.ts'
import { sprungBy } from '../trap.ts'
import type { Scenario } from './scenario.ts'
import type { Stage } from './stage.ts'
import { PROCESSES, type SavingsPoint } from './table.ts'

/** What came of one run. */
export interface SavingsOutcome {
  /** Why nothing was killed at its point. */
  missed: string | null
  /** In what it differs from the run that nothing interrupted. */
  faults: string[]
  /** What it left. */
  end: Print | null
}

/** A life on its way, with a trap at its point. */
export interface SavingsRun extends Target {
  point: SavingsPoint
  /** Plays the acts before that of the point. */
  setUp(): Promise<void>
  /** Resolves when the act of the point, during which the process is killed, has its effects. */
  acted: Promise<void>
  /** Resolves when every act before the terms of the life end has its effects. */
  atTerms: Promise<void>
  outcome: Promise<SavingsOutcome>
}

export const createScenario = (stage: Stage, { process, scenario }: Pick<SavingsPoint, 'process' | 'scenario'>): Promise<Scenario> => {
  const row = PROCESSES[process]?.scenarios[scenario]
  if (row === undefined) throw new Error(`${process} has no scenario ${scenario}`)
  return row.create(stage)
}

/** Last act of a life that has one: time passes for all of them at once. */
export const TERMS = 'passTerms'

/** Plays acts of a life one after the other. */
export const playActs = async ({ acts }: Scenario, names: readonly string[]): Promise<void> => {
  for (const name of names) await acts[name]?.()
}

/** A life with its own wallet, ready for its first act. `expected`: what one that nothing interrupted leaves. */
export const prepareSavingsRun = async (stage: Stage, point: SavingsPoint, expected: Print): Promise<SavingsRun> => {
  const scenario = await createScenario(stage, point)
  const { key, readEnd } = scenario
  const order = Object.keys(scenario.acts)
  const place = order.indexOf(point.act)
  if (place < 0) throw new Error(`${point.name} lies in the act ${point.act}, which its scenario has not`)
  const trap = { ...point.trapOf(key), id: randomUUID() }
  const held = point.stallOf(key)
  const stall = held === null ? null : { ...held, id: randomUUID() }
  const heldBy = () => sprungBy(stage.traps, trap)
  const begun = Promise.withResolvers<void>()
  const strike = Promise.withResolvers<string | null>()
  const calm = Promise.withResolvers<void>()
  let over = false
  let ready: Promise<void> = Promise.resolve()

  const play = (from: number, to: number): Promise<void> => playActs(scenario, order.slice(from, to))
  const acted = begun.promise.then(() => ready).then(() => play(place, place + 1))
  const terms = order.includes(TERMS) ? order.indexOf(TERMS) : order.length
  const atTerms = place < terms ? acted.then(() => play(place + 1, terms)) : begun.promise.then(() => ready)
  const played = Promise.all([acted, atTerms])
    .then(() => play(Math.max(place + 1, terms), order.length))
    .finally(() => {
      over = true
    })
  acted.catch(() => undefined)
  atTerms.catch(() => undefined)
  played.catch(() => undefined)

  const finish = async (): Promise<SavingsOutcome> => {
    try {
      await Promise.all([played, calm.promise])
      const end = await readEnd()
      return { missed: await strike.promise, faults: differences(expected, end), end }
    } catch (error) {
      return { missed: await strike.promise, faults: [error instanceof Error ? error.message : String(error)], end: null }
    }
  }

  return {
    point,
    trap,
    stall,
    pauseMs: 0,
    heldBy,
    acted,
    atTerms,
    setUp: () => {
      ready = play(0, place)
      return ready.catch(() => undefined)
    },
    begin: begun.resolve,
    isOver: () => over,
    victims: () => stage.services.filter(({ name }) => name === heldBy()),
    struck: () => strike.resolve(null),
    missed: strike.resolve,
    calm: calm.resolve,
    outcome: finish(),
  }
}
