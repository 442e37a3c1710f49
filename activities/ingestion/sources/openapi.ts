import { z } from 'zod'
import { countFacts } from '../../../domain/ingestion/documents/openapi.ts'
import { namesOf } from '../../../domain/ingestion/documents/texts.ts'
import { boundLine, lineOrNull } from '../../../domain/ingestion/source-text.ts'
import type { OpenapiInput, OpenapiItem, OpenapiSpec } from '../../../schemas/ingestion/documents/openapi.ts'
import { jsonMembers } from '../documents/json-members.ts'
import { parseOffset, readEntries } from '../documents/pages.ts'
import { MAX_DOCUMENT_BYTES, parseOpenapi } from '../documents/parse-openapi.ts'
import { bytesFacts, readDocument } from '../documents/read-document.ts'
import { answerText } from '../http/content.ts'
import { type Source, type SourceAnswer, SourceFailure, type SourceHttp } from '../source.ts'
import { parseCursor } from './shape.ts'

/** The public list is one file of some ten megabytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024
/** Documents of a page; each takes two requests. */
const PAGE_SIZE = 10
const LONGEST_NAME = 120
const LONGEST_ADDRESS = 2_000

/** What the client needs of an entry of the public list. Members that have another form are absent. */
const Entry = z.object({ preferred: z.string(), versions: z.record(z.string(), z.object({ info: z.unknown() })) })
const Info = z.object({ title: z.unknown(), 'x-origin': z.array(z.unknown()) }).partial()
const Origin = z.object({ url: z.url({ protocol: /^https?$/ }).max(LONGEST_ADDRESS) })

/** Candidate before its document is read. */
type Candidate = Pick<OpenapiItem, 'provider' | 'id' | 'hasProvider' | 'title' | 'url' | 'localSurface' | 'repo'>

/** Cursor in the public list: the last name that was read. */
const LastName = z.string().nullable()

const NOTHING_READ = { status: null, version: null, counts: null, facts: null } as const

/** Names of an entry of the list: `provider` or `provider:service`. */
const namesOfEntry = (key: string) => {
  const [provider = '', ...rest] = key.split(':')
  return { provider: boundLine(provider, LONGEST_NAME), id: boundLine(rest.join(':') || provider, LONGEST_NAME) }
}

/** The candidate of an entry: its newest origin, since what the list itself holds is years old. */
function candidateOf(key: string, value: unknown): Candidate {
  const { data: entry } = Entry.safeParse(value)
  const version = entry !== undefined && Object.hasOwn(entry.versions, entry.preferred) ? entry.versions[entry.preferred] : undefined
  const info = Info.safeParse(version?.info).data
  const origins = (info?.['x-origin'] ?? []).flatMap((origin) => Origin.safeParse(origin).data?.url ?? [])
  return {
    ...namesOfEntry(key),
    hasProvider: true,
    title: lineOrNull(info?.title, 300),
    url: origins.at(-1) ?? null,
    localSurface: null,
    repo: null,
  }
}

function candidateOfSpec({ url, provider, id, title, localSurface, repo }: OpenapiSpec): Candidate {
  const names = namesOf(url)
  return {
    provider: provider ?? names.provider,
    id: id ?? names.id,
    hasProvider: provider !== undefined,
    title: lineOrNull(title, 300),
    url,
    localSurface: localSurface ?? null,
    repo: repo ?? null,
  }
}

async function readCandidate(http: SourceHttp, candidate: Candidate): Promise<OpenapiItem> {
  if (candidate.url === null) return { ...candidate, ...NOTHING_READ, fault: 'address_missing' }
  const { status, body, fault } = await readDocument(http, candidate.url, MAX_DOCUMENT_BYTES)
  if (body === null) return { ...candidate, ...NOTHING_READ, status, fault }
  const parsed = parseOpenapi(body)
  if ('fault' in parsed) return { ...candidate, ...NOTHING_READ, status, fault: parsed.fault }
  const { version, counts } = parsed
  const facts = [...bytesFacts(body), ...countFacts(counts)]
  return { ...candidate, title: candidate.title ?? parsed.title, status, fault: null, version, counts, facts }
}

/** Entries of the list by their names, not parsed yet: the whole of them takes ten times the memory of its text. */
const membersOf = (answer: SourceAnswer): Map<string, string> => {
  try {
    return jsonMembers(answerText(answer))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new SourceFailure('source_unreadable', 'the list of interface documents is not JSON')
  }
}

const entryOf = (text = 'null'): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new SourceFailure('source_unreadable', 'an entry of the list of interface documents is not JSON')
  }
}

export interface OpenapiSourceDeps {
  /** Address of the public list. */
  listUrl: string
  /** Requests to the list. */
  list: SourceHttp
  /** Requests to addresses that content or callers name. */
  documents: SourceHttp
}

/**
 * Reads interface documents: those of the input, otherwise those that the public list names, by the order of their names. Pages of the list
 * begin behind a name, so that entries that come and go between two pages neither repeat nor skip another one.
 */
export const createOpenapiSource = ({ listUrl, list, documents }: OpenapiSourceDeps): Source<OpenapiInput, OpenapiItem> => {
  const read = (candidate: Candidate) => readCandidate(documents, candidate)

  const readSpecs = (specs: readonly OpenapiSpec[], cursor: string | null) => {
    const start = parseOffset(cursor)
    const entries = specs.slice(start, start + PAGE_SIZE)
    return readEntries(entries.map(candidateOfSpec), read, (count) => (start + count < specs.length ? String(start + count) : null))
  }

  const readList = async (cursor: string | null) => {
    const last = parseCursor(LastName, cursor, null)
    const entries = membersOf(await list.get({ url: listUrl, maxBytes: MAX_LIST_BYTES, types: ['application/json'] }))
    if (entries.size === 0) throw new SourceFailure('source_unreadable', 'the list of interface documents has no entries')
    const names = [...entries.keys()].filter((name) => last === null || name > last).sort()
    const page = names.slice(0, PAGE_SIZE)
    const candidates = page.map((name) => candidateOf(name, entryOf(entries.get(name))))
    return readEntries(candidates, read, (count) => (count < names.length ? JSON.stringify(page[count - 1] ?? null) : null))
  }

  return { readPage: async ({ specs }, cursor) => (specs === undefined ? readList(cursor) : readSpecs(specs, cursor)) }
}
