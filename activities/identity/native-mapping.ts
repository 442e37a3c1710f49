import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { BaseError, type Hex, type PublicClient, parseAbi } from 'viem'
import { isEvmDerived } from '../../domain/identity/native/account.ts'
import {
  agreedStatus,
  type MappedAccount,
  type Mapping,
  mappingOfAnswer,
  mappingOfStored,
  mappingStorageKey,
  SYSTEM_PRECOMPILE,
} from '../../domain/identity/native/mapping.ts'
import type { ChainFile, NativeSide } from '../../schemas/chain/chain-file.ts'
import type { MappingStatus } from '../../schemas/identity/native-shapes.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { ChainClients } from '../chain/clients.ts'
import type { Clock } from '../common/clock.ts'
import { stallTolerantTimeout } from '../common/timeout.ts'
import { createGuardedFetch, type GuardedFetch } from '../outbound/guarded-fetch.ts'

const ABI = parseAbi(['function toAccountId(address) view returns (bytes)', 'function minimumBalance() view returns (uint256)'])
const SYSTEM = { address: SYSTEM_PRECOMPILE, abi: ABI } as const

/** How long a mapping counts as read. It can end at any time: what is paid to an address reads it again. */
const CACHED_MS = 60_000
const CACHED_ACCOUNTS = 10_000
/** An answer of `state_getStorage` has some 120 bytes. */
const ANSWER_BYTES = 4_096

export interface MappingDeps {
  reader: PublicClient
  /** Undefined on a chain that serves no native accounts: every mapping is then unreadable. */
  native: NativeSide | undefined
  clock: Clock
  /** Time limit of each of the two readers. */
  timeoutMs: number
  /** Gets two answers that differ. */
  onDisagreement?: (readings: { wallet: string; precompile: MappingStatus; storage: MappingStatus }) => void
  /** Reads the native side; by default a fetch that reaches the hosts of the chain file alone. */
  fetch?: GuardedFetch
}

const hostsOf = (urls: readonly string[]): string[] => urls.flatMap((url) => URL.parse(url)?.host ?? [])

const within = async <T>(work: Promise<T>, limitMs: number, late: T): Promise<T> => {
  let cancel = (): void => undefined
  const limit = new Promise<T>((resolve) => {
    cancel = stallTolerantTimeout(limitMs, () => resolve(late))
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    cancel()
  }
}

/** `result` of a JSON-RPC answer; undefined for anything else. */
const resultOf = (body: Buffer): unknown => {
  try {
    const answer = JSON.parse(body.toString('utf8')) as { result?: unknown; error?: unknown } | null
    return answer?.error == null ? answer?.result : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads whether native accounts are mapped. Never throws: what cannot be read is `unreadable`. A mapping is cached for a minute per process,
 * nothing else is. Source: identity, "Mapping check".
 */
export const createMappingReader = (deps: MappingDeps) => {
  const { reader, native, clock, timeoutMs, onDisagreement } = deps
  const urls = native?.substrateRpcUrls ?? []
  const fetch = deps.fetch ?? createGuardedFetch({ allowedHosts: hostsOf(urls) })
  const mapped = new LRUCache<string, number>({ max: CACHED_ACCOUNTS })

  const readPrecompile = async (account: MappedAccount): Promise<MappingStatus> => {
    try {
      const call = reader.readContract({ ...SYSTEM, functionName: 'toAccountId', args: [account.wallet as Hex] })
      return mappingOfAnswer(account, await call)
    } catch (error) {
      if (error instanceof BaseError) return 'unreadable'
      throw error
    }
  }

  const readStorageAt = async (url: string, account: MappedAccount): Promise<MappingStatus> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'state_getStorage', params: [mappingStorageKey(account.wallet)] })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch({ url, headers, body, timeoutMs: timeoutMs / urls.length, maxBytes: ANSWER_BYTES, redirects: 0 })
    return answer.ok && answer.status === 200 ? mappingOfStored(account, resultOf(answer.body)) : 'unreadable'
  }

  /** The first address that answers is believed. */
  const readStorage = async (account: MappedAccount): Promise<MappingStatus> => {
    for (const url of urls) {
      const status = await readStorageAt(url, account)
      if (status !== 'unreadable') return status
    }
    return 'unreadable'
  }

  const readBoth = async (account: MappedAccount): Promise<MappingStatus> => {
    const precompile = within(readPrecompile(account), timeoutMs, 'unreadable')
    if (urls.length === 0) return precompile
    const [first, second] = await Promise.all([precompile, readStorage(account)])
    if (first !== second) onDisagreement?.({ wallet: account.wallet, precompile: first, storage: second })
    return agreedStatus(first, second)
  }

  const findCached = ({ wallet }: MappedAccount): Mapping | null => {
    const checkedAt = mapped.get(wallet)
    return checkedAt === undefined || Math.abs(clock.now() - checkedAt) >= CACHED_MS ? null : { status: 'mapped', checkedAt }
  }

  return {
    /** What is known of an account without reading the chain; null for nothing. */
    findKnown: (account: MappedAccount): Mapping | null =>
      isEvmDerived(account.accountId as Hex) ? { status: 'not_needed', checkedAt: clock.now() } : findCached(account),

    /** Reads the mapping of an account; `fresh` asks the chain in any case. */
    read: async (account: MappedAccount, { fresh = false }: { fresh?: boolean } = {}): Promise<Mapping> => {
      const checkedAt = clock.now()
      if (isEvmDerived(account.accountId as Hex)) return { status: 'not_needed', checkedAt }
      const cached = fresh ? null : findCached(account)
      if (cached !== null) return cached
      const status = native === undefined ? 'unreadable' : await readBoth(account)
      if (status === 'mapped') mapped.set(account.wallet, checkedAt)
      else mapped.delete(account.wallet)
      return { status, checkedAt }
    },

    /** Balance below which an account does not exist, in units of the native side; null when the chain does not tell. */
    readMinimumBalance: async (): Promise<bigint | null> => {
      const call = reader.readContract({ ...SYSTEM, functionName: 'minimumBalance' }).catch((error: unknown) => {
        if (error instanceof BaseError) return null
        throw error
      })
      return within(call, timeoutMs, null)
    },
  }
}
export type MappingReader = ReturnType<typeof createMappingReader>

/** The reader of a process: two answers that differ are logged, because one of the two sides is wrong or behind. */
export const createLoggedMappingReader = ({
  settings,
  chain,
  clients,
  clock,
  logger,
}: {
  settings: Pick<Settings, 'NATIVE_MAPPING_TIMEOUT_MS'>
  chain: Pick<ChainFile, 'native'>
  clients: Pick<ChainClients, 'reader'>
  clock: Clock
  logger: Pick<Logger, 'warn'>
}): MappingReader =>
  createMappingReader({
    reader: clients.reader,
    native: chain.native,
    clock,
    timeoutMs: settings.NATIVE_MAPPING_TIMEOUT_MS,
    onDisagreement: (readings) => logger.warn(readings, 'the two readers of mappings disagree'),
  })
