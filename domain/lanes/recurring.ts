import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { lastDue, nextDue, parseCron } from '../catalogue/cron.ts'
import type { BuiltJob } from '../catalogue/job-definition.ts'
import { specHashOf } from '../catalogue/spec-hash.ts'
import { chainJobId } from '../common/ids.ts'
import { iso } from '../common/instants.ts'

/** What is recorded of a recurring template. Instants in epoch ms. */
export interface TemplateState {
  runs: number
  spentRaw: bigint
  /** Due times up to this one are decided. */
  decidedUntil: number
}

export type Template = Pick<JobDefinition, 'schedule' | 'startAt' | 'endAt' | 'maxRuns' | 'reserveAmountRaw' | 'rewardAmountRaw'>

/** What follows for a template: a job of a due time, a wait for one, or none. A pause is not part of it. */
export type Plan = { state: 'due'; nominalAt: number } | { state: 'waiting'; nominalAt: number } | { state: 'ended'; nominalAt: null }

const startOf = ({ startAt }: Template): number => (startAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(startAt))
const endOf = ({ endAt }: Template): number => (endAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(endAt))

/** Whether a template may list a job of this time (epoch ms): from its start to its end, both included. */
export const isWithinTime = (template: Template, at: number): boolean => at >= startOf(template) && at <= endOf(template)

/** Why a template may list no further job: its reserve or its number of runs; null while it may. */
export const usedUp = (template: Template, { runs, spentRaw }: Pick<TemplateState, 'runs' | 'spentRaw'>): 'reserve' | 'runs' | null => {
  if (template.maxRuns !== undefined && runs >= template.maxRuns) return 'runs'
  const { reserveAmountRaw } = template
  return reserveAmountRaw !== undefined && spentRaw + BigInt(template.rewardAmountRaw) > BigInt(reserveAmountRaw) ? 'reserve' : null
}

/**
 * What follows for a template at `now` (epoch ms). Of the due times that passed undecided, the last one is made up until the next comes; the
 * others list nothing.
 */
export const planRun = (template: Template, state: TemplateState, now: number): Plan => {
  const cron = parseCron(template.schedule?.cron ?? '')
  if (cron === null) return { state: 'ended', nominalAt: null }
  const last = lastDue(cron, now)
  if (last !== null && last > state.decidedUntil && isWithinTime(template, last)) return { state: 'due', nominalAt: last }
  const next = nextDue(cron, Math.max(now, startOf(template) - 1))
  return next === null || next > endOf(template) ? { state: 'ended', nominalAt: null } : { state: 'waiting', nominalAt: next }
}

/** Id of the job of a template and a time (epoch ms), such as `links-run-2026-01-02T03-04-05-000Z`. */
export const derivedJobId = (templateId: string, nominalAt: number): string =>
  `${templateId}-run-${iso(nominalAt).replaceAll(/[:.]/g, '-')}`

/** The job of a template and a time (epoch ms): its terms without those of the recurrence, under its own id. */
export const deriveJob = (definition: JobDefinition, nominalAt: number): BuiltJob => {
  const { recurring: _is, schedule: _when, reserveAmountRaw: _reserve, maxRuns: _runs, startAt: _from, endAt: _to, ...terms } = definition
  const derived = { ...terms, id: derivedJobId(definition.id, nominalAt) }
  return {
    definition: derived,
    expectedOutputs: [],
    specHash: specHashOf(derived),
    chainJobId: chainJobId(derived.id),
    rewardRaw: BigInt(derived.rewardAmountRaw),
  }
}
