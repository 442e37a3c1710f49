import type { VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import { ARBITRATOR_SLA_SECONDS, REVIEW_SLA_SECONDS } from '../common/constants.ts'
import { SETTLEMENT_PATHS } from './verification-contract.ts'

const REVIEW_SLA_HOURS = REVIEW_SLA_SECONDS / 3600

const DESCRIPTIONS: Record<VerifierMode, string> = {
  benchmark: 'The verifier judges the submission by the terms of the job as soon as it arrives and settles automatically.',
  deterministic: 'The verifier compares the submission with the expected result as soon as it arrives and settles automatically.',
  human_fallback:
    'A person decides. The claim clock stops when you submit, and your stake is safe while the verdict is pending. Ask through GET /verifier/result.',
  verification_profile:
    'The pinned profile runs on the submission as soon as it arrives, again while it has no result, and settles automatically. Only a passing result pays.',
  codehost_pr: [
    'The claim clock stops when you submit, and your stake is safe while the verdict is pending.',
    'The operator runs the verdict first; it runs again automatically when the pull request merges or its checks change.',
    `A verdict is due within ${REVIEW_SLA_HOURS} hours by default; the live setting may differ.`,
    'A submission with status blocked is scored like any other. Ask through GET /verifier/result.',
  ].join(' '),
}

/** Longest wait for the verifier, and then for people until the time-out decides. */
const WORST_CASE_SECONDS = REVIEW_SLA_SECONDS + ARBITRATOR_SLA_SECONDS

/** How the service decides and pays the work of a job. Source: specification, "Job definition", settlement. */
export function settlementTerms(mode: VerifierMode) {
  const path = SETTLEMENT_PATHS[mode]
  return { path, description: DESCRIPTIONS[mode], ...(path !== 'automatic' && { humanReviewWorstCaseSeconds: WORST_CASE_SECONDS }) }
}

/** Member `verificationDepth`: limits of a benchmark verdict; other modes have none. */
export const verificationDepth = (mode: VerifierMode) =>
  mode === 'benchmark' && {
    verificationDepth:
      'The benchmark verifier checks the schema and the terms of a submission; it does not judge whether the content is right.',
  }
