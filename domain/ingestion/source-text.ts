import { collapseSpace } from '../common/text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts of a source are stored and shown without control characters.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const MARKS = /["“”„«»]/g
const ELLIPSIS = '…'

/**
 * Text of a source in one line of at most `max` UTF-16 units, cut with an ellipsis: without control characters and marks of writing direction,
 * lone surrogates replaced. Never throws.
 */
export function boundText(text: string, max: number): string {
  // What is cut anyway is not worth normalising: a title may have ten million characters.
  const head = text.slice(0, max * 4 + 16)
  const line = collapseSpace(head.replace(CONTROL, ' ').toWellFormed())
  if (line.length <= max && head.length === text.length) return line
  const cut = line.slice(0, max - 1)
  // A pair that the cut has split.
  const whole = cut.isWellFormed() ? cut : cut.slice(0, -1)
  return `${whole.trimEnd()}${ELLIPSIS}`
}

/** The same inside quotation marks that the text itself cannot close. */
export const quoteText = (text: string, max: number): string => `“${boundText(text, max).replace(MARKS, "'")}”`

const COMBINING = /\p{M}/gu

/** Lower-case letters and digits of a text joined by `-`, at most `max` characters; empty where the text has none in ASCII. */
export function slugOf(text: string, max: number): string {
  const plain = text
    .slice(0, max * 4)
    .normalize('NFKD')
    .replace(COMBINING, '')
    .toLowerCase()
  const slug = plain.replace(/[^a-z0-9]+/g, '-').slice(0, max + 1)
  return slug.replace(/^-/, '').slice(0, max).replace(/-+$/, '')
}
