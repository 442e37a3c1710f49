import { VERDICT_NAMES, VERDICT_SPELLINGS } from '../../schemas/disputes/record.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'

/** Names that do not determine who is paid. */
const AMBIGUOUS: ReadonlySet<unknown> = new Set(['reject', 'rejected', 'request-more'])

/** Verdict of an accepted name; null for an unknown or ambiguous name. */
export const parseVerdict = (name: string): ArbitrationVerdict | null => {
  const known = VERDICT_NAMES.find((spelling) => spelling === name)
  return known === undefined ? null : VERDICT_SPELLINGS[known]
}

/** Error message for a text that is no verdict. */
export const describeVerdictError = (text: unknown): string =>
  AMBIGUOUS.has(text)
    ? `"${text}" does not say who is paid: use upheld (the rejection stands) or dismissed (the rejection is dismissed)`
    : `must be one of ${VERDICT_NAMES.join(', ')}`
