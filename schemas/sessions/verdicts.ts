/** Outcomes of a verification. */
export const VERDICT_OUTCOMES = ['approved', 'rejected', 'disputed', 'inconclusive', 'platform_fault'] as const
export type VerdictOutcome = (typeof VERDICT_OUTCOMES)[number]

/** Verdicts of an arbitration. `upheld`: the rejection is final; `dismissed`: the worker is paid; `timeout`: no arbitrator decided in time. */
export const ARBITRATION_VERDICTS = ['upheld', 'dismissed', 'split', 'timeout'] as const
export type ArbitrationVerdict = (typeof ARBITRATION_VERDICTS)[number]

/** Verdicts of a dispute round: those of an arbitration, and those of a review. */
export const ROUND_VERDICTS = [...ARBITRATION_VERDICTS, 'approved', 'rejected'] as const
export type RoundVerdict = (typeof ROUND_VERDICTS)[number]

/** Who decided a session in the end. `timeout`: there was no decision in time, and the default of the stage applied. */
export const RESOLUTION_KINDS = ['verifier', 'human_review', 'arbitration', 'timeout'] as const
export type ResolutionKind = (typeof RESOLUTION_KINDS)[number]

/** Criteria of verdicts, one per check. The last three are decisions of people or of another key. */
export const CRITERIA = [
  'claim_admitted',
  'submission_provided',
  'submission_valid',
  'terms_distinguish_work',
  'terms_found',
  'quotes_in_revision',
  'answer_expected',
  'pinned_addresses_submitted',
  'pinned_addresses_answer',
  'source_unchanged',
  'pr_url_valid',
  'repo_matches',
  'issue_referenced',
  'test_evidence_submitted',
  'checks_not_failing',
  'not_closed_unmerged',
  'disclosure_present',
  'claimant_bound',
  'policy_gates_passed',
  'score_reached',
  'patch_for_base',
  'profile_passed',
  'terms_verify',
  'reviewer_accepts',
  'verifier_accepts',
  'arbitrator_accepts',
] as const
export type Criterion = (typeof CRITERIA)[number]

/** Results of a check. `not_applicable`: the terms do not ask for it, or it could not be judged. */
export const ITEM_RESULTS = ['met', 'unmet', 'not_applicable'] as const

/** One check of a verdict. `evidence`: JSON pointer into the verdict (arbitration: into the dispute); null if not applicable. */
export interface VerdictItem {
  criterion: Criterion
  result: (typeof ITEM_RESULTS)[number]
  evidence: string | null
}
