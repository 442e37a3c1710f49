import { isSourceNeed, type NeedChecks, needReason } from '../../domain/catalogue/readiness.ts'
import { READINESS_REASONS } from '../../schemas/catalogue/readiness.ts'
import type { Health } from '../../schemas/health/shapes.ts'
import { type Findings, serviceTime } from './findings.ts'

/** A list of servers without an answer is cut here. */
const MAX_SHOWN = 50

/** What a service may do without: its jobs are not listed as open then. */
const OPTIONAL: ReadonlySet<string | null> = new Set(['code_host_token_missing', 'arbitrator_key_missing'])

const rankOf = (need: string): number => (isSourceNeed(need) ? 1 : 0)

/** What verdicts need. Servers of single jobs come last, and appear only while they do not answer. */
const needsOf = (checks: NeedChecks) =>
  [...checks]
    .map(([need, check]) => ({ need, reason: needReason(check), checkedAt: check.checkedAt }))
    .filter(({ need, reason }) => reason !== null || !isSourceNeed(need))
    .sort((left, right) => rankOf(left.need) - rankOf(right.need) || (left.need < right.need ? -1 : 1))
    .slice(0, MAX_SHOWN)

/** What verdicts need, with the last check of each. */
export const verificationOf = (findings: Findings): Health['components']['verification'] => {
  const checks = findings.snapshot?.needs
  if (checks === undefined) return { ok: null, needs: [] }
  const needs = needsOf(checks).map(({ need, reason, checkedAt }) => ({
    need,
    ready: reason === null,
    reason,
    checkedAt: serviceTime(findings, checkedAt),
  }))
  return { ok: needs.every(({ ready, reason }) => ready || OPTIONAL.has(reason)), needs }
}

/** Warnings for what verdicts lack, one per reason. What is optional and not configured is no fault. */
export const verificationWarnings = (checks: NeedChecks | null): Health['warnings'] => {
  const unmet = (checks === null ? [] : needsOf(checks)).filter(({ reason }) => !OPTIONAL.has(reason))
  return [...new Set(unmet.flatMap(({ reason }) => reason ?? []))].map((reason) => {
    const named = unmet.filter((one) => one.reason === reason).map(({ need }) => need)
    const message = `${READINESS_REASONS[reason]} Jobs that need it cannot be claimed: ${named.join(', ')}.`
    return { code: 'verifier_not_ready', severity: named.some(isSourceNeed) ? 'warn' : 'error', message }
  })
}
