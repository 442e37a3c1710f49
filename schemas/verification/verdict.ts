import type { JsonValue, VerificationProfileConfig } from '../catalogue/job-definition.ts'
import type { VerdictItem, VerdictOutcome } from '../sessions/verdicts.ts'

/** Reason codes of the handlers (lifecycle, "Code register"). */
const VERDICT_REASONS = [
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
  'DETERMINISTIC_SOURCE_CHANGED',
  'DETERMINISTIC_SOURCE_UNREACHABLE',
  'HUMAN_REVIEW_REQUIRED',
  'HUMAN_FALLBACK_AUTO_APPROVE',
  'HUMAN_REVIEW_APPROVED',
  'HUMAN_REVIEW_REJECTED',
  'CODEHOST_PR_EVIDENCE_ACCEPTED',
  'CODEHOST_PR_EVIDENCE_INCOMPLETE',
  'CODEHOST_PR_LOOKUP_UNAVAILABLE',
  'VERIFIER_CONFIG_MISMATCH',
  'VERIFICATION_PROFILE_PASSED',
  'VERIFICATION_PROFILE_FAILED',
  'VERIFICATION_PROFILE_POLICY_VIOLATION',
  'VERIFICATION_PROFILE_INCONCLUSIVE',
  'VERIFICATION_PROFILE_WITHOUT_RESULT',
  'CLAIMANT_NOT_ADMITTED',
  'SUBMISSION_NOT_PROVIDED',
] as const
export type VerdictReason = (typeof VERDICT_REASONS)[number]

/** Finding of a rule about a submission. `score` is 0 to 100; `detail` is one sentence for people. */
export interface Finding {
  outcome: VerdictOutcome
  score: number
  reasonCode: VerdictReason
  detail: string
  /** One per check. An approval has no unmet one. */
  items: VerdictItem[]
}

/** Core of a verdict. Source: lifecycle, "Result record". */
export interface Verdict extends Finding {
  handler: string
  handlerVersion: number
}

/** Evidence that a handler could not read. It is no verdict: the session stays submitted and the run is repeated. */
export interface Unavailable {
  unavailable: {
    reasonCode: VerdictReason
    detail: string
    /** Retry-After of the other service. */
    retryAfterSeconds?: number
  }
}

/** Result of one run of a profile. */
export interface ProfileRun {
  verdict: 'approved' | 'rejected' | 'inconclusive'
  /** Why there is no result; null with one. */
  reason: string | null
  checks: { id: string; passed: boolean | null; detail: string }[]
  artefacts: { role: string; sha256: string; bytes: number }[]
  /** What was measured, with the digest of the contract that it ran under. */
  evidence: Record<string, JsonValue>
}

/** Runs the profile of a job on the work of a worker. A failure of the service or of the network is inconclusive. */
export type RunProfile = (request: {
  config: VerificationProfileConfig
  /** The inputs of the worker. */
  work: Record<string, JsonValue>
  /** Names the run: a repeat with the same key gets the same result. */
  key: string
}) => Promise<ProfileRun>
