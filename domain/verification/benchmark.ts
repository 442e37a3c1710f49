import type { BenchmarkConfig } from '../../schemas/catalogue/job-definition.ts'
import type { MemberSchema } from '../../schemas/catalogue/job-schemas/parts.ts'
import type { VerdictItem } from '../../schemas/sessions/verdicts.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { collapseSpace, normaliseText } from '../common/text.ts'
import { verdictItem } from '../sessions/verdict-items.ts'
import { memberNames, normaliseEvidence } from './normalise-text.ts'

/** Keywords that count as evidence: distinct, not blank, and no member name of the output schema. */
export function usableKeywords(config: BenchmarkConfig, schema: MemberSchema | null): string[] {
  const names = schema === null ? new Set<string>() : memberNames(schema)
  const keywords = config.requiredKeywords.map(normaliseText)
  return [...new Set(keywords)].filter((keyword) => keyword !== '' && !names.has(keyword))
}

const rejection = (reasonCode: Finding['reasonCode'], detail: string, items: VerdictItem[], score = 0): Finding => ({
  outcome: 'rejected',
  score,
  reasonCode,
  detail,
  items,
})

/** Results of the checks in their order; null where one was not judged. */
const itemsOf = (areTermsUsable: boolean, areTermsFound: boolean | null, areQuotesFound: boolean | null): VerdictItem[] => [
  verdictItem('terms_distinguish_work', areTermsUsable, '/verifierConfigSnapshot'),
  verdictItem('terms_found', areTermsFound, '/verificationInput'),
  verdictItem('quotes_in_revision', areQuotesFound, '/verificationInput'),
]

/** Keyword rule: enough usable keywords must occur in the normalised text of the submission. Source: lifecycle, "benchmark". */
export function judgeBenchmark(config: BenchmarkConfig, schema: MemberSchema | null, submission: unknown): Finding {
  const keywords = usableKeywords(config, schema)
  if (config.minimumMatches < 1 || keywords.length < config.minimumMatches) {
    return rejection(
      'BENCHMARK_CONFIG_UNSAFE',
      'The terms of this job cannot distinguish good work from an empty submission.',
      itemsOf(false, null, null),
    )
  }
  const text = normaliseEvidence(submission)
  const matched = keywords.filter((keyword) => text.includes(keyword)).length
  const score = Math.round((matched / keywords.length) * 100)
  const detail = `${matched} of ${keywords.length} terms found, ${config.minimumMatches} needed.`
  if (matched < config.minimumMatches) return rejection('BENCHMARK_THRESHOLD_MISSED', detail, itemsOf(true, false, null), score)
  return { outcome: 'approved', score, reasonCode: 'BENCHMARK_THRESHOLD_MET', detail, items: itemsOf(true, true, null) }
}

const textsOf = (submission: unknown, list: string, members: string[]): string[] => {
  const entries = (submission as Record<string, unknown> | null)?.[list]
  if (!Array.isArray(entries)) return []
  return entries
    .flatMap((entry) => members.map((member) => (entry as Record<string, unknown> | null)?.[member]))
    .filter((value) => typeof value === 'string')
}

/** What of a citation repair must occur in the pinned revision. */
interface RevisionAnchors {
  quotes: string[]
  addresses: string[]
}

/** Quotes and addresses of a citation repair. */
export const revisionAnchors = (submission: unknown): RevisionAnchors => ({
  quotes: textsOf(submission, 'citation_findings', ['source_quote']),
  addresses: [...textsOf(submission, 'citation_findings', ['evidence_url']), ...textsOf(submission, 'proposed_changes', ['source_url'])],
})

/** Fewest characters of a quote: a shorter one stands on any page. */
const SHORTEST_QUOTE = 20

const hasQuote = (page: string, quote: string): boolean => [...quote].length >= SHORTEST_QUOTE && page.includes(quote)

/** What can follow an address in wikitext: the end of its sentence, and a sign that no address has. Source: MediaWiki, external links. */
const END_OF_ADDRESS = /[.,;:!?)']*(?:$|[\s<>"[\]{}|])/y
const INSIDE_WORD = /[\p{L}\p{N}]$/u

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
}

/** Whether a page has an address as a whole, not as the start of a longer one. */
const hasAddress = (page: string, address: string): boolean => {
  if (!isWebAddress(address)) return false
  for (let start = page.indexOf(address); start !== -1; start = page.indexOf(address, start + 1)) {
    END_OF_ADDRESS.lastIndex = start + address.length
    if (END_OF_ADDRESS.test(page) && !INSIDE_WORD.test(page.slice(Math.max(0, start - 2), start))) return true
  }
  return false
}

/**
 * Anchored rule on top of the keyword rule; `revision` is the wikitext of the pinned revision. A quote has at least 20 characters, an address
 * occurs as a whole. Source: lifecycle, "benchmark".
 */
export function judgeRevisionAnchors(keywords: Finding, submission: unknown, revision: string): Finding {
  if (keywords.outcome !== 'approved') return keywords
  const page = collapseSpace(revision)
  const { quotes, addresses } = revisionAnchors(submission)
  const anchors = [
    ...quotes.map((quote) => hasQuote(page, collapseSpace(quote))),
    ...addresses.map((address) => hasAddress(page, collapseSpace(address))),
  ]
  const missing = anchors.filter((isFound) => !isFound).length
  if (anchors.length === 0 || missing > 0) {
    return rejection(
      'BENCHMARK_REVISION_ANCHOR_MISMATCH',
      `${missing} of ${anchors.length} quotes and addresses are not in the pinned revision, or are shorter than ${SHORTEST_QUOTE} characters or no whole address.`,
      itemsOf(true, true, false),
    )
  }
  return {
    ...keywords,
    items: itemsOf(true, true, true),
    reasonCode: 'BENCHMARK_REVISION_ANCHORS_MET',
    detail: `All ${anchors.length} quotes and addresses are in the pinned revision.`,
  }
}
