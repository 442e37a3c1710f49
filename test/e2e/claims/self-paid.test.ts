// Work on a job of another wallet, whose worker sends and pays claim and submission itself.
import { describe, expect, test } from '@jest/globals'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { eventually } from '../../support/eventually.ts'
import type { Agent, Reply } from '../support/http.ts'
import { BAD_WORK, claim, encode, fundedAgent, leaves, sessionOf } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'
import { postJob, sendAsked, sendEscrow } from './posted-jobs.ts'

const world = useWorld({ shared: true })
/** Has the terms of the benchmark of a posted job. */
const WORK = { summary: 'A retry policy.', output: 'Use exponential backoff, jitter, retry budget.', status: 'complete' }

const asked = (agent: Agent, jobId: string): Promise<Reply['body']> => agent.post('/jobs/claim', { jobId }, 409)
/** Claims with the transaction that the service hands out, and asks again. */
const claimed = async (agent: Agent, jobId: string): Promise<Reply['body']> => {
  await sendAsked(world(), agent, await asked(agent, jobId))
  return claim(agent, jobId)
}
const submit = (agent: Agent, sessionId: string, submission: unknown, status: number): Promise<Reply['body']> =>
  agent.post('/jobs/submit', { sessionId, submission }, status)
/** The session that the service makes of a claim without any request. */
const broughtHome = (agent: Agent, jobId: string): Promise<Reply['body']> =>
  eventually(
    `the claim of ${jobId} has a session`,
    async () => (await agent.get(`/sessions?jobId=${encode(jobId)}`)).sessions[0],
    (session) => session !== undefined,
  )

describe('the worker of a posted job', () => {
  test('gets the transactions to send, sends them, and is paid in full', async () => {
    const { jobId, poster } = await postJob(world())
    const agent = await fundedAgent(world(), 1_000_000n)
    const preflight = await agent.get(`/jobs/preflight?jobId=${jobId}`)
    expect(preflight).toMatchObject({
      eligible: true,
      netReward: '1',
      claimEconomicsWaived: false,
      workerGas: { claim: { gas: '700000' } },
    })
    expect(await agent.get(`/jobs/${jobId}/estimate`)).toMatchObject({ netReward: '1', workerGas: { submit: { gas: '250000' } } })

    const refusal = await asked(agent, jobId)
    const wallet = agent.account.address.toLowerCase()
    expect(refusal).toMatchObject({
      code: 'external_self_paid_claim_required',
      retryable: true,
      retryAfterSeconds: expect.any(Number),
      details: {
        jobId,
        worker: wallet,
        requiresSponsoredGas: false,
        transaction: { value: '0', function: 'claimJob(bytes32)', args: [jobId], gasEstimate: { status: 'estimated' } },
        expected: expect.arrayContaining([expect.objectContaining({ kind: 'account.jobStakeLocked', direction: 'in' })]),
      },
      nextActions: [{ kind: 'transaction' }, { kind: 'http', path: '/jobs/claim' }],
    })
    const { gasEstimate: _atItsBlock, ...transaction } = refusal.details.transaction
    expect((await asked(agent, jobId)).details.transaction).toMatchObject(transaction)
    await sendAsked(world(), agent, refusal)
    const session = await claim(agent, jobId)
    expect(session).toMatchObject({ status: 'claimed', claimStakeRaw: '100000', claimFeeRaw: '50000', gasRetention: { brokered: false } })
    expect(session).not.toHaveProperty('refusedBy')
    expect((await claim(agent, jobId)).sessionId).toBe(session.sessionId)

    const { sessionId } = session
    const required = await submit(agent, sessionId, WORK, 409)
    expect(required).toMatchObject({
      code: 'external_self_paid_submit_required',
      details: { sessionId, worker: wallet, transaction: { function: 'submitWork(bytes32,bytes32)', args: [jobId, keccakOf(WORK)] } },
    })
    expect(required.details.evidenceHash).toBe(keccakOf(WORK))
    await sendAsked(world(), agent, required)
    expect(['submitted', 'resolved']).toContain((await submit(agent, sessionId, WORK, 200)).status)
    const resolved = await leaves(agent, sessionId, 'submitted')
    expect(resolved).toMatchObject({ status: 'resolved', submission: { structured: WORK } })
    expect((await agent.get('/account')).liquid.USDC.raw).toBe('2000000')
    expect((await agent.get(`/badges/${encode(sessionId)}`)).name).toBeDefined()
    expect(await asked(poster, jobId)).toMatchObject({ code: 'job_session_completed' })
  })

  test('gets its session, its verdict and its money also when it never asks again', async () => {
    const { jobId } = await postJob(world())
    const agent = await fundedAgent(world(), 1_000_000n)
    await sendAsked(world(), agent, await asked(agent, jobId))
    const { sessionId } = await broughtHome(agent, jobId)
    await sendAsked(world(), agent, await submit(agent, sessionId, WORK, 409))
    const resolved = await eventually(
      `${sessionId} is decided`,
      () => sessionOf(agent, sessionId),
      ({ status }) => status !== 'claimed' && status !== 'submitted',
    )
    expect(resolved).toMatchObject({ status: 'resolved', protocolHistory: ['http'] })
  })

  test('may send its key with every request', async () => {
    const { jobId } = await postJob(world())
    const agent = await fundedAgent(world(), 1_000_000n)
    const keyed = { method: 'POST', body: { jobId }, headers: { 'Idempotency-Key': `key-${jobId}` } }
    const first = await agent.call('/jobs/claim', keyed)
    expect([first.status, first.body.code]).toEqual([409, 'external_self_paid_claim_required'])
    await sendAsked(world(), agent, first.body)
    const found = await eventually(
      'the claim is answered',
      () => agent.call('/jobs/claim', keyed),
      ({ status }) => status === 200,
    )
    expect((await agent.call('/jobs/claim', keyed)).body.sessionId).toBe(found.body.sessionId)
  })

  test('is refused when another wallet was faster', async () => {
    const { jobId } = await postJob(world())
    const [slow, fast] = [await fundedAgent(world(), 1_000_000n), await fundedAgent(world(), 1_000_000n)]
    await asked(slow, jobId)
    await sendAsked(world(), fast, await asked(fast, jobId))
    expect(await asked(slow, jobId)).toMatchObject({
      code: 'job_already_claimed',
      details: { claimedBy: fast.account.address.toLowerCase() },
    })
    await broughtHome(fast, jobId)
    expect(await asked(slow, jobId)).toMatchObject({ code: 'job_already_claimed' })
  })

  test('is refused with other work than that on chain, and submits that', async () => {
    const { jobId } = await postJob(world())
    const agent = await fundedAgent(world(), 1_000_000n)
    const { sessionId } = await claimed(agent, jobId)
    await submit(agent, sessionId, BAD_WORK, 409)
    await sendEscrow(world(), agent, 'submitWork', [jobId, keccakOf(WORK)])
    const details = { evidenceHash: keccakOf(BAD_WORK), chainEvidenceHash: keccakOf(WORK) }
    expect(await submit(agent, sessionId, BAD_WORK, 409)).toMatchObject({ code: 'external_direct_submit_evidence_mismatch', details })
    expect((await submit(agent, sessionId, WORK, 200)).sessionId).toBe(sessionId)
    expect(await leaves(agent, sessionId, 'submitted')).toMatchObject({ status: 'resolved' })
  })
})

