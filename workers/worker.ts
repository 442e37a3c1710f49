import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection, TransportError, Worker } from '@temporalio/worker'
import { createChainClients, createLoggedBatchLimit, createSigners, roleOf, SIGNER_ROLES } from '../activities/chain/clients.ts'
import { readFollowerLag } from '../activities/chain/follower/cursor.ts'
import { createNonceStatus } from '../activities/chain/journal/nonce-status.ts'
import { createPump } from '../activities/chain/journal/pump.ts'
import { createTransactions } from '../activities/chain/journal/send.ts'
import { detectLocalChain, isTransient } from '../activities/chain/node-identity.ts'
import { isUnreachable, retryUntilReachable } from '../activities/chain/reachable.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { assertWired } from '../activities/chain/wiring.ts'
import { createClock } from '../activities/common/clock.ts'
import { readConfiguration } from '../activities/configuration.ts'
import { openDatabase } from '../activities/database/database.ts'
import { databaseOutage } from '../activities/database/outages.ts'
import { createDocumentSigner, createKeySource } from '../activities/identity/signing-keys.ts'
import { createServiceLogger } from '../activities/observability/logger.ts'
import { observeNode } from '../activities/observability/node.ts'
import { createGuardedFetch } from '../activities/outbound/guarded-fetch.ts'
import { startAuditSchedule } from '../activities/temporal/audit-schedule.ts'
import { findCertificateProblem } from '../activities/temporal/certificates.ts'
import { startChainFollower } from '../activities/temporal/chain-follower.ts'
import { startSessionLog } from '../activities/temporal/session-log.ts'
import { createWebhookWaker } from '../activities/temporal/wake-webhooks.ts'
import { createNeedChecks } from '../activities/verification/need-checks.ts'
import { createVerifierHandlers } from '../activities/verification/registry.ts'
import { createVerifierSources } from '../activities/verification/sources.ts'
import { TASK_QUEUE } from '../schemas/processes.ts'
import { exitOnBadSettings, handleStopSignals } from '../schemas/run-process.ts'
import { createActivities } from './activities.ts'
import { startRewardBankReader } from './catalogue/reward-bank.ts'
import { startFollowerAlarm } from './chain/follower-alarm.ts'
import { catchUp } from './chain/journal-catch-up.ts'
import { startNonceKeeper } from './chain/nonce-keeper.ts'
import { startEventRelay } from './events/event-relay.ts'
import { installRuntime } from './observability/engine-metrics.ts'
import { brief } from './observability/error-line.ts'
import { createObservers, publishFigures } from './observability/observe.ts'
import { workflowsPath } from './temporal/bundle.ts'
import { failureInterceptor } from './temporal/failures.ts'
import { heartbeatInterceptor } from './temporal/heartbeats.ts'
import { ISOLATION } from './temporal/isolation.ts'
import { readablePayloads } from './temporal/payload-guard.ts'
import { startNeedChecker } from './verification/need-checks.ts'
import { startWebhookWaker } from './webhooks/webhook-waker.ts'

