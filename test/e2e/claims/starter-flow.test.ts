import { beforeAll, describe, expect, test } from '@jest/globals'
import { reputationSbtAbi } from '../../../activities/chain/abi/reputation-sbt.ts'
import { labelHash } from '../../../domain/common/ids.ts'
import type { Standing } from '../../../local/demo/chain.ts'
import { verifyDetached } from '../../support/signed-documents.ts'
import type { Agent, Reply } from '../support/http.ts'
import { claim, createJob, encode, leaves, sessionOf, solved } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })
const REWARD = 1_000_000n

describe('the starter flow', () => {
  let agent: Agent
  let jobId: string
  let session: Reply['body']
  let before: Standing

  beforeAll(async () => {
    jobId = await createJob(world(), { onboardingWaiverEligible: true })
    agent = await world().agent()
    before = await world().view.standingOf(agent.account.address)
  })

  test('the nine steps are published in order and each answers', async () => {
    const { onboarding } = await world().expectCall(200, '/onboarding')
    expect(onboarding.starterFlow.map(({ id }: { id: string }) => id)).toEqual([
      'discover-tiers',
      'sign-in-with-ethereum',
      'fetch-account-summary',
      'select-first-waiver-eligible-claimable-job',
      'run-preflight-on-selected-job',
      'claim-selected-job',
      'submit-structured-work',
      'poll-verification-status',
      'inspect-earned-badge',
    ])
    expect((await agent.get('/account')).liquid).toMatchObject({ USDC: { raw: '0' } })
    const { jobs } = await agent.get('/jobs?format=compact&state=claimable&limit=100')
    expect(jobs.find(({ id }: { id: string }) => id === jobId)).toMatchObject({ claimable: true, onboardingWaiverEligible: true })
    const preflight = await agent.get(`/jobs/preflight?jobId=${jobId}`)
    expect(preflight).toMatchObject({
      eligible: true,
      claimable: true,
      claimEconomicsWaived: true,
      totalClaimLockRaw: '0',
      netRewardRaw: '1000000',
    })
  })

  test('the claim locks nothing of a waived job and names its deadline', async () => {
    session = await claim(agent, jobId)
    expect(session).toMatchObject({
      status: 'claimed',
      chainState: 'claimed',
      jobId,
      claimStakeRaw: '0',
      claimFeeRaw: '0',
      claimEconomicsWaived: true,
    })
    expect(session.sessionId).toBe(`${jobId}:${agent.account.address}`)
    expect(Date.parse(session.claimExpiresAt) - Date.parse(session.claimedAt)).toBe(3600_000)
    expect(await world().view.escrowOf(jobId)).toMatchObject({ state: 'claimed', worker: agent.account.address, rewardRaw: REWARD })
  })

  test('a repeated claim gives the same session', async () => {
    expect((await claim(agent, jobId)).sessionId).toBe(session.sessionId)
  })

  test('submitted work is approved, paid and badged', async () => {
    const submission = await solved(agent, jobId)
    const submitted = await agent.post('/jobs/submit', { sessionId: session.sessionId, submission })
    expect(['submitted', 'resolved']).toContain(submitted.status)
    session = await leaves(agent, session.sessionId, 'submitted')
    expect(session).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(session.payoutTx).toMatchObject({ settlement: { workerAmountRaw: REWARD.toString() } })
  })

  test('whoever asks after the end is not held', async () => {
    const began = performance.now()
    const id = encode(session.sessionId)
    await agent.get(`/session?sessionId=${id}&waitSeconds=25`)
    await agent.get(`/verifier/result?sessionId=${id}&waitSeconds=25`)
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('the worker has exactly the reward more and nothing stays locked', async () => {
    const after = await world().view.standingOf(agent.account.address)
    expect(after.liquidRaw - before.liquidRaw).toBe(REWARD)
    expect(after.stakedRaw).toBe(0n)
    expect(await world().view.escrowOf(jobId)).toMatchObject({ state: 'closed', releasedRaw: REWARD })
    expect((await agent.get('/account')).liquid.USDC).toEqual({ raw: '1000000', decimals: 6, display: '1' })
  })

  test('the badge is on chain, soulbound to the worker, and points to its public document', async () => {
    const { badges } = await world().view.standingOf(agent.account.address)
    expect(badges).toHaveLength(1)
    expect(badges[0]).toMatchObject({ level: 1n, metadataUri: `${world().base}/badges/${encode(session.sessionId)}` })
    const { client } = world().view
    const address = world().chain.contracts.reputation.address as `0x${string}`
    const args = [badges[0]?.tokenId ?? 0n] as const
    const [owner, category] = await client.readContract({ address, abi: reputationSbtAbi, functionName: 'badges', args })
    expect([owner, category]).toEqual([agent.account.address, labelHash('coding')])
  })

  test('the badge says what happened and its signature verifies against the published keys', async () => {
    const badge = await world().expectCall(200, `/badges/${encode(session.sessionId)}`)
    expect(badge.service).toMatchObject({
      schemaVersion: 'v1',
      jobId,
      sessionId: session.sessionId,
      level: 1,
      verifierMode: 'benchmark',
      reward: { asset: 'USDC', amount: '1000000', decimals: 6 },
      claimStake: { asset: 'USDC', amount: '0', decimals: 6 },
      evidenceHash: session.evidenceHash,
      completedAt: session.resolvedAt,
      worker: agent.account.address.toLowerCase(),
    })
    const keySet = await world().expectCall(200, '/.well-known/jwks.json')
    await verifyDetached(badge, keySet)
    const forged = { ...badge, service: { ...badge.service, level: 2 } }
    await expect(verifyDetached(forged, keySet)).rejects.toThrow()
  })

  test('reputation, history and lists agree with it', async () => {
    expect(await agent.get('/reputation')).toMatchObject({ skill: 25, reliability: 20, economic: 1, tier: 'starter' })
    const { sessions } = await agent.get('/sessions')
    expect(sessions).toHaveLength(1)
    for (const body of ['jobSnapshot', 'submission', 'submissionContract', 'statusHistory']) expect(sessions[0]).not.toHaveProperty(body)
    const { timeline } = await agent.get(`/session/timeline?sessionId=${encode(session.sessionId)}`)
    expect(timeline.map(({ topic }: { topic: string }) => topic)).toEqual(
      expect.arrayContaining(['session.claimed', 'session.submitted', 'settlement.session_resolved']),
    )
    const { badges } = await world().expectCall(200, '/badges?limit=500')
    expect(badges.map((row: { sessionId: string }) => row.sessionId)).toContain(session.sessionId)
    const job = await agent.get(`/jobs/definition?jobId=${jobId}`)
    expect(job.claimStatus).toMatchObject({ claimable: false, sessionId: session.sessionId })
    expect(await sessionOf(agent, session.sessionId)).toEqual(session)
  })
})
