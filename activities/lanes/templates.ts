import { nextDue, parseCron } from '../../domain/catalogue/cron.ts'
import { isoOrNull } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { planRun, type TemplateState, usedUp } from '../../domain/lanes/recurring.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Row } from '../../schemas/entities/columns.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecurringTemplate } from '../../schemas/lanes/entities.ts'
import type { TemplateView } from '../../schemas/lanes/shapes.ts'
import { lockJob } from '../catalogue/jobs.ts'
import { changeLifecycle, type LifecycleChange } from '../catalogue/writes.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'

/** Derived jobs that an answer names: the newest. */
const LINEAGE_MAX = 250

export type TemplateRow = Row<typeof RecurringTemplate>

/** A template as a transaction holds it. */
export interface LockedTemplate {
  job: JobRecord
  state: TemplateRow
}

/** Records a new template; due times before `now` (epoch ms) list nothing. Its process starts when the transaction has ended. */
export const insertTemplate = async (rows: Rows, templateId: string, now: number): Promise<void> => {
  const counts = { runs: 0, spentRaw: 0n }
  const open = { pausedAt: null, pausedBy: null, pauseReason: null }
  await rows
    .insertInto('recurring_template')
    .values({ templateId, createdAt: now, decidedUntil: now, wakeRequestedAt: now, ...counts, ...open })
    .execute()
}

/** Finds a template and locks its row, which orders its runs, and then its job; null for any other job. */
export const lockTemplate = async (rows: Rows, templateId: string): Promise<LockedTemplate | null> => {
  const state = await rows.selectFrom('recurring_template').selectAll().where('templateId', '=', templateId).forUpdate().executeTakeFirst()
  if (state === undefined) return null
  const job = await lockJob(rows, templateId)
  return job === null ? null : { job, state }
}

/** The same; throws 404 `recurring_template_not_found`. */
export const getTemplate = async (rows: Rows, templateId: string): Promise<LockedTemplate> => {
  const found = await lockTemplate(rows, templateId)
  if (found === null) throw new ServiceError('recurring_template_not_found', { details: { templateId } })
  return found
}

/** Whether a template has waited since `since` (epoch ms) for a worker to tell its process of a change. */
export const isWakeOverdue = async (rows: Rows, since: number): Promise<boolean> => {
  const overdue = rows.selectFrom('recurring_template').select('templateId').where('wakeRequestedAt', '<', since).limit(1)
  return (await overdue.executeTakeFirst()) !== undefined
}

/** Stores what changed in a template. */
export const updateTemplate = async (rows: Rows, templateId: string, values: Partial<Omit<TemplateRow, 'templateId'>>): Promise<void> => {
  await rows.updateTable('recurring_template').set(values).where('templateId', '=', templateId).execute()
}

/** Where a template stands at `now` (epoch ms), for operators. */
export const templateView = ({ job, state }: LockedTemplate, chain: Pick<ChainFile, 'asset'>, now: number): TemplateView => {
  const { definition } = job
  const { reserveAmountRaw, maxRuns, schedule } = definition
  const plan = planRun(definition, state, now)
  const isPaused = job.lifecycleStatus === 'paused'
  const isOver = job.lifecycleStatus === 'archived' || plan.state === 'ended'
  const cron = parseCron(schedule?.cron ?? '')
  const isRunning = job.lifecycleStatus === 'open' && usedUp(definition, state) === null
  const next = plan.state === 'due' && cron !== null ? nextDue(cron, now) : plan.nominalAt
  return {
    templateId: job.id,
    cron: schedule?.cron ?? '',
    state: isPaused ? 'paused' : isOver ? 'ended' : 'active',
    reason: isPaused ? state.pauseReason : null,
    pausedAt: isPaused ? isoOrNull(state.pausedAt) : null,
    pausedBy: isPaused ? state.pausedBy : null,
    runs: state.runs,
    maxRuns: maxRuns ?? null,
    spent: assetAmount(state.spentRaw, chain.asset),
    reserve: reserveAmountRaw === undefined ? null : assetAmount(BigInt(reserveAmountRaw), chain.asset),
    nextRunAt: isRunning ? isoOrNull(next) : null,
  }
}

/** Why the service pauses a template for good. */
export const USED_UP = {
  reserve: 'recurring_reserve_exhausted: the reserve does not pay another job.',
  runs: 'recurring_reserve_exhausted: every run has been listed.',
} as const

