import { z } from 'zod'
import type { GithubInput } from '../../../schemas/ingestion/github.ts'
import { SourceFailure } from '../source.ts'
import { type GithubHit, SearchPage } from './github-shapes.ts'
import { parseAnswer } from './shape.ts'

/** Hits of a request, and of one whose answer is too long at that size. */
const HITS = 100
const FEW_HITS = 10
/** Pages of one query: the host gives its first 1,000 results. */
const QUERY_PAGES = 10
/** Candidates of a page: each costs a request for its timeline and mostly some for its repository. */
const CANDIDATES = 20
const SEARCH_BYTES = 8 * 1024 * 1024

/** Qualifiers of every query. Source: lifecycle, "Ingest". */
const QUALIFIERS = 'is:issue is:open -label:wontfix -label:duplicate -label:invalid'

/**
 * Where to go on: the results that changed at `until` or before, from one of their pages on, without the hits whose ids were taken already. The window moves
 * along with the hits, so that an issue that changes meanwhile shifts none out of sight.
 */
export const SearchCursor = z.strictObject({
  until: z.iso.datetime().nullable(),
  page: z.int().min(1).max(QUERY_PAGES),
  taken: z.array(z.int()).max(HITS),
})
export type SearchCursor = z.infer<typeof SearchCursor>
export const FIRST_SEARCH: SearchCursor = { until: null, page: 1, taken: [] }

const timeOf = ({ updated_at: at }: GithubHit): number | null => (at === null ? null : Date.parse(at))
const isBefore = (hit: GithubHit, { until }: SearchCursor): boolean => until === null || (timeOf(hit) ?? 0) <= Date.parse(until)

/** Where the search goes on after some hits of a page. `isWhole` tells that no hit of the page is left. */
const nextCursor = (before: SearchCursor, seen: readonly GithubHit[], isWhole: boolean): SearchCursor | null => {
  const times = seen.map(timeOf).filter((time) => time !== null)
  const oldest = Math.min(...times)
  const until = before.until === null ? Number.POSITIVE_INFINITY : Date.parse(before.until)
  if (oldest < until) {
    const atThatTime = seen.filter((hit) => timeOf(hit) === oldest)
    return { until: new Date(oldest).toISOString(), page: 1, taken: atThatTime.map(({ id }) => id) }
  }
  if (!isWhole) return { ...before, taken: [...new Set([...before.taken, ...seen.map(({ id }) => id)])].slice(-HITS) }
  if (before.page < QUERY_PAGES) return { ...before, page: before.page + 1, taken: [] }
  // More results of one second than the host gives: the rest stays for another query.
  return before.until === null ? null : { until: new Date(until - 1_000).toISOString(), page: 1, taken: [] }
}

/** Instant as the search reads it: without the part of a second, which the host does not have. */
const searchTime = (iso: string): string => `${iso.slice(0, 19)}Z`

const pathOf = ({ query }: GithubInput, { until, page }: SearchCursor, size: number): string => {
  const window = until === null ? '' : ` updated:<=${searchTime(until)}`
  const q = `${query} ${QUALIFIERS}${window}`
  return `/search/issues?${new URLSearchParams({ q, sort: 'updated', order: 'desc', per_page: String(size), page: String(page) })}`
}

/** Hits that are issues and were not taken, and where the search goes on. */
export interface Hits {
  hits: GithubHit[]
  /** Behind the first `count` hits; null after the last of the search. */
  nextAfter(count: number): SearchCursor | null
}

/** Searches issues of a query, last changed first. `get` requests a path of the API. */
export const createGithubSearch = (get: (path: string, maxBytes: number) => Promise<{ value: unknown }>) => {
  const requestHits = async (input: GithubInput, cursor: SearchCursor, size: number) => {
    const { value } = await get(pathOf(input, cursor, size), SEARCH_BYTES)
    const { items: hits, incomplete_results: isCut } = parseAnswer(SearchPage, value, 'the search')
    // A search that ran out of time has no results: that is no end.
    if (isCut && hits.length === 0) throw new SourceFailure('source_unreadable', 'the search ran out of time')
    return { hits, size }
  }

  /** Hits of a page; fewer where those of a whole page are too long together. */
  const readHits = async (input: GithubInput, cursor: SearchCursor) => {
    try {
      return await requestHits(input, cursor, HITS)
    } catch (error) {
      const isTooLong = error instanceof SourceFailure && error.fault === 'source_too_large' && cursor.page === 1
      if (!isTooLong) throw error
      return requestHits(input, cursor, FEW_HITS)
    }
  }

  return async (input: GithubInput, cursor: SearchCursor): Promise<Hits> => {
    const { hits, size } = await readHits(input, cursor)
    if (hits.length === size && !hits.some((hit) => isBefore(hit, cursor)))
      throw new SourceFailure('source_unreadable', 'the search repeats results from outside of its window')
    const taken = new Set(cursor.taken)
    const seen: GithubHit[] = []
    const fresh = new Map<number, GithubHit>()
    for (const hit of hits) {
      if (fresh.size === CANDIDATES) break
      seen.push(hit)
      // A pull request is no issue, although the host numbers and lists it as one.
      if (hit.pull_request == null && !taken.has(hit.id) && isBefore(hit, cursor)) fresh.set(hit.id, hit)
    }
    const isWhole = seen.length === hits.length
    const found = [...fresh.values()]
    return {
      hits: found,
      nextAfter: (count) => {
        const following = found[count]
        if (following !== undefined) return nextCursor(cursor, seen.slice(0, seen.indexOf(following)), false)
        return isWhole && hits.length < size ? null : nextCursor(cursor, seen, isWhole)
      },
    }
  }
}
