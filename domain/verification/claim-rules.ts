import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { verdictItem } from '../sessions/verdict-items.ts'

/**
 * Rejection of a submission that no rule of its job can judge: its wallet claimed the job on chain without a right to it, or sent the hash of a
 * work that the service never got. Null for every other one.
 */
export const judgeClaim = ({ admission, submission }: Pick<SessionRecord, 'admission' | 'submission'>): Finding | null => {
  const { refusedBy } = admission
  if (refusedBy !== undefined)
    return {
      outcome: 'rejected',
      score: 0,
      reasonCode: 'CLAIMANT_NOT_ADMITTED',
      detail: `The claim was not admitted (${refusedBy.code}). ${refusedBy.message}`,
      items: [verdictItem('claim_admitted', false, '/detail')],
    }
  if (submission !== null) return null
  return {
    outcome: 'rejected',
    score: 0,
    reasonCode: 'SUBMISSION_NOT_PROVIDED',
    detail: 'The hash of a work is on chain, and the work was not sent to the service before the end of the claim.',
    items: [verdictItem('submission_provided', false, '/verificationInput')],
  }
}
