import type { JsonValue } from '../../catalogue/job-definition.ts'

/** Result of a run. A decisive one (`approved`, `rejected`) is billed, `inconclusive` never is. */
export type Verdict = 'approved' | 'rejected' | 'inconclusive'

/**
 * Why a run has no decisive verdict:
 * - `target_unreachable`: the target refuses connections, breaks off or is slower than the time limit.
 * - `flaky`: repetitions disagree.
 * - `ambiguous_evidence`: the inputs or answers allow no judgement.
 * - `runner_fault`: the service could not run the profile.
 * - `artefact_unavailable`: an artefact cannot be fetched.
 * - `artefact_mismatch`: an artefact has another SHA-256 or length than declared.
 */
export type InconclusiveReason =
  | 'target_unreachable'
  | 'flaky'
  | 'ambiguous_evidence'
  | 'runner_fault'
  | 'artefact_unavailable'
  | 'artefact_mismatch'

/** Maximum characters of the detail of a check. */
export const MAX_CHECK_DETAIL = 500
/** Maximum bytes of the evidence as JSON text. */
export const MAX_EVIDENCE_BYTES = 16 * 1024

/** A file that the buyer names; the service fetches it once. */
export interface ArtefactReference {
  /** SHA-256 of its bytes: 64 lower-case hex digits. */
  sha256: string
  /** Its length in bytes. */
  bytes: number
  locator: { kind: 'https'; url: string }
  /** What the bytes are, in the buyer's terms. */
  format: string
}

/** A fetched artefact as the result names it. */
export interface ProfileArtefact {
  /** Its place in the inputs, e.g. `output` or `sources/0`. */
  role: string
  sha256: string
  bytes: number
}

export interface ProfileCheck {
  id: string
  /** Null when the check was not decided. */
  passed: boolean | null
  /** At most `MAX_CHECK_DETAIL` characters, without secrets. */
  detail: string
}

export interface ProfileResult {
  verdict: Verdict
  /** Set if the verdict is `inconclusive`, else null. */
  reason: InconclusiveReason | null
  checks: ProfileCheck[]
  artefacts: ProfileArtefact[]
  /** What was measured, such as exit codes, durations and the sandbox; at most `MAX_EVIDENCE_BYTES`. */
  evidence: Record<string, JsonValue>
}

/** Maximum bytes of a result as JSON text that a runner hands over. */
export const MAX_RESULT_BYTES = 16 * 1024

export interface ProfileRequest {
  /** Names the run for the engine, without being a secret: a repeat with the same key waits for the same work. At most 100 characters. */
  key: string
  target: Record<string, JsonValue>
  inputs: Record<string, JsonValue>
  /** The target's credential, used once; never stored or logged. */
  targetAuthorization: string | null
}

/**
 * Runs a profile. `heartbeat` is called at least every ten seconds. A failure of the network, of a target or of a runner is an inconclusive
 * result. It throws when `signal` ends it, and for an error in the program.
 */
export type ProfileExecution = (request: ProfileRequest, signal: AbortSignal, heartbeat: () => void) => Promise<ProfileResult>
