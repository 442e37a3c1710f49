import { generateKeyPairSync } from 'node:crypto'
import { Writable } from 'node:stream'
import { privateKeyToAccount } from 'viem/accounts'
import { createChainClients } from '../../activities/chain/clients.ts'
import { loadSigningKey } from '../../activities/common/document-signing.ts'
import { type Database, openDatabase } from '../../activities/database/database.ts'
import { databaseOutage } from '../../activities/database/outages.ts'
import { createEarningIdentities } from '../../activities/identity/earning-identity.ts'
import { createCurrentKey } from '../../activities/identity/key-records.ts'
import { findNativeAccount } from '../../activities/identity/native-accounts.ts'
import { createMappingReader } from '../../activities/identity/native-mapping.ts'
import { createServiceLogger } from '../../activities/observability/logger.ts'
import { createAddressCheck } from '../../activities/outbound/guarded-fetch.ts'
import { createApp } from '../../api/app.ts'
import { createTokensFrom } from '../../api/boot.ts'
import type { ServiceDeps } from '../../api/deps.ts'
import { createDiscoveryHandlers } from '../../api/discovery/handlers.ts'
import { createEventHandlers } from '../../api/event-stream/handlers.ts'
import { createEventHub } from '../../api/event-stream/hub.ts'
import { createPublicHealth } from '../../api/health/handlers.ts'
import type { Probes } from '../../api/health/probes.ts'
import { createHealthReader } from '../../api/health/reader.ts'
import type { HandlerMap } from '../../api/http/calls.ts'
import { listen } from '../../api/http/server.ts'
import { createGrantHandlers } from '../../api/identity/grant-handlers.ts'
import { createIdentityHandlers } from '../../api/identity/handlers.ts'
import { createRevocations } from '../../api/identity/revocations.ts'
import { createSessionUses } from '../../api/identity/session-uses.ts'
import { createMetrics } from '../../api/observability/metrics.ts'
import { createWaits } from '../../api/sessions/waits.ts'
import type { Polls } from '../../api/temporal/client.ts'
import { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import { OPERATIONS, operationList } from '../../schemas/operations/registry.ts'
import { QUEUE_KINDS } from '../../schemas/processes.ts'
import { readSettings, type Settings } from '../../schemas/settings.ts'
import { type CallInit, call, type Reply } from './http.ts'

export type { Reply }

/** PKCS#8 PEM of a fresh P-256 key. */
export const makePem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Accounts whose keys everybody knows; the first is the one of the published sign-in vector. */
export const accounts = {
  worker: privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'),
  other: privateKeyToAccount(`0x${'11'.repeat(32)}`),
  admin: privateKeyToAccount(`0x${'22'.repeat(32)}`),
  verifier: privateKeyToAccount(`0x${'33'.repeat(32)}`),
  arbitrator: privateKeyToAccount(`0x${'44'.repeat(32)}`),
}

/** When each task queue was polled last, the same for all but `others`. */
export const pollsAt = (at: number | null, others: Partial<Polls> = {}): Polls => ({
  ...(Object.fromEntries(QUEUE_KINDS.map((kind) => [kind, at])) as Polls),
  ...others,
})

const contract = (digit: string) => ({ address: `0x${digit.repeat(40)}` })

/** Chain file of the published sign-in vector; nothing listens at its address. */
export const testChain = ChainFile.parse({
  chainId: 420420417,
  caip2: 'eip155:420420417',
  name: 'Test chain',
  rpc: { primary: 'http://127.0.0.1:1' },
  nativeSymbol: 'TEST',
  asset: { symbol: 'USDC', address: `0x${'a'.repeat(40)}`, decimals: 6 },
  contracts: {
    policy: contract('1'),
    registry: contract('2'),
    agentAccount: { ...contract('3'), eip712Name: 'AgentAccountCore', eip712Version: '1' },
    reputation: contract('4'),
    escrow: { eip712Name: 'EscrowCore', eip712Version: '1', generations: [{ ...contract('5'), version: 1, mode: 'live' }] },
  },
  // The published sign-in vectors of native accounts are of this network.
  native: {
    genesisHash: `0x${'0'.repeat(64)}`,
    mappingMechanism: 'extrinsic',
    mappingDeposit: { itemRaw: '2000000000', byteRaw: '100000' },
  },
})

export const wellProbes = (now: () => number): Probes => ({
  database: async () => undefined,
  temporal: async () => ({ polls: pollsAt(Date.now()) }),
  runners: async () => ({ ready: 1, unable: [] }),
  stopped: async () => ({ refused: 0, failing: 0 }),
  evidence: () => ({
    nodes: { count: 1, inUse: 1, changes: 0, lags: [0] },
    batchSize: 100,
    configuredSize: 100,
    refusals: 0,
    lastRefusal: null,
    lastReadAt: null,
  }),
  chain: async () => ({ blockTime: now(), paused: false }),
  nonces: async () => [],
  settlement: async () => null,
  follower: async () => ({ cursor: 7n, head: 7n, lagSeconds: 0, gapBlock: null, missedEvents: 0, gapFoundAt: null }),
})

export interface ApiOptions {
  databaseUrl: string
  settings?: Record<string, string>
  isLocal?: boolean
  /** Moves with `api.clock.at`; default: the wall clock. */
  now?: number
  probes?: Partial<Probes>
  /** Handlers of jobs and money, which get their own dependencies from their tests. */
  handlers?: HandlerMap | ((deps: ServiceDeps) => HandlerMap | Promise<HandlerMap>)
  operations?: readonly OperationSpec[]
  liveReads?: Partial<ServiceDeps['liveReads']>
  /** Node of the chain; by default nothing answers. */
  rpcUrl?: string
  /** Reads mappings of native accounts; by default the node is asked. */
  readMapping?: ServiceDeps['mappings']['read']
  /** Native side of the chain; null for a chain without one. */
  native?: ChainFile['native'] | null
}

/** Default handler of an operation without a test. */
const unhandled = async (): Promise<never> => {
  throw new Error('marker-of-an-unexpected-failure')
}
const stubs: HandlerMap = Object.fromEntries(Object.keys(OPERATIONS).map((id) => [id, unhandled]))

/** Key of the tokens of every API that names none: those on one database accept each other's tokens. */
const JWT_KEY = makePem()

const base = (databaseUrl: string) => ({
  NODE_ENV: 'test',
  DATABASE_URL: databaseUrl,
  CHAIN_FILE: 'unused',
  AUTH_DOMAIN: 'work.example',
  JWT_KEY,
  SHARE_SECRET: 'the share secret of the test service',
  ANSWER_SECRET: 'the answer secret of the test service',
  OPERATOR_KEY: `0x${'11'.repeat(32)}`,
  ADMIN_WALLETS: accounts.admin.address,
  VERIFIER_WALLETS: accounts.verifier.address,
  ARBITRATOR_WALLETS: accounts.arbitrator.address,
})

const retention = { gasRetentionSupported: true, retentionFlatRaw: 50_000n, retentionCapBps: 2_000 }
const policy = { stakeBps: 1000, feeBps: 200, minFeeRaw: 50_000n, ...retention }

/** Records the token key from the first instant on: tests turn the clock of an API back. */
const recordTokenKey = async ({ JWT_ALGORITHM, JWT_KEY }: Settings, database: Database): Promise<void> => {
  if (JWT_ALGORITHM === 'HS256' || JWT_KEY === undefined) return
  const readKey = () => loadSigningKey(JWT_KEY, 'configured')
  await createCurrentKey({ database, clock: { now: () => 0 }, purpose: 'jwt', readKey })().catch((error: unknown) => {
    // Some tests start an API without a database.
    if (databaseOutage(error) === null) throw error
  })
}

const depsOf = async (settings: Settings, options: ApiOptions, log: string[]) => {
  const clock = { at: options.now ?? null, now: () => clock.at ?? Date.now() } as { at: number | null; now: () => number }
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
  const database = openDatabase({ url: settings.DATABASE_URL, replicaUrl: settings.DATABASE_REPLICA_URL, poolSize: 20 })
  const keyDatabase = openDatabase({ url: settings.DATABASE_URL, poolSize: 1 })
  const { rpcUrl = testChain.rpc.primary } = options
  const native = options.native === null ? undefined : (options.native ?? testChain.native)
  const chain: ChainFile = { ...testChain, rpc: { ...testChain.rpc, primary: rpcUrl }, native }
  const clients = createChainClients(chain)
  const mappingReader = createMappingReader({ reader: clients.reader, native, clock, timeoutMs: settings.NATIVE_MAPPING_TIMEOUT_MS })
  const mappings = { ...mappingReader, read: options.readMapping ?? mappingReader.read }
  const logger = createServiceLogger('api', 'info', sink)
  await recordTokenKey(settings, keyDatabase)
  const tokens = await createTokensFrom(settings, { database: keyDatabase, clock, logger })
  const events = createEventHub({ database, logger: { warn: () => undefined } })
  const deps: ServiceDeps = {
    settings,
    chain,
    clients,
    isNativeAccount: async (wallet) => (await findNativeAccount(database.rows, wallet)) !== null,
    isLocal: options.isLocal ?? false,
    database,
    clock,
    tokens,
    baseUrl: settings.PUBLIC_BASE_URL ?? 'https://work.example',
    logger,
    metrics: createMetrics(database),
    probes: { ...wellProbes(() => clock.now()), ...options.probes },
    waits: createWaits({ database, events, settings }),
    events,
    revocations: createRevocations({ database, tokens }),
    sessionUses: createSessionUses({ database }),
    mappings,
    identities: createEarningIdentities(mappings, chain),
    checkAddress: createAddressCheck({ allowedHosts: settings.LOCAL_CALLER_HOSTS }, 2_000),
    draining: new AbortController().signal,
    liveReads: { bondPolicy: async () => policy, poolPlacedRaw: async () => null, ...options.liveReads },
  }
  return { deps, clock, keyDatabase }
}

/** An API over real HTTP on a real database; operations of other areas answer 500 unless a handler is given. */
export const startApi = async (options: ApiOptions) => {
  const settings = readSettings({ ...base(options.databaseUrl), ...options.settings })
  const log: string[] = []
  const { deps, clock, keyDatabase } = await depsOf(settings, options, log)
  const handlers = {
    ...stubs,
    ...createIdentityHandlers(deps),
    ...createGrantHandlers(deps),
    ...createPublicHealth(deps, createHealthReader(deps)),
    ...createDiscoveryHandlers(deps),
    ...createEventHandlers(deps),
    ...(typeof options.handlers === 'function' ? await options.handlers(deps) : options.handlers),
  }
  const app = createApp(deps, handlers, options.operations ?? operationList)
  const { server } = await listen(app, { port: 0, host: '127.0.0.1', baseUrl: deps.baseUrl })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    port: address.port,
    deps,
    clock,
    log,
    call: (path: string, init: CallInit = {}) => call(url, path, init),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([deps.database.close(), keyDatabase.close()])
    },
  }
}
export type Api = Awaited<ReturnType<typeof startApi>>

type Account = (typeof accounts)[keyof typeof accounts]

/** Signs in over HTTP and gives the answer of the verification. */
export const signIn = async (api: Pick<Api, 'call'>, account: Account): Promise<Reply> => {
  const { body: challenge } = await api.call('/auth/nonce', { body: { wallet: account.address } })
  const signature = await account.signMessage({ message: challenge.message })
  return api.call('/auth/verify', { body: { message: challenge.message, signature } })
}

export const tokenOf = async (api: Pick<Api, 'call'>, account: Account): Promise<string> => (await signIn(api, account)).body.token
