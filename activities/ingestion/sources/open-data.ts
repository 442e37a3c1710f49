import { z } from 'zod'
import type { OpenDataInput, OpenDataItem, OpenDataKind } from '../../../schemas/ingestion/open-data.ts'
import { type Source, SourceFailure, type SourceHttp, type SourcePage } from '../source.ts'
import { membersOf, textOrNull } from './members.ts'
import { absentRecord, ckanRecord, datagovIds, datagovRecord, type OpenDataRecord } from './open-data/records.ts'
import { readFacts } from './open-data/resource.ts'
import { parseCursor } from './shape.ts'

/** Data sets of one page: each costs a request for its resource. */
const PAGE = 10
const MAX_BYTES = 16 * 1024 * 1024
const CURSOR_MAX = 1_500
const JSON_TYPE = ['application/json']

const Cursor = z.strictObject({
  /** Where the page begins, as the portal or this client says; null for the first. */
  after: z.string().max(CURSOR_MAX).nullable(),
  /** Data sets of the page that are done. */
  done: z.int().min(0).max(1_000),
})
type Cursor = z.infer<typeof Cursor>

/** Data sets of one page, and where the next begins; null after the last. */
interface RecordPage {
  records: readonly OpenDataRecord[]
  after: string | null
}

export interface OpenDataDeps {
  /** Requests to the portal. */
  http: Pick<SourceHttp, 'getJson'>
  /** Requests to addresses that the portal names: public ones only. They count for the same budget, and a limit of one host is not one of the portal. */
  resources: Pick<SourceHttp, 'get'>
  /** Address of the portal, no trailing slash: `/search` or `/api/3/action` follow. */
  apiUrl: string
  kind: OpenDataKind
  /** Epoch ms, wall clock. */
  now: () => number
}

const unreadable = (detail: string): SourceFailure => new SourceFailure('source_unreadable', detail)

const FIRST: Cursor = { after: null, done: 0 }
const Place = z.int().min(0).max(999_999_999)

/** Place in a list of ids or results, as this client wrote it into the cursor. */
const placeOf = (after: string | null): number => parseCursor(Place, after, 0)

const listOf = (value: unknown, name: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw unreadable(`the answer has no list of ${name}`)
  return value
}

type ReadRecords = (input: OpenDataInput, after: string | null) => Promise<RecordPage>

/** The search of data.gov, by words or by one id after the other. Source: data.gov, "Catalog API". */
const datagov = ({ http, apiUrl }: Pick<OpenDataDeps, 'http' | 'apiUrl'>): ReadRecords => {
  const search = async (parameters: Record<string, string>) => {
    const query = new URLSearchParams({ ...parameters, per_page: String(PAGE) })
    const { value } = await http.getJson({ url: `${apiUrl}/search?${query}`, maxBytes: MAX_BYTES, types: JSON_TYPE })
    const { results, after } = membersOf(value)
    if (after !== undefined && after !== null && (typeof after !== 'string' || after.length > CURSOR_MAX))
      throw unreadable('the cursor has another form')
    return { results: listOf(results, 'results').slice(0, PAGE), after: after ?? null }
  }

  return async ({ datasets, query, organization }, after) => {
    const filter: Record<string, string> = organization === undefined ? {} : { org_slug: organization }
    if (datasets === undefined) {
      const found = await search({ q: query ?? '', ...filter, ...(after !== null && { after }) })
      if (found.after !== null && found.after === after) throw unreadable('the cursor leads to itself')
      return { records: found.results.map(datagovRecord), after: found.after }
    }
    const place = placeOf(after)
    const id = datasets[place]
    if (id === undefined) return { records: [], after: null }
    // No route answers one data set as JSON; a phrase finds ids and titles.
    const { results } = await search({ q: `"${id.replaceAll('"', ' ')}"`, ...filter })
    const match = results.find((result) => datagovIds(result).includes(id))
    const records = [match === undefined ? absentRecord('datagov', apiUrl, id, true) : datagovRecord(match)]
    return { records, after: place + 1 < datasets.length ? String(place + 1) : null }
  }
}

