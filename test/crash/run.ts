import { claimWorkflowId } from '../../schemas/processes/claim-session.ts'
import type { Member } from '../support/fleet.ts'
import type { CrashWorld } from './crash-world.ts'
import type { Placeholder, Point, Victim } from './points.ts'
import { differences, type Print, readPrint } from './print.ts'
import type { Random } from './random.ts'
import { type ArmedTrap, arm, disarm, hasSprung, release, type Trap } from './trap.ts'
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
  /** Everything that died runs again; the claim itself may still be on its way. */
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

/** Whom a victim's name means now; one that kills itself is found by its end. */
const membersOf = (world: CrashWorld, victim: Victim, task: Task): Member[] => {
  switch (victim) {
    case 'api':
    case 'worker':
      return world.services.filter(({ name, isUp }) => name.startsWith(victim) && !isUp())
    case 'workers':
      return world.workers
    case 'door': {
      const door = world.apis[task.agent.door() % world.apis.length]
      return door === undefined ? [] : [door]
    }
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

/** Waits for the trap to spring, and kills. */
const strikeAt = async (world: CrashWorld, { kills }: Point, task: Task, trap: ArmedTrap): Promise<string[]> => {
  await until('the point', () => hasSprung(world.traps))
  const dead = () => kills.flatMap((victim) => membersOf(world, victim, task))
  if (trap.dies) await until('the end of the service', () => dead().some((member) => !member.isUp()))
  const killed = await Promise.all(dead().map((member) => kill(world, member)))
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
  return Promise.all(kills.flatMap((victim) => membersOf(world, victim, task)).map((member) => kill(world, member)))
}

/** A run that is to be struck once; `expected` is what an uninterrupted run of each kind leaves. */
export const startRun = async (
  world: CrashWorld,
  { point, kind, random, expected }: { point: Point; kind: Kind; random: Random; expected: Print },
): Promise<Run> => {
  const task = await prepareTask(world, kind, { door: Math.floor(random() * world.apis.length), roams: random() < 0.5 })
  const pauses = [pauseOf(random), pauseOf(random)]
  if (point.at === 'waiting') await Promise.all(world.workers.map((member) => member.kill()))
  const trap = lay(world, point, task)
  let struckAt = 0
  let killed: string[] = []

  const strike = async (): Promise<void> => {
    try {
      killed = trap === null ? await strikeWaiting(world, point, task) : await strikeAt(world, point, task, trap)
      struckAt = performance.now()
      await sleep(pauses[0] ?? 0)
    } finally {
      disarm(world.traps)
      await restart(world)
    }
  }

  const work = doTask(task)
  work.catch(() => undefined)
  const struck = strike()
  struck.catch(() => undefined)

  const finish = async (): Promise<Outcome> => {
    const faults: string[] = []
    try {
      await struck
      faults.push(...differences(expected, await readPrint(world, task, await work)))
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error))
    }
    return { point, kind, killed, recoveryMs: Math.round(performance.now() - struckAt), faults }
  }
  return { struck: struck.catch(() => undefined), outcome: finish() }
}
