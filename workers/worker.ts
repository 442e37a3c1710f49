import { setTimeout as sleep } from 'node:timers/promises'
import { cancellationSignal, heartbeat } from '@temporalio/activity'
import { Connection } from '@temporalio/client'
import { NativeConnection, TransportError } from '@temporalio/worker'
import { createChainClients, createSigners } from '../activities/chain/clients.ts'
import { createTransactions } from '../activities/chain/journal/send.ts'
import { openChainNodes } from '../activities/chain/node/nodes.ts'
import { detectLocalChain, isTransient } from '../activities/chain/node-identity.ts'
import { isUnreachable, retryUntilReachable } from '../activities/chain/reachable.ts'
import { assertWired } from '../activities/chain/wiring.ts'
import { createClock } from '../activities/common/clock.ts'
import { limitHeapGrowth } from '../activities/common/heap.ts'
import { assertLocalSettings, readConfiguration } from '../activities/configuration.ts'
import { openDatabase } from '../activities/database/database.ts'
import { databaseOutage } from '../activities/database/outages.ts'
import { createDocumentSigner, createKeySource } from '../activities/identity/signing-keys.ts'
import { createServiceLogger } from '../activities/observability/logger.ts'
import { observeNode } from '../activities/observability/process.ts'
import { startTracing } from '../activities/observability/tracing.ts'
import { createFetches } from '../activities/outbound/clients.ts'
import { createRunProfile } from '../activities/postings/profile-runs.ts'
import { readSigningChains } from '../activities/signing-chains.ts'
import { findCertificateProblem } from '../activities/temporal/certificates.ts'
import { createEngineClient } from '../activities/temporal/client.ts'
import { createRunnerCalls } from '../activities/temporal/executions.ts'
import { startStanding } from '../activities/temporal/standing.ts'
import { traceCalls } from '../activities/temporal/tracing.ts'
import { createVerifierHandlers } from '../activities/verification/registry.ts'
import { createVerifierSources } from '../activities/verification/sources.ts'
import { exitOnBadSettings, handleStopSignals } from '../schemas/run-process.ts'
import { createActivities, createWorkerDeps } from './activities.ts'
import { catchUp } from './chain/journal-catch-up.ts'
import { installRuntime } from './observability/engine-metrics.ts'
import { brief } from './observability/error-line.ts'
import { createObservers, publishFigures } from './observability/observe.ts'
import { traceActivities, tracedJournal } from './observability/tracing.ts'
import { loadWorkerSubjects } from './subjects.ts'
import { buildOf, deploymentOf } from './temporal/build.ts'
import { failureInterceptor } from './temporal/failures.ts'
import { heartbeatInterceptor } from './temporal/heartbeats.ts'
import { createQueueWorkers } from './temporal/queues.ts'

/** A stopping worker ends after this time, whatever still hangs – the engine, a round, the database: usual supervisors kill it after ten seconds. */
const STOP_MS = 9_000

