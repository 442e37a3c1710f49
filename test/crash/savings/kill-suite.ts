// Kills a worker at every point of the savings processes, on one stack, and compares each life with the one that nothing interrupted.
import type { Print } from '../prints/print.ts'
import { nonceFaults } from '../prints/signers.ts'
import { strikeTogether } from '../strike.ts'
import { createScenario, playActs, prepareSavingsRun, type SavingsOutcome, type SavingsRun, TERMS } from './kill-run.ts'
import { blockWatch } from './processes/cross-chain.ts'
import type { Stage } from './stage.ts'
import type { SavingsPoint } from './table.ts'

const lifeOf = ({ process, scenario }: SavingsPoint): string => `${process}/${scenario}`

/** The wrapper watches one request at a time, so its lives come one after the other. */
const isWatched = ({ scenario }: SavingsPoint): boolean => scenario === 'arrived'
/** A worker that starts sends what is signed, so nothing else is killed meanwhile. */
const isAlone = ({ instant }: SavingsPoint): boolean => instant === 'signed'
const isLater = ({ act }: SavingsPoint): boolean => act === TERMS

/** One life of each scenario, with nothing in its way, and what each leaves. */
export const playLives = async (stage: Stage, points: readonly SavingsPoint[]): Promise<Map<string, Print>> => {
  const firsts = [...new Map(points.map((point) => [lifeOf(point), point])).values()]
  const lives = await Promise.all(firsts.map(async (point) => ({ point, scenario: await createScenario(stage, point) })))
  const play = async (chosen: typeof lives): Promise<void> => {
    await Promise.all(
      chosen.map(({ scenario }) =>
        playActs(
          scenario,
          Object.keys(scenario.acts).filter((act) => act !== TERMS),
        ),
      ),
    )
  }
  const release = await blockWatch(stage)
  await play(lives.filter(({ point }) => !isWatched(point)))
  await release()
  await play(lives.filter(({ point }) => isWatched(point)))
  await Promise.all(lives.map(({ scenario }) => playActs(scenario, [TERMS])))
  return new Map(await Promise.all(lives.map(async ({ point, scenario }) => [lifeOf(point), await scenario.readEnd()] as const)))
}

/** Requests that held the only watch, and whose cancellation was settled: one beside the lives, one beside the kills. */
const BLOCKING = 2

/** Transactions of the operator that belong to no life, or lack in one. */
const strayTransactions = async ({ database, operator }: Stage, ends: readonly (Print | null)[]): Promise<string[]> => {
  const { rows } = database
  const sent = await rows.selectFrom('chain_transaction').select('intentKey').where('signer', '=', operator.toLowerCase()).execute()
  const wanted = ends.reduce((sum, end) => sum + ((end?.transactions as unknown[] | undefined) ?? []).length, BLOCKING)
  return sent.length === wanted ? [] : [`the operator sent ${sent.length} transactions in place of ${wanted}`]
}

interface KillSuite {
  stage: Stage
  points: readonly SavingsPoint[]
  expected: ReadonlyMap<string, Print>
  /** Lets the lives pass to the day on which all terms are over. */
  open: () => void
  /** Receives each life when it is over. */
  onOutcome: (point: SavingsPoint, outcome: SavingsOutcome) => void
}

/** Goes through the points, and answers what is wrong with all of them together. */
export const killAtEach = async ({ stage, points, expected, open, onOutcome }: KillSuite): Promise<string[]> => {
  const prepare = async (point: SavingsPoint): Promise<SavingsRun> => {
    const run = await prepareSavingsRun(stage, point, expected.get(lifeOf(point)) ?? {})
    void run.outcome.then((outcome) => onOutcome(point, outcome))
    return run
  }
  const strike = async (runs: readonly SavingsRun[]): Promise<void> => {
    await Promise.all(runs.map((run) => run.setUp()))
    await strikeTogether(stage, runs)
  }
  const release = await blockWatch(stage)
  const [together, alone, watched, later] = [
    points.filter((point) => !isLater(point) && !isAlone(point) && !isWatched(point)),
    points.filter(isAlone),
    points.filter(isWatched),
    points.filter(isLater),
  ]
  const runs = await Promise.all([...together, ...alone, ...watched, ...later].map(prepare))
  const of = (group: readonly SavingsPoint[]) => runs.filter(({ point }) => group.includes(point))
  const laterReady = Promise.all(of(later).map((run) => run.setUp()))
  await strike(of(together))
  for (const run of of(alone)) await strike([run])
  await Promise.all([...of(together), ...of(alone)].map(({ acted }) => acted.catch(() => undefined)))
  await release()
  for (const run of of(watched)) {
    await strike([run])
    await run.acted.catch(() => undefined)
  }
  await laterReady
  await Promise.all(of(watched).map(({ outcome }) => outcome))
  const striking = strikeTogether(stage, of(later))
  open()
  await striking
  const outcomes = await Promise.all(runs.map(({ outcome }) => outcome))
  const ends = [...expected.values(), ...outcomes.map(({ end }) => end)]
  return [...stage.deaths(), ...(await nonceFaults(stage)), ...(await strayTransactions(stage, ends))]
}
