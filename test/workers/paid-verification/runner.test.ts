// Work that the service gives to runners: processes of their own, over a real engine.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { WorkflowFailedError } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import { createRunnerCalls } from '../../../activities/temporal/executions.ts'
import { executionWorkflowId, RUNNER_TASK_QUEUE, type RunnerWork } from '../../../schemas/paid-verification/runner.ts'
import { TASK_QUEUE } from '../../../schemas/processes.ts'
import { ISOLATION } from '../../../workers/temporal/isolation.ts'
import { eventually } from '../../support/eventually.ts'
import { requestFor } from '../../support/sandbox/repository.ts'
import { machineProbe, reportSkipped } from '../../support/sandbox/runner.ts'
import { workflowBundle } from '../../support/workflow-bundle.ts'
import '../../workflows/support/runtime.ts'
import { connectToServer } from '../../workflows/support/server.ts'

const PROFILE = 'git-patch-tests-v1@1'
const PROGRAM = fileURLToPath(new URL('../../../workers/runner.ts', import.meta.url))
let server: Awaited<ReturnType<typeof connectToServer>>
let running: Promise<void>
let worker: Worker
let files: Server
let host = ''
const served = new Map<string, Buffer>()
const started: ChildProcess[] = []

beforeAll(async () => {
  server = await connectToServer()
  worker = await Worker.create({
    connection: server.nativeConnection,
    namespace: server.namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: await workflowBundle(),
    ...ISOLATION,
  })
  running = worker.run()
  files = createServer(({ url = '' }, response) => {
    const content = served.get(url)
    response.writeHead(content === undefined ? 404 : 200)
    response.end(content)
  }).listen(0, '127.0.0.1')
  await once(files, 'listening')
  host = `127.0.0.1:${(files.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})
afterAll(async () => {
  files.close()
  worker.shutdown()
  await running
  await server.close()
})

/** Starts a runner; resolves with its log line that has this text. */
const startRunner = async (
  text: string,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; line: Record<string, unknown> }> => {
  const own = {
    PATH: process.env.PATH,
    TEMPORAL_ADDRESS: server.address,
    TEMPORAL_NAMESPACE: server.namespace,
    LOCAL_CALLER_HOSTS: host,
    RUNNER_HEALTH_PORT: '0',
  }
  const child = spawn(process.execPath, [PROGRAM], { env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (line.includes(text)) return { child, line: JSON.parse(line) as Record<string, unknown> }
  }
  throw new Error(`the runner ended without ${text}`)
}

const put = (content: Uint8Array, format: string) => {
  const sha256 = createHash('sha256').update(content).digest('hex')
  served.set(`/${sha256}`, Buffer.from(content))
  return { sha256, bytes: content.length, locator: { kind: 'https', url: `http://${host}/${sha256}` }, format }
}
const requestOf = (key: string, changes: Record<string, string> = { 'src/sum.js': 'export const sum = (a, b) => a + b\n' }) => {
  const { bundle, patch, declaration } = requestFor(changes)
  const { repository, commit, testCommand } = declaration
  const inputs = { gitBundle: put(bundle, 'git-bundle'), patch: put(patch, 'git-patch'), testCommand: [...testCommand] }
  return { key, target: { repository, commit }, inputs, targetAuthorization: null }
}
const calls = () => createRunnerCalls(server.client)
const execute = (request: ReturnType<typeof requestOf>, signal = new AbortController().signal) =>
  calls().executionOf(PROFILE)(request, signal, () => undefined)
const describeWork = (key: string) => server.client.workflow.getHandle(executionWorkflowId(key)).describe()

const untilStatus = (key: string, wanted: string) =>
  eventually(
    `the work is ${wanted}`,
    // A start that has not arrived is no state yet.
    async () => (await describeWork(key).catch(() => null))?.status.name,
    (name) => name === wanted,
  )
/** temporal.api.enums.v1.PendingActivityState: a worker has it. */
const STARTED = 2

reportSkipped(3)
const withSandbox = machineProbe.ok ? test : test.skip

describe('a runner', () => {
  withSandbox('does work once for a key, and freezes the contract that the work is judged by', async () => {
    await startRunner('runner ready')
    const request = requestOf('a'.repeat(64))
    const [first, second] = await Promise.all([execute(request), execute(request)])
    expect(first).toMatchObject({ verdict: 'approved', evidence: { exitCode: 0 } })
    expect(second).toEqual(first)
    expect(await execute(request)).toEqual(first)
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(16 * 1024)
    expect(await calls().read()).toEqual({ ready: 1, unable: [] })
    const frozen = await calls().freezeContract(
      { key: 'draft-1', profileRef: PROFILE, inputs: { ...request.target, ...request.inputs } as never },
      new AbortController().signal,
      () => undefined,
    )
    expect(frozen).toMatchObject({ kind: 'frozen', contract: { contractDigest: first.evidence.contractDigest } })
  })

  withSandbox('that is killed in the middle is replaced by another one', async () => {
    const { child } = await startRunner('runner ready')
    const request = requestOf('b'.repeat(64))
    const result = execute(request)
    await eventually(
      'a runner has the work',
      async () => (await describeWork(request.key).catch(() => null))?.raw.pendingActivities?.[0],
      (activity) => Number(activity?.state) === STARTED,
    )
    child.kill('SIGKILL')
    await startRunner('runner ready')
    expect(await result).toMatchObject({ verdict: 'approved' })
  })

  withSandbox('serves its health, and ends at a signal', async () => {
    const { line } = await startRunner('health is published')
    const health = String(line.health)
    await eventually(
      'the runner takes work',
      async () => (await fetch(health)).status,
      (status) => status === 200,
    )
    expect(await (await fetch(`${health}/live`)).json()).toEqual({ status: 'ok' })
    const [child] = started
    const ended = once(child as ChildProcess, 'exit')
    child?.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
  })

  test('without a sandbox takes no work, and every process learns why from the engine', async () => {
    const { line } = await startRunner('no sandbox', { RUNNER_BUBBLEWRAP: '/none' })
    expect(line.reason).toBe('bubblewrap is not installed: apt-get install bubblewrap.')
    const { unable } = await eventually(
      'the engine knows the runner',
      () => calls().read(),
      (runners) => runners.unable.length > 0,
    )
    expect(unable).toEqual([line.reason])
  })

  test.each([
    ['OPERATOR_KEY', `0x${'1'.repeat(64)}`],
    ['RECEIPT_KEY_FILE', '/run/secrets/receipt_key'],
    ['DATABASE_URL', 'postgres://service'],
  ])('does not start with %s in its environment', async (name, value) => {
    const child = spawn(process.execPath, [PROGRAM], { env: { [name]: value }, stdio: ['ignore', 'ignore', 'pipe'] })
    let printed = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(printed).toContain(`${name}: a runner must not have it`)
    expect(printed).not.toContain(value)
  })
})

describe('work for a runner', () => {
  /** Runners that answer as scripted, in this process. */
  const withRunner = async <T>(runProfile: (work: RunnerWork) => Promise<unknown>, play: () => Promise<T>): Promise<T> => {
    const runner = await Worker.create({
      connection: server.nativeConnection,
      namespace: server.namespace,
      taskQueue: RUNNER_TASK_QUEUE,
      activities: { runProfile },
      shutdownForceTime: '1s',
    })
    return runner.runUntil(play)
  }

  test('that fails on each runner is inconclusive after three attempts, and may be begun again', async () => {
    let attempts = 0
    const request = requestOf('c'.repeat(64))
    await withRunner(
      async () => {
        attempts += 1
        throw new Error('the secret of a runner')
      },
      async () => {
        const result = await execute(request)
        expect(result).toMatchObject({ verdict: 'inconclusive', reason: 'runner_fault', checks: [{ id: 'runner' }] })
        expect(JSON.stringify(result)).not.toContain('secret')
        expect(attempts).toBe(3)
        await execute(request)
        expect(attempts).toBe(6)
      },
    )
  })

  test('is cancelled when its caller stops, and begun again by the next one', async () => {
    const request = requestOf('d'.repeat(64))
    const stop = new AbortController()
    const result = execute(request, stop.signal).then(
      () => 'answered',
      (error: Error) => error.message,
    )
    await untilStatus(request.key, 'RUNNING')
    stop.abort(new Error('the worker stops'))
    expect(await result).toBe('the worker stops')
    await untilStatus(request.key, 'CANCELLED')
    const answer = { kind: 'executed', result: { verdict: 'rejected', reason: null, checks: [], artefacts: [], evidence: {} } }
    expect(
      await withRunner(
        async () => answer,
        () => execute(request),
      ),
    ).toEqual(answer.result)
  })

  test('that no runner takes in time is inconclusive, and says so', async () => {
    expect(await execute(requestOf('f'.repeat(64)))).toMatchObject({
      verdict: 'inconclusive',
      reason: 'runner_fault',
      checks: [{ id: 'runner', detail: 'No runner took the work in time.' }],
    })
  })

  test('that an operator ends is inconclusive', async () => {
    const request = requestOf('e'.repeat(64))
    const result = execute(request)
    await untilStatus(request.key, 'RUNNING')
    await server.client.workflow.getHandle(executionWorkflowId(request.key)).terminate()
    expect(await result).toMatchObject({ reason: 'runner_fault' })
    await expect(server.client.workflow.getHandle(executionWorkflowId(request.key)).result()).rejects.toThrow(WorkflowFailedError)
  })
})
