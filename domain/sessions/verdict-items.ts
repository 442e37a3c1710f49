import type { Criterion, ResolutionKind, RoundVerdict, VerdictItem, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'

/** A check with its evidence (JSON pointer). `isMet` is null where the check does not apply. */
export const verdictItem = (criterion: VerdictItem['criterion'], isMet: boolean | null, evidence: string): VerdictItem =>
  isMet === null ? { criterion, result: 'not_applicable', evidence: null } : { criterion, result: isMet ? 'met' : 'unmet', evidence }

/** Why an outcome contradicts its items; null when it does not. The constraint of table `verification` is the same rule in SQL. */
export const findItemConflict = (outcome: VerdictOutcome, items: readonly VerdictItem[]): string | null => {
  const unmet = items.filter(({ result }) => result === 'unmet').map(({ criterion }) => criterion)
  if (outcome === 'approved' && items.length === 0) return 'an approval needs at least one item'
  if (outcome === 'approved' && unmet.length > 0) return `an approval has unmet items: ${unmet.join(', ')}`
  if (outcome === 'rejected' && unmet.length === 0) return 'a rejection needs an unmet item'
  return null
}

/** Throws if an outcome contradicts its items: a defect of the handler. */
export const assertItemised = ({ outcome, items }: { outcome: VerdictOutcome; items: readonly VerdictItem[] }): void => {
  const conflict = findItemConflict(outcome, items)
  if (conflict !== null) throw new Error(conflict)
}

const DECISION_CRITERIA = {
  verifier: 'verifier_accepts',
  human_review: 'reviewer_accepts',
  arbitration: 'arbitrator_accepts',
  timeout: 'arbitrator_accepts',
} as const satisfies Record<ResolutionKind, Criterion>

/** Items of a decision that replaced a verdict. A time-out judged nothing. */
export const decisionItems = ({ kind, verdict }: { kind: ResolutionKind; verdict: RoundVerdict }): VerdictItem[] => {
  const isAccepted = verdict !== 'upheld' && verdict !== 'rejected'
  return [verdictItem(DECISION_CRITERIA[kind], kind === 'timeout' ? null : isAccepted, '/verdict')]
}
