import { VERDICT_OUTCOMES, type VerdictOutcome } from '../../schemas/sessions/verdicts.ts'

/** The outcome a word stands for; a word nobody knows is the platform's fault, never a rejection. Source: lifecycle, "Outcomes". */
export const verdictOutcome = (word: string): VerdictOutcome => VERDICT_OUTCOMES.find((known) => known === word) ?? 'platform_fault'
