// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is exactly what is looked for; the database cannot store it.
const NUL = /\u0000/

/** Whether text columns and canonical forms can hold a text: no NUL, no half surrogate. */
export const isStorable = (text: string): boolean => !NUL.test(text) && text.isWellFormed()
