// What an API owes its callers when it is asked to end, and a workflow that fails in every task.
import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { TASK_QUEUE } from '../../../schemas/processes.ts'
import { restart } from '../../e2e/support/demo-flow.ts'
import { createJob, encode } from '../../e2e/support/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import type { ApiMember } from '../../support/fleet/fleet.ts'
import { isLive } from '../../support/fleet/fleet.ts'
import { openedWorld as world } from './two-of-each.ts'

const firstApi = (): ApiMember => world().apis[0] as ApiMember
const waivedJob = (): Promise<string> => createJob(world(), { onboardingWaiverEligible: true, rewardAmount: 0.2 })

test('an API that is asked to end answers a caller that waits for a change with the present state', async () => {
  const agent = await world().apiAt(0).agent()
  const { sessionId } = await agent.post('/jobs/claim', { jobId: await waivedJob() })
  const path = `/session?sessionId=${encode(sessionId)}`
  const waiting = agent.get(`${path}&waitSeconds=25`)
  // An answer to a later request: the API has taken the waiting one.
  await agent.get(path)
  const stopping = firstApi().stop()
  // Only the end of the API can answer: nothing changes before the claim expires in an hour.
  expect((await waiting).status).toBe('claimed')
  await stopping
  await firstApi().start()
})

/** Connections that callers leave open in every state: what was sent, and whether the answers are read. */
const LEFT_OPEN: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n', true],
  ['GET /jobs HTTP/1.1\r\nHost: a\r\n', true],
  ['POST /auth/nonce HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{', true],
  ['CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', true],
  [`${'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(40)}CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n`, false],
  ['GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(40), false],
  [`GET /jobs HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, true],
  [`GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, true],
  ['NOISE\r\n\r\n', true],
]

/** Opens each kind of connection ten times, and waits until all are open. */
const leaveOpen = async (base: string) => {
  const { hostname: host, port } = new URL(base)
  const sockets = LEFT_OPEN.flatMap((kind) => Array(10).fill(kind)).map(([sent, isReading]) => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true }).on('error', () => undefined)
    if (isReading) socket.resume()
    const written = new Promise<void>((resolve) => socket.write(sent, () => resolve()))
    return { socket, written }
  })
  await Promise.all(sockets.map(({ written }) => written))
  return { close: () => sockets.forEach(({ socket }) => void socket.destroy()) }
}

test('an API that is asked to end while connections of every kind are open ends in time, and answers the claim that it took', async () => {
  const agent = await world().apiAt(0).agent()
  const jobId = await waivedJob()
  const open = await leaveOpen(firstApi().base)
  expect(await isLive(firstApi().base)).toBe(true)
  const claiming = agent.call('/jobs/claim', { body: { jobId } })
  await eventually('the claim of the job', () =>
    world().database.rows.selectFrom('claim_intent').select('jobId').where('jobId', '=', jobId).executeTakeFirst(),
  )
  const stopping = restart('the API', firstApi())
  expect([200, 202]).toContain((await claiming).status)
  expect(await stopping).toEqual({ name: 'the API', ended: 'in order and in time', isAnother: true })
  open.close()
})

/** Whether the health report names a workflow that fails. */
const isReported = async (): Promise<boolean> => {
  const { status, warnings } = await world().expectCall(200, '/health')
  return warnings.some(({ code }: { code: string }) => code === 'sessions_failing') && status === 'degraded'
}

test('a workflow that fails in every task is reported by /health until it is gone', async () => {
  expect(await isReported()).toBe(false)
  const connection = await Connection.connect({ address: world().temporalAddress })
  try {
    // No worker knows its type. The engine names it at its fifth failed task; each but the first ends by its time-out.
    const { workflow } = new Client({ connection })
    const failing = await workflow.start('noSuchProcess', {
      taskQueue: TASK_QUEUE,
      workflowId: 'no-such-process',
      workflowTaskTimeout: '1 second',
    })
    await eventually('the report of the failing workflow', isReported)
    await failing.terminate()
    await eventually('the report without it', isReported, (is) => !is)
  } finally {
    await connection.close()
  }
})
