import type { JsonValue } from '../../schemas/catalogue/job-definition.ts'
import {
  type InconclusiveReason,
  MAX_CHECK_DETAIL,
  MAX_EVIDENCE_BYTES,
  MAX_RESULT_BYTES,
  type ProfileArtefact,
  type ProfileCheck,
  type ProfileResult,
} from '../../schemas/paid-verification/profiles/execution.ts'

/** What of a result does not depend on the verdict. */
export interface ResultParts {
  artefacts?: ProfileArtefact[]
  evidence?: Record<string, JsonValue>
}

/** A text of at most so many UTF-16 units that ends with a whole character. */
export const cutText = (text: string, maxLength: number): string => {
  const whole = text.toWellFormed()
  if (whole.length <= maxLength) return whole
  return `${whole.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

const boundEvidence = (evidence: Record<string, JsonValue>): Record<string, JsonValue> => {
  const bytes = bytesOf(evidence)
  return bytes <= MAX_EVIDENCE_BYTES ? evidence : { truncated: true, bytes }
}

const createResult = (
  verdict: ProfileResult['verdict'],
  reason: InconclusiveReason | null,
  checks: readonly ProfileCheck[],
  { artefacts = [], evidence = {} }: ResultParts,
): ProfileResult => ({
  verdict,
  reason,
  checks: checks.map((check) => ({ ...check, detail: cutText(check.detail, MAX_CHECK_DETAIL) })),
  artefacts,
  evidence: boundEvidence(evidence),
})

/** A result without a decisive verdict. */
export const inconclusive = (reason: InconclusiveReason, checks: readonly ProfileCheck[], parts: ResultParts = {}): ProfileResult =>
  createResult('inconclusive', reason, checks, parts)

/** The result of work that no runner did; `detail` is one sentence. */
export const runnerFault = (detail: string): ProfileResult => inconclusive('runner_fault', [{ id: 'runner', passed: null, detail }])

/**
 * The result that checks give together: one that failed rejects; otherwise one that was not decided leaves the run inconclusive with `reason`;
 * otherwise it is approved. No checks are no judgement.
 */
export const resultOfChecks = (checks: readonly ProfileCheck[], reason: InconclusiveReason, parts: ResultParts = {}): ProfileResult => {
  if (checks.some(({ passed }) => passed === false)) return createResult('rejected', null, checks, parts)
  if (checks.length === 0 || checks.some(({ passed }) => passed === null)) return inconclusive(reason, checks, parts)
  return createResult('approved', null, checks, parts)
}

const SHORT_DETAIL = 100

/** A result of at most `MAX_RESULT_BYTES`: first its evidence is left out, then its details are cut. The verdict stays. */
export const boundResult = (result: ProfileResult): ProfileResult => {
  if (bytesOf(result) <= MAX_RESULT_BYTES) return result
  const short = { ...result, evidence: { truncated: true, bytes: bytesOf(result.evidence) } }
  if (bytesOf(short) <= MAX_RESULT_BYTES) return short
  return { ...short, checks: short.checks.map((check) => ({ ...check, detail: cutText(check.detail, SHORT_DETAIL) })) }
}
