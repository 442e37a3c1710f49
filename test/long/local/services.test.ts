import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, statSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { stateFiles } from '../../../local/files.ts'
import { choosePorts } from '../../../local/ports.ts'
import { endProcess, processIdentity } from '../../../local/processes.ts'
import { serviceSettings } from '../../../local/services.ts'
import { moveTime } from '../../../local/time/move.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { createHttp } from '../../e2e/support/http.ts'
import { useStack } from '../../env.ts'
import { eventually } from '../../support/eventually.ts'

type Health = { now: string; chainTime: string; serviceHealth: { ok: boolean }; capabilityHealth: { indexer: string } }
const health = async (api: string): Promise<Health> => (await fetch(`${api}/health`)).json() as Promise<Health>

describe('API and worker on the local stack', () => {
  const stack = useStack({ scope: 'worker' })

  test('report themselves healthy, and show the documents and the jobs of the seed', async () => {
    const { api, docs } = stack().info
    // Sessions that earlier files left may be overdue, which the whole report counts.
    await eventually(
      'the health report',
      () => health(api),
      ({ serviceHealth, capabilityHealth }) => serviceHealth.ok && capabilityHealth.indexer === 'synced',
    )
    expect((await fetch(docs ?? '')).status).toBe(200)
    const { jobs } = (await (await fetch(`${api}/jobs`)).json()) as { jobs: unknown[] }
    expect(jobs.length).toBeGreaterThan(0)
  })

  test('name the console, which answers at its address', async () => {
    const { api, console: address } = stack().info
    expect((await fetch(`${address}/health/live`)).status).toBe(200)
    expect(await (await fetch(`${api}/onboarding`)).json()).toMatchObject({ executionSurfaces: { operatorApp: address } })
  })

  test('publish the figures of the worker, its engine’s among them', async () => {
    const response = await fetch(stack().info.workerMetrics ?? '')
    const page = await response.text()
    expect(response.headers.get('content-type')).toContain('text/plain')
    for (const line of ['database_up 1', 'workflow_engine_figures_up 1']) expect(page.split('\n')).toContain(line)
    expect(page).toMatch(/^temporal_\w+\{.*task_queue="agent-work".*\} /m)
    const names = [...page.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  test('move in time with the chain', async () => {
    const { api } = stack().info
    const { service, newestBlock } = await moveTime(stack().info, { plusSeconds: 3_600 })
    // The answer of /health may be some seconds old.
    const seen = await eventually(
      'the API shows the new time of the chain',
      () => health(api),
      ({ now, chainTime }) => Date.parse(chainTime) >= newestBlock && Date.parse(now) >= service,
    )
    expect(Date.parse(seen.chainTime)).toBeLessThanOrEqual(Date.parse(seen.now) + 1_000)
  })
})

/** A service beside the stack, with its settings and a log that cannot be written. */
const startMuted = async (serviceEnv: string, script: string, output: 'full' | 'closed' | 'unread') => {
  const { ports, release } = await choosePorts({ api: 0, metrics: 0 })
  const full = openSync('/dev/full', 'w')
  const child: ChildProcess = spawn(process.execPath, [`--env-file=${serviceEnv}`, script], {
    env: { PATH: process.env.PATH ?? '', PORT: String(ports.api), WORKER_METRICS_PORT: String(ports.metrics) },
    stdio: ['ignore', output === 'full' ? full : 'pipe', 'ignore'],
    timeout: 150_000,
    killSignal: 'SIGKILL',
  })
  closeSync(full)
  const { pid = 0 } = child
  if (output === 'closed') child.stdout?.destroy()
  const exited = new Promise<number | string | null>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
  return {
    base: `http://127.0.0.1:${script.startsWith('api') ? ports.api : ports.metrics}`,
    async stop() {
      await endProcess({ name: script, pid, identity: processIdentity(pid) ?? '', stopSignal: 'SIGTERM' }, 10_000)
      const ended = await exited
      release()
      return ended
    },
  }
}

/** Lost lines of a process, null while it does not answer. */
const lostLines = async (base: string): Promise<number | null> => {
  try {
    const page = await (await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(2_000) })).text()
    return Number(/^log_lines_lost_total (\d+)$/m.exec(page)?.[1] ?? Number.NaN)
  } catch {
    return null
  }
}

describe('a second API beside the stack', () => {
  const stack = useStack({ scope: 'worker' })

  test.each([
    ['api/main.ts', 'full'],
    ['api/main.ts', 'unread'],
    ['workers/worker.ts', 'closed'],
  ] as const)('%s whose log is %s serves, counts the lines it loses, and ends when asked', async (script, output) => {
    const muted = await startMuted(stack().info.serviceEnv, script, output)
    let lost: number | null = null
    try {
      lost = await eventually('the process counts a lost line', async () => {
        const count = await lostLines(muted.base)
        // Enough lines to fill the unread pipe.
        if (count !== null && script.startsWith('api'))
          await Promise.all(Array.from({ length: 200 }, () => fetch(`${muted.base}/health/live`)))
        return count
      })
    } finally {
      expect([lost, await muted.stop()]).toEqual([expect.any(Number), 0])
    }
    expect(lost).toBeGreaterThan(0)
  })

  test('joins with the settings that the stack wrote, and honours its tokens', async () => {
    const { api, serviceEnv } = stack().info
    expect(statSync(serviceEnv).mode & 0o777).toBe(0o600)
    const { ports, release } = await choosePorts({ api: 0 })
    const base = `http://127.0.0.1:${ports.api}`
    const child = spawn(process.execPath, [`--env-file=${serviceEnv}`, 'api/main.ts'], {
      env: { PATH: process.env.PATH ?? '', PORT: String(ports.api) },
      stdio: 'ignore',
    })
    try {
      const live = () =>
        fetch(`${base}/health/live`).then(
          ({ ok }) => ok,
          () => false,
        )
      await eventually('the second API answers', live)
      const agent = await createHttp(api, { check: () => [] }).agent()
      const me = await fetch(`${base}/me`, { headers: { authorization: `Bearer ${agent.token()}` } })
      expect([me.status, ((await me.json()) as { wallet: string }).wallet]).toEqual([200, agent.account.address.toLowerCase()])
    } finally {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
      release()
    }
  })
})

describe('the settings of the local stack', () => {
  const files = stateFiles('/state')
  const request = {
    files,
    port: 1,
    metricsPort: 2,
    databaseUrl: 'postgresql://x',
    temporalAddress: 'x:1',
    consoleUrl: 'http://x',
    env: {},
    bundle: '/b.js',
  }

  test('are known to the services, every one', () => {
    const settings = serviceSettings(request)
    const { JWT_KEY_FILE, RECEIPT_KEY_FILE, SHARE_SECRET_FILE, ANSWER_SECRET_FILE, VERIFICATION_SECRET_FILE, ...plain } = settings
    const { jwtKey, receiptKey, shareSecret, answerSecret, verificationSecret } = files
    const named = [JWT_KEY_FILE, RECEIPT_KEY_FILE, SHARE_SECRET_FILE, ANSWER_SECRET_FILE, VERIFICATION_SECRET_FILE]
    expect(named).toEqual([jwtKey, receiptKey, shareSecret, answerSecret, verificationSecret])
    const read = readSettings(plain)
    expect(Object.keys(plain).filter((name) => !(name in read))).toEqual([])
  })
})
