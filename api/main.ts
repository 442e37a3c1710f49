import { setTimeout as sleep } from 'node:timers/promises'
import { createBankRefresh } from '../activities/catalogue/reward-bank.ts'
import { createChainClients, createSigners } from '../activities/chain/clients.ts'
import { createNonceStatus } from '../activities/chain/journal/nonce-status.ts'
import { createTransactions } from '../activities/chain/journal/send.ts'
import { openChainNodes } from '../activities/chain/node/nodes.ts'
import { detectLocalChain, isTransient } from '../activities/chain/node-identity.ts'
import { retryUntilReachable } from '../activities/chain/reachable.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { createClock } from '../activities/common/clock.ts'
import { assertLocalSettings, type Configuration, readConfiguration } from '../activities/configuration.ts'
import { openDatabase, readRecords } from '../activities/database/database.ts'
import { createDeliverySources } from '../activities/deliveries/sources.ts'
import { createTrackedReader } from '../activities/deliveries/steps.ts'
import { createEvaluations } from '../activities/eligibility/evaluate.ts'
import { createEarningIdentities } from '../activities/identity/earning-identity.ts'
import { findNativeAccount } from '../activities/identity/native-accounts.ts'
import { createLoggedMappingReader } from '../activities/identity/native-mapping.ts'
import { observeJournal } from '../activities/observability/journal.ts'
import { createServiceLogger } from '../activities/observability/logger.ts'
import { observeNode } from '../activities/observability/process.ts'
import { startTracing, type Tracing } from '../activities/observability/tracing.ts'
import { createFetches } from '../activities/outbound/clients.ts'
import { createAddressCheck } from '../activities/outbound/guarded-fetch.ts'
import { createPosterReader } from '../activities/postings/poster-record.ts'
import { createPolicyReader } from '../activities/pull-requests/policy-reader.ts'
import { createDeliveries } from '../activities/pull-requests/refresh.ts'
import { readSigningChains } from '../activities/signing-chains.ts'
import { createRunnerCalls } from '../activities/temporal/executions.ts'
import { traceCalls } from '../activities/temporal/tracing.ts'
import { createVerifierHandlers } from '../activities/verification/registry.ts'
import { createVerifierSources } from '../activities/verification/sources.ts'
import { exitOnBadSettings, handleStopSignals } from '../schemas/run-process.ts'
import { createApp, createStartupApp } from './app.ts'
import { createTokensFrom } from './boot.ts'
import type { ApiDeps } from './deps.ts'
import { createEventHub } from './event-stream/hub.ts'
import { createHandlers } from './handlers.ts'
import { createProbes, reportCertificates } from './health/probes.ts'
import { createSettlementProbe } from './health/settlement.ts'
import { startHousekeeping } from './housekeeping.ts'
import { memoizeFor } from './http/cache.ts'
import { drain } from './http/drain.ts'
import { type ApiListener, listen } from './http/server.ts'
import { createRevocations } from './identity/revocations.ts'
import { createSessionUses } from './identity/session-uses.ts'
import { createMetrics } from './observability/metrics.ts'
import { createWaits } from './sessions/waits.ts'
import { connectEngine, createEngine } from './temporal/engine.ts'
import { startReviewerChecks } from './verification/reviewers.ts'

/** Maximum age of chain values in public documents. */
const LIVE_READ_MS = 2_000
/** Time limit of a check of an address that a caller names. */
const ADDRESS_CHECK_MS = 5_000

