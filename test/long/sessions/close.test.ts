import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex } from 'viem'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { moveTime } from '../../../local/time/move.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import { approvePast, stranded } from '../../e2e/support/edge-cases.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { claim, createJob, encode, fundedAgent, GOOD_WORK, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { followerAtHead } from '../../support/follower-head.ts'

const world = useWorld()
const NOTE = 'The claim was timed out on chain by hand.'

const engine = useTemporalClient(world)

const close = (sessionId: string, changes: object = {}, key?: string): Promise<Reply> =>
  world().admin.call('/admin/sessions/close', {
    body: { sessionId, outcome: 'timed_out', note: NOTE, ...changes },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const refusal = ({ status, body }: Reply): [number, string] => [status, body.code]

/** Its process is lost: no process will ever end this session. */
const abandon = async (jobId: string): Promise<void> => {
  await engine.workflow.getHandle(claimWorkflowId(jobId)).terminate('lost in this test')
}

const claimed = async (): Promise<{ agent: Agent; session: Reply['body'] }> => {
  const agent = await fundedAgent(world())
  return { agent, session: await claim(agent, await createJob(world())) }
}

describe('an operator closes a session', () => {
  let agent: Agent
  let session: Reply['body']
  let diverged: Reply['body']

  beforeAll(async () => {
    ;({ agent, session } = await claimed())
    const other = await claimed()
    diverged = other.session
    await abandon(diverged.jobId)
    await world()
      .database.rows.updateTable('session')
      .set({ status: 'chain_state_diverged', chainStateDivergedAt: serviceNow(world()) })
      .where('sessionId', '=', diverged.sessionId)
      .execute()
  })

  test('not while its process runs', async () => {
    const reply = await close(session.sessionId)
    expect(refusal(reply)).toEqual([409, 'session_process_running'])
    expect(reply.body).toMatchObject({ retryable: true, details: { workflowId: claimWorkflowId(session.jobId) } })
    await abandon(session.jobId)
  })

  test('not while its dispute runs, however its id is written', async () => {
    const workflowId = disputeWorkflowId(session.sessionId)
    const dispute = await engine.workflow.start('dispute', { workflowId, taskQueue: 'no-worker', args: [] })
    const [jobId, wallet] = session.sessionId.split(':')
    const reply = await close(`${jobId}:${wallet.toLowerCase()}`)
    expect(refusal(reply)).toEqual([409, 'session_process_running'])
    expect(reply.body.details).toMatchObject({ sessionId: session.sessionId, workflowId, runId: dispute.firstExecutionRunId })
    await dispute.terminate('not needed any more')
  })

  test('not while the escrow holds its reward and bond, diverged or not', async () => {
    for (const { sessionId } of [session, diverged]) {
      const reply = await close(sessionId)
      expect(refusal(reply)).toEqual([409, 'session_money_unsettled'])
      expect(reply.body.details).toMatchObject({ observedState: 'claimed', observedWorker: expect.any(String), released: { raw: '0' } })
      expect(reply.body.nextActions).toMatchObject([{ kind: 'wait' }])
    }
    expect(await sessionOf(agent, session.sessionId)).toMatchObject({ status: 'claimed' })
  })

  test('once the transaction that the refusal hands out has moved the money', async () => {
    await moveTime(world().info, { instant: Date.parse(session.claimExpiresAt) + 60_000 })
    await world().admin.signInAgain()
    await agent.signInAgain()
    for (const { sessionId } of [session, diverged]) {
      const { body } = await close(sessionId)
      expect(body.code).toBe('session_money_unsettled')
      const [{ transaction }] = body.nextActions
      await world().view.send(agent.account, { to: transaction.to, data: transaction.data })
    }
    const closed = await close(session.sessionId, {}, 'close-1')
    expect(closed).toMatchObject({ status: 200, body: { status: 'timed_out', chainState: 'open', reason: 'operator_timed_out' } })
    expect(closed.body.operatorClose).toMatchObject({
      outcome: 'timed_out',
      note: NOTE,
      by: world().admin.account.address.toLowerCase(),
      observedState: 'open',
      observedWorker: null,
      blockNumber: expect.stringMatching(/^\d+$/),
    })
    expect(closed.body.statusHistory.at(-1)).toMatchObject({ from: 'claimed', to: 'timed_out', metadata: { note: NOTE } })
    expect(await sessionOf(agent, session.sessionId)).toMatchObject({ status: 'timed_out', lifecycle: { terminal: true } })
  })

  test('not when the chain has approved and paid it: a verification takes that over, and the worker gets the badge', async () => {
    const subject = await stranded(world(), engine)
    await approvePast(world(), subject)
    for (const outcome of ['closed', 'timed_out']) {
      const reply = await close(subject.session.sessionId, { outcome })
      expect(refusal(reply)).toEqual([409, 'invalid_session_transition'])
      expect(reply.body.details).toMatchObject({ reason: 'paid_on_chain', observedState: 'closed', released: { raw: '1000000' } })
      expect(reply.body.nextActions).toMatchObject([{ kind: 'http', method: 'POST', path: '/verifier/run' }])
    }
    expect((await sessionOf(subject.agent, subject.session.sessionId)).status).toBe('submitted')
    await subject.free()
    await world().verifier.post('/verifier/run', { sessionId: subject.session.sessionId })
    expect((await leaves(subject.agent, subject.session.sessionId, 'submitted')).status).toBe('resolved')
    expect((await world().view.standingOf(subject.agent.account.address)).badges).toHaveLength(1)
  })

  test('once: the same key gives the same answer, and no later request closes it again', async () => {
    const again = await close(session.sessionId, {}, 'close-1')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(refusal(await close(session.sessionId, { note: 'Another one.' }, 'close-1'))).toEqual([422, 'idempotency_key_reused'])
    const second = await close(session.sessionId)
    expect(refusal(second)).toEqual([409, 'session_already_closed'])
    expect(second.body.details).toMatchObject({ outcome: 'timed_out', note: NOTE })
  })

  test('that diverged stays diverged, keeps the note, and no longer asks for an operator', async () => {
    const { status, body } = await close(diverged.sessionId, { outcome: 'closed' })
    expect([status, body.status]).toEqual([200, 'chain_state_diverged'])
    expect(body.operatorClose).toMatchObject({ outcome: 'closed', note: NOTE, observedState: 'open' })
    expect(body.lifecycle).toMatchObject({ terminal: true, needsOperatorAttention: false })
    expect(refusal(await close(diverged.sessionId))).toEqual([409, 'session_already_closed'])
    const closings = await world()
      .database.rows.selectFrom('event')
      .select(['topic', 'data'])
      .where('sessionId', '=', diverged.sessionId)
      .where('topic', '=', 'session.closed')
      .execute()
    expect(closings).toMatchObject([{ data: { status: 'chain_state_diverged', outcome: 'closed', note: NOTE } }])
  })

  test('that is over is refused, an unknown one not found, and only an admin may close one', async () => {
    const paid = await claimed()
    await paid.agent.post('/jobs/submit', { sessionId: paid.session.sessionId, submission: GOOD_WORK })
    await leaves(paid.agent, paid.session.sessionId, 'submitted')
    expect(refusal(await close(paid.session.sessionId))).toEqual([409, 'invalid_session_transition'])
    expect(refusal(await close(`no-such-job:${agent.account.address}`))).toEqual([404, 'session_not_found'])
    expect(refusal(await close(session.sessionId, { outcome: 'resolved' }))).toEqual([400, 'invalid_request'])
    expect(refusal(await close(session.sessionId, { note: '   ' }))).toEqual([400, 'invalid_request'])
    const body = { sessionId: session.sessionId, outcome: 'closed', note: NOTE }
    expect(refusal(await agent.call('/admin/sessions/close', { body }))).toEqual([403, 'missing_role'])
    expect((await world().call('/admin/sessions/close', { body })).status).toBe(401)
  })
})

describe('a poster cancels its open job on chain', () => {
  test('and the listing is closed: not listed, not readable, not claimable', async () => {
    const [poster, worker, jobId] = [await fundedAgent(world()), await fundedAgent(world()), await createJob(world())]
    const definition = await worker.get(`/jobs/definition?jobId=${encode(jobId)}`)
    const escrow = liveEscrow(world().chain)
    const job = chainJobId(jobId) as Hex
    const zero = `0x${'0'.repeat(64)}` as const
    const terms = [job, world().chain.asset.address as Hex, 1_000_000n, 0n, 0n, 3_600n, zero, zero, definition.specHash ?? zero] as const
    const send = (data: Hex) => world().view.send(poster.account, { to: escrow, data })
    await send(encodeFunctionData({ abi: escrowCoreAbi, functionName: 'createSinglePayoutJob', args: terms }))
    await moveTime(world().info, { instant: serviceNow(world()) + 3_700_000 })
    await worker.signInAgain()
    await send(encodeFunctionData({ abi: escrowCoreAbi, functionName: 'cancelOpenJob', args: [job] }))
    await followerAtHead(world())
    expect((await worker.call(`/jobs/definition?jobId=${encode(jobId)}`)).status).toBe(404)
    const refused = await worker.call('/jobs/claim', { body: { jobId } })
    expect(refused.status).toBe(409)
    expect(JSON.stringify(refused.body)).toContain('poster_cancelled')
  })
})
