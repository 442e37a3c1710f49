import { APART_KINDS, BADGE_KINDS, isApart, isSolitary, isUnheld, type Kind, kindOfPoint } from './acts/journeys.ts'
import { doTask, prepareTask } from './acts/work.ts'
import type { CrashWorld } from './crash-world.ts'
import { SEND } from './points/places.ts'
import type { Point } from './points/point.ts'
import { numberFaults } from './prints/numbers.ts'
import { type Balances, differences, type Print, readBalances, readPrint } from './prints/print.ts'
import { nonceFaults } from './prints/signers.ts'
import { randomOf } from './random.ts'
import { type Outcome, type Plan, prepareRun, type Run } from './run.ts'
import { isByChance, strikeTogether, strikeWaiting } from './strike.ts'

/** What a run of each kind leaves when nothing happens to it, and what it moves in the balances of the platform. */
export type Expected = Partial<Record<Kind, { print: Print; moved: Balances }>>

const minus = (left: Balances, right: Balances): Balances => ({
  operator: left.operator - right.operator,
  treasury: left.treasury - right.treasury,
  verifier: left.verifier - right.verifier,
  arbitrator: left.arbitrator - right.arbitrator,
})

const need = (expected: Expected, kind: Kind) => {
  const found = expected[kind]
  if (found === undefined) throw new Error(`no run of kind ${kind} went uninterrupted`)
  return found
}

/** What records and chain say of a run to a badge. It is held against the one that nothing interrupted, since a fault of both kinds of run is no difference. */
const A_BADGE: Print = {
  'moves are chained': true,
  'the badge is the record': true,
  'it is answered as before': true,
  'its transactions': [['claimJobFor', 'submitWorkFor', 'resolveSinglePayout']],
  'their blocks': [[true, true]],
  'its instants': [
    { claimed: true, submitted: true, resolved: true, rejected: null, disputed: null, final: null, closed: null, expired: null },
  ],
}

const assertWhole = (kind: Kind, print: Print): void => {
  const found = Object.fromEntries(Object.keys(A_BADGE).map((name) => [name, print[name]]))
  const faults = BADGE_KINDS.some((one) => one === kind) ? differences(A_BADGE, found) : []
  if (faults.length > 0) throw new Error(`a run of kind ${kind} that nothing interrupted is wrong: ${faults.join('; ')}`)
}

const uninterrupted = async (world: CrashWorld, kind: Kind): Promise<NonNullable<Expected[Kind]>> => {
  await world.holdArbitrator(!isUnheld(kind))
  const task = await prepareTask(world, kind)
  const before = await readBalances(world)
  const print = await readPrint(world, task, await doTask(world, task))
  assertWhole(kind, print)
  return { print, moved: minus(await readBalances(world), before) }
}

const known = new WeakMap<CrashWorld, Expected>()

/** Runs each kind in which these points lie once in a world, with nothing in its way. */
export const expectedOf = async (world: CrashWorld, points: readonly Point[]): Promise<Expected> => {
  const expected = known.get(world) ?? {}
  known.set(world, expected)
  for (const kind of new Set(points.flatMap((point) => kindOfPoint(point) ?? BADGE_KINDS)))
    expected[kind] ??= await uninterrupted(world, kind)
  return expected
}

export interface Round {
  seed: string
  number: number
  points: readonly Point[]
  expected: Expected
  /** Receives the outcome of each run when it is over. */
  onOutcome: (outcome: Outcome) => void
  /** Receives each run that was not struck and has another turn. */
  onRetry?: (outcome: Outcome) => void
  /** Runs when claims have begun together. */
  onStart?: () => void
}

/** The kinds to a badge take turns from round to round; the seed decides which begins. */
const kindOf = (seed: string, number: number, point: Point): Kind => {
  const turn = Math.floor(randomOf(seed, point.name)() * BADGE_KINDS.length) + number
  return kindOfPoint(point) ?? BADGE_KINDS[turn % BADGE_KINDS.length] ?? 'waived'
}

/** What the round as a whole did wrong: money of the platform, nonces of its signers, numbers of the events. */
const sumFaults = async (world: CrashWorld, before: Balances, outcomes: Outcome[], expected: Expected): Promise<string[]> => {
  const moved = minus(await readBalances(world), before)
  const total = (who: keyof Balances): bigint => outcomes.reduce((sum, { kind }) => sum + need(expected, kind).moved[who], 0n)
  const balances = Object.keys(moved)
    .map((who) => who as keyof Balances)
    .filter((who) => moved[who] !== total(who))
    .map((who) => `${who}: moved by ${moved[who]} in place of ${total(who)}`)
  return [...balances, ...(await nonceFaults(world)), ...(await numberFaults(world))]
}

type Groups = Record<'worker' | 'single' | 'api' | 'workers' | 'temporal' | 'postgres' | 'chain', readonly Point[]> & {
  /** Struck while nothing else is under way: together those of one kind, and alone those that hold locks or spoil others. */
  apart: readonly (readonly Point[])[]
}