/** The actions of CKAN. Source: CKAN API guide. */
const ckan = ({ http, apiUrl }: Pick<OpenDataDeps, 'http' | 'apiUrl'>): ReadRecords => {
  const { origin } = new URL(apiUrl)
  const act = async (action: string, parameters: Record<string, string>) => {
    const url = `${apiUrl}/api/3/action/${action}?${new URLSearchParams(parameters)}`
    const { value, answer } = await http.getJson({ url, maxBytes: MAX_BYTES, types: JSON_TYPE, accept: [403, 404] })
    const { success, result } = membersOf(value)
    if (answer.status === 200 && success !== true) throw unreadable(`the portal refuses ${action}`)
    return { status: answer.status, result: membersOf(result) }
  }

  return async ({ datasets, query, organization }, after) => {
    const place = placeOf(after)
    if (datasets === undefined) {
      const filter: Record<string, string> = organization === undefined ? {} : { fq: `organization:${organization}` }
      const parameters = { q: query ?? '', ...filter, rows: String(PAGE), start: String(place) }
      const { status, result } = await act('package_search', parameters)
      if (status !== 200) throw new SourceFailure('source_refused', `status ${status}`)
      const results = listOf(result.results, 'results').slice(0, PAGE)
      const count = typeof result.count === 'number' ? result.count : 0
      const next = place + results.length
      if (results.length === 0 && place < count) throw unreadable('the portal counts data sets that it does not list')
      return { records: results.map((record) => ckanRecord(record, origin)), after: next < count ? String(next) : null }
    }
    const id = datasets[place]
    if (id === undefined) return { records: [], after: null }
    const { status, result } = await act('package_show', { id })
    const isShown = status === 200 && textOrNull(result.name ?? result.id) !== null
    const records = [isShown ? ckanRecord(result, origin) : absentRecord('ckan', origin, id, status !== 403)]
    return { records, after: place + 1 < datasets.length ? String(place + 1) : null }
  }
}

/** Whether the resource decides anything: what the record lacks makes the data set unfit before. */
const isWorthFetching = ({ isPublic, isMissing, title, datasetUrl }: OpenDataRecord): boolean =>
  isPublic && !isMissing && title !== null && datasetUrl !== null

/** Reads data sets of a portal, and of each the one resource that its job is about. */
export const createOpenDataSource = (deps: OpenDataDeps): Source<OpenDataInput, OpenDataItem> => {
  const { resources, kind, now } = deps
  const readRecords = kind === 'datagov' ? datagov(deps) : ckan(deps)

  const complete = async (record: OpenDataRecord): Promise<OpenDataItem> => {
    const { resource } = record
    const isFetched = resource !== null && isWorthFetching(record)
    const facts = isFetched ? await readFacts(resource, resources) : { facts: null, resourceFault: null }
    return { ...record, ...facts, readAt: new Date(now()).toISOString() }
  }

  return {
    async readPage(input, text): Promise<SourcePage<OpenDataItem>> {
      const cursor = parseCursor(Cursor, text, FIRST)
      const { records, after } = await readRecords(input, cursor.after)
      const items: OpenDataItem[] = []
      for (const record of records.slice(cursor.done)) {
        try {
          items.push(await complete(record))
        } catch (error) {
          const isSpent = error instanceof SourceFailure && error.fault === 'budget_exhausted'
          if (!isSpent || items.length === 0) throw error
          // The next run goes on within the page.
          const rest: Cursor = { after: cursor.after, done: cursor.done + items.length }
          return { items, next: JSON.stringify(rest) }
        }
      }
      return { items, next: after === null ? null : JSON.stringify({ after, done: 0 } satisfies Cursor) }
    },
  }
}
