import type { JsonValue, VerificationProfileConfig } from '../../../schemas/catalogue/job-definition.ts'
import type { Finding, ProfileRun, Unavailable } from '../../../schemas/verification/verdict.ts'
import { verdictItem } from '../../sessions/verdict-items.ts'

/** Most bytes of all artefacts of a run together, as the profile says. */
const MAX_INPUT_BYTES = 25 * 1024 ** 2

/** A file of the worker, as the schema `patch-submission-output` takes it. */
interface SubmittedPatch {
  patch: { sha256: string; bytes: number; locator: { kind: string; url: string } }
  baseCommit: string
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'

/** The patch of a submission that its schema took; null for another one. */
const readPatch = (submission: unknown): SubmittedPatch | null =>
  isObject(submission) && isObject(submission.patch) ? (submission as unknown as SubmittedPatch) : null

const bundleBytes = ({ inputs }: VerificationProfileConfig): number => {
  const { gitBundle } = inputs
  return isObject(gitBundle) && typeof gitBundle.bytes === 'number' ? gitBundle.bytes : 0
}

const rejected = (detail: string): Finding => ({
  outcome: 'rejected',
  score: 0,
  reasonCode: 'VERIFICATION_PROFILE_FAILED',
  detail,
  items: [verdictItem('patch_for_base', false, '/verificationInput')],
})

/** The rejection of a patch that no run of the profile could take; null for every other one. */
export const foreseePatch = (config: VerificationProfileConfig, submission: unknown): Finding | null => {
  const submitted = readPatch(submission)
  if (submitted === null) return rejected('The submission names no patch.')
  if (submitted.baseCommit !== config.inputs.commit) return rejected(`The patch is for another commit than ${config.inputs.commit}.`)
  const most = MAX_INPUT_BYTES - bundleBytes(config)
  return submitted.patch.bytes > most ? rejected(`The patch has at most ${most} bytes.`) : null
}

/** The patch of a submission as an input of the profile. */
export const patchInput = (submission: unknown): JsonValue => {
  const submitted = readPatch(submission)
  if (submitted === null) return null
  const { sha256, bytes, locator } = submitted.patch
  return {
    sha256: sha256.replace(/^0x/, '').toLowerCase(),
    bytes,
    locator: { kind: 'https', url: locator.url },
    format: 'git-patch',
  }
}

const describeChecks = ({ checks }: ProfileRun): string =>
  checks
    .filter(({ passed }) => passed === false)
    .slice(0, 3)
    .map(({ id, detail }) => `${id}: ${detail}`)
    .join(' ')

/** What a run keeps beside its verdict. */
const profileRunOf = (config: VerificationProfileConfig, { checks, evidence, artefacts }: ProfileRun) => ({
  profileRef: config.profileRef,
  profileDigest: config.profileDigest,
  contractDigest: config.contract.contractDigest,
  checks: checks.map(({ id, passed, detail }) => ({ id, passed, detail })),
  artefacts: artefacts.map(({ role, sha256, bytes }) => ({ role, sha256, bytes })),
  evidence,
})

/**
 * Finding of a run of the profile. A passing one counts only under the frozen contract. Without a result there is no verdict, and the run is
 * repeated: that is never a penalty for the worker. Source: identity, "Sandboxed patch verifier".
 */
export const judgeProfileRun = (
  config: VerificationProfileConfig,
  run: ProfileRun,
): (Finding & { profileRun: ReturnType<typeof profileRunOf> }) | Unavailable => {
  const { contractDigest } = config.contract
  const isUnderContract = run.evidence.contractDigest === contractDigest
  if (run.verdict === 'inconclusive' || (run.verdict === 'approved' && !isUnderContract)) {
    const reason = run.verdict === 'approved' ? 'it ran under another contract' : run.reason
    return {
      unavailable: { reasonCode: 'VERIFICATION_PROFILE_INCONCLUSIVE', detail: `The profile has no result: ${reason}. It runs again.` },
    }
  }
  const profileRun = profileRunOf(config, run)
  if (run.verdict === 'approved')
    return {
      outcome: 'approved',
      score: 100,
      reasonCode: 'VERIFICATION_PROFILE_PASSED',
      detail: `${config.profileRef} passed under the contract ${contractDigest}.`,
      items: [verdictItem('profile_passed', true, '/profileRun')],
      profileRun,
    }
  const broke = run.evidence.outcome === 'POLICY_VIOLATION'
  return {
    outcome: 'rejected',
    score: 0,
    reasonCode: broke ? 'VERIFICATION_PROFILE_POLICY_VIOLATION' : 'VERIFICATION_PROFILE_FAILED',
    detail: `${config.profileRef} ${broke ? 'found a broken rule' : 'failed'}. ${describeChecks(run)}`.trim(),
    items: [verdictItem('profile_passed', false, '/profileRun')],
    profileRun,
  }
}
