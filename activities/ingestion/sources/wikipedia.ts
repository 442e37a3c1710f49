import { z } from 'zod'
import { boundLine } from '../../../domain/ingestion/source-text.ts'
import { knownTemplate, MAINTENANCE_TEMPLATES } from '../../../domain/ingestion/wikipedia-tasks.ts'
import type { WikipediaInput, WikipediaItem } from '../../../schemas/ingestion/wikipedia.ts'
import { revisionApiUrl } from '../../verification/sources.ts'
import { type Source, type SourceAnswer, SourceFailure, type SourceHttp, type SourcePage } from '../source.ts'
import { elementsOf, instantOrNull, type Members, membersOf, numberOrNull, textOrNull } from './members.ts'
import { parseCursor } from './shape.ts'

/** Pages of a category that one request lists. Source: lifecycle, "Ingest". */
const PAGES = 50
/** Templates that one answer lists at most, for every page together. Source: action API, `tllimit`. */
const TEMPLATES = 500
/** Requests of one page: each continues the templates of the same pages. */
const REQUESTS = 8
/** Seconds of lag of the edition's databases above which it refuses. Source: MediaWiki, "Maxlag parameter". */
const MAXLAG_SECONDS = 5
const MAX_BYTES = 16 * 1024 * 1024
const TITLE_MAX = 300
/** Longest continuation that a cursor holds, characters of JSON. */
const CONTINUE_MAX = 1_500

const Continuation = z.record(z.string().max(60), z.union([z.string(), z.int()]))
type Continuation = z.infer<typeof Continuation>

const Cursor = z.strictObject({
  /** Index of the category. */
  category: z.int().min(0),
  /** What the last answer asked to send with the next request; null at the begin of the category. */
  continuation: Continuation.nullable(),
})
type Cursor = z.infer<typeof Cursor>

/** Errors that only ask to wait, and the seconds of a source that names none. Source: action API, "Errors and warnings". */
const WAITS: Readonly<Record<string, number>> = { maxlag: 5, ratelimited: 60, readonly: 60, actionthrottledtext: 60 }
/** Errors for which the request is at fault. */
const REFUSALS = /^(?:invalid|bad|missing|unknown|permissiondenied|readapidenied|blocked|no-?such|too-?many)/

const unreadable = (detail: string): SourceFailure => new SourceFailure('source_unreadable', detail)

const secondsOf = ({ headers }: SourceAnswer): number | null => {
  const value = headers['retry-after']
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : null
}

/** The edition answers its errors with status 200. */
function failureOf(error: unknown, answer: SourceAnswer): SourceFailure {
  const code = textOrNull(membersOf(error).code) ?? 'unnamed'
  const detail = `the edition answers the error ${boundLine(code, 60)}`
  const wait = Object.hasOwn(WAITS, code) ? WAITS[code] : undefined
  if (wait !== undefined) return new SourceFailure('source_rate_limited', detail, secondsOf(answer) ?? wait)
  return REFUSALS.test(code) ? new SourceFailure('source_refused', detail) : unreadable(detail)
}

function continuationOf(value: unknown): Continuation | null {
  if (value === undefined) return null
  const parsed = Continuation.safeParse(value)
  if (!parsed.success || JSON.stringify(parsed.data).length > CONTINUE_MAX) throw unreadable('the continuation has another form')
  return parsed.data
}

/** One answer: its pages, whether their members are complete, and how to go on. */
interface Batch {
  pages: readonly Members[]
  isComplete: boolean
  continuation: Continuation | null
}

function readBatch(value: unknown, answer: SourceAnswer): Batch {
  const { error, query, batchcomplete, continue: next } = membersOf(value)
  if (error !== undefined) throw failureOf(error, answer)
  const continuation = continuationOf(next)
  const isComplete = batchcomplete === true
  if (!isComplete && continuation === null) throw unreadable('the answer is neither complete nor continued')
  // A category without pages has no such member.
  if (query === undefined) return { pages: [], isComplete, continuation }
  const { pages } = membersOf(query)
  if (!Array.isArray(pages) || pages.length > TEMPLATES) throw unreadable('the answer has no list of pages')
  return { pages: pages.map(membersOf), isComplete, continuation }
}

const templatesOf = (page: Members): string[] =>
  elementsOf(page.templates, TEMPLATES)
    .map((template) => knownTemplate(textOrNull(membersOf(template).title) ?? ''))
    .filter((name) => name !== null)

