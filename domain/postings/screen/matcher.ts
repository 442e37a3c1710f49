import { fold } from './fold.ts'
import { GAP, type Tokens, tokenise } from './tokens.ts'

/** Words and phrases by the name of their group, lines of them parted by commas. A trailing `*` admits every ending of the last word. */
export type Vocabulary = Record<string, readonly string[]>

/**
 * A phrase: words, groups in braces, and numbers between them, which admit up to that many other words. `{give} 4 {secret}` is a word of the
 * first group and one of the second with at most four words between.
 */
export interface Pattern {
  rule: string
  phrase: string
  /** A phrase that goes on after the end of a sentence is one too. */
  crosses?: boolean
  /** The phrase counts only as an order: not after "how to", "users", "which" and the like. */
  order?: boolean
  /** The phrase counts although "do not" or "never" stands before it. */
  evenNegated?: boolean
  /** A group that clears a phrase which holds one of its words, or has one close to it. */
  unless?: string
  /** A group that clears a phrase which holds one of its words. */
  unlessInside?: string
  /** A group that clears a phrase which goes on with "in" or the like and one of its words. */
  unlessIn?: string
  /** The phrase counts only where a page does not show it, such as in a comment or in the text of an image. */
  hidden?: boolean
}

/** Where the words of a text stand: on the page, out of sight, or in several members. */
export type Place = 'page' | 'hidden' | 'members'

/** Patterns of one rule; a phrase alone has no exceptions. */
export const patternsOf = (rule: string, phrases: readonly (string | Omit<Pattern, 'rule'>)[]): Pattern[] =>
  phrases.map((phrase) => (typeof phrase === 'string' ? { rule, phrase } : { rule, ...phrase }))

interface Step {
  group: string
  /** Most words before it. */
  gap: number
}
interface CompiledPattern extends Pattern {
  steps: Step[]
  /** Number of the pattern in its table, from 0. */
  tableIndex: number
}
interface Alternative {
  group: string
  /** Words after the first one. */
  rest: string[]
}

/** What the patterns of one table look for. */
export interface Matcher {
  /** Patterns by the group of their first word. */
  patterns: Map<string, CompiledPattern[]>
  exact: Map<string, Alternative[]>
  prefixes: Map<string, Alternative[]>
  longestPrefix: number
}

/** Counts steps, so that a test can bound them. */
export interface WorkCounter {
  steps: number
}

const parsePhrase = (phrase: string): Step[] => {
  const steps: Step[] = []
  let gap = 0
  for (const part of phrase.split(' ')) {
    if (/^\d+$/.test(part)) gap = Number(part)
    else {
      steps.push({ group: part, gap })
      gap = 0
    }
  }
  return steps
}

const wordsOf = (phrase: string): string[] =>
  phrase.startsWith('<')
    ? phrase.split(' ')
    : tokenise(fold(phrase.replace(/\*$/, ''))).words.map((word, index, all) =>
        phrase.endsWith('*') && index === all.length - 1 ? `${word}*` : word,
      )

/** Builds the lookup of a table once. */
export function compilePatterns(vocabulary: Vocabulary, patterns: readonly Pattern[]): Matcher {
  const matcher: Matcher = { patterns: new Map(), exact: new Map(), prefixes: new Map(), longestPrefix: 0 }
  const index = (group: string, phrase: string): void => {
    const [first = '', ...rest] = wordsOf(phrase)
    const isPrefix = rest.length === 0 && first.endsWith('*')
    const key = isPrefix ? first.slice(0, -1) : first
    if (isPrefix) matcher.longestPrefix = Math.max(matcher.longestPrefix, key.length)
    const map = isPrefix ? matcher.prefixes : matcher.exact
    map.set(key, [...(map.get(key) ?? []), { group, rest }])
  }
  const groups = new Set<string>()
  const addGroup = (group: string): void => {
    if (groups.has(group)) return
    groups.add(group)
    const phrases = group.startsWith('{') ? vocabulary[group.slice(1, -1)] : [group]
    if (phrases === undefined) throw new Error(`no group ${group}`)
    for (const phrase of phrases.flatMap((line) => line.split(', '))) index(group, phrase)
  }
  for (const [tableIndex, pattern] of patterns.entries()) {
    const steps = parsePhrase(pattern.phrase)
    for (const { group } of steps) addGroup(group)
    for (const group of [pattern.unless, pattern.unlessInside, pattern.unlessIn]) if (group !== undefined) addGroup(group)
    const first = steps[0]?.group ?? ''
    const others = matcher.patterns.get(first) ?? []
    matcher.patterns.set(first, [...others, { ...pattern, steps, tableIndex }])
  }
  return matcher
}

