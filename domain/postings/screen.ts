import {
  carriesPlaceholder,
  findAddresses,
  hasForeignScheme,
  hasUserInfo,
  isDisguised,
  isForeignTarget,
  isOpenImage,
  wordsOfAddress,
} from './screen/addresses.ts'
import { checkCharacters } from './screen/characters.ts'
import { hasEncodedBytes } from './screen/encoded.ts'
import type { Finding, ListingText } from './screen/finding.ts'
import { fold, foldings } from './screen/fold.ts'
import { measureListing, SCREEN_LIMITS } from './screen/limits.ts'
import { hasActiveMarkup, hasHiddenMarkup, hasRemoteCode, hasRoleMarker, spellsOrder } from './screen/markers.ts'
import { compilePatterns, matchPatterns, type WorkCounter } from './screen/matcher.ts'
import { PATTERNS, RULE_MESSAGES } from './screen/patterns.ts'
import { decodeEntities, type ListingLink, readMarkdown } from './screen/reader.ts'
import { tokenise } from './screen/tokens.ts'
import vocabulary from './screen/vocabulary.json' with { type: 'json' }

export type { Finding }
export { SCREEN_LIMITS }

/** Name of the screen in answers and records. A change of its rules gets a new name. */
export const SCREEN_VERSION = 'listing-content-screen-v1'

const MATCHER = compilePatterns(vocabulary, PATTERNS)

const MESSAGES: Record<string, string> = {
  ...RULE_MESSAGES,
  control_character: 'The text holds a control character.',
  invisible_character: 'The text holds characters that a reader does not see.',
  direction_override: 'The text changes the direction in which a reader sees it.',
  stacked_marks: 'The text stacks more marks on a letter than a language needs.',
  unreadable_character: 'The text holds a character without a meaning.',
  url_scheme: 'The text holds an address of another scheme than https, ipfs and schema.',
  disguised_address: 'The text shows one address and leads to another, or asks to put data into an address.',
  base64_blob: 'The text holds encoded bytes, which a reader cannot check.',
}

/** Every form of a text, each once. */
interface Forms {
  /** Letter by letter as written or shown. */
  literal: string[]
  /** What a page does not show. */
  hidden: string[]
  links: ListingLink[]
  html: string
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text.trim() !== ''))]

/** Names of members are written in one word; a name asks for its value. */
const splitName = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_.-]+/g, ' ')

function readForms({ value, isName }: ListingText): Forms {
  if (isName) return { literal: unique([value, `provide ${splitName(value)}`]), hidden: [], links: [], html: '' }
  const { prose, hidden, links, html } = readMarkdown(value)
  // The reader ends each paragraph with empty lines; without the last ones a text without markup is one form, not two.
  const shown = prose.trimEnd()
  return { literal: unique([value, decodeEntities(value), shown, ...hidden]), hidden: unique(hidden), links, html }
}

function checkAddresses(literal: readonly string[], links: readonly ListingLink[]): string[] {
  const rules: string[] = []
  const addresses = [...literal.flatMap(findAddresses), ...links.map(({ target }) => target)]
  const plain = literal.map((text) => text.normalize('NFKC'))
  if (plain.some(hasForeignScheme) || links.some(({ target }) => isForeignTarget(target))) rules.push('url_scheme')
  const isHidden =
    links.some((link) => isDisguised(link) || isOpenImage(link)) ||
    addresses.some((address) => hasUserInfo(address) || carriesPlaceholder(address))
  return isHidden ? [...rules, 'disguised_address'] : rules
}

/** Rules that one text breaks. */
function screenText(text: ListingText, work: WorkCounter): Set<string> {
  const { literal, hidden, links, html } = readForms(text)
  const rules = new Set(literal.flatMap((form) => [...checkCharacters(form)]))
  const addAll = (found: Iterable<string>): void => {
    for (const rule of found) rules.add(rule)
  }
  addAll(checkAddresses(literal, links))
  if (hasActiveMarkup(html)) rules.add('remote_code')
  if (hasHiddenMarkup(html)) rules.add('invisible_character')
  if (literal.some(hasEncodedBytes)) rules.add('base64_blob')
  const targets = links.map(({ target }) => target)
  const inAddresses = unique([...literal.flatMap(findAddresses), ...targets].map(wordsOfAddress))
  const folded = unique([...literal, ...inAddresses].flatMap(foldings))
  for (const form of folded) {
    if (hasRoleMarker(form)) rules.add('role_marker')
    if (hasRemoteCode(form)) rules.add('remote_code')
    if (spellsOrder(form)) rules.add('spaced_letters')
    addAll(matchPatterns(MATCHER, tokenise(form), work))
    if (form.includes('_')) addAll(matchPatterns(MATCHER, tokenise(form.replaceAll('_', ' ')), work))
  }
  for (const form of hidden.flatMap(foldings)) addAll(matchPatterns(MATCHER, tokenise(form), work, 'hidden'))
  return rules
}

const findingOf = (pointer: string, rule: string): Finding => ({ pointer, rule, message: MESSAGES[rule] ?? rule })

/** Screens a definition and counts the steps of the pattern match in `work`. */
export function screenCounted(definition: unknown, work: WorkCounter): readonly Finding[] {
  const { texts, findings } = measureListing(definition)
  const found = texts.flatMap((text) => [...screenText(text, work)].map((rule) => findingOf(text.pointer, rule)))
  // A phrase that is spread over several members.
  const joined = texts.filter(({ isName }) => !isName).map(({ value }) => fold(decodeEntities(value)))
  const spread = matchPatterns(MATCHER, tokenise(joined.join('\n\n')), work, 'members')
  const known = new Set(found.map(({ rule }) => rule))
  return [...findings, ...found, ...[...spread].filter((rule) => !known.has(rule)).map((rule) => findingOf('', rule))]
}

/**
 * Reasons to refuse the listing of a job that a stranger posts; none where it may be listed. Texts are read as written and as a page shows
 * them. Source: lifecycle, "External listings, poster review".
 */
export const screenListing = (definition: unknown): readonly Finding[] => screenCounted(definition, { steps: 0 })
