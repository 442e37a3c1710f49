import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { createChainClients, createSigners } from '../activities/chain/clients.ts'
import { createNonceStatus } from '../activities/chain/nonce-status.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { createTransactions } from '../activities/chain/transactions.ts'
import { createClock } from '../activities/clock.ts'
import { createEvaluations } from '../activities/eligibility/evaluate.ts'
import { observeJournal } from '../activities/observation/journal.ts'
import { openDatabase } from '../activities/records/database.ts'
import { readChainFile } from '../schemas/chain-file.ts'
import { readSettings, type Settings } from '../schemas/config.ts'
import { assertMode, detectLocalChain, receiptKeyOf, tokensOf } from './boot.ts'
import type { WorkDeps } from './deps-work.ts'
import { createHandlers } from './handlers.ts'
import { createProbes } from './health/dependencies.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { createApp, listen } from './server.ts'
import { createEngine } from './temporal.ts'

/** Requests in flight get this long to end before their connections are closed. */
const DRAIN_MS = 6_500
const IDLE_LOOK_MS = 100

const connect = (settings: Settings) => {
  // Lazy: an engine that is down must not keep the reads of the API from starting.
  const connection = Connection.lazy({ address: settings.TEMPORAL_ADDRESS })
  return new Client({ connection, namespace: settings.TEMPORAL_NAMESPACE })
}

/** Builds everything a request may need from the settings; checks what must hold before the first request. */
const compose = async (settings: Settings, draining: AbortSignal): Promise<{ deps: WorkDeps; close: () => Promise<void> }> => {
  const chain = readChainFile(settings.CHAIN_FILE)
  const logger = createLogger(settings.LOG_LEVEL)
  const clients = createChainClients(chain)
  const isLocal = await detectLocalChain(chain, clients.reader)
  assertMode(settings, isLocal)
  const [tokens, receiptKey] = await Promise.all([tokensOf(settings), receiptKeyOf(settings)])
  const clock = createClock({ offsetFile: isLocal ? settings.CLOCK_OFFSET_FILE : undefined })
  const database = openDatabase({ url: settings.DATABASE_URL, poolSize: settings.DATABASE_POOL })
  // A crowd that fills the pool must not look like a database that is down.
  const probing = openDatabase({ url: settings.DATABASE_URL, poolSize: 1 })
  const metrics = createMetrics(database)
  const observe = observeJournal(metrics.registry, logger)
  const transactions = createTransactions({ database, clients, signers: createSigners(settings), clock, observe, pause: (ms) => sleep(ms) })
  const { NONCE_STUCK_SECONDS: stuckAfterSeconds } = settings
  const nonces = createNonceStatus({ database, clients, clock, stuckAfterSeconds })
  const operator = transactions.addressOf('operator')
  const reads = createChainReads(chain, clients, operator)
  const client = connect(settings)
  const deps: WorkDeps = {
    settings,
    chain,
    isLocal,
    database,
    clock,
    tokens,
    receiptKey,
    baseUrl: settings.PUBLIC_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`,
    logger,
    metrics,
    probes: createProbes({ database: probing, client, reads, nonces }),
    liveReads: { bondPolicy: async () => (await reads.walletFacts(operator)).policy },
    clients,
    reads,
    transactions,
    evaluations: createEvaluations({ database, reads, chain, clock, settings }),
    engine: createEngine({ client, waitMs: settings.CHAIN_WAIT_SECONDS * 1000, draining }),
    draining,
  }
  // The engine's channel ends with the process: closed under a pending retry it would throw from a timer.
  return { deps, close: async () => void (await Promise.all([database.close(), probing.close()])) }
}

/** Stops accepting, lets requests in flight end, then closes what is left. */
const drain = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection whose last answer was on its way becomes idle only now.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS)
  const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(idle)
  clearTimeout(forced)
}

const main = async (): Promise<void> => {
  const settings = readSettings(process.env)
  const draining = new AbortController()
  const { deps, close } = await compose(settings, draining.signal)
  const app = createApp(deps, createHandlers(deps))
  const stopHousekeeping = startHousekeeping(deps)
  const server = await listen(app, { port: settings.PORT, host: settings.HOST, baseUrl: deps.baseUrl })
  deps.logger.info({ baseUrl: deps.baseUrl }, 'listening')
  const stop = async (signal: string): Promise<void> => {
    deps.logger.info({ signal }, 'draining')
    draining.abort()
    stopHousekeeping()
    await drain(server)
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))
}

if (import.meta.main) await main()