const fits = (word: string | undefined, wanted: string): boolean =>
  word !== undefined && (wanted.endsWith('*') ? word.startsWith(wanted.slice(0, -1)) : word === wanted)

/** Ends of the phrases of each group, by the word at which they start. */
type Hits = Map<string, Map<number, number[]>>

function findHits({ exact, prefixes, longestPrefix }: Matcher, { words }: Tokens, work: WorkCounter): Hits {
  const hits: Hits = new Map()
  const take = (alternatives: readonly Alternative[] | undefined, at: number): void => {
    for (const { group, rest } of alternatives ?? []) {
      work.steps += 1
      if (!rest.every((wanted, index) => fits(words[at + 1 + index], wanted))) continue
      const starts = hits.get(group) ?? new Map<number, number[]>()
      hits.set(group, starts)
      starts.set(at, [...(starts.get(at) ?? []), at + 1 + rest.length])
    }
  }
  for (const [at, word] of words.entries()) {
    take(exact.get(word), at)
    for (let length = 1; length <= Math.min(word.length, longestPrefix); length += 1) take(prefixes.get(word.slice(0, length)), at)
  }
  return hits
}

const NEGATORS = new Set([
  'not',
  'never',
  'dont',
  'without',
  'cannot',
  'nor',
  'avoid',
  'neither',
  'nicht',
  'niemals',
  'keine',
  'nunca',
  'jamais',
  'не',
  'никогда',
])
/** After a negation these ask for the deed. */
const REVERSALS = new Set([
  'forget',
  'fail',
  'hesitate',
  'neglect',
  'omit',
  'skip',
  'miss',
  'delay',
  'wait',
  'only',
  'just',
  'stop',
  'worry',
  'bother',
])
const CLAUSE_STARTS = new Set(['and', 'but', 'then', 'instead', 'unless', 'until', 'before', 'if', 'so', 'und', 'y', 'et', 'и'])

/** Whether the words before `at` forbid what follows. */
function isNegated({ words, gaps }: Tokens, at: number): boolean {
  const isChoice = (word: string | undefined): boolean => word === 'or' || word === 'nor'
  // "Never ask for, store or share" forbids each of the three.
  let isList = isChoice(words[at - 1]) || isChoice(words[at + 1])
  for (let index = at - 1, seen = 0; index >= 0 && seen < (isList ? 10 : 4); index -= 1, seen += 1) {
    const gap = gaps[index + 1] ?? GAP.stop
    if (gap >= GAP.colon || (gap === GAP.comma && !isList)) return false
    const word = words[index] ?? ''
    if (REVERSALS.has(word) || CLAUSE_STARTS.has(word)) return false
    if (NEGATORS.has(word)) return true
    isList ||= isChoice(word)
  }
  return false
}

/** Words before a verb that describe a deed of others. */
const DESCRIBING = new Set(
  'how whether which who whom whose that where when users user customers customer people readers visitors depositors holders they it we can could may might would cannot does did do the a an this its their our of for in by as or attackers attacker callers caller clients client wallets contracts contract service server app browser to'.split(
    ' ',
  ),
)
const ADVERBS = new Set(
  'please then now also first always just simply kindly immediately next finally instead quietly silently secretly automatically once afterwards directly'.split(
    ' ',
  ),
)
/** Before "to" these address the agent. */
const ADDRESSED = new Set(
  'you agent agents worker workers assistant need needs have has required asked sure want must expected instructed supposed obliged going forget fail hesitate remember order ought'.split(
    ' ',
  ),
)