/** Name of the rule in whose name the service pauses a template. */
const BY_RESERVE = 'recurring_reserve'

/** Pauses a template that is open. `by`: wallet of the operator, lower case; null for the service. */
export const pauseTemplate = async (
  rows: Rows,
  { job }: LockedTemplate,
  { by, reason }: { by: string | null; reason: string },
  now: number,
): Promise<void> => {
  if (job.lifecycleStatus !== 'open') return
  await changeLifecycle(rows, { jobId: job.id, status: 'paused', action: 'pause', reason, by: by ?? BY_RESERVE }, now)
  await updateTemplate(rows, job.id, { pausedAt: now, pausedBy: by, pauseReason: reason, wakeRequestedAt: now })
  const wallets = by === null ? [] : [by]
  await emit(rows, { topic: 'recurring.paused', wallets, jobId: job.id, at: now, data: { templateId: job.id, by, reason } })
}

/**
 * Resumes a template that the service or an operator paused (`by`: wallet of the operator, lower case); due times of the pause list nothing.
 * Throws 409 `recurring_reserve_exhausted`.
 */
export const resumeTemplate = async (
  rows: Rows,
  { job, state }: LockedTemplate,
  { by, reason }: { by: string; reason: string | null },
  now: number,
): Promise<void> => {
  if (job.lifecycleStatus !== 'paused') return
  assertReserve(job, state)
  await changeLifecycle(rows, { jobId: job.id, status: 'open', action: 'resume', reason, by }, now)
  const decidedUntil = Math.max(state.decidedUntil, now)
  await updateTemplate(rows, job.id, { pausedAt: null, pausedBy: null, pauseReason: null, decidedUntil, wakeRequestedAt: now })
  await emit(rows, { topic: 'recurring.resumed', wallets: [by], jobId: job.id, at: now, data: { templateId: job.id, by, reason } })
}

/**
 * Changes a job's lifecycle at `now` (epoch ms), of a template too: its process gets a signal, and due times before a reopening list nothing.
 * `pausedBy`: wallet of the operator, null for the service.
 */
export const changeJobLifecycle = async (
  rows: Rows,
  change: LifecycleChange,
  now: number,
  pausedBy: string | null = change.by,
): Promise<JobRecord> => {
  const template = await lockTemplate(rows, change.jobId)
  const job = await changeLifecycle(rows, change, now)
  if (template === null) return job
  const wake = { wakeRequestedAt: now }
  if (job.lifecycleStatus === 'open')
    await updateTemplate(rows, job.id, { pausedAt: null, pausedBy: null, pauseReason: null, decidedUntil: now, ...wake })
  else if (job.lifecycleStatus === 'paused' && template.job.lifecycleStatus !== 'paused')
    await updateTemplate(rows, job.id, { pausedAt: now, pausedBy, pauseReason: change.reason ?? 'An operator paused it.', ...wake })
  else await updateTemplate(rows, job.id, wake)
  return job
}

/** Throws 409 `recurring_reserve_exhausted` for a template that can list no further job. */
export const assertReserve = ({ id, definition }: JobRecord, state: Pick<TemplateState, 'runs' | 'spentRaw'>): void => {
  if (usedUp(definition, state) === null) return
  const { maxRuns = null, reserveAmountRaw = null } = definition
  const { runs, spentRaw } = state
  throw new ServiceError('recurring_reserve_exhausted', {
    details: { templateId: id, runs, maxRuns, spentRaw: spentRaw.toString(), reserveAmountRaw },
  })
}

/** Template and jobs of a job: of a derived job its template, of a template its jobs, oldest first. */
export const readLineage = async (rows: Rows, jobId: string): Promise<{ templateId: string | null; derivativeJobIds: string[] }> => {
  const of = await rows.selectFrom('recurring_run').select('templateId').where('jobId', '=', jobId).executeTakeFirst()
  const derived = await rows
    .selectFrom('recurring_run')
    .select('jobId')
    .where('templateId', '=', jobId)
    .orderBy('firedAt', 'desc')
    .orderBy('jobId', 'desc')
    .limit(LINEAGE_MAX)
    .execute()
  return { templateId: of?.templateId ?? null, derivativeJobIds: derived.map((run) => run.jobId).reverse() }
}
