import { nextDue, parseCron } from '../../domain/catalogue/cron.ts'
import { iso } from '../../domain/common/instants.ts'
import { derivedJobId, deriveJob, isWithinTime, planRun, usedUp } from '../../domain/lanes/recurring.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecurringActivities, RecurringProgress } from '../../schemas/lanes/process.ts'
import type { Settings } from '../../schemas/settings.ts'
import { findJob } from '../catalogue/jobs.ts'
import { type LaneRefusal, laneLimits, laneRefusal } from '../catalogue/lanes.ts'
import { insertJob } from '../catalogue/writes.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { assertReserve, getTemplate, type LockedTemplate, lockTemplate, pauseTemplate, USED_UP, updateTemplate } from './templates.ts'

export interface RunDeps {
  settings: Pick<Settings, 'CATALOGUE_LANES'>
  clock: Clock
}

/** Pause before a run is tried again whose lane has no capacity until an operator or a worker acts. */
const HELD_RETRY_MS = 15 * 60 * 1000

interface Run {
  nominalAt: number
  /** Wallet of the operator who fires it, lower case; null for the schedule. */
  by: string | null
  /** Why the operator fires it; null where it does not say, and for the schedule. */
  reason: string | null
}

const laneOf = ({ definition: { lane }, id }: JobRecord): string => {
  if (lane === undefined) throw new Error(`the template ${id} has no lane`)
  return lane
}

/** Lists the job of a run in the transaction that holds its template: lane, job, count and event together. Answers the refusal of the lane. */
const listRun = async (
  rows: Rows,
  { job: template, state }: LockedTemplate,
  { nominalAt, by, reason }: Run,
  { settings, clock }: RunDeps,
) => {
  const built = deriveJob(template.definition, nominalAt)
  const lane = laneOf(template)
  const limits = laneLimits(settings, lane)
  const refusal = await laneRefusal(rows, lane, built.rewardRaw, limits, clock)
  if (refusal !== null) return { refusal }
  const now = clock.now()
  const job = await insertJob(rows, built, { now, posterAddress: template.posterAddress, lane: limits })
  const templateId = template.id
  await rows
    .insertInto('recurring_run')
    .values({ jobId: job.id, templateId, nominalAt, firedAt: now, firedBy: by, rewardRaw: built.rewardRaw })
    .execute()
  const [runs, spentRaw] = [state.runs + 1, state.spentRaw + built.rewardRaw]
  await updateTemplate(rows, templateId, { runs, spentRaw })
  const data = { templateId, nominalAt: iso(nominalAt), by, reason, runs, spentRaw: spentRaw.toString() }
  await emit(rows, { topic: 'recurring.fired', wallets: by === null ? [] : [by], jobId: job.id, correlationId: templateId, at: now, data })
  return { job, state: { ...state, runs, spentRaw } }
}

const closed = (template: JobRecord, why: string): ServiceError =>
  new ServiceError('recurring_template_closed', {
    detail: why,
    details: { templateId: template.id, startAt: template.definition.startAt, endAt: template.definition.endAt },
  })

/** A pause of an operator ends the schedule alone; one of the service says that the template lists nothing. */
const assertFirable = ({ job, state }: LockedTemplate, nominalAt: number, now: number): void => {
  const isPausedByOperator = job.lifecycleStatus === 'paused' && state.pausedBy !== null
  if (job.lifecycleStatus !== 'open' && !isPausedByOperator) throw closed(job, `The template is ${job.lifecycleStatus}.`)
  if (nominalAt > now) throw closed(job, 'The time of the run is ahead of now.')
  if (!isWithinTime(job.definition, nominalAt)) throw closed(job, 'The time of the run is outside the time of the template.')
}