/** Whether the verb at `at` orders the reader, not describes what others do. */
function isOrder({ words, gaps }: Tokens, at: number): boolean {
  let index = at
  for (let seen = 0; seen < 14; seen += 1) {
    if ((gaps[index] ?? GAP.stop) >= GAP.colon) return true
    const before = words[index - 1] ?? ''
    if (ADVERBS.has(before)) index -= 1
    else if (before === 'and' || before === 'or' || (gaps[index] ?? 0) === GAP.comma) {
      // A list of verbs: the first one decides. Where none of its words describes others, it is an order.
      const start = Math.max(0, index - 8)
      for (let back = index - 1; back >= start; back -= 1) {
        const word = words[back] ?? ''
        if (word === 'to' && !ADDRESSED.has(words[back - 1] ?? '')) {
          if (
            /^(?:how|users?|where|lets?|people|customers?|readers|visitors|ways?|able|attempts?|page|help|allows?|them|it)$/.test(
              words[back - 1] ?? '',
            )
          )
            return false
        }
        if (/^(?:how|whether|users?|customers?|lets?|visitors|they)$/.test(word)) return false
        if ((gaps[back] ?? GAP.stop) >= GAP.colon) break
      }
      return true
    } else if (before === 'to') return ADDRESSED.has(words[index - 2] ?? '') || (gaps[index - 1] ?? GAP.stop) >= GAP.colon
    else return !DESCRIBING.has(before)
  }
  return true
}

const canReach = (gaps: readonly number[], from: number, to: number): boolean => {
  for (let index = from; index <= to; index += 1) if ((gaps[index] ?? 0) >= GAP.stop) return false
  return true
}

/** Spans of a pattern in a text; a span begins at its first word and ends before its last number. */
function findSpan(pattern: CompiledPattern, tokens: Tokens, hits: Hits, work: WorkCounter): boolean {
  const [first, ...others] = pattern.steps
  if (first === undefined || pattern.steps.some(({ group }) => !hits.has(group))) return false
  for (const [start, firstEnds] of hits.get(first.group) ?? []) {
    let ends = new Set(firstEnds)
    for (const { group, gap } of others) {
      const starts = hits.get(group)
      const next = new Set<number>()
      for (const end of ends) {
        for (let at = end; at <= end + gap && at < tokens.words.length; at += 1) {
          work.steps += 1
          if (!pattern.crosses && (tokens.gaps[at] ?? 0) >= GAP.stop) break
          for (const reached of starts?.get(at) ?? []) next.add(reached)
        }
      }
      ends = next
      if (ends.size === 0) break
    }
    if (ends.size === 0) continue
    if (!pattern.crosses && !canReach(tokens.gaps, start + 1, Math.min(...ends) - 1)) continue
    if (pattern.evenNegated !== true && isNegated(tokens, start)) continue
    if (pattern.order === true && !isOrder(tokens, start)) continue
    if (isCleared(pattern, tokens, hits, start, Math.min(...ends))) continue
    return true
  }
  return false
}

const PLACES = new Set('in inside within from on of found embedded contained hidden'.split(' '))

/** Whether a word of a clearing group stands where the pattern wants it. */
function isCleared(pattern: CompiledPattern, { words }: Tokens, hits: Hits, start: number, end: number): boolean {
  const holds = (group: string | undefined, from: number, to: number): boolean => {
    const starts = group === undefined ? undefined : hits.get(group)
    for (let at = from; starts !== undefined && at < to; at += 1) if (starts.has(at)) return true
    return false
  }
  if (holds(pattern.unless, start - 2, end + 3) || holds(pattern.unlessInside, start, end)) return true
  return PLACES.has(words[end] ?? '') && holds(pattern.unlessIn, end + 1, end + 4)
}

const countsIn: Record<Place, (pattern: Pattern) => boolean> = {
  page: ({ hidden }) => hidden !== true,
  hidden: ({ hidden }) => hidden === true,
  members: ({ crosses }) => crosses === true,
}

/** Rules whose patterns the words fit. Of words in several members only phrases that may cross sentences count. */
export function matchPatterns(matcher: Matcher, tokens: Tokens, work: WorkCounter, place: Place = 'page'): Set<string> {
  const rules = new Set<string>()
  const hits = findHits(matcher, tokens, work)
  // Most texts hold the first word of a few patterns only.
  const begun = [...hits.keys()].flatMap((group) => matcher.patterns.get(group) ?? [])
  for (const pattern of begun.sort((one, other) => one.tableIndex - other.tableIndex)) {
    if (rules.has(pattern.rule) || !countsIn[place](pattern)) continue
    if (findSpan(pattern, tokens, hits, work)) rules.add(pattern.rule)
  }
  return rules
}