/** Runs the workflows and activities of the service until a signal stops it. */
const main = async (): Promise<void> => {
  const replaceStop = handleStopSignals(() => process.exit(0))
  const { settings, chain, engine: engineConnection } = readConfiguration(process.env, 'worker')
  const logger = createServiceLogger('worker', settings.LOG_LEVEL)
  const engine = await installRuntime(logger, settings.WORKER_METRICS_PORT !== undefined)

  const clients = createChainClients(chain, createLoggedBatchLimit(settings, logger))
  const logOutage = (error: unknown) =>
    logger.warn({ reason: brief(error) }, 'chain or database do not answer; the worker starts when they do')
  const isOutage = (error: unknown) => isUnreachable(error) || databaseOutage(error) !== null
  const retryOutage = <T>(work: () => Promise<T>): Promise<T> => retryUntilReachable(work, logOutage, isOutage)
  const local = await retryUntilReachable(() => detectLocalChain(chain, clients.reader), logOutage, isTransient)
  const clock = createClock({ offsetFile: local ? settings.CLOCK_OFFSET_FILE : undefined })
  const readKey = createKeySource(settings)

  const database = openDatabase({ url: settings.DATABASE_URL, poolSize: settings.DATABASE_POOL, detectFreezes: true })
  const sign = createDocumentSigner({ database, clock, readKey })
  await retryOutage(() => sign.register())
  const { namespace } = engineConnection
  // The server may also start later than the worker.
  const isEngineDown = (error: unknown) => error instanceof TransportError
  const logEngineOutage = async (error: unknown): Promise<void> => {
    const reason = (await findCertificateProblem(engineConnection)) ?? brief(error)
    logger.warn({ reason }, 'the workflow engine does not answer; the worker starts when it does')
  }
  const connection = await retryUntilReachable(() => NativeConnection.connect(engineConnection.connection), logEngineOutage, isEngineDown)
  const clientConnection = await Connection.connect(engineConnection.connection)
  const client = new Client({ connection: clientConnection, namespace })
  const signers = createSigners(settings)
  const roles = { operator: signers.operator?.address, verifier: signers.verifier?.address, arbitrator: signers.arbitrator?.address }
  await retryOutage(() => assertWired(clients.reader, chain, roles))
  const observers = createObservers(database, logger)
  observeNode(observers.registry, clients.batches)
  const pause = (ms: number) => sleep(ms)
  const journalDeps = { database, clients, clock, observe: observers.journal, pause }
  const transactions = createTransactions({ ...journalDeps, signers })
  for (const role of SIGNER_ROLES.filter((name) => name === 'operator' || signers[name] !== undefined))
    await retryOutage(() => catchUp(transactions, role, logger))
  const operator = transactions.addressOf('operator')
  const reads = createChainReads(chain, clients, operator)
  const bank = startRewardBankReader({ database, reads, operator, asset: chain.asset.symbol, logger })
  const { NONCE_STUCK_SECONDS: stuckAfterSeconds } = settings
  const status = createNonceStatus({ database, clients, clock, stuckAfterSeconds })
  const keeper = startNonceKeeper({ pump: createPump(journalDeps), status, roleOf: (signer) => roleOf(signers, signer), logger })
  const fetch = createGuardedFetch({ allowedHosts: settings.OUTBOUND_ALLOWED_HOSTS })
  const handlers = createVerifierHandlers(createVerifierSources(settings))
  const checks = createNeedChecks({ settings, chain, clients, verifier: signers.verifier?.address, handlers, fetch })
  const needs = startNeedChecker({ database, checks, logger })
  const page = { settings, isLocal: local, logger, registry: observers.registry, database, chainId: chain.chainId, clock, engine }
  const closeFigures = await publishFigures({ ...page, nonces: keeper.latest, bankReadAt: bank.lastReadAt, needs: needs.latest })
  const relay = startEventRelay({ database, logger })
  const lag = () => readFollowerLag(database.rows, chain.chainId)
  const alarm = startFollowerAlarm({ lag, boundSeconds: settings.CHAIN_LAG_SECONDS, logger })

  const stopping = new AbortController()
  const bundle =
    settings.WORKFLOW_BUNDLE !== undefined && existsSync(settings.WORKFLOW_BUNDLE)
      ? { workflowBundle: { codePath: settings.WORKFLOW_BUNDLE } }
      : { workflowsPath }
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUE,
    ...bundle,
    activities: createActivities({
      settings,
      chain,
      clients,
      database,
      client,
      clock,
      sign,
      readKey,
      logger,
      handlers,
      fetch,
      observe: observers.journal,
      alarm: (waiting) => logger.warn(waiting, 'a dispute waits for people'),
      stopping: stopping.signal,
    }),
    dataConverter: { payloadCodecs: [readablePayloads] },
    interceptors: {
      activity: [observers.activities, ({ info }) => ({ inbound: failureInterceptor(info) }), () => ({ inbound: heartbeatInterceptor() })],
    },
    ...ISOLATION,
    // A step that waits for the chain keeps its place, so there are places for many more than can work at once. The pool bounds what works.
    maxConcurrentActivityTaskExecutions: 1_000,
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  })
  await startChainFollower(client, chain)
  await startAuditSchedule(client, chain)
  await startSessionLog(client, chain)
  const waker = settings.WEBHOOKS ? startWebhookWaker({ wake: createWebhookWaker({ client, database, clock }), logger }) : null
  // A claim that waits for a worker is decided by checks of now, not by those of an earlier worker.
  await needs.first
  // Shutdown may be requested once: a second signal can arrive while the worker drains.
  const stop = (): void => {
    if (worker.getState() === 'RUNNING') worker.shutdown()
    stopping.abort()
  }
  replaceStop(stop)
  logger.info({ taskQueue: TASK_QUEUE, namespace }, 'worker ready')
  try {
    await worker.run()
  } finally {
    // The rounds that run need the database.
    await Promise.all([bank, keeper, relay, waker, alarm, needs].map((loop) => loop?.stop()))
    await closeFigures()
    await clientConnection.close()
    await connection.close()
    await database.close()
  }
}

await exitOnBadSettings(main)