/** What the settings alone determine. */
const createStartupContext = ({ settings, chain, engine }: Configuration) => {
  const baseUrl = settings.PUBLIC_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`
  const logger = createServiceLogger('api', settings.LOG_LEVEL)
  return { settings, logger, chain, engine, clients: createChainClients(chain, openChainNodes(chain, settings, logger)), baseUrl }
}
type StartupContext = ReturnType<typeof createStartupContext>

/**
 * Whether the node is the local chain. A chain file that says local waits for the node, and `waiting` runs at each failure. Any other
 * chain file does not wait: the node is checked in the background, and a node of another chain ends the process.
 */
const identifyChain = async ({ logger, chain, clients }: StartupContext, waiting: (error: unknown) => Promise<void>): Promise<boolean> => {
  const identify = () => detectLocalChain(chain, clients.reader)
  if (chain.local) return retryUntilReachable(identify, waiting, isTransient)
  try {
    return await identify()
  } catch (error) {
    if (!isTransient(error)) throw error
  }
  void retryUntilReachable(identify, (error) => logger.warn({ err: error }, 'the chain does not answer'), isTransient).catch(
    (error: unknown) => {
      logger.fatal({ err: error }, 'the node serves another chain')
      process.exit(1)
    },
  )
  return false
}

/** Builds the dependencies of the API and checks the settings before the first request. */
const compose = async (startup: StartupContext, tracing: Tracing, isLocal: boolean, draining: AbortSignal): Promise<ApiDeps> => {
  const { settings, logger, chain, clients, baseUrl } = startup
  assertLocalSettings(settings, isLocal)
  const fetches = createFetches(settings)
  const clock = createClock({ offsetFile: isLocal ? settings.CLOCK_OFFSET_FILE : undefined })
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_REPLICA_URL: replicaUrl, DATABASE_POOL: poolSize } = settings
  const database = openDatabase({ url, directUrl, replicaUrl, poolSize, detectFreezes: true })
  // A pool of its own: a sign-in holds a connection of the main pool while it waits for the key of its token.
  const keyDatabase = openDatabase({ url: settings.DATABASE_URL, poolSize: 1, detectFreezes: true })
  const tokens = await createTokensFrom(settings, { database: keyDatabase, clock, logger })
  // A pool of its own: load that fills the main pool must not look like a database outage.
  const probeDatabase = openDatabase({ url: settings.DATABASE_URL, poolSize: 1, detectFreezes: true })
  const metrics = createMetrics(database)
  observeNode(metrics.registry, clients.nodes)
  const observe = observeJournal(metrics.registry, logger)
  const transactions = createTransactions({ database, clients, signers: createSigners(settings), clock, observe, pause: (ms) => sleep(ms) })
  const { NONCE_STUCK_SECONDS: stuckAfterSeconds } = settings
  const [own, ...payment] = readSigningChains(settings, clients, logger).map((chain) =>
    createNonceStatus({ database, clients: chain.clients, clock, stuckAfterSeconds }),
  )
  // A payment chain that does not answer hides nothing of the own chain; the component `settlement` reports it.
  const nonces = async () => [...((await own?.()) ?? []), ...(await Promise.all(payment.map((status) => status().catch(() => [])))).flat()]
  const operator = transactions.findAddress('operator')
  const mappings = createLoggedMappingReader({ settings, chain, clients, clock, logger })
  const identities = createEarningIdentities(mappings, chain)
  const reads = createChainReads(chain, clients, operator)
  const sources = createVerifierSources(settings)
  const client = connectEngine(startup.engine, await traceCalls(tracing))
  const engine = createEngine({
    client,
    waitMs: settings.CHAIN_WAIT_SECONDS * 1000,
    readRecords: () => readRecords(probeDatabase),
    draining,
  })
  const events = createEventHub({ database, logger })
  const settlement = createSettlementProbe(settings, logger)
  const probes = createProbes({ database: probeDatabase, engine, reads, nonces, evidence: clients.nodes.evidence, settlement })
  return {
    settings,
    chain,
    isLocal,
    database,
    clock,
    tokens,
    baseUrl,
    logger,
    metrics,
    probes,
    waits: createWaits({ database, events, settings }),
    events,
    revocations: createRevocations({ database, tokens }),
    sessionUses: createSessionUses({ database }),
    liveReads: {
      bondPolicy: memoizeFor(LIVE_READ_MS, reads.bondPolicy).get,
      poolPlacedRaw: memoizeFor(LIVE_READ_MS, reads.poolPlacedRaw).get,
    },
    clients,
    isNativeAccount: async (wallet) => (await findNativeAccount(database.rows, wallet)) !== null,
    reads,
    transactions,
    mappings,
    identities,
    evaluations: createEvaluations({ database, reads, chain, clock, settings, identities }),
    refreshBank: createBankRefresh({ database, reads, operator, asset: chain.asset.symbol }),
    verifiers: createVerifierHandlers(sources),
    verifierSources: sources,
    freezeContract: createRunnerCalls(client).freezeContract,
    readPoster: createPosterReader({ database, chain }),
    checkAddress: createAddressCheck({ allowedHosts: settings.LOCAL_CALLER_HOSTS }, ADDRESS_CHECK_MS),
    deliveries: createDeliveries({
      database,
      clock,
      readPullRequest: sources.readPullRequest,
      readTracked: createTrackedReader({ database, clock, ...createDeliverySources({ settings, fetches }) }),
    }),
    maintainers: createPolicyReader({ database, clock, settings, fetch: fetches.codehost }),
    engine,
    payloadCodec: startup.engine.payloadCodec,
    draining,
  }
}

const main = async (): Promise<void> => {
  const startup = createStartupContext(readConfiguration(process.env, 'api'))
  const { settings, logger, baseUrl } = startup
  const tracing = await startTracing('api', settings)
  const draining = new AbortController()
  const replaceStop = handleStopSignals(() => process.exit(0))
  const address = { port: settings.PORT, host: settings.HOST, baseUrl }
  let listener: ApiListener | undefined
  const isLocal = await identifyChain(startup, async (error) => {
    logger.warn({ err: error }, 'the chain does not answer; requests are refused until it does')
    listener ??= await listen(createStartupApp({ logger, clock: createClock(), baseUrl }), address)
  })
  const deps = await compose(startup, tracing, isLocal, draining.signal)
  const app = createApp(deps, await createHandlers(deps))
  listener?.setApp(app)
  const accepting = listener ?? (await listen(app, address))
  const loops = [startHousekeeping(deps), startReviewerChecks(deps)]
  logger.info({ baseUrl }, 'listening')
  // Recorded before its first token, so that the other processes know the key. Without a database it is recorded at that token.
  void deps.tokens.keySet(deps.clock.now()).catch((error: unknown) => logger.warn({ err: error }, 'the token key is not recorded yet'))
  void reportCertificates(deps, startup.engine)
  const stop = async (signal: string): Promise<void> => {
    deps.logger.info({ signal }, 'draining')
    draining.abort()
    await Promise.all([drain(accepting), ...loops.map((loop) => loop.stop())])
    await deps.events.stop()
    deps.revocations.stop()
    await tracing.stop()
    // No caller waits any more. What a background task still does is undone or repeated, as after a crash.
    process.exit(0)
  }
  replaceStop((signal) => void stop(signal))
}

if (import.meta.main) await exitOnBadSettings(main)
