// A source for tests of runs: pages of items over HTTP, with the faults of real ones.

import { createSourceMemory } from '../../../../activities/ingestion/http/memory.ts'
import type { SourceRequests } from '../../../../activities/ingestion/http/requests.ts'
import type { AnyProvider, IngestProvider } from '../../../../activities/ingestion/providers.ts'
import { type SourceAnswer, SourceFailure, type SourceHttp, type SourceRequest } from '../../../../activities/ingestion/source.ts'
import type { Score } from '../../../../domain/ingestion/provider.ts'
import { JobInput, type JobInputBody } from '../../../../schemas/catalogue/job-input.ts'
import { startHttpServer } from '../../support/http-server.ts'

export interface ListItem {
  key: string
  title: string
  text: string
  score: number
  /** Why the source cannot read it. */
  unread?: string
  job?: Partial<JobInputBody>
}

/** An item that gives a job. */
export const listItem = (key: string, changes: Partial<ListItem> = {}): ListItem => ({
  key,
  title: `Audit of document ${key}`,
  text: 'The document lacks examples.',
  score: 80,
  ...changes,
})

/** An item whose job asks for facts of bytes with this digest. */
export const factsItem = (key: string, digest: string): ListItem => {
  const facts = [`sha256 ${digest}`, 'bytes 12']
  return listItem(key, {
    text: `Text of ${key}.`,
    job: {
      verifierMode: 'deterministic',
      verifierConfig: { matchMode: 'contains_all', expectedOutputs: facts },
      verification: { method: 'committed_source_facts', signals: ['sha256', 'bytes'] },
      source: { type: 'openapi_spec', pinnedUrl: `https://docs.example/${key}` },
    },
  })
}

/** Requests with a budget; no retries, nothing kept. */
export const plainRequests = (budget: number, note: (requests: number) => Promise<void>): SourceRequests => {
  let used = 0
  const get = async ({ url, headers }: SourceRequest): Promise<SourceAnswer> => {
    if (used >= budget) throw new SourceFailure('budget_exhausted', `The run has made ${used} requests.`)
    used += 1
    await note(1)
    const answer = await fetch(url, { ...(headers && { headers }) }).catch(() => {
      throw new SourceFailure('source_unreadable', 'The source does not answer.')
    })
    if (answer.status === 429)
      throw new SourceFailure('source_rate_limited', 'Too many requests.', Number(answer.headers.get('retry-after')))
    if (answer.status !== 200) throw new SourceFailure('source_unreadable', `The source answers ${answer.status}.`)
    return { status: 200, headers: {}, body: Buffer.from(await answer.arrayBuffer()), url, unchanged: false }
  }
  const http: SourceHttp = {
    get,
    getJson: async (request) => {
      const answer = await get(request)
      return { value: JSON.parse(answer.body.toString()), answer }
    },
    get used() {
      return used
    },
  }
  const readPolicy = () => Promise.reject(new SourceFailure('source_refused', 'This source has no repositories.'))
  return { http, callers: http, codehost: http, readPolicy, repositories: createSourceMemory().repositories }
}

const scoreOf = ({ score }: ListItem): Score => ({ total: score, parts: [['given', score]] })

/** The source whose pages stand under `url`. */
export const listProvider = (url: () => string, changes: Partial<IngestProvider<object, ListItem>> = {}): AnyProvider => {
  const provider: IngestProvider<object, ListItem> = {
    createSource: ({ http }) => ({
      readPage: async (_input, cursor) => {
        const { value } = await http.getJson({ url: `${url()}/?page=${cursor ?? '0'}`, maxBytes: 1_000_000 })
        const { items, next } = value as { items: ListItem[]; next: string | null }
        const unread = items.flatMap(({ key, unread: reason }) => (reason === undefined ? [] : [{ key, reason, detail: 'It is gone.' }]))
        return { items: items.filter(({ unread: reason }) => reason === undefined), unread, next }
      },
    }),
    rules: {
      provider: 'openapi',
      keyOf: ({ key }) => key,
      contentOf: ({ title, text }) => ({ title, text }),
      scoreOf,
      unfitOf: ({ text }) => (text === '' ? { reason: 'text_missing', detail: 'The item has no text.' } : null),
      textsOf: ({ title, text }) => [
        { pointer: '/title', value: title },
        { pointer: '/text', value: text },
      ],
      jobOf: ({ key, title, text, job }) =>
        JobInput.parse({
          id: `openapi-test-${key}`,
          title,
          description: `The source says: "${text}"`,
          category: 'coding',
          rewardAmount: 0.1,
          lane: 'benchmark-showcase',
          verifierMode: 'benchmark',
          ...(job?.verifierConfig === undefined && { verifierTerms: ['missing examples', 'operations', 'schema drift'] }),
          source: { type: 'openapi_document', key },
          ...job,
        }),
    },
    ...changes,
  }
  return provider
}

export type Fault = { status: number; retryAfter?: number }

/** Serves pages of items; `faults` answer in place of a page, by its number. */
export const startListServer = async () => {
  let pages: ListItem[][] = [[]]
  let nextOf = (page: number, count: number): string | null => (page + 1 < count ? String(page + 1) : null)
  const faults = new Map<number, Fault>()
  const asked: number[] = []
  let onPage = async (_page: number): Promise<void> => undefined
  const http = await startHttpServer(async (request, response) => {
    const page = Number(new URL(request.url ?? '/', 'http://source').searchParams.get('page'))
    asked.push(page)
    await onPage(page)
    const fault = faults.get(page)
    if (fault !== undefined) {
      response.writeHead(fault.status, fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ items: pages[page] ?? [], next: nextOf(page, pages.length) }))
  })
  return {
    url: http.url,
    stop: http.stop,
    faults,
    asked,
    serve: (...given: ListItem[][]): void => {
      pages = given
      faults.clear()
      asked.length = 0
      nextOf = (page, count) => (page + 1 < count ? String(page + 1) : null)
      onPage = async () => undefined
    },
    /** Decides where each page says that the next one begins. */
    link: (next: typeof nextOf): void => {
      nextOf = next
    },
    /** Runs before a page is answered. */
    before: (work: typeof onPage): void => {
      onPage = work
    },
  }
}
export type ListServer = Awaited<ReturnType<typeof startListServer>>
