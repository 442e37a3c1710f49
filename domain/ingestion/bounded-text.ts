import { sha256Of } from '../common/hashes.ts'
import { collapseSpace } from '../common/text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds what a text of a source may not carry into a job.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Half of a character beyond the first 65,536, at the end of a cut text. */
const HALF = /[\ud800-\udbff]$/

const cutAt = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1).replace(HALF, '')}…`)

/** A text of a source in storable form, trimmed, at most `max` UTF-16 units; `…` stands at the end of a cut one. */
export const boundText = (text: string, max: number): string =>
  // Cut before the rest: the text may have any length.
  cutAt(
    text
      .slice(0, max * 4)
      .replace(CONTROL, ' ')
      .trim(),
    max,
  )
    .toWellFormed()
    .trim()

/** The same on one line. */
export const boundLine = (text: string, max: number): string =>
  cutAt(collapseSpace(boundText(text, max * 4)), max)
    .toWellFormed()
    .trim()

/** A text of a source between quotation marks, which it has not itself; null for an empty one. */
export const quotedText = (text: string, max: number): string | null => {
  const line = boundLine(text, max).replaceAll(/[“”„‟]/g, '"')
  return line === '' ? null : `“${line}”`
}

const HASH_LENGTH = 8

/**
 * Part of the id of a job: lower-case words joined by `-`, `.` or `_`, at most `max` characters. A part that differs from the name by more than its case and its slashes,
 * or was cut, ends in a hash of the name, so that two names never share one.
 */
export const slugOf = (name: string, max: number): string => {
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
