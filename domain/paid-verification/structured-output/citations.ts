import { collapseSpace } from '../../common/text.ts'
import { decodeUtf8 } from './json-text.ts'
import { isWithin, resolvePointer, showPointer } from './pointer.ts'

/** Most citations of an output. */
const MAX_CITATIONS = 200
/** Fewest characters of a quote after folding: a shorter one stands on any page. */
const SHORTEST_QUOTE = 20
/** Most characters of a quote. */
const LONGEST_QUOTE = 10_000

export interface Source {
  /** SHA-256 of the bytes as 64 hex digits; a citation names its source by it. */
  sha256: string
  /** Its address, by which a citation may name it too. */
  url: string
  bytes: Uint8Array
}

/** What the citations of an output show, with the first fault of each rule; null without one. */
export interface CitationFindings {
  count: number
  /** Sources that a citation names. */
  cited: number
  sourceFault: string | null
  quoteFault: string | null
  /** Why a quote could not be looked up: a source that is no text. */
  quoteDoubt: string | null
  claimFault: string | null
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Folded text of each source, made when it is first asked for; null for bytes that are no UTF-8. */
const createTexts = () => {
  const texts = new Map<Source, string | null>()
  return (source: Source): string | null => {
    const known = texts.get(source)
    if (known !== undefined) return known
    const text = decodeUtf8(source.bytes, true)
    const folded = text === null ? null : collapseSpace(text)
    texts.set(source, folded)
    return folded
  }
}

const quoteFaultOf = (quote: unknown): string | null => {
  if (typeof quote !== 'string') return 'has no `quote`'
  const length = [...collapseSpace(quote)].length
  if (length < SHORTEST_QUOTE) return `has a quote of ${length} characters; ${SHORTEST_QUOTE} are needed`
  return length > LONGEST_QUOTE ? `has a quote of ${length} characters; ${LONGEST_QUOTE} are allowed` : null
}

const claimFaultOf = (claim: unknown, output: unknown, citationsPointer: string): string | null => {
  if (typeof claim !== 'string') return 'has no `claim`'
  if (isWithin(claim, citationsPointer)) return 'claims a place among the citations'
  if (isWithin(citationsPointer, claim)) return 'claims a value that holds the citations'
  const value = resolvePointer(output, claim)
  return value === undefined || value === null || value === '' ? 'claims a place of the output that has no value' : null
}

/**
 * Judges the citations of an output: objects with `source` (SHA-256 or address of a given source), `quote` (its words) and `claim` (JSON pointer
 * to the value of the output that they support).
 */
export const judgeCitations = (output: unknown, citationsPointer: string, sources: readonly Source[]): CitationFindings => {
  const none: CitationFindings = { count: 0, cited: 0, sourceFault: null, quoteFault: null, quoteDoubt: null, claimFault: null }
  const citations = resolvePointer(output, citationsPointer)
  const allFail = (fault: string): CitationFindings => ({ ...none, sourceFault: fault, quoteFault: fault, claimFault: fault })
  if (!Array.isArray(citations) || citations.length === 0)
    return allFail(`The output has no citations at ${showPointer(citationsPointer)}.`)
  if (citations.length > MAX_CITATIONS) return allFail(`The output has ${citations.length} citations; ${MAX_CITATIONS} are allowed.`)
  const findings = { ...none, count: citations.length }
  const textOf = createTexts()
  const cited = new Set<Source>()
  for (const [index, entry] of citations.entries()) {
    const { source, quote, claim }: Record<string, unknown> = isObject(entry) ? entry : {}
    const name = `Citation ${index}`
    const named = sources.filter(({ sha256, url }) => source === sha256 || source === url)
    for (const one of named) cited.add(one)
    if (named.length === 0) findings.sourceFault ??= `${name} names no given source.`
    const form = quoteFaultOf(quote)
    if (form !== null) findings.quoteFault ??= `${name} ${form}.`
    else if (named.length > 0) {
      const folded = collapseSpace(String(quote))
      const texts = named.map(textOf)
      if (texts.includes(null)) findings.quoteDoubt ??= `The source of citation ${index} is not UTF-8.`
      else if (!texts.some((text) => text?.includes(folded))) findings.quoteFault ??= `${name} quotes what its source does not have.`
    }
    const claimFault = claimFaultOf(claim, output, citationsPointer)
    if (claimFault !== null) findings.claimFault ??= `${name} ${claimFault}.`
  }
  return { ...findings, cited: cited.size }
}
