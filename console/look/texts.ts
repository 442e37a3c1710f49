import { formatJson } from '../../client/src/index.ts'
import { type Html, html } from '../../pages/html.ts'
import { factTable } from '../../pages/parts.ts'

/** Longest text of a stranger that a page shows; its JSON has the whole. */
const LONGEST = 4_000
/** Most members of an object that a page shows one by one. */
const MOST_MEMBERS = 20

const cut = (text: string): Html =>
  text.length <= LONGEST
    ? html`${text}`
    : html`${text.slice(0, LONGEST).toWellFormed()}… (the first ${LONGEST} of ${text.length} characters; the JSON of this page has all)`

/** A text of a stranger with its lines. */
export const quoted = (text: string): Html => html`<div class="quote">${cut(text)}</div>`

/** A value of an answer without a fixed form: a text with its lines, an object by its members, anything else as JSON. */
export const openValue = (value: unknown): Html => {
  if (value === null || value === undefined) return html`–`
  if (typeof value === 'string') return quoted(value)
  const members = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : []
  const isPlain = members.length > 0 && members.length <= MOST_MEMBERS && members.every(([, member]) => typeof member !== 'object')
  return isPlain
    ? factTable(members.map(([name, member]) => [name, cut(String(member))] as const))
    : html`<pre tabindex="0">${cut(formatJson(value, 2))}</pre>`
}

/** Member of a value without a fixed form; undefined where there is none. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined

/** A code of an answer, such as `human_review`, in words. Unlike a status it has no frame. */
export const words = (code: string): string => code.replaceAll('_', ' ')
