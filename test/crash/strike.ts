// Kills processes while claims are held at their points, and brings them back.
import type { Member } from '../support/fleet/fleet.ts'
import { isStarted, reportLost } from './acts/engine.ts'
import type { CrashWorld } from './crash-world.ts'
import type { Run } from './run.ts'
import { type ArmedTrap, layTraps, release, wasPassed } from './trap.ts'

const REACH_MS = 60_000
const LOOK_MS = 5
/** Why a run was missed that came to its end without being held. */
export const PASSED_BY = 'the claim passed its point by'
/** Why a run was missed whose effect got out while it was held. */
const LET_OUT = 'another service, or the end of patience, let out what was held'
/** True when it was the doing of others, and may go otherwise another time. */
export const isByChance = (missed: string): boolean => missed === PASSED_BY || missed === LET_OUT

/** After the first claim is held others have so long to come to their own points, each time one more has come, and together. */
const COMPANY_MS = { each: 400, together: 2_000 }

/** What a strike has to know of a run. */
export type Target = Pick<Run, 'trap' | 'pauseMs' | 'begin' | 'heldBy' | 'victims' | 'struck' | 'missed' | 'calm' | 'isOver'> & {
  /** Holds up what would otherwise come before its point; nothing is killed there. */
  stall?: ArmedTrap | null
}

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

const kill = async (world: CrashWorld, member: Member): Promise<void> => {
  // A real chain keeps what it mined: only what waits to be mined may be lost.
  if (member.name === 'chain') await world.chain.flush()
  if (member.isUp()) await member.kill()
}

/** Kills them in one moment, and answers their names. */
const killAll = async (world: CrashWorld, members: readonly Member[]): Promise<string[]> => {
  await Promise.all(members.map((member) => kill(world, member)))
  return members.map(({ name }) => name)
}

/** Who ends while it starts, or does not become ready, has a fault, which the world notes, and is started again. */
const bringBack = async (world: CrashWorld, member: Member): Promise<void> => {
  for (const end = performance.now() + REACH_MS; !member.isUp(); await sleep(LOOK_MS)) {
    if (performance.now() > end) throw new Error(`${member.name} does not come back`)
    await world.bringBack(member)
  }
}

/** Brings back whatever is down: what is below first. */
const restart = async (world: CrashWorld): Promise<void> => {
  for (const level of [world.parts, world.services]) await Promise.all(level.map((member) => bringBack(world, member)))
}

const armedOf = (runs: Iterable<Target>): ArmedTrap[] => [...runs].flatMap(({ trap, stall }) => [trap ?? [], stall ?? []].flat())

/** Waits for the first to be held, then for its company. Returns the held runs: none when the time is over, or when every run has ended. */
const untilHeld = async (waiting: ReadonlySet<Target>): Promise<Target[]> => {
  const held = new Set<Target>()
  const [began, end] = [performance.now(), performance.now() + REACH_MS]
  let [first, last] = [began, began]
  for (; performance.now() < end; await sleep(LOOK_MS)) {
    const now = performance.now()
    for (const run of waiting) {
      if (held.has(run) || run.heldBy() === undefined) continue
      if (held.size === 0) first = now
      last = now
      held.add(run)
    }
    const isOver = held.size === waiting.size || now - last > COMPANY_MS.each || now - first > COMPANY_MS.together
    if (held.size > 0 ? isOver : [...waiting].every((run) => run.isOver())) break
  }
  return [...held]
}

/** One kill strikes the first that was held, and everybody held whose point asks for the same victims. */
const strikeHeld = async (world: CrashWorld, held: readonly Target[]): Promise<Target[]> => {
  const victims = new Set(held[0]?.victims())
  const struck = held.filter((run) => run.victims().every((victim) => victims.has(victim)))
  const lost = new Set(world.workers.filter((worker) => victims.has(worker) && worker.isUp()).map((worker) => worker.pid()))
  const killed = await killAll(world, [...victims])
  // Without it everything takes longer, and ends as well.
  if (lost.size > 0) void reportLost(world, lost).catch(() => undefined)
  for (const trap of armedOf(struck)) release(world.traps, trap)
  for (const run of struck) {
    if (run.trap !== null && wasPassed(world.traps, run.trap)) run.missed(LET_OUT)
    else run.struck(killed)
  }
  return struck
}

/**
 * Lets runs begin together, and kills as often as it takes until each was struck while it was held at its own point. What was killed is
 * back before the next kill, and at the end.
 */
export const strikeTogether = async (world: CrashWorld, runs: readonly Target[]): Promise<void> => {
  const waiting = new Set(runs)
  layTraps(world.traps, armedOf(waiting))
  for (const run of runs) run.begin()
  try {
    while (waiting.size > 0) {
      const held = await untilHeld(waiting)
      const isPassedBy = [...waiting].every((run) => run.isOver())
      if (held.length === 0) throw new Error(isPassedBy ? PASSED_BY : `the claim did not reach its point within ${REACH_MS / 1000} s`)
      const struck = await strikeHeld(world, held)
      for (const run of struck) waiting.delete(run)
      layTraps(world.traps, armedOf(waiting))
      await sleep(struck[0]?.pauseMs ?? 0)
      await restart(world)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    for (const run of waiting) run.missed(run.isOver() ? PASSED_BY : reason)
  } finally {
    layTraps(world.traps, [])
    for (const { stall } of runs) if (stall) release(world.traps, stall)
    for (const run of runs) run.calm()
  }
}

/** Kills while a claim waits: the workers are stopped before it comes. */
export const strikeWaiting = async (world: CrashWorld, run: Run): Promise<void> => {
  await Promise.all(world.workers.map((member) => member.kill()))
  run.begin()
  for (const end = performance.now() + REACH_MS; !(await isStarted(world, run.task.jobId)) && performance.now() < end; )
    await sleep(LOOK_MS)
  if (await isStarted(world, run.task.jobId)) run.struck(await killAll(world, run.victims()))
  else run.missed(`the claim was not started within ${REACH_MS / 1000} s`)
  await sleep(run.pauseMs)
  await restart(world)
  run.calm()
}
