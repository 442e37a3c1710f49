import { z } from 'zod'
import { namesCanonical, pageTitle } from '../../../domain/ingestion/documents/read-page.ts'
import { namesOf } from '../../../domain/ingestion/documents/texts.ts'
import { lineOrNull } from '../../../domain/ingestion/source-text.ts'
import type { StandardsInput, StandardsItem, StandardsSpec } from '../../../schemas/ingestion/documents/standards.ts'
import { parseOffset, readEntries } from '../documents/pages.ts'
import { bytesFacts, headerText, readDocument, utf8Text } from '../documents/read-document.ts'
import { type Source, SourceFailure, type SourceHttp } from '../source.ts'

const MAX_LIST_BYTES = 8 * 1024 * 1024
const MAX_RECORD_BYTES = 1024 * 1024
/** Standards of a page; each takes up to three requests. */
const PAGE_SIZE = 10
const NO_RECORD = [404, 410]

/** A page of the catalogue. Source: Datatracker, `/api/v1/doc/document/`. */
const Catalogue = z.object({
  meta: z.object({ next: z.string().nullable(), total_count: z.int().min(0) }),
  objects: z.array(z.object({ name: z.string().max(200) }).loose()),
})
/** Record of a standard. Source: RFC Editor, `/rfc/rfc<n>.json`. */
const Rfc = z.object({ title: z.unknown(), status: z.unknown(), pub_date: z.unknown() }).partial()

type Candidate = Pick<StandardsItem, 'provider' | 'id' | 'hasProvider' | 'title' | 'url' | 'version' | 'expectedStatus' | 'surface'>

const RFC_NAME = /^rfc[1-9][0-9]{0,5}$/

function candidateOfSpec({ url, provider, id, title, version, expectedStatus, surface }: StandardsSpec): Candidate {
  const names = namesOf(url)
  return {
    provider: provider ?? names.provider,
    id: id ?? names.id,
    hasProvider: provider !== undefined,
    title: lineOrNull(title, 300),
    url,
    version: version ?? null,
    expectedStatus: expectedStatus ?? null,
    surface: surface ?? null,
  }
}

/** Facts of a page: of its bytes, and its title where every reader reads the same one. */
function factsOf(body: Buffer, title: string | null): string[] {
  return [...bytesFacts(body), ...(title === null ? [] : [`title ${title}`])]
}

async function readCandidate(http: SourceHttp, candidate: Candidate): Promise<StandardsItem> {
  const { status, headers, body, fault } = await readDocument(http, candidate.url)
  const text = body === null ? null : utf8Text(body)
  const title = text === null ? null : pageTitle(text)
  return {
    ...candidate,
    title: candidate.title ?? lineOrNull(title, 300),
    status,
    fault: body?.length === 0 ? 'not_a_document' : fault,
    hasCanonical: body !== null && namesCanonical(text ?? '', headerText(headers, 'link')),
    hasLastModified: body !== null && headerText(headers, 'last-modified') !== '',
    hasEtag: body !== null && headerText(headers, 'etag') !== '',
    facts: body === null || body.length === 0 ? null : factsOf(body, title),
  }
}

export interface StandardsSourceDeps {
  /** Base address of the catalogue, without a slash at its end. */
  catalogueUrl: string
  /** Base address of the pages and records of its standards, without a slash at its end. */
  pagesUrl: string
  /** Requests to the catalogue. */
  catalogue: SourceHttp
  /** Requests to pages, whose addresses content or callers name. */
  documents: SourceHttp
}

/** Reads pages of standards: those of the input, otherwise those of the public catalogue. */
export const createStandardsSource = (deps: StandardsSourceDeps): Source<StandardsInput, StandardsItem> => {
  const { catalogueUrl, pagesUrl, catalogue, documents } = deps

  /** Record of a standard; null without one that can be read. */
  const findRecord = async (name: string) => {
    try {
      const { value, answer } = await documents.getJson({
        url: `${pagesUrl}/rfc/${name}.json`,
        maxBytes: MAX_RECORD_BYTES,
        accept: NO_RECORD,
      })
      return answer.status === 200 ? (Rfc.safeParse(value).data ?? null) : null
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.fault === 'budget_exhausted') throw error
      return null
    }
  }

  const readRfc = async (name: string): Promise<StandardsItem> => {
    const record = await findRecord(name)
    return readCandidate(documents, {
      provider: 'ietf',
      id: name,
      hasProvider: true,
      title: lineOrNull(record?.title, 300),
      url: `${pagesUrl}/rfc/${name}.html`,
      version: lineOrNull(record?.pub_date, 60),
      expectedStatus: lineOrNull(record?.status, 120),
      surface: null,
    })
  }

  const readSpecs = (specs: readonly StandardsSpec[], cursor: string | null) => {
    const start = parseOffset(cursor)
    const candidates = specs.slice(start, start + PAGE_SIZE).map(candidateOfSpec)
    const read = (candidate: Candidate) => readCandidate(documents, candidate)
    return readEntries(candidates, read, (count) => (start + count < specs.length ? String(start + count) : null))
  }

  const readCatalogue = async (cursor: string | null) => {
    const offset = parseOffset(cursor)
    const query = new URLSearchParams({ format: 'json', type: 'rfc', limit: String(PAGE_SIZE), offset: String(offset) })
    const { value } = await catalogue.getJson({ url: `${catalogueUrl}/api/v1/doc/document/?${query}`, maxBytes: MAX_LIST_BYTES })
    const { data: page } = Catalogue.safeParse(value)
    if (page === undefined || page.objects.length > PAGE_SIZE || (page.objects.length === 0 && page.meta.total_count > offset))
      throw new SourceFailure('source_unreadable', 'the catalogue of standards answers in another form')
    const names = page.objects.map(({ name }) => name)
    const rfcs = names.filter((name) => RFC_NAME.test(name))
    const hasMore = page.meta.next !== null && offset + names.length < page.meta.total_count
    return readEntries(rfcs, readRfc, (count) => {
      const rest = rfcs[count]
      if (rest !== undefined) return String(offset + names.indexOf(rest))
      return hasMore ? String(offset + names.length) : null
    })
  }

  return { readPage: async ({ specs }, cursor) => (specs === undefined ? readCatalogue(cursor) : readSpecs(specs, cursor)) }
}
