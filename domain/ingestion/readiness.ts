import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { READINESS_REASONS } from '../../schemas/catalogue/readiness.ts'
import { isOriginNeed, type NeedChecks, readinessOf, unreadyReason, verdictNeeds } from '../catalogue/readiness.ts'
import type { Refusal } from './candidate.ts'

/**
 * Refusal of a job on which no verdict could come now, by the last checks; `now` in epoch ms. What was never checked refuses nothing, since its
 * check follows the listing and the claim waits for it. A need that other jobs of the source share ends the run; an origin that the job pins does not.
 */
export const unreadyRefusal = (definition: JobDefinition, checks: NeedChecks, now: number): Refusal | null => {
  const needs = verdictNeeds(definition)
  const refusalFor = (some: readonly string[]): Refusal | null => {
    const reason = unreadyReason(readinessOf(some, checks, now))
    return reason === null ? null : { outcome: 'skipped', reason: 'verifier_not_ready', detail: READINESS_REASONS[reason] }
  }
  const shared = refusalFor(needs.filter((need) => !isOriginNeed(need)))
  return shared === null ? refusalFor(needs) : { ...shared, stopsRun: true }
}
