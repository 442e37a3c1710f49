import type { CrashWorld } from './crash-world.ts'
import type { Point } from './points.ts'
import { type Print, type Purses, readPrint, readPurses } from './print.ts'
import { randomOf } from './random.ts'
import { type Outcome, type Plan, prepareRun, type Run, restart } from './run.ts'
import { nonceFaults } from './signers.ts'
import { doTask, type Kind, prepareTask } from './work.ts'

/** A step whose worker died is given to another after 15 s without a sign of life: time in which others can be struck. */
const WAVE = 6

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

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** Goes through the points once, and answers the faults of the sum. */
export const playRound = async (world: CrashWorld, { seed, number, points, expected, heard }: Round): Promise<string[]> => {
  const before = await readPurses(world)
  const outcomes: Outcome[] = []

  const planOf = (point: Point): Plan => {
    const kind = kindOf(seed, number, point)
    return { point, kind, random: randomOf(seed, number, point.name), expected: expected[kind].print }
  }

  const begin = async (ready: () => Promise<Run>): Promise<Run> => {
    const run = await ready()
    void run.outcome.then((outcome) => {
      outcomes.push(outcome)
      heard(outcome)
    })
    return run
  }

  const alone = async (point: Point): Promise<void> => {
    const run = await begin(await prepareRun(world, planOf(point)))
    await run.outcome
    await run.struck
  }

  /** One worker after the other is killed, the next one before the claims of the first go on; meanwhile `others` lose an API each. */
  const wave = async (struck: Point[], others: Point[]): Promise<void> => {
    const ready: (() => Promise<Run>)[] = []
    // One after the other: all agents get their money from one key.
    for (const point of struck) ready.push(await prepareRun(world, planOf(point)))
    const runs: Run[] = []
    for (const one of ready) {
      while (!world.workers.some((worker) => worker.isUp())) await sleep(20)
      const run = await begin(one)
      await run.killed
      runs.push(run)
    }
    await Promise.all(runs.map((run) => run.struck))
    for (const point of others) await alone(point)
    await Promise.all(runs.map((run) => run.outcome))
  }

  const workers = points.filter(kills('worker'))
  const apis = points.filter(kills('api'))
  const waves = Math.ceil(workers.length / WAVE)
  const share = Math.ceil(apis.length / Math.max(waves, 1))
  for (let index = 0; index < waves; index += 1) await wave(workers.splice(0, WAVE), apis.splice(0, share))
  for (const point of points.filter((one) => apis.includes(one) || !(kills('worker')(one) || kills('api')(one)))) await alone(point)
  return sumFaults(world, before, outcomes, expected)
}
