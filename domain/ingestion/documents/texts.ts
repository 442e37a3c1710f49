import { keccakOfText } from '../../common/hashes.ts'
import { collapseSpace } from '../../common/text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters and marks of writing direction are what it removes.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A text of a source on one line, of at most `max` UTF-16 units, cut with an ellipsis; empty for a text without visible characters. */
export function lineOf(text: string, max: number): string {
  // Ten million characters are cut before they are looked at.
  const head = text.slice(0, 4 * max)
  const line = collapseSpace(head.replace(INVISIBLE, ' ').toWellFormed())
  if (line.length <= max && head.length === text.length) return line
  return `${line
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}…`
}

/** The same; null for no text and for an empty one. */
export const lineOrNull = (text: unknown, max: number): string | null => (typeof text === 'string' ? lineOf(text, max) || null : null)

/** The same in quotation marks, which it cannot close. */
export const quoted = (text: string, max: number): string => `“${lineOf(text, max).replace(/["“”„«»]/g, "'")}”`

const LONGEST_ID = 120
const HASH_DIGITS = 8

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/[-._]*-[-._]*/g, '-')
    .replace(/([._])[._]+/g, '$1')
    .replace(/^[-._]+|[-._]+$/g, '')

/** Id of a job by the names of its document; with digits of both names where the id does not show them whole. */
export function documentId(prefix: string, provider: string, id: string): string {
  const named = `${provider}-${id}`
  const slug = slugOf(named)
  if (slug === named && prefix.length + 1 + slug.length <= LONGEST_ID) return `${prefix}-${slug}`
  const digits = keccakOfText(`${provider}\n${id}`).slice(2, 2 + HASH_DIGITS)
  const cut = slug.slice(0, LONGEST_ID - prefix.length - HASH_DIGITS - 2).replace(/[-._]+$/, '')
  return [prefix, cut, digits].filter(Boolean).join('-')
}

/** Names of a document by its address, for one whose author gave none. */
export function namesOf(address: string): { provider: string; id: string } {
  const { hostname, port, pathname, search } = new URL(address)
  const id = `${pathname}${search}`.replace(/^\/+/, '').replace(/\.(?:json|ya?ml|html?|txt)$/i, '')
  return { provider: lineOf(`${hostname}${port === '' ? '' : `-${port}`}`, 120), id: lineOf(id, 120) || 'root' }
}
