import type { SourceText } from '../../schemas/ingestion/record.ts'
import { SCREEN_LIMITS, screenListing } from '../postings/screen.ts'

/** Characters that two parts of a long text share, so that a phrase across their border is read whole. */
const OVERLAP = 400
const PART = SCREEN_LIMITS.text
/** Characters of all texts of a candidate that are read; a longer one is refused for its length. */
const LONGEST = 60_000
/** Characters that one screen reads. */
const TOGETHER = SCREEN_LIMITS.total - 1_000

/** Schemes that act in a page or move money. Logs, settings and addresses of a source name many others. */
const ACTING =
  /(?<![\p{L}\p{N}_.-])(?:(?:javascript|vbscript|bitcoin|ethereum|solana|lightning|litecoin|monero|intent):(?=[^\s:])|data:[a-z]+\/)/iu

const partsOf = (text: string): string[] => {
  if (text.length <= PART) return [text]
  const parts: string[] = []
  for (let start = 0; start < text.length - OVERLAP; start += PART - OVERLAP) parts.push(text.slice(start, start + PART).toWellFormed())
  return parts
}

/** Texts in groups that one screen reads, so that a phrase spread over several is found. */
const groupsOf = (parts: readonly string[]): string[][] => {
  const groups: string[][] = []
  let length = TOGETHER
  for (const part of parts) {
    const last = groups.at(-1)
    if (last === undefined || length + part.length > TOGETHER || last.length >= SCREEN_LIMITS.entries) {
      groups.push([part])
      length = part.length
    } else {
      last.push(part)
      length += part.length
    }
  }
  return groups
}

/** Rules of the listing screen that the texts of a candidate break, by name; none where they may be shown. */
export const screenSourceTexts = (texts: readonly SourceText[]): string[] => {
  const total = texts.reduce((sum, { value }) => sum + value.length, 0)
  if (total > LONGEST) return ['listing_too_long']
  const findings = groupsOf(texts.flatMap(({ value }) => partsOf(value))).flatMap((group) => screenListing({ texts: group }))
  const acts = texts.some(({ value }) => ACTING.test(value.normalize('NFKC')))
  // What a poster writes may hold addresses of three schemes alone; what a source writes may name any that does nothing.
  const rules = findings.map(({ rule }) => rule).filter((rule) => rule !== 'url_scheme' || acts)
  return [...new Set(rules)].sort()
}