/** Runs the workflows and activities of the service until a signal stops it. */
const main = async (): Promise<void> => {
  limitHeapGrowth()
  const replaceStop = handleStopSignals(() => process.exit(0))
  const { settings, chain, engine: engineConnection } = readConfiguration(process.env, 'worker')
  const logger = createServiceLogger('worker', settings.LOG_LEVEL)
  const tracing = await startTracing('worker', settings)
  const engine = await installRuntime(logger, settings.WORKER_METRICS_PORT !== undefined)

  const clients = createChainClients(chain, openChainNodes(chain, settings, logger))
  const logOutage = (error: unknown) =>
    logger.warn({ reason: brief(error) }, 'chain or database do not answer; the worker starts when they do')
  const isOutage = (error: unknown) => isUnreachable(error) || databaseOutage(error) !== null
  const retryOutage = <T>(work: () => Promise<T>): Promise<T> => retryUntilReachable(work, logOutage, isOutage)
  const local = await retryUntilReachable(() => detectLocalChain(chain, clients.reader), logOutage, isTransient)
  assertLocalSettings(settings, local)
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
  const client = createEngineClient(clientConnection, engineConnection, await traceCalls(tracing))
  const signers = createSigners(settings)
  const roles = { operator: signers.operator?.address, verifier: signers.verifier?.address, arbitrator: signers.arbitrator?.address }
  await retryOutage(() => assertWired(clients.reader, chain, roles))
  const observers = createObservers(database, logger)
  observeNode(observers.registry, clients.nodes)
  const observe = tracedJournal(tracing, observers.journal)
  const signingChains = readSigningChains(settings, clients, logger)
  for (const { clients: own, roles: signing } of signingChains) {
    const transactions = createTransactions({ database, clients: own, signers, clock, observe, pause: (ms) => sleep(ms) })
    for (const role of signing.filter((name) => name === 'operator' || signers[name] !== undefined))
      await retryOutage(() => catchUp(transactions, role, logger))
  }
  const fetches = createFetches(settings)
  const runners = createRunnerCalls(client)
  const runProfile = createRunProfile({ database, executionOf: runners.executionOf, signal: cancellationSignal, heartbeat })
  const handlers = createVerifierHandlers({ ...createVerifierSources(settings), runProfile })
  const stopping = new AbortController()
  const subjects = await loadWorkerSubjects()
  const parts = {
    settings,
    chain,
    clients,
    signingChains,
    database,
    client,
    clock,
    sign,
    readKey,
    handlers,
    fetches,
    runners,
    logger,
    observe,
  }
  const deps = createWorkerDeps(subjects, { ...parts, stopping: stopping.signal })
  const activities = createActivities(subjects, deps)
  const backgrounds = subjects.flatMap(({ module }) => module.background?.(deps) ?? [])
  const closeFigures = await publishFigures({
    settings,
    isLocal: local,
    logger,
    registry: observers.registry,
    database,
    chainId: chain.chainId,
    clock,
    metrics: subjects.map(({ module }) => module.metrics ?? {}),
    readSamples: () => backgrounds.flatMap(({ readSamples }) => readSamples?.() ?? []),
    engine,
  })

  const { interceptors, ...build } = buildOf(settings, engineConnection)
  const workers = await createQueueWorkers(settings.WORKER_QUEUES, {
    connection,
    namespace,
    ...build,
    ...deploymentOf(settings),
    activities,
    interceptors: {
      ...interceptors,
      activity: [
        ...(await traceActivities(tracing)),
        observers.activities,
        ({ info }) => ({ inbound: failureInterceptor(info) }),
        () => ({ inbound: heartbeatInterceptor() }),
      ],
    },
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  })
  for (const process of subjects.flatMap(({ module }) => module.standing?.(chain) ?? [])) await startStanding(client, process)
  await Promise.all(backgrounds.map(({ ready }) => ready))
  let ended: Promise<unknown> | undefined
  /** Ends the rounds, which need the database. It begins with the drain: rounds that end within the drain's time add nothing to the stop. */
  const endRounds = (): Promise<unknown> => {
    ended ??= Promise.all(backgrounds.flatMap(({ loops }) => loops).map((loop) => loop.stop()))
    return ended
  }
  /** Ends the process with code 0 if all workflows and activities have ended, otherwise with code 1. */
  const endLate = (): void => {
    const states = workers.states()
    logger.warn({ states }, 'something of the worker does not close; the process ends')
    process.exit(states.every((state) => state === 'STOPPED') ? 0 : 1)
  }
  // Shutdown may be requested once: a second signal can arrive while the worker drains.
  let isStopping = false
  const stop = (): void => {
    if (isStopping || !workers.states().includes('RUNNING')) return
    isStopping = true
    workers.shutdown()
    stopping.abort()
    void endRounds()
    setTimeout(endLate, STOP_MS).unref()
  }
  replaceStop(stop)
  logger.info({ queues: settings.WORKER_QUEUES, namespace }, 'worker ready')
  try {
    await workers.run(stop)
  } finally {
    await endRounds()
    await closeFigures()
    await tracing.stop()
    await clientConnection.close()
    await connection.close()
    await database.close()
  }
  // What a hung round still waits for must not keep the process. It is repeated, as after a crash.
  process.exit(0)
}

await exitOnBadSettings(main)
