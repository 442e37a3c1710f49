import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Provider } from '../../../schemas/ingestion/providers.ts'
import type { RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'
import type { Settings } from '../../../schemas/settings.ts'
import type { RepositoryFacts } from '../../codehost/repository-shapes.ts'
import type { Database, RecordDeps } from '../../database/database.ts'
import type { Fetches } from '../../outbound/clients.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { createPolicyMemory, createPolicyReader, type PolicyReaderDeps } from '../../pull-requests/policy-reader.ts'
import { readWait, storeWait } from '../runs.ts'
import { SourceFailure, type SourceHttp } from '../source.ts'
import { createSourceHttp, type RequestBudget, type SourceState } from './http.ts'
import { createSourceMemory, READING_MAX_AGE_SECONDS, type SourceMemory } from './memory.ts'

/** Hosts named by content whose wishes to wait a process remembers. */
const HOSTS = 1_000

/** Clients of a step of a run, which make their requests one after the other. */
export interface SourceRequests {
  /** Reaches the address of the source, which may be private. */
  http: SourceHttp
  /** Reaches addresses that content or a caller names. */
  callers: SourceHttp
  /** Reaches the code host with the token of the service, whatever the source. */
  codehost: SourceHttp
  /**
   * Policy of `owner/name` on the code host: as stored where any process read it within `READING_MAX_AGE_SECONDS`, else as its files say now;
   * null for one that cannot be read. `known` is the repository where it was just read. Throws `SourceFailure` where the run has no request left, or the host asks to wait.
   */
  readPolicy(repo: string, known?: RepositoryFacts): Promise<RepositoryPolicy | null>
  /** Repositories that the process has read. */
  repositories: SourceMemory['repositories']
}

export interface SourceRequestsDeps extends RecordDeps {
  settings: PolicyReaderDeps['settings'] & Pick<Settings, 'CODEHOST_API_URL' | 'CODEHOST_TOKEN'>
  fetches: Fetches
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

/** The same requests, counted for the budget of a run. None leaves once it is used up. */
const countedFetch =
  (fetch: GuardedFetch, budget: RequestBudget): GuardedFetch =>
  async (request) => {
    if (budget.used >= budget.limit) return { ok: false, failure: 'network', detail: 'the budget of the run is used up' }
    const onConnect = (): void => {
      budget.used += 1
      request.onConnect?.()
    }
    return fetch({ ...request, onConnect })
  }

/** Adds requests to those of a run; a negative number takes them back. */
type NoteRequests = (requests: number) => Promise<void>

/**
 * The same requests, noted as those of the run before they leave, so that a process that dies forgets none. What a redirect adds, or a request
 * that found no connection takes back, is noted afterwards.
 */
const notedFetch =
  (fetch: GuardedFetch, note: NoteRequests): GuardedFetch =>
  async (request) => {
    let made = 0
    const onConnect = (): void => {
      made += 1
      request.onConnect?.()
    }
    await note(1)
    try {
      return await fetch({ ...request, onConnect })
    } finally {
      await note(made - 1)
    }
  }

/** Opens the clients of a step: together they may make `budget` requests, each of which `note` keeps. */
export type OpenRequests = (provider: Provider, budget: number, note: NoteRequests) => SourceRequests

/** Creates the clients of sources of a process. */
export const createSourceRequests = (deps: SourceRequestsDeps): OpenRequests => {
  const { settings, fetches, database, clock, contact, seed, now, timeoutMs } = deps
  const memory = createSourceMemory()
  const policyMemory = createPolicyMemory()
  const hosts = createHostState()
  const random = seededRandom(seed)
  const { CODEHOST_TOKEN, CODEHOST_API_URL } = settings
  const token = CODEHOST_TOKEN === undefined ? undefined : { value: CODEHOST_TOKEN, baseUrl: CODEHOST_API_URL }
  return (provider, limit, note) => {
    const budget: RequestBudget = { limit, used: 0 }
    const noted = (fetch: GuardedFetch): GuardedFetch => notedFetch(fetch, note)
    const common = { source: provider, memory, budget, contact, now, random, ...(timeoutMs !== undefined && { timeoutMs }) }
    const ofCodehost = {
      ...common,
      ...(token !== undefined && { token }),
      fetch: noted(fetches.codehost),
      state: storedState(database, 'github'),
    }
    const policies = createPolicyReader({
      ...{ database, clock, settings, fetch: countedFetch(noted(fetches.codehost), budget), wallClock: now },
      memory: policyMemory,
    })
    const codehost = createSourceHttp(ofCodehost)
    const own = { ...common, fetch: noted(fetches[FETCHES[provider]]), state: storedState(database, provider) }
    return {
      http: provider === 'github' ? codehost : createSourceHttp(own),
      callers: createSourceHttp({ ...common, fetch: noted(fetches.callers), state: hosts }),
      codehost,
      repositories: memory.repositories,
      readPolicy: async (repo, known) => {
        const read = await policies.readPolicy(repo, READING_MAX_AGE_SECONDS, known)
        if (read.ok) return read.policy
        const { reason, retryAfterSeconds } = read.failure
        if (budget.used >= budget.limit) throw new SourceFailure('budget_exhausted', `the run has made ${budget.used} requests`)
        if (retryAfterSeconds !== null)
          throw new SourceFailure('source_rate_limited', `the policy of ${repo}: ${reason}`, retryAfterSeconds)
        return null
      },
    }
  }
}
