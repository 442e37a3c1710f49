import { VERDICT_OUTCOMES, type VerdictEffect, type VerdictOutcome } from '../../schemas/verdict.ts'

const EFFECTS: Record<VerdictOutcome, Omit<VerdictEffect, 'outcome'>> = {
  approved: { sessionStatus: 'resolved', workerConsequence: 'none' },
  rejected: { sessionStatus: 'rejected', workerConsequence: 'no_payout' },
  disputed: { sessionStatus: 'disputed', workerConsequence: 'none' },
  inconclusive: { sessionStatus: 'disputed', workerConsequence: 'none' },
  platform_fault: { sessionStatus: 'disputed', workerConsequence: 'none' },
}

/** The outcome a word stands for; a word nobody knows is the platform's fault, never a rejection. */
export const verdictOutcome = (word: string): VerdictOutcome => VERDICT_OUTCOMES.find((known) => known === word) ?? 'platform_fault'

/** What a verdict does to its session. A rejection turns into `stake_slashed` only when it becomes final. Source: lifecycle, "Outcomes". */
export function verdictEffect(word: string): VerdictEffect {
  const outcome = verdictOutcome(word)
  return { outcome, ...EFFECTS[outcome] }
}
