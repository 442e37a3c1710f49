// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is exactly what is looked for; the database cannot store it.
const NUL = /\u0000/

/** Whether text columns and canonical forms can hold a text: no NUL, no half surrogate. */
export const isStorable = (text: string): boolean => !NUL.test(text) && text.isWellFormed()

/** Every piece of text, number and truth value of a submission, one per line; names of members are no evidence. */
export function evidenceText(submission: unknown): string {
  if (submission === null || submission === undefined) return ''
  if (typeof submission !== 'object') return String(submission)
  return Object.values(submission).map(evidenceText).filter(Boolean).join('\n')
}
