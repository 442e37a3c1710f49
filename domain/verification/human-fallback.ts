import type { HumanFallbackConfig } from '../../schemas/catalogue/job-definition.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { verdictItem } from '../sessions/verdict-items.ts'

/** A person decides, unless the job approves every valid submission. Source: lifecycle, "human_fallback". */
export const judgeHumanFallback = ({ autoApprove, escalationMessage }: HumanFallbackConfig): Finding => {
  const items = [verdictItem('submission_valid', true, '/verificationInput')]
  return autoApprove
    ? {
        outcome: 'approved',
        score: 100,
        reasonCode: 'HUMAN_FALLBACK_AUTO_APPROVE',
        detail: 'The job approves every valid submission.',
        items,
      }
    : { outcome: 'disputed', score: 0, reasonCode: 'HUMAN_REVIEW_REQUIRED', detail: escalationMessage, items }
}
