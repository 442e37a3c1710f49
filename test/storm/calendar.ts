// Kills and orderly ends of processes, drawn from a seed, each while the process has work in hand.
import type { Client } from '@temporalio/client'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import type { Random } from '../crash/random.ts'
import { restart } from '../e2e/support/demo-flow.ts'
import { PLAYS_ALL } from '../support/cases/sample.ts'
import { eventually } from '../support/eventually.ts'
import type { ApiMember, Member } from '../support/fleet/fleet.ts'
import type { FleetWorld } from '../support/fleet/world.ts'
import { sleep } from './sleep.ts'
import type { Traffic } from './traffic.ts'

/** What happened to a process, and the work that it had in hand in that moment. */
export interface Blow {
  act: 'killed' | 'ended'
  victim: string
  work: string
  /** What went wrong with it; null when nothing did. */
  fault: string | null
}

/** Longest time for which a killed process stays away, seconds. */
const MOST_AWAY_SECONDS = 0.8
/** `PENDING_ACTIVITY_STATE_STARTED`. */
const STARTED = 2

type Plan = { act: Blow['act']; of: (world: FleetWorld) => Member }

/** Each process is killed once, an API and a worker are ended in order, and one more kill is drawn. A sample has one kill of each kind of process. */
const plansOf = (random: Random): Plan[] => {
  const below = (limit: number): number => Math.floor(random() * limit)
  const api = (index: number) => (world: FleetWorld) => world.apis[index] as Member
  const worker = (index: number) => (world: FleetWorld) => world.workers[index] as Member
  const temporal = ({ temporal: engine }: FleetWorld) => engine as Member
  const each = [api(0), api(1), worker(0), worker(1), temporal]
  const kills = PLAYS_ALL ? [...each, each[below(each.length)] as Plan['of']] : [api(below(2)), worker(below(2)), temporal]
  const plans: Plan[] = [
    ...kills.map((of): Plan => ({ act: 'killed', of })),
    { act: 'ended', of: api(below(2)) },
    { act: 'ended', of: worker(below(2)) },
  ]
  return plans
    .map((plan) => ({ plan, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ plan }) => plan)
}

interface Calendar {
  world: FleetWorld
  engine: Client
  traffic: Traffic
  random: Random
  /** Jobs whose claim is under way. */
  jobsInHand: () => readonly string[]
  /** Throws when the callers have ended. */
  assertBusy: () => void
}

/** A step of a claim that a worker has begun: any worker's without `pid`. */
const stepInHand = async ({ engine, jobsInHand }: Calendar, pid?: number): Promise<string | undefined> => {
  const steps = await Promise.all(
    jobsInHand().map(async (jobId) => {
      const workflowId = claimWorkflowId(jobId)
      const { raw } = await engine.workflow.getHandle(workflowId).describe()
      return (raw.pendingActivities ?? []).flatMap(({ state, lastWorkerIdentity, activityType }) =>
        state === STARTED && (pid === undefined || lastWorkerIdentity?.startsWith(`${pid}@`))
          ? [`${activityType?.name} of ${workflowId}`]
          : [],
      )
    }),
  ).catch(() => [])
  return steps.flat()[0]
}

const isApi = (world: FleetWorld, member: Member): member is ApiMember => world.apis.some((api) => api === member)

const workOf = (calendar: Calendar, victim: Member): Promise<string> => {
  const { world, traffic, assertBusy } = calendar
  const find = async (): Promise<string | undefined> => {
    assertBusy()
    if (isApi(world, victim)) return traffic.openAt(victim)
    return stepInHand(calendar, victim === world.temporal ? undefined : victim.pid())
  }
  return eventually(`work at ${victim.name}`, find, (found) => found !== undefined) as Promise<string>
}

const strike = async (calendar: Calendar, { act, of }: Plan): Promise<Blow> => {
  const { world, traffic, random } = calendar
  const victim = of(world)
  const work = await workOf(calendar, victim)
  const blow = { act, victim: victim.name, work }
  if (act === 'ended') {
    const end = () => restart(victim.name, victim)
    const { ended, isAnother } = await (isApi(world, victim) ? traffic.without(victim, end) : end())
    return { ...blow, fault: ended === 'in order and in time' && isAnother ? null : ended }
  }
  await victim.kill()
  await sleep(random() * MOST_AWAY_SECONDS)
  await victim.start()
  return { ...blow, fault: null }
}

/** Goes through the calendar of a seed. */
export const playCalendar = async (calendar: Calendar): Promise<Blow[]> => {
  const blows: Blow[] = []
  for (const plan of plansOf(calendar.random)) blows.push(await strike(calendar, plan))
  return blows
}
