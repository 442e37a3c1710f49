import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import type { ReadinessReason } from '../../schemas/catalogue/readiness.ts'
import { VERDICT_NEED_MAX_AGE_SECONDS } from '../common/constants.ts'
import { type Fact, known, knownValue } from '../common/fact.ts'
import { isoOrNull } from '../common/instants.ts'
import { isCommittedFacts, pinnedSource } from './committed-facts.ts'
import { OPEN_DATA_METHOD, pinnedAddresses } from './open-data.ts'

/** Needs that exist whatever jobs are listed, besides the handlers. */
export const FIXED_NEEDS = ['verifier_key', 'arbitrator_key', 'code_host', 'reviewers'] as const
type FixedNeed = (typeof FIXED_NEEDS)[number]
/** A server that a verdict reads: an edition of the encyclopedia, or the origin of a pinned address. */
export type SourceNeed = `encyclopedia:${string}` | `source:${string}`
/** One thing that a verdict needs. */
export type VerdictNeed = `handler:${VerifierMode}` | FixedNeed | SourceNeed

type Judged = Pick<JobDefinition, 'verifierMode' | 'verifierConfig' | 'verification' | 'source'>

/** The need of a handler. */
export const handlerNeed = (mode: VerifierMode): VerdictNeed => `handler:${mode}`

/** True for the origin of an address that a job pins. */
export const isOriginNeed = (need: string): boolean => need.startsWith('source:')

/** True for a server that a verdict reads. */
export const isSourceNeed = (need: string): need is SourceNeed => need.startsWith('encyclopedia:') || isOriginNeed(need)

const pinnedUrls = ({ verification, source }: Judged): string[] => {
  if (isCommittedFacts({ verification })) return [pinnedSource(source) ?? '']
  if (verification?.method !== OPEN_DATA_METHOD) return []
  const { datasetUrl, resourceUrl } = pinnedAddresses(source)
  return [datasetUrl, resourceUrl]
}

const pinnedOrigins = (job: Judged): VerdictNeed[] => {
  const origins = pinnedUrls(job)
    .filter(Boolean)
    .map((address): VerdictNeed => `source:${new URL(address).origin}`)
  return [...new Set(origins)]
}

const judgeNeeds = (job: Judged): VerdictNeed[] => {
  const { verifierConfig: config } = job
  switch (config.handler) {
    case 'benchmark':
      return config.anchorEvidence === undefined ? ['verifier_key'] : ['verifier_key', `encyclopedia:${config.anchorEvidence.language}`]
    case 'deterministic':
      return ['verifier_key', ...pinnedOrigins(job)]
    case 'codehost_pr':
      return ['verifier_key', 'code_host']
    case 'verification_profile':
      return ['verifier_key', 'arbitrator_key']
    case 'human_fallback':
      return config.autoApprove ? ['verifier_key'] : ['reviewers']
  }
}

/** What a verdict on a job will need. */
export const verdictNeeds = (job: Judged): VerdictNeed[] => [handlerNeed(job.verifierMode), ...judgeNeeds(job)]

/** Last check of one need. */
export interface NeedCheck {
  /** Null when the verdict has what it needs. */
  reason: ReadinessReason | null
  /** Epoch ms, wall clock. */
  checkedAt: number
  /** Age by the wall clock of the database. An offset of the service clock must not age a check. */
  ageSeconds: number
  /** Last verdict of the handler, epoch ms; null for other needs and before the first. */
  lastVerdictAt: number | null
}

/** Last checks by need. A need without a check is absent. */
export type NeedChecks = ReadonlyMap<string, NeedCheck>

/** Whether a verdict could be given now; instants in epoch ms, by the service clock. */
export interface Readiness {
  reason: ReadinessReason | null
  checkedAt: number
  lastVerdictAt: number | null
}

/** Why a need is not met; null when it is. A check that is too old proves nothing. */
export const needReason = ({ reason, ageSeconds }: Pick<NeedCheck, 'reason' | 'ageSeconds'>): ReadinessReason | null =>
  ageSeconds > VERDICT_NEED_MAX_AGE_SECONDS ? 'check_overdue' : reason

/** Instant of a check by the service clock, which is `now`. Whole seconds of difference, so that every process says the same. */
const checkedBy = ({ checkedAt, ageSeconds }: NeedCheck, now: number): number =>
  checkedAt + Math.round((now - checkedAt) / 1_000 - ageSeconds) * 1_000

/**
 * Readiness of a verdict with these needs: the first need that is not met decides. Unknown before the first check of a need. `now` by the
 * service clock, epoch ms.
 */
export const readinessOf = (needs: readonly string[], checks: NeedChecks, now: number): Fact<Readiness> => {
  const found = needs.flatMap((need) => checks.get(need) ?? [])
  const verdicts = found.flatMap(({ lastVerdictAt }) => lastVerdictAt ?? [])
  const lastVerdictAt = verdicts.length === 0 ? null : Math.max(...verdicts)
  const unmet = found.find((check) => needReason(check) !== null)
  if (unmet !== undefined) return known({ reason: needReason(unmet), checkedAt: checkedBy(unmet, now), lastVerdictAt })
  if (found.length < needs.length) return 'unknown'
  return known({ reason: null, checkedAt: Math.min(...found.map((check) => checkedBy(check, now))), lastVerdictAt })
}

/** Readiness for the decision of a claim: what was never checked cannot be relied on. */
export const forClaim = (readiness: Fact<Readiness>): Fact<Readiness> => (readiness === 'unknown' ? 'unreadable' : readiness)

/** Why readiness refuses a claim; null when it does not. An unread one never refuses. */
export const unreadyReason = (readiness: Fact<Readiness>): ReadinessReason | null =>
  readiness === 'unreadable' ? 'not_checked' : (knownValue(readiness)?.reason ?? null)

/** Wire form of a job's readiness. */
export const readinessView = (readiness: Fact<Readiness>) => {
  const read = knownValue(readiness)
  if (read === undefined) return { ready: null, reason: 'not_checked' as const, checkedAt: null, lastVerdictAt: null }
  const { reason, checkedAt, lastVerdictAt } = read
  return { ready: reason === null, reason, checkedAt: isoOrNull(checkedAt), lastVerdictAt: isoOrNull(lastVerdictAt) }
}
