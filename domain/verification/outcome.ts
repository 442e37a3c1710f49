import { VERDICT_OUTCOMES, type VerdictOutcome } from '../../schemas/sessions/verdicts.ts'

/** Outcome by its name; an unknown name is a platform fault, never a rejection. Source: lifecycle, "Outcomes". */
export const parseVerdictOutcome = (name: string): VerdictOutcome => VERDICT_OUTCOMES.find((known) => known === name) ?? 'platform_fault'
