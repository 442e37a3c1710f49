import { type Html, html, prose } from './html.ts'

export type Cell = string | number | Html

/** A table of names and values; rows without a value are left out. */
export const factTable = (facts: readonly (readonly [name: string, value: Cell | null | undefined])[]): Html => {
  const shown = facts.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))
  return html`<table class="facts"><tbody>${shown.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`
}

/** A table with a head, named for readers that do not see it; `empty` stands in its place without rows. */
export const rowTable = (name: string, head: readonly string[], rows: readonly (readonly Cell[])[], empty: Cell): Html =>
  rows.length === 0
    ? html`<p>${empty}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table><thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows.map(
        (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
      )}</tbody></table></div>`

/** An id, address or hash: cut to the room there is, shown whole when it has the focus, and selected as a whole. */
export const identifier = (text: string): Html => html`<code class="id" tabindex="0" title="${text}">${text}</code>`

const HUMAN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** An instant for people; the exact one appears on hover. */
export const instant = (iso: string): Html => html`<time datetime="${iso}" title="${iso}">${HUMAN.format(new Date(iso))} UTC</time>`

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** Whole seconds in their two largest units: 7260 is `2 hours 1 minute`. */
export const duration = (seconds: number): string => {
  if (seconds < 1) return 'less than a second'
  let rest = seconds
  const parts: string[] = []
  for (const [size, name] of UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
    rest -= count * size
  }
  return parts.slice(0, 2).join(' ')
}

/** A share from 0 to 1 in percent. */
export const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

/** A code in words: `timed_out` is `timed out`. */
export const codeWords = (code: string): string => code.replaceAll(/[._]/g, ' ').toLowerCase()

export type Tone = 'good' | 'warn' | 'bad' | 'off'

/** A state in a word. Its colour repeats what the word says. */
export const state = (text: string, tone: Tone): Html => html`<span class="state ${tone}">${text}</span>`

/** Commands to copy: one click selects them all, and the script of the page adds a button. */
export const commands = (text: string): Html => html`<pre tabindex="0">${text}</pre>`

/** Links, each with what it leads to. */
export const linkList = (links: readonly (readonly [address: string, name: string, words: string])[]): Html =>
  html`<ul>${links.map(([address, name, words]) => html`<li><a href="${address}">${name}</a> ${prose(words)}</li>`)}</ul>`

/** Figures side by side. */
export const figures = (cards: readonly (readonly [figure: Cell, words: Cell])[]): Html =>
  html`<ul class="cards">${cards.map(([figure, words]) => html`<li class="card"><b>${figure}</b>${words}</li>`)}</ul>`

/** Links of which one is the current. */
export const choices = (label: string, links: readonly (readonly [name: string, address: string, isCurrent: boolean])[]): Html =>
  html`<nav aria-label="${label}"><ul class="choices">${links.map(
    ([name, address, isCurrent]) => html`<li><a href="${address}"${isCurrent ? { html: ' aria-current="true"' } : ''}>${name}</a></li>`,
  )}</ul></nav>`

/** Most rows of a list on its page, so that the page stays small; the link to the next page leads to the others. */
export const PAGE_ROWS = 30

type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Address of a list with a query; members without a value are left out. */
export const listAddress = (path: string, query: Query): string => {
  const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]))
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`
}

/** Link to the next page of a list; nothing on the last. */
export const nextPage = (words: string, path: string, query: Query & { limit: number }, cursor: string | null): Html | string =>
  cursor === null ? '' : html`<p><a class="go" href="${listAddress(path, { ...query, cursor })}">${words}</a></p>`
