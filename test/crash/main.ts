import { parseArgs } from 'node:util'
import { type CrashWorld, openCrashWorld } from './crash-world.ts'
import { DISPUTE_POINTS } from './points/dispute-points.ts'
import type { Point } from './points/point.ts'
import { BADGE_POINTS, POINTS } from './points/points.ts'
import { expectedOf, playRound } from './round.ts'
import type { Outcome } from './run.ts'

const USAGE = `usage: npm run crash -- [options]

Takes claims to their ends while processes are killed at named points, and compares each with a run that nothing interrupted.

  --times N      goes through the points N times (default: 1); a round takes minutes for the badge, some forty for disputes
  --stacks N     shares the rounds among so many stacks of their own (default: 2, or one for a single round)
  --seed S       kinds, first APIs and pauses follow from it (default: the time)
  --point NAME   only points whose name begins so; may be given several times
  --journey J    badge (claim, submit, settle; the default), disputes (every other way) or all (the default with --point and --list)
  --list         names the points and ends`

// As in a run of jest: a step of a killed worker is given to another one after seconds.
process.env.WORKFLOW_LIMITS = 'test/support/step-limits.ts'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '1' },
    stacks: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now()) },
    point: { type: 'string', multiple: true },
    journey: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

for (const name of ['times', 'stacks'] as const)
  if (!/^[1-9]\d*$/.test(values[name])) {
    console.error(`--${name} takes a whole number from 1, not ${values[name]}\n\n${USAGE}`)
    process.exit(2)
  }
const JOURNEYS: Readonly<Record<string, readonly Point[]>> = { badge: BADGE_POINTS, disputes: DISPUTE_POINTS, all: POINTS }
const journeyName = values.journey ?? (values.list || values.point !== undefined ? 'all' : 'badge')
const journey = Object.hasOwn(JOURNEYS, journeyName) ? JOURNEYS[journeyName] : undefined
if (journey === undefined) {
  console.error(`--journey takes ${Object.keys(JOURNEYS).join(' or ')}, not ${journeyName}\n\n${USAGE}`)
  process.exit(2)
}
const [TIMES, STACKS] = [Number(values.times), Math.min(Number(values.times), Number(values.stacks))]

const NAME_WIDTH = Math.max(...POINTS.map(({ name }) => name.length)) + 1
const say = (line: string): void => console.log(line)

const firstLine = (text: string): string => text.split('\n')[0] ?? ''

/** A line for a run. It shows the first line of a death, which was printed in full when it happened. */
const lineOf = ({ point, kind, killed, recoveryMs, faults }: Outcome): string => {
  const seconds = `${(recoveryMs / 1000).toFixed(1)} s`.padStart(7)
  const end = faults.length === 0 ? 'ok' : `DIFFERENT\n    ${faults.map(firstLine).join('\n    ')}`
  return `${point.name.padEnd(NAME_WIDTH)} ${kind.padEnd(8)}  ${killed.join(', ').padEnd(19)} ${seconds}  ${end}`
}

const points = journey.filter(({ name }) => values.point?.some((wanted) => name.startsWith(wanted)) ?? true)
const secondsSince = (began: number): number => Math.round((performance.now() - began) / 1000)

/** What was found so far, over all stacks. */
const createTally = () => {
  const runs: Outcome[] = []
  let [rounds, wrongSums, deaths] = [0, 0, 0]
  return {
    run: (number: number, outcome: Outcome): void => {
      runs.push(outcome)
      say(`${`${number}`.padStart(`${TIMES}`.length)}  ${lineOf(outcome)}`)
    },
    retry: ({ point, missed }: Outcome): void => say(`${point.name} has another turn: ${missed}`),
    death: (death: string): void => {
      deaths += 1
      say(`DIED ${death}`)
    },
    round: (number: number, faults: readonly string[], began: number): void => {
      rounds += 1
      if (faults.length > 0) wrongSums += 1
      const sum = faults.length === 0 ? 'its sum is right' : `DIFFERENT as a whole\n    ${faults.map(firstLine).join('\n    ')}`
      say(`round ${number} took ${secondsSince(began)} s, ${rounds} of ${TIMES} are over: ${sum}`)
    },
    /** Lines for the end; `isGood` only if every point was struck as often as it was to be, and nothing was found. */
    end: (seconds: number): { lines: string[]; isGood: boolean } => {
      const different = runs.filter(({ faults }) => faults.length > 0)
      const places = points
        .map(({ name }) => ({ name, count: different.filter(({ point }) => point.name === name).length }))
        .filter(({ count }) => count > 0)
      const all = points.length * TIMES
      return {
        lines: [
          ...places.map(({ name, count }) => `${name.padEnd(NAME_WIDTH)} different ${count} of ${TIMES} times`),
          `${points.length} points x ${TIMES} times on ${STACKS} ${STACKS === 1 ? 'stack' : 'stacks'}, ${Math.floor(seconds / 60)} min ${seconds % 60} s`,
          `${runs.length} of ${all} runs: ${runs.length - different.length} ok, ${different.length} different`,
          `${rounds} of ${TIMES} rounds: ${wrongSums} with a fault as a whole; ${deaths} unexpected deaths`,
        ],
        isGood: runs.length === all && rounds === TIMES && different.length + wrongSums + deaths === 0,
      }
    },
  }
}
type Tally = ReturnType<typeof createTally>

