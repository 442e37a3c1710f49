import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { TASK_QUEUES } from '../../../schemas/processes.ts'
import { claim, createJob, leaves, solved } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })

const logOf = (process: 'api' | 'worker'): Record<string, unknown>[] =>
  readFileSync(join(world().info.logs, `${process}.log`), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('the log of a claim', () => {
  test('names its request from the answer to each transaction, and contains no signed bytes', async () => {
    const jobId = await createJob(world(), { onboardingWaiverEligible: true })
    const agent = await world().agent()
    const { sessionId } = await claim(agent, jobId)
    await agent.post('/jobs/submit', { sessionId, submission: await solved(agent, jobId) })
    await leaves(agent, sessionId, 'submitted')

    const { rows } = world().database
    const intent = await rows.selectFrom('claim_intent').select('requestId').where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
    const sent = await rows.selectFrom('chain_transaction').selectAll().where('sessionId', '=', sessionId).orderBy('createdAt').execute()
    const { requestId } = intent
    expect(requestId).toBeTruthy()
    expect(logOf('api').some((line) => line.requestId === requestId)).toBe(true)

    const lines = logOf('worker').filter((line) => line.requestId === requestId)
    const activities = lines.filter(({ msg }) => msg === 'step done').map(({ activity }) => activity)
    expect(activities).toEqual(expect.arrayContaining(['claimJob']))
    const asked = sent.filter(({ functionName }) => functionName !== 'submitWorkFor')
    expect(asked.map(({ functionName }) => functionName)).toEqual(expect.arrayContaining(['claimJobFor', 'resolveSinglePayout']))
    for (const { txHash, nonce, intentKey } of asked) {
      const steps = lines.filter((line) => line.txHash === txHash)
      expect(steps.map(({ msg }) => msg)).toEqual(['transaction signed', 'transaction sent', 'transaction mined'])
      for (const line of steps) expect(line).toMatchObject({ level: 30, jobId, sessionId, nonce, intentKey })
    }
    const all = readFileSync(join(world().info.logs, 'worker.log'), 'utf8')
    for (const { rawTransaction } of sent) expect(all).not.toContain(rawTransaction)

    const page = await (await fetch(world().info.workerMetrics ?? '')).text()
    expect(page).toMatch(/^activities_total\{activity="claimJob",outcome="completed",code="none"\} [1-9]/m)
    expect(page).toMatch(/^chain_transactions_total\{function="claimJobFor",step="mined"\} [1-9]/m)
    const queues = [...page.matchAll(/^temporal_worker_task_slots_available\{.*\btask_queue="([\w-]+)"/gm)].map(([, queue]) => queue)
    expect(queues).toEqual(expect.arrayContaining(Object.values(TASK_QUEUES)))
    expect(page).toMatch(/^temporal_workflow_endtoend_latency_seconds_count\{/m)
  })
})
