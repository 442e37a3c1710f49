import { beforeAll, describe, expect, test } from '@jest/globals'
import { moveTime } from '../../../local/time/move.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { claim, createJob, fundedAgent, GOOD_WORK, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { useWorld } from '../../e2e/support/world.ts'

const world = useWorld()
const STARTER = { onboardingWaiverEligible: true, rewardAmount: 0.2 } as const

const engine = useTemporalClient(world)

const agents = (count: number): Promise<Agent[]> => Promise.all(Array.from({ length: count }, () => world().agent()))

/** How many signals the latest run of a job's claim has got. */
const signalsOf = async (jobId: string): Promise<number> => {
  const { events } = await engine.workflow.getHandle(claimWorkflowId(jobId)).fetchHistory()
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length
}

const codes = (replies: Reply[]): string[] => replies.map(({ status, body }) => (status < 300 ? 'claimed' : body.code))

describe('operators who post at the same moment', () => {
  test('all get their jobs: a transaction needs no second connection', async () => {
    const ids = await Promise.all(Array.from({ length: 25 }, () => createJob(world())))
    expect(new Set(ids).size).toBe(25)
  })
})

describe('a job that a lapsed claim gave back', () => {
  test('goes to one of many contenders, and the others learn at once that it is taken', async () => {
    const jobId = await createJob(world(), STARTER)
    const first = await world().agent()
    const lapsed = await claim(first, jobId)
    await moveTime(world().info, { instant: Date.parse(lapsed.claimExpiresAt) + 2_000 })
    await first.signInAgain()
    await leaves(first, lapsed.sessionId, 'claimed')
    const contenders = await agents(10)
    const replies = await Promise.all(contenders.map((contender) => contender.call('/jobs/claim', { body: { jobId } })))
    const winner = replies.find(({ status }) => status < 300)
    const others = replies.filter((reply) => reply !== winner)
    expect(codes(others).filter((code) => !['claim_in_progress', 'job_already_claimed'].includes(code))).toEqual([])
    expect(await signalsOf(jobId)).toBe(0)
  })
})

describe('a claim that the chain knows before the records do', () => {
  test('is in progress for everybody else, not a job that cannot be claimed', async () => {
    const [owner, other] = [await world().agent(), await world().agent()]
    const session = await claim(owner, await createJob(world(), STARTER))
    const { rows } = world().database
    const { sessionId, jobId } = session
    // As between the mined bond and its record.
    await rows.deleteFrom('session_event').where('sessionId', '=', sessionId).execute()
    await rows.deleteFrom('session').where('sessionId', '=', sessionId).execute()
    await rows.updateTable('claim_intent').set({ status: 'open', closedAt: null }).where('sessionId', '=', sessionId).execute()
    const reply = await other.call('/jobs/claim', { body: { jobId } })
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([409, 'claim_in_progress', true])
    // Later moves of time need not wait for a process without its records.
    await engine.workflow.getHandle(claimWorkflowId(jobId)).terminate('not needed any more')
  })
})

describe('a session whose process is gone', () => {
  let agent: Agent
  let sessionId: string
  beforeAll(async () => {
    agent = await fundedAgent(world())
    const session = await claim(agent, await createJob(world()))
    sessionId = session.sessionId
    await engine.workflow.getHandle(claimWorkflowId(session.jobId)).terminate('lost for a test')
  })

  test('takes no submission and does not pretend to: 503, with a key and again under it', async () => {
    const key = { 'idempotency-key': 'submit-without-process' }
    const submit = () => agent.call('/jobs/submit', { body: { sessionId, submission: GOOD_WORK }, headers: key })
    for (const reply of [await submit(), await submit()])
      expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([503, 'workflow_engine_unavailable', true])
    expect(await sessionOf(agent, sessionId)).toMatchObject({ status: 'claimed', lifecycle: { canSubmit: true } })
  })
})

describe('the key of a claim', () => {
  test('never hides the live session: whatever the key, the wallet gets it back', async () => {
    const agent = await world().agent()
    const jobId = await createJob(world(), { ...STARTER, retryLimit: 3 })
    const claimed = (key: string) => agent.call('/jobs/claim', { body: { jobId }, headers: { 'idempotency-key': key } })
    const first = await claimed('first')
    await moveTime(world().info, { instant: Date.parse(first.body.claimExpiresAt) + 2_000 })
    await agent.signInAgain()
    await leaves(agent, first.body.sessionId, 'claimed')
    expect((await claimed('first')).body.code).toBe('idempotency_key_already_used')
    const second = await claimed('second')
    expect(second.status).toBe(200)
    const again = await claimed('first')
    expect([again.status, again.body.sessionId, again.headers.get('idempotent-replayed')]).toEqual([200, second.body.sessionId, 'true'])
    const elsewhere = await createJob(world(), STARTER)
    // This key makes no claim; it finds the one of another key.
    expect((await claimed('third')).body.sessionId).toBe(second.body.sessionId)
    for (const key of ['second', 'third']) {
      const reused = await agent.call('/jobs/claim', { body: { jobId: elsewhere }, headers: { 'idempotency-key': key } })
      expect([key, reused.status, reused.body.code]).toEqual([key, 422, 'idempotency_key_reused'])
    }
    await moveTime(world().info, { instant: Date.parse(second.body.claimExpiresAt) + 2_000 })
    await agent.signInAgain()
    await leaves(agent, second.body.sessionId, 'claimed')
    expect((await claimed('third')).body.code).toBe('idempotency_key_already_used')
  })
})

describe('many submissions of one session at the same moment', () => {
  test('one is taken, the others learn that they may retry or are late, and no outage is claimed', async () => {
    const agent = await fundedAgent(world())
    const { sessionId } = await claim(agent, await createJob(world()))
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        agent.call('/jobs/submit', { body: { sessionId, submission: { ...GOOD_WORK, summary: `Policy ${index}.` } } }),
      ),
    )
    expect(replies.filter(({ status }) => ![200, 202, 409].includes(status)).map(({ text }) => text)).toEqual([])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})
