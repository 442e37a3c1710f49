// One claim from its job to its badge, without a bond (the starter flow) and with one.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { reputationSbtAbi } from '../../../activities/chain/abi/reputation-sbt.ts'
import { labelHash } from '../../../domain/common/ids.ts'
import { verifyDetached } from '../../support/signed-documents.ts'
import type { Agent, Reply } from '../support/http.ts'
import { claim, createJob, deposit, encode, leaves, sessionOf, solved } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })
const REWARD = 1_000_000n

const WAYS = [
  { name: 'of a waived job', isWaived: true, stakeRaw: 0n, feeRaw: 0n, gasRaw: 0n },
  { name: 'with a bond', isWaived: false, stakeRaw: 100_000n, feeRaw: 50_000n, gasRaw: 50_000n },
]

describe.each(WAYS)('a claim $name', ({ isWaived, stakeRaw, feeRaw, gasRaw }) => {
  const lockRaw = stakeRaw + feeRaw
  const paidRaw = REWARD - gasRaw
  let agent: Agent
  let jobId: string
  let session: Reply['body']
  const balances = async () => {
    const { liquidRaw, stakedRaw } = await world().view.standingOf(agent.account.address)
    return { liquidRaw, stakedRaw }
  }

  beforeAll(async () => {
    jobId = await createJob(world(), { onboardingWaiverEligible: isWaived })
    agent = await world().agent()
  })

  test('is listed, and its preflight names the bond and the shortfall', async () => {
    expect((await agent.get('/account')).liquid).toMatchObject({ USDC: { raw: '0' } })
    const { jobs } = await agent.get('/jobs?format=compact&state=claimable&limit=100')
    expect(jobs.find(({ id }: { id: string }) => id === jobId)).toMatchObject({ claimable: true, waiverEligible: isWaived })
    const preflight = await agent.get(`/jobs/preflight?jobId=${jobId}`)
    expect(preflight).toMatchObject({
      ...(isWaived ? { eligible: true } : { eligible: false, reason: 'insufficient_liquidity', totalClaimLock: '0.15', netReward: '0.95' }),
      claimStakeRaw: `${stakeRaw}`,
      claimFeeRaw: `${feeRaw}`,
      claimFundingShortfallRaw: `${lockRaw}`,
      netRewardRaw: `${paidRaw}`,
    })
    const paths = preflight.blockers.flatMap(({ nextActions }: Reply['body']) => nextActions.map(({ path }: Reply['body']) => path))
    expect(paths.includes('/account/deposit/transactions')).toBe(!isWaived)
  })

  test('can be made once the worker has the bond', async () => {
    if (!isWaived) await deposit(world(), agent, lockRaw)
    expect((await agent.get('/account')).liquid.USDC.raw).toBe(`${lockRaw}`)
    expect(await agent.get(`/jobs/preflight?jobId=${jobId}`)).toMatchObject({ eligible: true, claimFundingShortfallRaw: '0' })
  })

  test('locks the bond, names its deadline, and is the same session when repeated', async () => {
    session = await claim(agent, jobId)
    expect(session).toMatchObject({
      sessionId: `${jobId}:${agent.account.address}`,
      status: 'claimed',
      chainState: 'claimed',
      claimEconomicsWaived: isWaived,
      claimStakeRaw: `${stakeRaw}`,
      claimFeeRaw: `${feeRaw}`,
      totalClaimLockRaw: `${lockRaw}`,
    })
    expect(Date.parse(session.claimExpiresAt) - Date.parse(session.claimedAt)).toBe(3_600_000)
    expect(await balances()).toEqual({ liquidRaw: 0n, stakedRaw: lockRaw })
    const escrow = { state: 'claimed', worker: agent.account.address, rewardRaw: REWARD, releasedRaw: 0n }
    expect(await world().view.escrowOf(jobId)).toMatchObject(escrow)
    expect((await agent.get('/account/position')).account.stakedOnOpenWork.raw).toBe(`${lockRaw}`)
    expect((await claim(agent, jobId)).sessionId).toBe(session.sessionId)
  })

  test('is approved and paid: the bond returns whole, and the reward less the retained gas', async () => {
    const { sessionId } = session
    const submitted = await agent.post('/jobs/submit', { sessionId, submission: await solved(agent, jobId) })
    expect(['submitted', 'resolved']).toContain(submitted.status)
    session = await leaves(agent, sessionId, 'submitted')
    expect(session).toMatchObject({ status: 'resolved', chainState: 'closed' })
    const settlement = { workerAmountRaw: `${paidRaw}`, gasRetentionAmountRaw: `${gasRaw}`, rewardAmountRaw: `${REWARD}` }
    expect(session.payoutTx.settlement).toMatchObject(settlement)
    expect(await balances()).toEqual({ liquidRaw: lockRaw + paidRaw, stakedRaw: 0n })
    expect(await world().view.escrowOf(jobId)).toMatchObject({ state: 'closed', releasedRaw: REWARD })
    const { account } = await agent.get('/account/position')
    const rows = account.statement.map(({ type, amount }: Reply['body']) => [type, amount.raw])
    const bondRows = ['stake_locked', 'stake_released'].map((type) => [type, `${lockRaw}`])
    expect(rows).toEqual(expect.arrayContaining([['earnings_in', `${paidRaw}`], ...(isWaived ? [] : bondRows)]))
  })

  test('has a badge on chain, bound to the worker, that points to its signed document', async () => {
    const { badges } = await world().view.standingOf(agent.account.address)
    expect(badges).toMatchObject([{ level: 1n, metadataUri: `${world().base}/badges/${encode(session.sessionId)}` }])
    const { client } = world().view
    const address = world().chain.contracts.reputation.address as `0x${string}`
    const args = [badges[0]?.tokenId ?? 0n] as const
    const [owner, category] = await client.readContract({ address, abi: reputationSbtAbi, functionName: 'badges', args })
    expect([owner, category]).toEqual([agent.account.address, labelHash('coding')])
    const badge = await world().expectCall(200, `/badges/${encode(session.sessionId)}`)
    expect(badge.service).toMatchObject({
      schemaVersion: 'v1',
      jobId,
      sessionId: session.sessionId,
      level: 1,
      verifierMode: 'benchmark',
      reward: { asset: 'USDC', amount: `${paidRaw}`, decimals: 6 },
      claimStake: { asset: 'USDC', amount: `${stakeRaw}`, decimals: 6 },
      evidenceHash: session.evidenceHash,
      completedAt: session.resolvedAt,
      worker: agent.account.address.toLowerCase(),
    })
    const keySet = await world().expectCall(200, '/.well-known/jwks.json')
    await verifyDetached(badge, keySet)
    await expect(verifyDetached({ ...badge, service: { ...badge.service, level: 2 } }, keySet)).rejects.toThrow()
  })

  test('is in reputation, history and lists', async () => {
    expect(await agent.get('/reputation')).toMatchObject({ skill: 25, reliability: 20, economic: 1, tier: 'starter' })
    const { sessions } = await agent.get('/sessions')
    expect(sessions).toHaveLength(1)
    for (const body of ['jobSnapshot', 'submission', 'submissionContract', 'statusHistory']) expect(sessions[0]).not.toHaveProperty(body)
    const { timeline } = await agent.get(`/session/timeline?sessionId=${encode(session.sessionId)}`)
    const topics = ['session.claimed', 'session.submitted', 'settlement.session_resolved']
    expect(timeline.map(({ topic }: { topic: string }) => topic)).toEqual(expect.arrayContaining(topics))
    const { badges } = await world().expectCall(200, '/badges?limit=500')
    expect(badges.map((row: { sessionId: string }) => row.sessionId)).toContain(session.sessionId)
    const { claimStatus } = await agent.get(`/jobs/definition?jobId=${jobId}`)
    expect(claimStatus).toMatchObject({ claimable: false, sessionId: session.sessionId })
    expect(await sessionOf(agent, session.sessionId)).toEqual(session)
  })
})
