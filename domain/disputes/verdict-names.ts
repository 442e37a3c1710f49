import { type ArbitrationVerdict, type RoundVerdict, VERDICT_SPELLINGS, VERDICT_WORDS } from '../../schemas/disputes/record.ts'

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

const CODES: Readonly<Record<RoundVerdict, string>> = {
  upheld: 'DISPUTE_LOST',
  dismissed: 'DISPUTE_OVERTURNED',
  split: 'DISPUTE_PARTIAL',
  timeout: 'ARB_TIMEOUT',
  approved: 'HUMAN_REVIEW_APPROVED',
  rejected: 'HUMAN_REVIEW_REJECTED',
}

/** Reason code of a verdict; a review by people has the code of people. */
export const verdictCode = (verdict: RoundVerdict): string => CODES[verdict]

/** The code as the escrow stores it: ASCII in bytes32, unlike the hashed codes of a verifier. */
export const verdictCodeBytes = (verdict: ArbitrationVerdict): `0x${string}` =>
  `0x${[...CODES[verdict]]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join('')
    .padEnd(64, '0')}`
