// Kills a worker or an API at every point of the savings processes, on one stack, and compares each life with the one that nothing interrupted.
import type { Print } from '../prints/print.ts'
import { nonceFaults } from '../prints/signers.ts'
import { isByChance, strikeTogether } from '../strike.ts'
import { createScenario, playActs, prepareSavingsRun, type SavingsOutcome, type SavingsRun, TERMS } from './kill-run.ts'
import { blockWatch } from './processes/cross-chain.ts'
import type { Stage, Stages } from './stage.ts'
import type { SavingsPoint } from './table.ts'

const lifeOf = ({ process, scenario }: SavingsPoint): string => `${process}/${scenario}`

/** The wrapper watches one request at a time, one run at a time reads a source, and effects of a paid run name no life, so their lives come one after the other. */
const isInTurn = ({ process, scenario }: SavingsPoint): boolean =>
  scenario === 'arrived' || process === 'ingestion' || process === 'verificationRun'
/** A worker that starts sends what is signed, so nothing else is killed meanwhile. */
const isAlone = ({ instant }: SavingsPoint): boolean => instant === 'signed'
const isLater = ({ act }: SavingsPoint): boolean => act === TERMS
/** Other lives send requests too: those of which an API is killed come after the steps of all. */
const isRequest = ({ victim }: SavingsPoint): boolean => victim === 'api'

/** One life of each scenario, with nothing in its way, and what each leaves. */
export const playLives = async ({ newStage }: Stages, points: readonly SavingsPoint[]): Promise<Map<string, Print>> => {
  const { stage, endTerms } = newStage()
  const firsts = [...new Map(points.map((point) => [lifeOf(point), point])).values()]
  const lives = await Promise.all(firsts.map(async (point) => ({ point, scenario: await createScenario(stage, point) })))
  const playUpToTerms = (chosen: typeof lives) =>
    Promise.all(
      chosen.map(({ scenario }) =>
        playActs(
          scenario,
          Object.keys(scenario.acts).filter((act) => act !== TERMS),
        ),
      ),
    )
  const release = await blockWatch(stage)
  await playUpToTerms(lives.filter(({ point }) => !isInTurn(point)))
  await release()
  await playUpToTerms(lives.filter(({ point }) => isInTurn(point)))
  endTerms()
  // Also without a life that has terms: time must not move while the next lives begin.
  await Promise.all([stage.passTerms(), ...lives.map(({ scenario }) => playActs(scenario, [TERMS]))])
  return new Map(await Promise.all(lives.map(async ({ point, scenario }) => [lifeOf(point), await scenario.readEnd()] as const)))
}

/** Requests that held the only watch, and whose cancellation was settled: one beside the lives, one beside the kills. */
const BLOCKING = 2

/** Transactions of the service that belong to no life, or lack in one. */
const strayTransactions = async (stage: Stage, ends: readonly (Print | null)[]): Promise<string[]> => {
  const sent = await stage.sent()
  const wanted = ends.reduce((sum, end) => sum + ((end?.transactions as unknown[] | undefined) ?? []).length, BLOCKING)
  return sent === wanted ? [] : [`the service sent ${sent} transactions in place of ${wanted}`]
}

interface KillSuite {
  stages: Stages
  points: readonly SavingsPoint[]
  expected: ReadonlyMap<string, Print>
  /** Receives each life when it is over. */
  onOutcome: (point: SavingsPoint, outcome: SavingsOutcome) => void
}

/** Goes through the points, and answers what is wrong with all of them together. */
export const killAtEach = async ({ stages, points, expected, onOutcome }: KillSuite): Promise<string[]> => {
  const { stage, endTerms } = stages.newStage()
  const ends: (Print | null)[] = [...expected.values()]
  const strays: SavingsPoint[] = []

  const prepare = async (point: SavingsPoint, on = stage, isLastTurn = false): Promise<SavingsRun> => {
    const run = await prepareSavingsRun(on, point, expected.get(lifeOf(point)) ?? {})
    void run.outcome.then((outcome) => {
      ends.push(outcome.end)
      // Another worker came first: its life is compared all the same, and the point has another turn.
      const isStray = !isLastTurn && outcome.missed !== null && isByChance(outcome.missed) && outcome.faults.length === 0
      if (isStray) strays.push(point)
      else onOutcome(point, outcome)
    })
    return run
  }
  const strike = async (runs: readonly SavingsRun[]): Promise<void> => {
    await Promise.all(runs.map((run) => run.setUp()))
    await strikeTogether(stage, runs)
  }
  const strikeAgain = async (point: SavingsPoint): Promise<void> => {
    const again = stages.newStage()
    const run = await prepare(point, again.stage, true)
    await run.setUp()
    void run.atTerms.finally(again.endTerms).catch(() => undefined)
    await strikeTogether(stage, [run])
    await Promise.all([run.outcome, again.stage.passTerms()])
  }

  const release = await blockWatch(stage)
  const runs = await Promise.all(points.map((point) => prepare(point)))
  const [later, sooner] = [runs.filter(({ point }) => isLater(point)), runs.filter(({ point }) => !isLater(point))]
  const [inTurn, together] = [sooner.filter(({ point }) => isInTurn(point)), sooner.filter(({ point }) => !isInTurn(point))]
  const laterReady = Promise.all(later.map((run) => run.setUp()))
  const [requests, steps] = [together.filter(({ point }) => isRequest(point)), together.filter(({ point }) => !isRequest(point))]
  await strike(steps.filter(({ point }) => !isAlone(point)))
  for (const run of steps.filter(({ point }) => isAlone(point))) await strike([run])
  await Promise.all(steps.map(({ acted }) => acted.catch(() => undefined)))
  await strike(requests)
  await Promise.all(requests.map(({ acted }) => acted.catch(() => undefined)))
  await release()
  for (const run of inTurn) {
    await strike([run])
    await run.outcome
  }
  await laterReady
  // A term that begins after that jump would not end.
  await Promise.all(sooner.map(({ atTerms }) => atTerms.catch(() => undefined)))
  endTerms()
  await strikeTogether(
    stage,
    later.filter(({ point }) => !isRequest(point)),
  )
  await strikeTogether(
    stage,
    later.filter(({ point }) => isRequest(point)),
  )
  await Promise.all([stage.passTerms(), ...runs.map(({ outcome }) => outcome)])
  for (const point of strays) await strikeAgain(point)
  return [...stage.deaths(), ...(await nonceFaults(stage)), ...(await strayTransactions(stage, ends))]
}
