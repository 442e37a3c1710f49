// Claims of posted jobs that end with their time: by nothing, and by a hash without its work.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { moveTime } from '../../../local/time/move.ts'
import { postJob, sendAsked, sendEscrow } from '../../e2e/claims/posted-jobs.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { claim, encode, fundedAgent, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { endOpenSessions } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { auditStack } from '../../support/audit.ts'
import { eventually } from '../../support/eventually.ts'

const world = useWorld()
const engine = useTemporalClient(world)
/** Checks that earlier files of this stack left failing: forks and directly sent transactions. */
let failedBefore: string[]
beforeAll(async () => {
  await endOpenSessions(world(), engine)
  failedBefore = (await auditStack(world())).map(({ check }) => check)
})

const HOUR = 3_600
const WORK = { summary: 'A retry policy.', output: 'Use exponential backoff, jitter, retry budget.', status: 'complete' }
const UNKNOWN_WORK = `0x${'7'.repeat(64)}`

const claimed = async (agent: Agent, jobId: string): Promise<Reply['body']> => {
  await sendAsked(world(), agent, await agent.post('/jobs/claim', { jobId }, 409))
  return claim(agent, jobId)
}
const later = async (plusSeconds: number, ...agents: Agent[]): Promise<void> => {
  await moveTime(world().info, { plusSeconds })
  for (const agent of agents) await agent.signInAgain()
}
const turns = (agent: Agent, sessionId: string, status: string): Promise<Reply['body']> =>
  eventually(
    `${sessionId} is ${status}`,
    () => sessionOf(agent, sessionId),
    (session) => session.statusHistory.at(-1).to === status,
  )

describe('a self-paid claim', () => {
  test('without a submission is timed out on chain by the operator, and another wallet claims, submits and is paid', async () => {
    const { jobId } = await postJob(world())
    const [slow, next] = [await fundedAgent(world(), 1_000_000n), await fundedAgent(world(), 1_000_000n)]
    const { sessionId } = await claimed(slow, jobId)
    await later(HOUR + 10, slow, next)
    await turns(slow, sessionId, 'expired')
    expect(await world().view.escrowOf(jobId)).toMatchObject({ state: 'open' })
    const second = await claimed(next, jobId)
    await sendAsked(world(), next, await next.post('/jobs/submit', { sessionId: second.sessionId, submission: WORK }, 409))
    await next.post('/jobs/submit', { sessionId: second.sessionId, submission: WORK })
    expect(await leaves(next, second.sessionId, 'submitted')).toMatchObject({ status: 'resolved' })
  })

  test('with a hash alone is rejected once its time is over, and its bond goes with the end of the dispute window', async () => {
    const { jobId } = await postJob(world())
    const agent = await fundedAgent(world(), 1_000_000n)
    const { sessionId } = await claimed(agent, jobId)
    await sendEscrow(world(), agent, 'submitWork', [jobId, UNKNOWN_WORK])
    await later(HOUR + 10, agent)
    const rejected = await turns(agent, sessionId, 'rejected')
    expect(rejected).toMatchObject({
      evidenceHash: UNKNOWN_WORK,
      verificationSummary: { reasonCode: 'SUBMISSION_NOT_PROVIDED' },
      nextActions: expect.arrayContaining([expect.objectContaining({ kind: 'transaction' })]),
    })
    await later(7 * 24 * HOUR + 10, agent)
    const ended = await eventually(
      `${sessionId} is final`,
      () => sessionOf(agent, sessionId),
      (session) => session.workReceiptId !== undefined,
    )
    expect(await world().view.escrowOf(jobId)).toMatchObject({ state: 'closed', releasedRaw: 0n })
    expect((await agent.get(`/receipts/${ended.workReceiptId}`)).receiptId ?? ended.workReceiptId).toBe(ended.workReceiptId)
    expect((await agent.get('/account')).liquid.USDC.raw).toBe('850000')
    expect((await agent.call(`/badges/${encode(sessionId)}`)).status).not.toBe(200)
  })
})

test('records, chain, receipts and session log agree about self-paid sessions', async () => {
  expect((await auditStack(world())).filter(({ check }) => !failedBefore.includes(check))).toEqual([])
})
