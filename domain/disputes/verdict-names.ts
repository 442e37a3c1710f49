import { VERDICT_SPELLINGS, VERDICT_WORDS } from '../../schemas/disputes/record.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'

/** Spellings that do not determine who gets the money. */
const AMBIGUOUS: ReadonlySet<unknown> = new Set(['reject', 'rejected', 'request-more'])

/** The verdict of a spelling; null for an unknown or ambiguous one. */
export const canonicalVerdict = (name: string): ArbitrationVerdict | null => {
  const known = VERDICT_WORDS.find((spelling) => spelling === name)
  return known === undefined ? null : VERDICT_SPELLINGS[known]
}

/** Why a text is no verdict, for its sender. */
export const verdictWordProblem = (text: unknown): string =>
  AMBIGUOUS.has(text)
    ? `"${text}" does not say who gets the money: say upheld (the rejection stands) or dismissed (the rejection is dismissed)`
    : `must be one of ${VERDICT_WORDS.join(', ')}`
