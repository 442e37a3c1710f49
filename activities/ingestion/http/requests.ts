import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Provider } from '../../../schemas/ingestion/providers.ts'
import type { Settings } from '../../../schemas/settings.ts'
import type { Database } from '../../database/database.ts'
import type { Fetches } from '../../outbound/clients.ts'
import { readWait, storeWait } from '../runs.ts'
import type { SourceHttp } from '../source.ts'
import { createSourceHttp, type RequestBudget, type SourceState } from './http.ts'
import { createSourceMemory } from './memory.ts'

/** Hosts named by content whose wishes to wait a process remembers. */
const HOSTS = 1_000

/** Clients of a step of a run, which make their requests one after the other. */
export interface SourceRequests {
  /** Reaches the address of the source, which may be private. */
  http: SourceHttp
  /** Reaches addresses that content or a caller names. */
  callers: SourceHttp
  /** Reaches the code host, also for other sources that read a file there. */
  codehost: SourceHttp
  /** Requests of all. */
  used(): number
}

export interface SourceRequestsDeps {
  settings: Pick<Settings, 'CODEHOST_API_URL' | 'CODEHOST_TOKEN'>
  fetches: Fetches
  database: Pick<Database, 'rows'>
  /** How the owners of sources reach the operator. */
  contact: string
  /** Spreads the repeats of processes; the same seed gives the same ones. */
  seed: string
  /** Epoch ms by the wall clock. */
  now: () => number
  /** Time limit of a request. */
  timeoutMs?: number
}

const FETCHES = {
  github: 'codehost',
  wikipedia: 'encyclopedia',
  osv: 'osv',
  'open-data': 'openData',
  openapi: 'openapiList',
  standards: 'standards',
} as const satisfies Record<Provider, keyof Fetches>

/** Numbers from 0 to 1, exclusive, that follow from a seed. */
export const seededRandom = (seed: string): (() => number) => {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${seed}:${count}`).digest().readUInt32BE() / 2 ** 32
  }
}

/** State of a source as its row keeps it, for every process and run. */
const storedState = ({ rows }: Pick<Database, 'rows'>, provider: Provider): SourceState => ({
  readNextAllowedAt: () => readWait(rows, provider),
  deferUntil: (_host, epochMs) => storeWait(rows, provider, epochMs),
})

/** State of other hosts, by host and process: what one of them wishes holds no other back. */
const createHostState = (): SourceState => {
  const waits = new LRUCache<string, number>({ max: HOSTS })
  return {
    readNextAllowedAt: async (host) => waits.get(host) ?? null,
    deferUntil: async (host, epochMs) => {
      waits.set(host, Math.max(epochMs, waits.get(host) ?? 0))
    },
  }
}

/** Opens the clients of a step: they may make `budget` requests together. */
export type OpenRequests = (provider: Provider, budget: number) => SourceRequests

/** Creates the clients of sources of a process. */
export const createSourceRequests = ({ settings, fetches, database, contact, seed, now, timeoutMs }: SourceRequestsDeps): OpenRequests => {
  const memory = createSourceMemory()
  const hosts = createHostState()
  const random = seededRandom(seed)
  const { CODEHOST_TOKEN, CODEHOST_API_URL } = settings
  const token = CODEHOST_TOKEN === undefined ? undefined : { value: CODEHOST_TOKEN, baseUrl: CODEHOST_API_URL }
  return (provider, limit) => {
    const budget: RequestBudget = { limit, used: 0 }
    const common = { memory, budget, contact, now, random, ...(timeoutMs !== undefined && { timeoutMs }) }
    const openOwn = (source: Provider) =>
      createSourceHttp({
        ...common,
        source,
        fetch: fetches[FETCHES[source]],
        state: storedState(database, source),
        ...(source === 'github' && token !== undefined && { token }),
      })
    const http = openOwn(provider)
    return {
      http,
      callers: createSourceHttp({ ...common, source: provider, fetch: fetches.callers, state: hosts }),
      codehost: provider === 'github' ? http : openOwn('github'),
      used: () => budget.used,
    }
  }
}
