import { claimWorkflowId } from '../../schemas/processes/claim-session.ts'
import type { Member } from '../support/fleet.ts'
import type { CrashWorld } from './crash-world.ts'
import type { Placeholder, Point, Victim } from './points.ts'
import { differences, type Print, readPrint } from './print.ts'
import type { Random } from './random.ts'
import { type ArmedTrap, arm, disarm, release, sprungBy, type Trap } from './trap.ts'
import { doTask, type Kind, meaningOf, prepareTask, type Task } from './work.ts'

const REACH_MS = 60_000
const LOOK_MS = 5
/** The dead stay dead for so long, at least and at most. */
const PAUSE_MS = { least: 50, most: 1_500 }

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** What came of one run. */
export interface Outcome {
  point: Point
  kind: Kind
  killed: string[]
  /** From the kill to the end of everything. */
  recoveryMs: number
  /** In what it differs from a run that nothing interrupted; empty when in nothing. */
  faults: string[]
}

export interface Run {
  /** The victims are dead. */
  killed: Promise<void>
  /** And run again; the claim itself may still be on its way. */
  struck: Promise<void>
  outcome: Promise<Outcome>
}

const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + REACH_MS; !(await holds()); await sleep(LOOK_MS))
    if (Date.now() > end) throw new Error(`${what} was not reached within ${REACH_MS / 1000} s`)
}

const pauseOf = (random: Random): number => PAUSE_MS.least + Math.floor(random() * (PAUSE_MS.most - PAUSE_MS.least))

const replaced = (trap: Trap, task: Task): Trap => {
  const meaning = meaningOf(task)
  const fill = (text: string): string =>
    Object.keys(meaning).reduce((filled, name) => filled.replaceAll(name, meaning[name as Placeholder]), text)
  return { ...trap, of: trap.of.map(fill) }
}

/** Whom a victim's name means in this run. */
const membersOf = (world: CrashWorld, victim: Victim, task: Task, cameFirst: string | undefined): Member[] => {
  switch (victim) {
    case 'api':
    case 'worker':
      return world.services.filter(({ name }) => name === cameFirst)
    case 'workers':
      return world.workers
    case 'door':
      return world.apis.filter((_api, index) => index === task.agent.door() % world.apis.length)
    default:
      return [world[victim]]
  }
}

const KILL_THEMSELVES: readonly Victim[] = ['api', 'worker', 'workers']

const kill = async (world: CrashWorld, member: Member): Promise<string> => {
  // A real chain keeps what it mined: only what waits to be mined may be lost.
  if (member.name === 'chain') await world.chain.flush()
  if (member.isUp()) await member.kill()
  return member.name
}

const downIn = (members: Member[]): Member[] => members.filter((member) => !member.isUp())

/** Brings back whatever is down: what is below first. Answers what that was. */
export const restart = async (world: CrashWorld): Promise<string[]> => {
  const down = [...downIn(world.parts), ...downIn(world.services)]
  for (const level of [world.parts, world.services]) await Promise.all(downIn(level).map((member) => member.start()))
  return down.map(({ name }) => name)
}

/** Waits for the trap to spring, and kills. One that kills itself is waited for. */
const strikeAt = async (world: CrashWorld, { kills }: Point, task: Task, trap: ArmedTrap): Promise<string[]> => {
  await until('the point', () => sprungBy(world.traps) !== undefined)
  const cameFirst = sprungBy(world.traps)
  if (trap.dies) await world.services.find(({ name }) => name === cameFirst)?.gone()
  const victims = kills.flatMap((victim) => membersOf(world, victim, task, cameFirst))
  const killed = await Promise.all(victims.map((member) => kill(world, member)))
  release(world.traps)
  return killed
}

const lay = (world: CrashWorld, { at, kills }: Point, task: Task): ArmedTrap | null => {
  if (at === 'waiting') return null
  const trap = { ...replaced(at, task), dies: kills.some((victim) => KILL_THEMSELVES.includes(victim)) }
  arm(world.traps, trap)
  return trap
}

const isStarted = async (world: CrashWorld, { jobId }: Task): Promise<boolean> => {
  const found = await world.engine.workflow
    .getHandle(claimWorkflowId(jobId))
    .describe()
    .catch(() => undefined)
  return found?.status.name === 'RUNNING'
}

/** A claim that nobody works on: the workers were away before it came. */
const strikeWaiting = async (world: CrashWorld, { kills }: Point, task: Task): Promise<string[]> => {
  await until('the start of the claim', () => isStarted(world, task))
  return Promise.all(kills.flatMap((victim) => membersOf(world, victim, task, undefined)).map((member) => kill(world, member)))
}

export interface Plan {
  point: Point
  kind: Kind
  random: Random
  /** What an uninterrupted run of this kind leaves. */
  expected: Print
}

/** A run with its job and its agent, ready to begin. */
export const prepareRun = async (world: CrashWorld, plan: Plan): Promise<() => Promise<Run>> => {
  const { kind, random } = plan
  const where = { door: Math.floor(random() * world.apis.length), roams: random() < 0.5 }
  const pauseMs = pauseOf(random)
  const task = await prepareTask(world, kind, where)
  return () => begin(world, plan, { task, pauseMs })
}

const begin = async (
  world: CrashWorld,
  { point, kind, expected }: Plan,
  { task, pauseMs }: { task: Task; pauseMs: number },
): Promise<Run> => {
  if (point.at === 'waiting') await Promise.all(world.workers.map((member) => member.kill()))
  const trap = lay(world, point, task)
  let struckAt = performance.now()

  const strike = async (): Promise<string[]> => {
    try {
      return trap === null ? await strikeWaiting(world, point, task) : await strikeAt(world, point, task, trap)
    } finally {
      struckAt = performance.now()
      disarm(world.traps)
    }
  }

  const killed = strike()
  const struck = settled(killed)
    .then(() => sleep(pauseMs))
    .then(() => restart(world))
  const answers = doTask(task)

  const compare = async (): Promise<string[]> => {
    try {
      await Promise.all([killed, struck])
      return differences(expected, await readPrint(world, task, await answers))
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  }

  const finish = async (): Promise<Outcome> => {
    const faults = await compare()
    const names = await killed.catch(() => [])
    return { point, kind, killed: names, recoveryMs: Math.round(performance.now() - struckAt), faults }
  }
  for (const work of [answers, struck]) settled(work)
  return { killed: settled(killed), struck: settled(struck), outcome: finish() }
}

/** Resolves when a piece of work is over, however it ended. */
const settled = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined,
  )
