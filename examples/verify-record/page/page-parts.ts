// The result of a check as elements of the page.

import type { Input } from '../evidence.ts'
import { type Result, rawText, type State, shortened } from '../result.ts'
import { humanInstant, type Piece, type Sentence } from '../sentence.ts'
import { KEY_SET_PATH } from '../service.ts'
import { element, type PageElement } from './document.ts'

/** Class of the frame of a result, and tone of its word. */
const LOOKS: Readonly<Record<State, readonly [frame: string, tone: string]>> = {
  Sound: ['sound', 'good'],
  'Not sound': ['refused', 'bad'],
  'Cannot be decided': ['undecided', 'warn'],
  'Not a record': ['undecided', 'warn'],
}

const pieceOf = (piece: Piece): PageElement | string => {
  if (typeof piece === 'string') return piece
  if ('id' in piece) return element('code', { class: 'id', title: piece.id }, piece.id)
  return element('time', { datetime: piece.at, title: piece.at }, humanInstant(piece.at))
}
const paragraph = (words: Sentence, attributes = {}): PageElement => element('p', attributes, ...words.map(pieceOf))

const list = (title: string, level: string, lines: readonly string[]): PageElement[] =>
  lines.length === 0 ? [] : [element(level, {}, title), element('ul', {}, ...lines.map((line) => element('li', {}, line)))]

const folded = (title: string, ...children: PageElement[]): PageElement =>
  element('details', {}, element('summary', {}, title), ...children)

const fact = (name: string, value: string): PageElement =>
  element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, element('code', {}, value)))

/** Link that saves a value of the page as a file. */
const savingLink = (words: string, file: string, value: unknown): PageElement =>
  element('a', { download: file, href: URL.createObjectURL(new Blob([JSON.stringify(value)], { type: 'application/json' })) }, words)

const linksOf = ({ page, trust, fetchedHeads }: Result): PageElement[] => {
  const links = [
    ...(page === null ? [] : [element('a', { href: page.path }, page.name)]),
    ...(trust === null ? [] : [element('a', { href: KEY_SET_PATH, download: 'key-set.json' }, 'Save the key set of this service')]),
    ...(fetchedHeads.length === 0 ? [] : [savingLink('Save the heads of its session log', 'heads.json', fetchedHeads)]),
  ]
  return links.length === 0 ? [] : [element('ul', { class: 'choices' }, ...links.map((link) => element('li', {}, link)))]
}

/** The verdict in words, and what stands below it. One of several has its name. */
export const resultParts = (
  { name, text }: Input,
  result: Result,
  { hash, isOneOfSeveral }: { hash: string; isOneOfSeveral: boolean },
): { verdict: PageElement; more: PageElement } => {
  const { state, words, trust, checked, doesNotProve, states } = result
  const [frame, tone] = LOOKS[state]
  const title = isOneOfSeveral ? [element('bdi', {}, shortened(name)), ' '] : []
  const verdict = element(
    'div',
    { class: frame },
    element('p', {}, ...title, element('b', { class: `state ${tone}` }, state)),
    paragraph(words),
    ...(trust === null ? [] : [paragraph(trust, { class: 'soft' })]),
  )
  const level = isOneOfSeveral ? 'h3' : 'h2'
  const more = element(
    'section',
    {},
    ...(isOneOfSeveral ? [element('h2', {}, shortened(name))] : []),
    ...linksOf(result),
    ...list('What was checked', level, checked),
    ...list('What it does not prove', level, doesNotProve),
    ...(states.length === 0 ? [] : [folded('What the record states', element('ul', {}, ...states.map((line) => element('li', {}, line))))]),
    folded(
      'The record as it was read',
      element('table', { class: 'facts' }, element('tbody', {}, fact('From', shortened(name)), fact('SHA-256 of its text', hash))),
      element('pre', { class: 'scroll', tabindex: '0' }, rawText(text)),
    ),
  )
  return { verdict, more }
}

/** A line for what the reader kept, with a button that removes it. */
export const keptLine = (words: string, name: string, remove: () => void): PageElement => {
  const button = element('button', { type: 'button', class: 'small' }, `Remove ${words.toLowerCase()}`)
  button.addEventListener('click', remove)
  return element('li', {}, `${words}: `, element('bdi', {}, name), button)
}
