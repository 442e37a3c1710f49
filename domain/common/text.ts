// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds NUL, which PostgreSQL cannot store.
const NUL = /\u0000/

/** Whether text columns and canonical JSON can represent a text: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !NUL.test(text) && text.isWellFormed()

/** Every text, number and boolean of a submission, without member names. */
export function evidenceTexts(submission: unknown): string[] {
  if (submission === null || submission === undefined) return []
  if (typeof submission !== 'object') return [String(submission)]
  return Object.values(submission).flatMap(evidenceTexts).filter(Boolean)
}

/** The texts of a submission, one per line. */
export const evidenceText = (submission: unknown): string => evidenceTexts(submission).join('\n')

const PRINTABLE = /^[\x20-\x7e]+$/

/** The text that 32 bytes carry in ASCII with zeros behind it; null for bytes that are no such text. */
export const textOfBytes32 = (value: string): string | null => {
  const text = Buffer.from(value.slice(2), 'hex').toString('latin1').replace(/\0+$/, '')
  return PRINTABLE.test(text) ? text : null
}

/** Trimmed text with single spaces; keeps upper and lower case. */
export const collapseSpace = (text: string): string => text.replace(/[\s\u0085]+/g, ' ').trim()

/**
 * Form in which every verifier compares the terms of a job with a submission: NFKC, without case, each run of white space one space, trimmed. Upper case first, so that `ß`
 * equals `SS` and both forms of a final sigma are one.
 */
export const normaliseText = (text: string): string =>
  collapseSpace(text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC'))
