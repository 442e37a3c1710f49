import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type ChainClients, createChainClients, createSigners } from '../activities/chain/clients.ts'
import { createNonceStatus } from '../activities/chain/journal/nonce-status.ts'
import { createTransactions } from '../activities/chain/journal/send.ts'
import { detectLocalChain, isTransient } from '../activities/chain/node-identity.ts'
import { whenReachable } from '../activities/chain/reachable.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { createClock } from '../activities/common/clock.ts'
import { openDatabase } from '../activities/database/database.ts'
import { createEvaluations } from '../activities/eligibility/evaluate.ts'
import { observeJournal } from '../activities/observability/journal.ts'
import { createDeliveries } from '../activities/pull-requests/refresh.ts'
import { createVerifierHandlers } from '../activities/verification/registry.ts'
import { createVerifierWorld } from '../activities/verification/sources.ts'
import { type ChainFile, readChainFile } from '../schemas/chain/chain-file.ts'
import { readSettings, type Settings } from '../schemas/settings.ts'
import { createApp } from './app.ts'
import { assertMode, receiptKeyOf, tokensOf } from './boot.ts'
import type { ApiDeps } from './deps.ts'
import { createHandlers } from './handlers.ts'
import { createProbes, readRecords } from './health/dependencies.ts'
import { startHousekeeping } from './housekeeping.ts'
import { drain } from './http/drain.ts'
import { type Door, listen } from './http/server.ts'
import { waitingDoor } from './http/startup-server.ts'
import { createLogger } from './observability/logger.ts'
import { createMetrics } from './observability/metrics.ts'
import { createEngine, dialEngine } from './temporal/engine.ts'

const STOPS = ['SIGTERM', 'SIGINT'] as const

/** What is known without asking anybody. */
interface Place {
  settings: Settings
  logger: Logger
  chain: ChainFile
  clients: ChainClients
  baseUrl: string
}

const placeOf = (settings: Settings): Place => {
  const chain = readChainFile(settings.CHAIN_FILE)
  const baseUrl = settings.PUBLIC_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`
  return { settings, logger: createLogger(settings.LOG_LEVEL), chain, clients: createChainClients(chain), baseUrl }
}

/**
 * Whether the chain is the embedded one, once its node has said which chain it is; `waiting` runs while it does not answer. A file that
 * does not call it local needs no answer: then the node is asked beside the work, and one of another chain ends the process.
 */
const identified = async ({ logger, chain, clients }: Place, waiting: (error: unknown) => Promise<void>): Promise<boolean> => {
  const identify = () => detectLocalChain(chain, clients.reader)
  if (chain.local) return whenReachable(identify, waiting, isTransient)
  try {
    return await identify()
  } catch (error) {
    if (!isTransient(error)) throw error
  }
  void whenReachable(identify, (error) => logger.warn({ err: error }, 'the chain does not answer'), isTransient).catch((error: unknown) => {
    logger.fatal({ err: error }, 'the node is of another chain')
    process.exit(1)
  })
  return false
}

/** Builds everything a request may need from the settings; checks what must hold before the first request. */
const compose = async (place: Place, isLocal: boolean, draining: AbortSignal): Promise<{ deps: ApiDeps; close: () => Promise<void> }> => {
  const { settings, logger, chain, clients, baseUrl } = place
  assertMode(settings, isLocal)
  const [tokens, receiptKey] = await Promise.all([tokensOf(settings), receiptKeyOf(settings)])
  const clock = createClock({ offsetFile: isLocal ? settings.CLOCK_OFFSET_FILE : undefined })
  const database = openDatabase({ url: settings.DATABASE_URL, poolSize: settings.DATABASE_POOL, watched: true })
  // A crowd that fills the pool must not look like a database that is down.
  const probing = openDatabase({ url: settings.DATABASE_URL, poolSize: 1, watched: true })
  const metrics = createMetrics(database)
  const observe = observeJournal(metrics.registry, logger)
  const transactions = createTransactions({ database, clients, signers: createSigners(settings), clock, observe, pause: (ms) => sleep(ms) })
  const { NONCE_STUCK_SECONDS: stuckAfterSeconds } = settings
  const nonces = createNonceStatus({ database, clients, clock, stuckAfterSeconds })
  const operator = transactions.addressOf('operator')
  const reads = createChainReads(chain, clients, operator)
  const world = createVerifierWorld(settings)
  const engine = createEngine({
    client: dialEngine(settings),
    waitMs: settings.CHAIN_WAIT_SECONDS * 1000,
    readRecords: () => readRecords(probing),
    draining,
  })
  const probes = createProbes({ database: probing, engine, reads, nonces })
  const deps: ApiDeps = {
    settings,
    chain,
    isLocal,
    database,
    clock,
    tokens,
    receiptKey,
    baseUrl,
    logger,
    metrics,
    probes,
    liveReads: { bondPolicy: async () => (await reads.walletFacts(operator)).policy },
    clients,
    reads,
    transactions,
    evaluations: createEvaluations({ database, reads, chain, clock, settings }),
    verifiers: createVerifierHandlers(world),
    deliveries: createDeliveries({ database, clock, readPullRequest: world.readPullRequest }),
    engine,
    draining,
  }
  // The engine's channel ends with the process: closed under a pending retry it would throw from a timer.
  return { deps, close: async () => void (await Promise.all([database.close(), probing.close()])) }
}

const main = async (): Promise<void> => {
  const settings = readSettings(process.env)
  const place = placeOf(settings)
  const { logger, baseUrl } = place
  const draining = new AbortController()
  const leave = (): never => process.exit(0)
  for (const signal of STOPS) process.once(signal, leave)
  const where = { port: settings.PORT, host: settings.HOST, baseUrl }
  let door: Door | undefined
  const isLocal = await identified(place, async (error) => {
    logger.warn({ err: error }, 'the chain does not answer; requests are refused until it does')
    door ??= await listen(waitingDoor({ logger, clock: createClock(), baseUrl }), where)
  })
  const { deps, close } = await compose(place, isLocal, draining.signal)
  const app = createApp(deps, createHandlers(deps))
  door?.show(app)
  const { server } = door ?? (await listen(app, where))
  const stopHousekeeping = startHousekeeping(deps)
  logger.info({ baseUrl }, 'listening')
  const stop = async (signal: string): Promise<void> => {
    deps.logger.info({ signal }, 'draining')
    draining.abort()
    stopHousekeeping()
    await drain(server)
    await close()
    process.exit(0)
  }
  for (const signal of STOPS) process.off(signal, leave).once(signal, () => void stop(signal))
}

if (import.meta.main) await main()
