import { randomUUID } from 'node:crypto'
import type { Member } from '../support/fleet/fleet.ts'
import { actOfPoint, type Kind } from './acts/journeys.ts'
import { meaningOf, playTask, prepareTask, type Task } from './acts/work.ts'
import type { CrashWorld } from './crash-world.ts'
import type { Placeholder, Point, Victim } from './points/point.ts'
import { differences, type Print, readPrint } from './prints/print.ts'
import type { Random } from './random.ts'
import { type ArmedTrap, sprungBy, type Trap } from './trap.ts'

/** The dead stay dead for so long, at least and at most. */
const PAUSE_MS = { least: 50, most: 1_500 }

/** What came of one run. */
export interface Outcome {
  point: Point
  kind: Kind
  killed: readonly string[]
  /** Why it was not struck at its point; the claim itself is compared all the same. */
  missed: string | null
  /** From the kill to the end of everything. */
  recoveryMs: number
  /** What ended by itself meanwhile, and in what it differs from a run that nothing interrupted; empty when there is nothing. */
  faults: string[]
}

/** A claim on its way to its end, with a trap at its point. */
export interface Run {
  point: Point
  task: Task
  /** Null when it is not a trap that says when to kill. */
  trap: ArmedTrap | null
  /** How long the dead stay dead. */
  pauseMs: number
  /** Plays the acts before that of its point, in which nothing is killed. */
  setUp(): Promise<void>
  /** The act of its point begins. */
  begin(): void
  /** Service in which it is held at its point. */
  heldBy(): string | undefined
  /** Whom the point kills, once it is held. */
  victims(): Member[]
  /** It was struck at its point. */
  struck(killed: readonly string[]): void
  /** It cannot be struck any more, and why. */
  missed(reason: string): void
  /** Nothing is killed any more that what it left is read from. */
  calm(): void
  /** True once the claim has come to its end or cannot. */
  isOver(): boolean
  outcome: Promise<Outcome>
}

export interface Plan {
  point: Point
  kind: Kind
  random: Random
  /** What an uninterrupted run of this kind leaves. */
  expected: Print
}

const pauseOf = (random: Random): number => PAUSE_MS.least + Math.floor(random() * (PAUSE_MS.most - PAUSE_MS.least))

const trapOf = (trap: Trap, task: Task): ArmedTrap => {
  const meaning = meaningOf(task)
  const fill = (text: string): string =>
    Object.keys(meaning).reduce((filled, name) => filled.replaceAll(name, meaning[name as Placeholder]), text)
  return { ...trap, of: trap.of.map(fill), id: randomUUID() }
}

/** Whom a victim's name means in this run. */
const membersOf = (world: CrashWorld, victim: Victim, task: Task, heldBy: string | undefined): Member[] => {
  switch (victim) {
    case 'api':
    case 'worker':
      return world.services.filter(({ name }) => name === heldBy)
    case 'workers':
      return world.workers
    case 'entryApi':
      return world.apis.filter((_api, index) => index === task.agent.apiIndex() % world.apis.length)
    default:
      return [world[victim]]
  }
}

/** A run with its job and its agent, ready to begin. */
export const prepareRun = async (world: CrashWorld, { point, kind, random, expected }: Plan): Promise<Run> => {
  const where = { apiIndex: Math.floor(random() * world.apis.length), isRoaming: random() < 0.5 }
  const pauseMs = pauseOf(random)
  const task = await prepareTask(world, kind, where)
  const trap = point.at === 'waiting' ? null : trapOf(point.at, task)
  const heldBy = (): string | undefined => (trap === null ? undefined : sprungBy(world.traps, trap))
  const begun = Promise.withResolvers<void>()
  const strike = Promise.withResolvers<{ killed: readonly string[]; missed: string | null }>()
  const calm = Promise.withResolvers<void>()
  let over = false
  let struckAt = performance.now()
  let deathsBefore = 0

  const play = playTask(world, task)
  let ready: Promise<void> = Promise.resolve()

  const answers = begun.promise
    .then(() => ready)
    .then(() => play.onward())
    .finally(() => {
      over = true
    })

  const compare = async (): Promise<string[]> => {
    try {
      await Promise.all([strike.promise, calm.promise])
      return differences(expected, await readPrint(world, task, await answers))
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  }

  const finish = async (): Promise<Outcome> => {
    const differing = await compare()
    const faults = [...world.deaths(deathsBefore), ...differing]
    return { point, kind, ...(await strike.promise), recoveryMs: Math.round(performance.now() - struckAt), faults }
  }

  // The outcome reports each failure.
  answers.catch(() => undefined)
  return {
    point,
    task,
    trap,
    pauseMs,
    heldBy,
    setUp: () => {
      ready = play.upTo(actOfPoint(point))
      return ready.catch(() => undefined)
    },
    begin: () => {
      deathsBefore = world.deaths().length
      begun.resolve()
    },
    victims: () => point.kills.flatMap((victim) => membersOf(world, victim, task, heldBy())),
    struck: (killed) => {
      struckAt = performance.now()
      strike.resolve({ killed, missed: null })
    },
    missed: (reason) => strike.resolve({ killed: [], missed: reason }),
    calm: calm.resolve,
    isOver: () => over,
    outcome: finish(),
  }
}
