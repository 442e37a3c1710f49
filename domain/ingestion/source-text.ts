import { sha256Of } from '../common/hashes.ts'
import { collapseSpace } from '../common/text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: texts of a source are stored and shown without control characters.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const MARKS = /["“”„‟«»]/g
const ELLIPSIS = '…'

/** What is looked at of a text: a title may have ten million characters, and what is cut anyway is not worth normalising. */
const headOf = (text: string, max: number): string =>
  text
    .slice(0, max * 4 + 16)
    .replace(CONTROL, ' ')
    .toWellFormed()

const cutAt = (text: string, max: number, isWhole: boolean): string => {
  if (isWhole && text.length <= max) return text
  const cut = text.slice(0, max - 1)
  // A pair that the cut has split.
  const whole = cut.isWellFormed() ? cut : cut.slice(0, -1)
  return `${whole.trimEnd()}${ELLIPSIS}`
}

const isWholeHead = (text: string, max: number): boolean => text.length <= max * 4 + 16

/**
 * Text of a source of at most `max` UTF-16 units, cut with an ellipsis: trimmed, without control characters and marks of writing direction, lone
 * surrogates replaced. Never throws.
 */
export const boundText = (text: string, max: number): string => cutAt(headOf(text, max).trim(), max, isWholeHead(text, max))

/** The same on one line. */
export const boundLine = (text: string, max: number): string => cutAt(collapseSpace(headOf(text, max)), max, isWholeHead(text, max))

/** The same; null for no text and for an empty one. */
export const lineOrNull = (text: unknown, max: number): string | null => (typeof text === 'string' ? boundLine(text, max) || null : null)

/** A line of a source inside quotation marks that the text itself cannot close. */
export const quoteText = (text: string, max: number): string => `“${boundLine(text, max).replace(MARKS, "'")}”`

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

const HASH_LENGTH = 8

/**
 * Part of the id of a job: lower-case words joined by `-`, `.` or `_`, at most `max` characters. A part that differs from the name by more than its case and its slashes,
 * or was cut, ends in a hash of the name, so that two names never share one.
 */
export const uniqueSlugOf = (name: string, max: number): string => {
  const plain = name.toLowerCase().replaceAll('/', '-')
  const slug = plain
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/[-._]{2,}/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '')
  if (slug === plain && slug.length <= max) return slug
  const hash = sha256Of(name.toLowerCase()).slice(2, 2 + HASH_LENGTH)
  const start = slug.slice(0, max - HASH_LENGTH - 1).replaceAll(/[-._]+$/g, '')
  return start === '' ? hash : `${start}-${hash}`
}
