import { VERDICT_SPELLINGS, VERDICT_WORDS } from '../../schemas/disputes/record.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'

/** Words that do not say who gets the money. */
const AMBIGUOUS: ReadonlySet<unknown> = new Set(['reject', 'rejected', 'request-more'])

/** The verdict a word stands for; null for one that is unknown or ambiguous. */
export const canonicalVerdict = (word: string): ArbitrationVerdict | null => {
  const known = VERDICT_WORDS.find((spelling) => spelling === word)
  return known === undefined ? null : VERDICT_SPELLINGS[known]
}

/** Why a word is no verdict, for its sender. */
export const verdictWordProblem = (word: unknown): string =>
  AMBIGUOUS.has(word)
    ? `"${word}" does not say who gets the money: say upheld (the rejection stands) or dismissed (the rejection is dismissed)`
    : `must be one of ${VERDICT_WORDS.join(', ')}`