describe('a wallet without a right to a posted job', () => {
  test('is refused as its poster, before the chain is read', async () => {
    const { jobId, poster } = await postJob(world())
    expect(await poster.post('/jobs/claim', { jobId }, 403)).toMatchObject({ code: 'claimant_is_poster', details: { jobId } })
  })

  test('that claims on chain reads why it is not admitted, and its work is rejected', async () => {
    const { jobId } = await postJob(world(), { rewardRaw: 2_000_000n })
    const agent = await fundedAgent(world(), 5_000_000n)
    expect(await asked(agent, jobId)).toMatchObject({ code: 'external_reward_exceeds_capital_ceiling' })
    await sendEscrow(world(), agent, 'claimJob', [jobId])
    const session = await broughtHome(agent, jobId)
    const refusedBy = { gate: 'open_exposure', code: 'external_reward_exceeds_capital_ceiling' }
    expect(session).toMatchObject({ status: 'claimed', refusedBy })
    const { sessionId } = session
    expect(await submit(agent, sessionId, WORK, 409)).toMatchObject({ code: 'claim_not_admitted', details: { refusedBy } })
    await sendEscrow(world(), agent, 'submitWork', [jobId, keccakOf(WORK)])
    const rejected = await eventually(
      `${sessionId} is rejected`,
      () => sessionOf(agent, sessionId),
      ({ status }) => status === 'rejected',
    )
    expect(rejected).toMatchObject({ evidenceHash: keccakOf(WORK), verificationSummary: { reasonCode: 'CLAIMANT_NOT_ADMITTED' } })
    expect(rejected).not.toHaveProperty('submission')
    expect(await agent.get(`/verifier/result?sessionId=${encode(sessionId)}`)).toMatchObject({
      verificationInput: null,
      verificationInputHash: keccakOf(WORK),
      items: [{ criterion: 'claim_admitted', result: 'unmet' }],
    })
    expect((await agent.get(`/session/timeline?sessionId=${encode(sessionId)}`)).sessionId ?? sessionId).toBe(sessionId)
  })
})