function itemOf(page: Members, language: string, category: string): WikipediaItem {
  const [latest] = elementsOf(page.revisions, 1)
  const { revid, timestamp, size } = membersOf(latest)
  const revision = numberOrNull(revid)
  const { ns } = page
  return {
    language,
    pageId: numberOrNull(page.pageid),
    title: boundLine(textOrNull(page.title) ?? '', TITLE_MAX),
    namespace: typeof ns === 'number' && Number.isSafeInteger(ns) ? ns : null,
    revisionId: revision === null ? null : String(revision),
    revisedAt: instantOrNull(timestamp),
    sizeBytes: numberOrNull(size),
    isMissing: page.missing === true || page.invalid === true,
    isRedirect: page.redirect === true,
    category,
    templates: [],
  }
}

/** Pages of several answers by number or title, with the templates of all of them. */
function merge(into: Map<string, WikipediaItem>, pages: readonly Members[], language: string, category: string): void {
  for (const page of pages) {
    const item = itemOf(page, language, category)
    const key = String(item.pageId ?? item.title)
    const known = into.get(key) ?? item
    // Later answers of a batch may leave out what earlier ones have.
    const revision = known.revisionId === null ? item : known
    const templates = [...new Set([...known.templates, ...templatesOf(page)])].sort()
    into.set(key, { ...known, revisionId: revision.revisionId, revisedAt: revision.revisedAt, sizeBytes: revision.sizeBytes, templates })
  }
}

const FIRST: Cursor = { category: 0, continuation: null }

const TEMPLATE_TITLES = Object.values(MAINTENANCE_TEMPLATES)
  .flat()
  .map((name) => `Template:${name}`)
  .join('|')

/** Parameters of every request. Source: MediaWiki action API, format version 2. */
const parametersOf = (category: string): Record<string, string> => ({
  action: 'query',
  format: 'json',
  formatversion: '2',
  maxlag: String(MAXLAG_SECONDS),
  generator: 'categorymembers',
  gcmtitle: `Category:${category.replace(/^category:/i, '')}`,
  gcmnamespace: '0',
  gcmtype: 'page',
  gcmlimit: String(PAGES),
  prop: 'info|revisions|templates',
  rvprop: 'ids|timestamp|size',
  tltemplates: TEMPLATE_TITLES,
  tllimit: String(TEMPLATES),
})

export interface WikipediaDeps {
  http: Pick<SourceHttp, 'getJson'>
  /** Address of the action API; `{language}` stands for the edition. */
  apiUrl: string
}

/** Reads the members of maintenance categories, category after category and request after request. */
export const createWikipediaSource = ({ http, apiUrl }: WikipediaDeps): Source<WikipediaInput, WikipediaItem> => {
  const readBatchAt = async (language: string, category: string, continuation: Continuation | null): Promise<Batch> => {
    const sent = Object.entries(continuation ?? {}).map(([name, value]) => [name, String(value)])
    // What the service asks for, the continuation cannot change.
    const query = new URLSearchParams({ ...Object.fromEntries(sent), ...parametersOf(category) })
    const url = `${revisionApiUrl(apiUrl, language)}?${query}`
    const { value, answer } = await http.getJson({ url, maxBytes: MAX_BYTES, types: ['application/json'] })
    return readBatch(value, answer)
  }

  /** Reads one set of pages to its end: an answer holds the templates of some of them only. */
  const readWhole = async (language: string, category: string, start: Continuation | null) => {
    const items = new Map<string, WikipediaItem>()
    let continuation = start
    for (let requests = 0; requests < REQUESTS; requests += 1) {
      const batch = await readBatchAt(language, category, continuation)
      merge(items, batch.pages, language, category)
      if (batch.continuation !== null && JSON.stringify(batch.continuation) === JSON.stringify(continuation))
        throw unreadable('the continuation leads to itself')
      continuation = batch.continuation
      if (batch.isComplete) return { items: [...items.values()], continuation }
    }
    throw unreadable(`the pages are not complete after ${REQUESTS} answers`)
  }

  return {
    async readPage({ language, categories }, text): Promise<SourcePage<WikipediaItem>> {
      const cursor = parseCursor(Cursor, text, FIRST)
      const category = categories[cursor.category]
      if (category === undefined) return { items: [], next: null }
      const { items, continuation } = await readWhole(language, category, cursor.continuation)
      const following: Cursor = continuation === null ? { category: cursor.category + 1, continuation } : { ...cursor, continuation }
      return { items, next: following.category < categories.length ? JSON.stringify(following) : null }
    },
  }
}