/** True when its worker is held at a statement: its transaction may hold locks, for which a worker that starts meanwhile would wait. */
const mayHoldLocks = ({ name, at }: Point): boolean =>
  name.startsWith('worker/') && at !== 'waiting' && at.on === 'sql' && (at.atCommit !== true || at.when === 'before')
/** True when its bytes are signed and not sent: a worker that starts meanwhile would send them. */
const holdsBytes = ({ name, at }: Point): boolean =>
  /^workers?\//.test(name) && at !== 'waiting' && at.on === 'rpc' && at.when === 'before' && at.call === SEND
/** True for a point during which the harness must not start a worker for another point. */
const isSingle = (point: Point): boolean => mayHoldLocks(point) || holdsBytes(point)

const groupsOf = (all: readonly Point[]): Groups => {
  const ofKind = (kind: Kind): readonly (readonly Point[])[] => {
    const own = all.filter((point) => kindOfPoint(point) === kind)
    const isAlone = (point: Point): boolean => isSolitary(kind) || isSingle(point)
    return [own.filter((point) => !isAlone(point)), ...own.filter(isAlone).map((point) => [point])]
  }
  const points = all.filter((point) => !isApart(kindOfPoint(point)))
  const named = (part: string) => points.filter(({ name }) => name.startsWith(`${part}/`))
  return {
    apart: APART_KINDS.flatMap(ofKind),
    worker: named('worker').filter((point) => !isSingle(point)),
    single: points.filter(isSingle),
    api: named('api'),
    workers: named('workers').filter((point) => !isSingle(point)),
    temporal: named('temporal'),
    postgres: named('postgres'),
    chain: named('chain'),
  }
}

/** Goes through the points once, and answers the faults of the sum. */
export const playRound = async (
  world: CrashWorld,
  { seed, number, points, expected, onOutcome, onRetry = () => undefined, onStart }: Round,
): Promise<string[]> => {
  const before = await readBalances(world)
  const deathsBefore = world.deaths().length
  const outcomes: Outcome[] = []
  const strays: Outcome[] = []
  const groups = groupsOf(points)

  /** They have their last turn. */
  const alone = new Set<Point>()

  /**
   * Another's kill may come first, and a service that is just starting is never held: who was passed by, or let out, has another turn, alone. Who was not
   * struck then either is a fault, and so is who was alone and did not come to its point in time.
   */
  const note = (outcome: Outcome, isAlone: boolean): void => {
    outcomes.push(outcome)
    if (outcome.missed === null) onOutcome(outcome)
    else if (alone.has(outcome.point) || (isAlone && !isByChance(outcome.missed)))
      onOutcome({ ...outcome, faults: [outcome.missed, ...outcome.faults] })
    else {
      strays.push(outcome)
      onRetry(outcome)
    }
  }

  const prepare = async (point: Point, isAlone: boolean): Promise<Run> => {
    const kind = kindOf(seed, number, point)
    const plan: Plan = { point, kind, random: randomOf(seed, number, point.name), expected: need(expected, kind).print }
    const run = await prepareRun(world, plan)
    void run.outcome.then((outcome) => note(outcome, isAlone))
    return run
  }

  /** Answers once each was struck and everything runs again; the claims themselves may still be on their way. */
  const strike = async (group: readonly Point[]): Promise<Run[]> => {
    const runs: Run[] = []
    if (group.length > 0) await world.holdArbitrator(!group.some((point) => isUnheld(kindOfPoint(point))))
    // One after the other: all agents get their money from one key.
    for (const point of group) runs.push(await prepare(point, group.length === 1))
    await Promise.all(runs.map((run) => run.setUp()))
    const striking = strikeTogether(world, runs)
    if (runs.length > 0) onStart?.()
    await striking
    return runs
  }

  const strikeEach = async (group: readonly Point[]): Promise<Run[]> => {
    const runs: Run[] = []
    for (const point of group) runs.push(...(await strike([point])))
    return runs
  }

  const ended = (runs: readonly Run[]): Promise<unknown> => Promise.all(runs.map(({ outcome }) => outcome))

  // A step whose worker died is given to another seconds later: time in which others can be struck.
  await ended([...(await strike(groups.worker)), ...(await strikeEach(groups.single)), ...(await strike(groups.api))])
  for (const point of groups.temporal.filter(({ at }) => at === 'waiting')) {
    const run = await prepare(point, true)
    await strikeWaiting(world, run)
    await run.outcome
  }
  const temporal = groups.temporal.filter(({ at }) => at !== 'waiting')
  for (const group of [groups.workers, temporal, groups.postgres]) await ended(await strike(group))
  // Nothing else may be under way: its deadlines would pass with theirs, and the keys are those of all services.
  for (const group of groups.apart) await ended(await strike(group))
  // A chain that mines nothing holds up everybody.
  for (const point of groups.chain) await ended(await strike([point]))
  for (const { point } of [...strays]) {
    alone.add(point)
    await ended(await strike([point]))
  }
  const straying = strays.flatMap(({ point, faults }) => faults.map((fault) => `${point.name}, passed by at first: ${fault}`))
  return [...straying, ...world.deaths(deathsBefore), ...(await sumFaults(world, before, outcomes, expected))]
}
