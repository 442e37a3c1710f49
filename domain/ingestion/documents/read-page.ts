import { collapseSpace, isStorable } from '../../common/text.ts'

const LONGEST_TITLE = 240
/** Part of a page in which its links to itself stand, UTF-16 units. */
const HEAD = 64 * 1024

/** Comments, scripts and styles, in which no element begins; and the start of a title. */
const BEFORE_TITLE = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1|$)|(<title(?:\s[^<>]{0,500})?>)/gi
const END_OF_TITLE = /<\/title/gi
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{0,31}));/gi
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  copy: '©',
  reg: '®',
  trade: '™',
  middot: '·',
  bull: '•',
  laquo: '«',
  raquo: '»',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
}

/** The text with its character references replaced; null where one is not known. */
function withoutReferences(text: string): string | null {
  let isKnown = true
  const replaced = text.replace(REFERENCE, (_whole, digits?: string, hex?: string, name?: string) => {
    const point = digits === undefined ? Number.parseInt(hex ?? '', 16) : Number(digits)
    const character = name === undefined ? undefined : Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
    const isPoint = name === undefined && point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
    if (!isPoint && character === undefined) isKnown = false
    return character ?? (isPoint ? String.fromCodePoint(point) : '')
  })
  return isKnown ? replaced : null
}

/** Title of a page: the text of its first element `title`, on one line. Null without one, and for one that a reader could read in another way. */
export function pageTitle(html: string): string | null {
  BEFORE_TITLE.lastIndex = 0
  for (let found = BEFORE_TITLE.exec(html); found !== null; found = BEFORE_TITLE.exec(html)) {
    if (found[2] === undefined) continue
    const start = found.index + found[0].length
    END_OF_TITLE.lastIndex = start
    const end = END_OF_TITLE.exec(html)?.index
    if (end === undefined || end - start > 4 * LONGEST_TITLE) return null
    const title = collapseSpace(withoutReferences(html.slice(start, end)) ?? '')
    return title === '' || title.length > LONGEST_TITLE || !isStorable(title) ? null : title
  }
  return null
}

const LINK = /<link\b[^<>]{0,1000}>/gi
const CANONICAL = /\brel\s{0,9}=\s{0,9}["']?canonical\b/i

/** Whether a page or its header `link` names the page's own address. */
export const namesCanonical = (html: string, linkHeader: string): boolean =>
  /;\s{0,9}rel="?canonical\b/i.test(linkHeader.slice(0, 4_000)) ||
  (html.slice(0, HEAD).match(LINK) ?? []).some((link) => CANONICAL.test(link))
