import type { CrashWorld } from './crash-world.ts'
import type { Point } from './points.ts'
import { type Print, type Purses, readPrint, readPurses } from './print.ts'
import { randomOf } from './random.ts'
import { type Outcome, type Run, restart, startRun } from './run.ts'
import { nonceFaults } from './signers.ts'
import { doTask, type Kind, prepareTask } from './work.ts'

/** A step whose worker died is given to another after 15 s without a sign of life: time in which others can be struck. */
const WAVE = 5

const KINDS: readonly Kind[] = ['waived', 'bonded']
type EachKind<Value> = Record<Kind, Value>

/** What a run of each kind leaves when nothing happens to it, and what it moves in the purses of the platform. */
export type Expected = EachKind<{ print: Print; moved: Purses }>

const minus = (left: Purses, right: Purses): Purses => ({
  operator: left.operator - right.operator,
  treasury: left.treasury - right.treasury,
  verifier: left.verifier - right.verifier,
})

const uninterrupted = async (world: CrashWorld, kind: Kind): Promise<Expected[Kind]> => {
  const task = await prepareTask(world, kind)
  const before = await readPurses(world)
  const print = await readPrint(world, task, await doTask(task))
  return { print, moved: minus(await readPurses(world), before) }
}

/** Runs each kind once, with nothing in its way. */
export const expectedOf = async (world: CrashWorld): Promise<Expected> => ({
  waived: await uninterrupted(world, 'waived'),
  bonded: await uninterrupted(world, 'bonded'),
})

export interface Round {
  seed: string
  number: number
  points: readonly Point[]
  expected: Expected
  /** Hears of each run when it is over. */
  heard: (outcome: Outcome) => void
}

/** The kinds take turns from round to round; the seed decides which begins. */
const kindOf = (seed: string, number: number, { name }: Point): Kind =>
  KINDS[(Math.floor(randomOf(seed, name)() * KINDS.length) + number) % KINDS.length] ?? 'waived'

const kills = (kind: 'worker' | 'api') => (point: Point) => point.name.startsWith(kind)

/** What the round as a whole did wrong: money of the platform, nonces of its signers. */
const sumFaults = async (world: CrashWorld, before: Purses, outcomes: Outcome[], expected: Expected): Promise<string[]> => {
  const moved = minus(await readPurses(world), before)
  const total = (who: keyof Purses): bigint => outcomes.reduce((sum, { kind }) => sum + expected[kind].moved[who], 0n)
  const purses = Object.keys(moved)
    .map((who) => who as keyof Purses)
    .filter((who) => moved[who] !== total(who))
    .map((who) => `${who}: moved by ${moved[who]} in place of ${total(who)}`)
  // Whatever ended without being killed ended because of another's end.
  const fallen = (await restart(world)).map((name) => `${name} ended by itself`)
  return [...fallen, ...purses, ...(await nonceFaults(world))]
}

/**
 * Goes through the points once. Runs whose worker was killed wait for the engine to notice: meanwhile the next ones are struck, and those
 * that only kill an API; whatever kills a part below goes alone. Answers the faults of the sum.
 */
export const playRound = async (world: CrashWorld, { seed, number, points, expected, heard }: Round): Promise<string[]> => {
  const before = await readPurses(world)
  const outcomes: Outcome[] = []

  const start = async (point: Point): Promise<Run> => {
    const random = randomOf(seed, number, point.name)
    const kind = kindOf(seed, number, point)
    const run = await startRun(world, { point, kind, random, expected: expected[kind].print })
    void run.outcome.then((outcome) => {
      outcomes.push(outcome)
      heard(outcome)
    })
    return run
  }

  const workers = points.filter(kills('worker'))
  const apis = points.filter(kills('api'))
  const others = points.filter((point) => !workers.includes(point) && !apis.includes(point))
  for (let from = 0; from < workers.length; from += WAVE) {
    const wave: Run[] = []
    for (const point of workers.slice(from, from + WAVE)) {
      const run = await start(point)
      await run.struck
      wave.push(run)
    }
    const [next] = apis.splice(0, 1)
    if (next !== undefined) await (await start(next)).outcome
    await Promise.all(wave.map(({ outcome }) => outcome))
  }
  for (const point of [...apis, ...others]) await (await start(point)).outcome
  return sumFaults(world, before, outcomes, expected)
}
