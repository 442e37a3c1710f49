import { availableParallelism, hostname, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { NativeConnection, TransportError, Worker } from '@temporalio/worker'
import { retryUntilReachable } from '../activities/chain/reachable.ts'
import { limitHeapGrowth } from '../activities/common/heap.ts'
import { readRunnerConfiguration } from '../activities/configuration.ts'
import { createServiceLogger } from '../activities/observability/logger.ts'
import { createGuardedFetch } from '../activities/outbound/guarded-fetch.ts'
import { GIT_PATCH_LIMITS } from '../activities/paid-verification/profiles/git-patch/session.ts'
import { createSandbox } from '../activities/sandbox/probe.ts'
import { findCertificateProblem } from '../activities/temporal/certificates.ts'
import { MAX_RUNNER_REASON, RUNNER_TASK_QUEUE, UNABLE_RUNNER_TASK_QUEUE } from '../schemas/paid-verification/runner.ts'
import { exitOnBadSettings, handleStopSignals } from '../schemas/run-process.ts'
import { installRuntime } from './observability/engine-metrics.ts'
import { brief } from './observability/error-line.ts'
import { type RunnerHealth, startRunnerHealth } from './paid-verification/runner-health.ts'
import { createRunnerSteps } from './paid-verification/runner-steps.ts'
import { failureInterceptor } from './temporal/failures.ts'
import { heartbeatInterceptor } from './temporal/heartbeats.ts'
import { readablePayloads } from './temporal/payload-guard.ts'

/** A missing sandbox is probed again after this time: an operator may have installed it. */
const PROBE_MS = 30_000
/** A stopping runner ends after this time, whatever still hangs. */
const STOP_MS = 9_000

/** Runs at a time: as many as have their processors and their memory on this machine. */
const mostRuns = (): number =>
  Math.max(1, Math.min(Math.floor(availableParallelism() / GIT_PATCH_LIMITS.cpus), Math.floor(totalmem() / GIT_PATCH_LIMITS.memoryBytes)))

/** Runs programs of strangers for the service until a signal stops it. It knows the workflow engine, and no key, database or chain. */
const main = async (): Promise<void> => {
  limitHeapGrowth()
  const replaceStop = handleStopSignals(() => process.exit(0))
  const { settings, engine } = readRunnerConfiguration(process.env)
  const logger = createServiceLogger('runner', settings.LOG_LEVEL)
  await installRuntime(logger, false)
  const health: RunnerHealth = { sandbox: null, isPolling: false }
  const { HOST: host, RUNNER_HEALTH_PORT: port } = settings
  if (port !== undefined) {
    const served = await startRunnerHealth({ host, port }, () => health)
    logger.info({ health: `http://${host}:${served.port}/health` }, 'health is published')
  }
  const logEngineOutage = async (error: unknown): Promise<void> => {
    const reason = (await findCertificateProblem(engine)) ?? brief(error)
    logger.warn({ reason }, 'the workflow engine does not answer; the runner starts when it does')
  }
  const connect = () => NativeConnection.connect(engine.connection)
  const connection = await retryUntilReachable(connect, logEngineOutage, (error) => error instanceof TransportError)

  const stopping = new AbortController()
  const { RUNNER_BUBBLEWRAP: bwrap } = settings
  const sandbox = createSandbox({ ...(bwrap !== undefined && { bwrap }) })
  const activities = createRunnerSteps({
    sandbox,
    fetch: createGuardedFetch({ allowedHosts: settings.LOCAL_CALLER_HOSTS }),
    stopping: stopping.signal,
  })
  const createWorker = (taskQueue: string, identity: string): Promise<Worker> =>
    Worker.create({
      connection,
      namespace: engine.namespace,
      taskQueue,
      identity,
      activities,
      dataConverter: { payloadCodecs: [readablePayloads, engine.payloadCodec] },
      interceptors: { activity: [({ info }) => ({ inbound: failureInterceptor(info) }), () => ({ inbound: heartbeatInterceptor() })] },
      maxConcurrentActivityTaskExecutions: mostRuns(),
      shutdownGraceTime: '5s',
      shutdownForceTime: '8s',
    })
  let worker: Worker | undefined
  const shutDown = (): void => {
    if (worker?.getState() === 'RUNNING') worker.shutdown()
  }
  replaceStop(() => {
    stopping.abort()
    shutDown()
    setTimeout(() => process.exit(1), STOP_MS).unref()
  })

  /** Polls the queue without work, under the reason, until a sandbox is found. */
  const announce = async (reason: string): Promise<void> => {
    logger.warn({ reason }, 'no sandbox: this runner takes no work until it has one')
    worker = await createWorker(UNABLE_RUNNER_TASK_QUEUE, `${reason.slice(0, MAX_RUNNER_REASON)}`)
    const ended = worker.run()
    for (;;) {
      await sleep(PROBE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      health.sandbox = stopping.signal.aborted ? health.sandbox : await sandbox.probe()
      if (stopping.signal.aborted || health.sandbox?.ok) break
    }
    shutDown()
    await ended
  }

  health.sandbox = await sandbox.probe()
  if (!health.sandbox.ok) await announce(health.sandbox.reason)
  if (health.sandbox.ok && !stopping.signal.aborted) {
    const { kind, version, bounds } = health.sandbox
    worker = await createWorker(RUNNER_TASK_QUEUE, `runner ${process.pid}@${hostname()}`)
    health.isPolling = true
    logger.info({ taskQueue: RUNNER_TASK_QUEUE, sandbox: kind, version, bounds, runs: mostRuns() }, 'runner ready')
    await worker.run()
  }
  await connection.close()
  process.exit(0)
}

await exitOnBadSettings(main)