/** Lists a job of a template for an operator; a pause of the schedule does not keep it. Throws the refusals of `POST /admin/jobs/fire`. */
export const fireTemplate = async (
  rows: Rows,
  {
    templateId,
    firedAt,
    by,
    reason = null,
  }: { templateId: string; firedAt: number | null; by: string; reason?: string | null | undefined },
  deps: RunDeps,
): Promise<JobRecord> => {
  const template = await getTemplate(rows, templateId)
  const now = deps.clock.now()
  const nominalAt = firedAt ?? now
  assertReserve(template.job, template.state)
  assertFirable(template, nominalAt, now)
  const jobId = derivedJobId(templateId, nominalAt)
  if ((await findJob(rows, jobId)) !== null) throw new ServiceError('recurring_job_collision', { details: { templateId, jobId } })
  const listed = await listRun(rows, template, { nominalAt, by, reason }, deps)
  if ('refusal' in listed) {
    const { code, details, retryAfterSeconds } = listed.refusal
    throw new ServiceError(code, { details, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
  }
  await updateTemplate(rows, templateId, { wakeRequestedAt: now })
  return listed.job
}

/** Until when a refused run waits: its lane has room, or its time is over because the next run is due. */
const heldUntil = ({ job }: LockedTemplate, { resumeAt }: LaneRefusal, now: number): number => {
  const cron = parseCron(job.definition.schedule?.cron ?? '')
  const next = (cron && nextDue(cron, now)) ?? Number.POSITIVE_INFINITY
  return Math.min(next, resumeAt === null ? now + HELD_RETRY_MS : Math.max(Date.parse(resumeAt), now + 1))
}

const progressOf = (state: 'waiting' | 'paused' | 'ended', at: number | null, runs: number): RecurringProgress => {
  const count = `${runs} jobs listed.`
  if (state === 'waiting' && at !== null) return { state, until: iso(at), runs, details: `Next run at ${iso(at)}. ${count}` }
  if (state === 'paused') return { state, until: null, runs, details: `Paused. ${count}` }
  return { state: 'ended', until: null, runs, details: `Ended. ${count}` }
}

/** Steps of the process of a recurring template. */
export const createTemplateSteps = (deps: RunDeps & { database: Database }): RecurringActivities => {
  const { clock, database } = deps

  const advance = async (rows: Rows, template: LockedTemplate): Promise<RecurringProgress> => {
    const { job, state } = template
    const now = clock.now()
    const used = usedUp(job.definition, state)
    if (used !== null) {
      await pauseTemplate(rows, template, { by: null, reason: USED_UP[used] }, now)
      return { state: 'ended', until: null, runs: state.runs, details: USED_UP[used] }
    }
    if (job.lifecycleStatus === 'archived') return progressOf('ended', null, state.runs)
    if (job.lifecycleStatus === 'paused') return progressOf('paused', null, state.runs)
    const plan = planRun(job.definition, state, now)
    if (plan.state !== 'due') return progressOf(plan.state, plan.nominalAt, state.runs)
    const { nominalAt } = plan
    if ((await findJob(rows, derivedJobId(job.id, nominalAt))) === null) {
      const listed = await listRun(rows, template, { nominalAt, by: null, reason: null }, deps)
      if ('refusal' in listed) {
        const until = iso(heldUntil(template, listed.refusal, now))
        const details = `The run of ${iso(nominalAt)} waits: ${listed.refusal.code}. Next attempt at ${until}. ${state.runs} jobs listed.`
        return { state: 'held', until, runs: state.runs, details }
      }
      template.state = listed.state
    }
    await updateTemplate(rows, job.id, { decidedUntil: nominalAt })
    return advance(rows, { job, state: { ...template.state, decidedUntil: nominalAt } })
  }

  return {
    advanceTemplate: ({ templateId }) =>
      database.transaction(async (rows) => {
        const template = await lockTemplate(rows, templateId)
        if (template !== null) return advance(rows, template)
        return { state: 'ended', until: null, runs: 0, details: 'There is no such template.' }
      }),
  }
}
