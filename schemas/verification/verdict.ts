import type { VerdictOutcome } from '../sessions/verdicts.ts'

/** Why a verdict is what it is; constant words of the handlers (lifecycle, "Code register"). */
export const VERDICT_REASONS = [
  'BENCHMARK_THRESHOLD_MET',
  'BENCHMARK_THRESHOLD_MISSED',
  'BENCHMARK_CONFIG_UNSAFE',
  'BENCHMARK_REVISION_ANCHORS_MET',
  'BENCHMARK_REVISION_ANCHOR_MISMATCH',
  'BENCHMARK_PINNED_REVISION_UNAVAILABLE',
  'DETERMINISTIC_MATCH',
  'DETERMINISTIC_MISMATCH',
  'DETERMINISTIC_FETCH_EVIDENCE_VERIFIED',
  'DETERMINISTIC_FETCH_EVIDENCE_MISMATCH',
  'DETERMINISTIC_FETCH_EVIDENCE_UNREACHABLE',
  'HUMAN_REVIEW_REQUIRED',
  'HUMAN_FALLBACK_AUTO_APPROVE',
  'HUMAN_REVIEW_APPROVED',
  'HUMAN_REVIEW_REJECTED',
  'CODEHOST_PR_EVIDENCE_ACCEPTED',
  'CODEHOST_PR_EVIDENCE_INCOMPLETE',
  'CODEHOST_PR_LOOKUP_UNAVAILABLE',
  'VERIFIER_CONFIG_MISMATCH',
] as const
export type VerdictReason = (typeof VERDICT_REASONS)[number]

/** What a rule finds about a submission. `score` is 0 to 100; `detail` is one sentence for people. */
export interface Finding {
  outcome: VerdictOutcome
  score: number
  reasonCode: VerdictReason
  detail: string
}

/** Core of a verdict. Source: lifecycle, "Result record". */
export interface Verdict extends Finding {
  jobId: string
  sessionId: string
  handler: string
  handlerVersion: number
}

/** Evidence a handler could not get at: the session stays submitted and the run is repeated; never a verdict. */
export interface Unavailable {
  unavailable: {
    reasonCode: VerdictReason
    detail: string
    /** When the other side wants to be asked again. */
    retryAfterSeconds?: number
  }
}