/** Stacks with something different: logs, records and the chain's log are kept for the search for the cause. */
const kept = new Set<CrashWorld>()

const closeWorld = async (world: CrashWorld): Promise<void> => {
  // What fails because it is being closed comes too late.
  const isKept = kept.has(world) || world.deaths().length > 0
  await world.close({ isKept })
  if (isKept) say(`kept for a look: ${world.dir}`)
}

/** Plays rounds on one stack until none is left. */
const playRounds = async (world: CrashWorld, nextRound: () => number | undefined, tally: Tally): Promise<void> => {
  const expected = await expectedOf(world, points)
  for (let number = nextRound(); number !== undefined; number = nextRound()) {
    const round = number
    const began = performance.now()
    const onOutcome = (outcome: Outcome): void => {
      if (outcome.faults.length > 0) kept.add(world)
      tally.run(round, outcome)
    }
    const given = { seed: values.seed, number: round, points, expected, onOutcome, onRetry: tally.retry }
    const faults = await playRound(world, given)
    if (faults.length > 0) kept.add(world)
    tally.round(round, faults, began)
  }
}

/** The same; where it cannot go on, the stack is left as well. */
const playOn = (world: CrashWorld, nextRound: () => number | undefined, tally: Tally): Promise<void> =>
  playRounds(world, nextRound, tally).catch((error: unknown) => {
    kept.add(world)
    throw error
  })

/** Ends everything once, however often it is asked to. */
const untilAsked = (): { asked: Promise<'asked'>; isAsked: () => boolean } => {
  let isAsked = false
  const asked = new Promise<'asked'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(name, () => {
        isAsked = true
        resolve('asked')
      })
  })
  return { asked, isAsked: () => isAsked }
}

const main = async (): Promise<number> => {
  if (values.help) say(USAGE)
  if (values.list) for (const { name, when } of points) say(`${name.padEnd(NAME_WIDTH)} ${when}`)
  if (values.help || values.list) return 0
  if (points.length === 0) throw new Error(`no point is named ${values.point?.join(' or ')}: see --list`)
  const { asked, isAsked } = untilAsked()
  const began = performance.now()
  say(`seed ${values.seed}, ${points.length} points x ${TIMES} times`)
  const tally = createTally()
  /** Each from the moment it begins to start, so that an early end also closes those that are not up yet. */
  const worlds: Promise<CrashWorld>[] = []
  let given = 0
  const nextRound = (): number | undefined => {
    if (isAsked() || given === TIMES) return undefined
    given += 1
    return given
  }
  try {
    const play = async (): Promise<void> => {
      while (worlds.length < STACKS && !isAsked()) {
        worlds.push(openCrashWorld({ onDeath: tally.death }))
        await worlds.at(-1)
      }
      await Promise.all(worlds.map(async (world) => playOn(await world, nextRound, tally)))
    }
    if ((await Promise.race([play(), asked])) === 'asked') return 1
    const { lines, isGood } = tally.end(secondsSince(began))
    for (const line of lines) say(line)
    return isGood ? 0 : 1
  } finally {
    // The caller that waited for a stack reports why it did not start.
    const nothing = (): void => undefined
    await Promise.all(worlds.map((world) => world.then(closeWorld, nothing)))
  }
}

const code = await main()
// A reader of the pipe may be slower than the output: an exit at once would lose the rest.
process.stdout.write('', () => process.exit(code))
