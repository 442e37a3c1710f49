import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { VERDICT_OUTCOMES, type VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { verdictItem } from '../sessions/verdict-items.ts'

/** Outcome by its name; an unknown name is a platform fault, never a rejection. Source: lifecycle, "Outcomes". */
export const parseVerdictOutcome = (name: string): VerdictOutcome => VERDICT_OUTCOMES.find((known) => known === name) ?? 'platform_fault'

type SubmittedClaim = Pick<SessionRecord, 'admission' | 'submission' | 'evidenceHash'>

/**
 * Rejection of a submission that no rule of its job can judge: its wallet claimed the job on chain without a right to it, or sent the hash of a
 * work that the service never got. Null for every other one.
 */
export const judgeClaim = ({ admission, submission, evidenceHash }: SubmittedClaim): Finding | null => {
  const { refusedBy } = admission
  if (refusedBy !== undefined)
    return {
      outcome: 'rejected',
      score: 0,
      reasonCode: 'CLAIMANT_NOT_ADMITTED',
      detail: `The claim was not admitted (${refusedBy.code}). ${refusedBy.message}`,
      items: [verdictItem('claim_admitted', false, '/detail')],
    }
  if (submission !== null || evidenceHash === null) return null
  return {
    outcome: 'rejected',
    score: 0,
    reasonCode: 'SUBMISSION_NOT_PROVIDED',
    detail: 'The hash of a work is on chain, and the work was not sent to the service before the end of the claim.',
    items: [verdictItem('submission_provided', false, '/verificationInput')],
  }
}
