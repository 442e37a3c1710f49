import { describe, expect, test } from '@jest/globals'
import { disputePath, openDispute, RATIONALE, rejectedBy } from '../../e2e/support/disputes.ts'
import { postedJob } from '../../e2e/support/edge-cases.ts'
import { claim, encode, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'

const world = useWorld()

describe('a job that another poster created in the escrow under a listed id', () => {
  test.each<[string, Parameters<typeof postedJob>[1], { term: string; expected: string; observed: string }[]]>([
    [
      'as milestones',
      { milestones: [1n, 1n] },
      [
        { term: 'payoutMode', expected: 'single', observed: 'milestone' },
        { term: 'rewardRaw', expected: '1000000', observed: '2' },
      ],
    ],
    ['for another reward', { rewardRaw: 1n }, [{ term: 'rewardRaw', expected: '1000000', observed: '1' }]],
    ['for a shorter claim', { claimTtlSeconds: 1n }, [{ term: 'claimTtlSeconds', expected: '3600', observed: '1' }]],
  ])('%s is refused before the bond, by the preflight and by the claim', async (_name, terms, differences) => {
    const [{ jobId }, worker] = await Promise.all([postedJob(world(), terms), fundedAgent(world())])
    const details = { jobId, specHash: expect.any(String), chainSpecHash: expect.any(String), differences }
    const preflight = await worker.get(`/jobs/preflight?jobId=${encode(jobId)}`)
    expect(preflight).toMatchObject({
      eligible: false,
      reason: 'job_definition_chain_mismatch',
      blockers: [{ gate: 'definition_integrity', details, nextActions: [{ path: '/health' }, { path: '/jobs/recommendations' }] }],
      jobDefinitionIntegrity: { eligible: false, applies: true, status: 'job_definition_chain_mismatch' },
    })
    const refused = await worker.call('/jobs/claim', { body: { jobId } })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'job_definition_chain_mismatch', retryable: false, details }])
    expect((await worker.get('/account')).liquid.USDC.raw).toBe('10000000')
    expect((await worker.get('/sessions')).sessions).toEqual([])
  })

  test('by the listed terms is claimed and paid as any other', async () => {
    const [{ poster, jobId }, worker] = await Promise.all([postedJob(world()), fundedAgent(world())])
    const { sessionId } = await claim(worker, jobId)
    await worker.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    expect((await leaves(worker, sessionId, 'submitted')).status).toBe('resolved')
    expect((await worker.get(`/badges/${encode(sessionId)}`)).service.poster).toBe(poster.account.address.toLowerCase())
  })
})

test('a dispute that was recorded for more than the escrow holds is previewed by what it holds', async () => {
  const worker = await fundedAgent(world())
  const session = await rejectedBy(world(), worker)
  await openDispute(world(), worker.account, session)
  await leaves(worker, session.sessionId, 'rejected')
  const { rows } = world().database
  const record = (remainingRaw: bigint) =>
    rows.updateTable('dispute').set({ remainingRaw }).where('sessionId', '=', session.sessionId).execute()
  await record(9_000_000n)
  const preview = { verdict: 'split', workerPayout: '1000001', rationale: RATIONALE, preview: true }
  const refused = await world().admin.post(`${disputePath(session)}/verdict`, preview, 400)
  expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/workerPayout', limit: '1000000' }] })
  await record(1_000_000n)
})
