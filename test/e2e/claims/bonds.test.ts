import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { auditStack } from '../../support/audit.ts'
import type { Agent, Reply } from '../support/http.ts'
import { BAD_WORK, claim, createJob, deposit, encode, fundedAgent, GOOD_WORK, leaves, sessionOf } from '../support/jobs.ts'
import { type Balances, moved, readBalances } from '../support/money.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const SLOW = 120_000
const STAKE = 100_000n
const FEE = 50_000n
const LOCK = STAKE + FEE
const REWARD = 1_000_000n
const POSTER_FEE = 50_000n
const GAS = 50_000n
const FEE_TO_VERIFIER = (FEE * 7_000n) / 10_000n
const WINDOW_MS = 604_800_000
const DAY_SECONDS = 86_400

const submit = async (agent: Agent, work: unknown): Promise<Reply['body']> => {
  const { sessionId } = await claim(agent, await createJob(world()))
  await agent.post('/jobs/submit', { sessionId, submission: work })
  return leaves(agent, sessionId, 'submitted')
}

const escrowCall = (data: Hex) => ({ to: liveEscrow(world().chain), data })
const reputationOf = async (agent: Agent) => {
  const { skill, reliability, economic } = await agent.get('/reputation')
  return { skill, reliability, economic }
}
const claimReason = async (jobId: string): Promise<string> =>
  (await world().expectCall(200, `/jobs/definition?jobId=${jobId}`)).claimStatus.reason

describe('a claim with a real bond', () => {
  let agent: Agent
  let jobId: string
  let session: Reply['body']
  let before: Balances
  const balances = () => readBalances(world(), agent.account.address)

  beforeAll(async () => {
    jobId = await createJob(world())
    agent = await world().agent()
  })

  test('preflight names the bond, the shortfall and the way to it', async () => {
    const preflight = await agent.get(`/jobs/preflight?jobId=${jobId}`)
    expect(preflight).toMatchObject({
      eligible: false,
      reason: 'insufficient_liquidity',
      claimStakeRaw: STAKE.toString(),
      claimFeeRaw: FEE.toString(),
      totalClaimLock: '0.15',
      claimFundingShortfallRaw: LOCK.toString(),
      netReward: '0.95',
    })
    const paths = preflight.blockers.flatMap(({ nextActions }: Reply['body']) => nextActions.map(({ path }: Reply['body']) => path))
    expect(paths).toContain('/account/deposit/transactions')
  })

  test('a deposit by the worker’s own signature makes it eligible', async () => {
    await deposit(world(), agent, LOCK)
    expect((await agent.get('/account')).liquid.USDC.raw).toBe(LOCK.toString())
    expect(await agent.get(`/jobs/preflight?jobId=${jobId}`)).toMatchObject({ eligible: true, claimFundingShortfallRaw: '0' })
  })

  test('the claim locks stake and fee, and the operator funds reward and poster fee', async () => {
    before = await balances()
    session = await claim(agent, jobId)
    expect(session).toMatchObject({ claimStakeRaw: STAKE.toString(), claimFeeRaw: FEE.toString(), totalClaimLockRaw: LOCK.toString() })
    expect(moved(before, await balances())).toEqual({
      worker: { liquid: -LOCK, locked: LOCK },
      operator: { liquid: -(REWARD + POSTER_FEE) },
    })
    const { account } = await agent.get('/account/position')
    expect(account.stakedOnOpenWork.raw).toBe(LOCK.toString())
    expect(account.statement[0]).toMatchObject({ type: 'stake_locked', amount: { raw: LOCK.toString() }, sessionId: session.sessionId })
  })

  test('approval returns the bond whole and pays the reward less the gas kept back', async () => {
    await agent.post('/jobs/submit', { sessionId: session.sessionId, submission: GOOD_WORK })
    expect((await leaves(agent, session.sessionId, 'submitted')).status).toBe('resolved')
    expect(moved(before, await balances())).toEqual({
      worker: { liquid: REWARD - GAS },
      operator: { liquid: -(REWARD + POSTER_FEE) },
      treasury: { liquid: POSTER_FEE + GAS },
    })
  })

  test('statement, session and badge tell the same sums', async () => {
    const { account } = await agent.get('/account/position')
    const rows = account.statement.map(({ type, amount }: Reply['body']) => [type, amount.raw])
    expect(rows).toEqual(
      expect.arrayContaining([
        ['earnings_in', (REWARD - GAS).toString()],
        ['stake_released', LOCK.toString()],
        ['stake_locked', LOCK.toString()],
      ]),
    )
    const { payoutTx } = await sessionOf(agent, session.sessionId)
    expect(payoutTx.settlement).toMatchObject({
      workerAmountRaw: '950000',
      gasRetentionAmountRaw: GAS.toString(),
      rewardAmountRaw: REWARD.toString(),
    })
    const badge = await world().expectCall(200, `/badges/${encodeURIComponent(session.sessionId)}`)
    expect([badge.service.reward.amount, badge.service.claimStake.amount]).toEqual(['950000', STAKE.toString()])
  })
})

describe('work that the verifier refuses', () => {
  let experienced: Agent
  let fresh: Agent
  let disputing: Agent
  let rejected: Reply['body']
  let ofFresh: Reply['body']
  let disputed: Reply['body']
  let before: Balances
  const agents = () => [experienced, fresh, disputing]

  beforeAll(async () => {
    experienced = await fundedAgent(world())
    fresh = await fundedAgent(world())
    disputing = await fundedAgent(world())
    expect((await submit(experienced, GOOD_WORK)).status).toBe('resolved')
    before = await readBalances(world(), experienced.account.address)
    rejected = await submit(experienced, BAD_WORK)
    ofFresh = await submit(fresh, BAD_WORK)
    disputed = await submit(disputing, BAD_WORK)
  }, SLOW)

  test('is rejected here and on chain, keeps its bond locked and names the way to a dispute', async () => {
    expect(rejected).toMatchObject({
      status: 'rejected',
      chainState: 'rejected',
      verificationSummary: { outcome: 'rejected', reasonCode: 'BENCHMARK_THRESHOLD_MISSED' },
    })
    expect(Date.parse(rejected.lifecycle.disputeWindowEndsAt) - Date.parse(rejected.rejectedAt)).toBe(WINDOW_MS)
    expect(await world().view.escrowOf(rejected.jobId)).toMatchObject({ state: 'rejected' })
    expect((await readBalances(world(), experienced.account.address)).worker.locked).toBe(LOCK)
    expect(await claimReason(rejected.jobId)).toBe('session_submitted')
    await experienced
      .call(`/badges/${encode(rejected.sessionId)}`)
      .then(({ status, body }) => expect([status, body.code]).toEqual([404, 'badge_not_ready']))
  })

  test('costs no reputation before it is final', async () => {
    expect(await reputationOf(experienced)).toEqual({ skill: 25, reliability: 20, economic: 1 })
  })

  test('can be disputed by the worker on chain', async () => {
    await world().view.send(
      disputing.account,
      escrowCall(encodeFunctionData({ abi: escrowCoreAbi, functionName: 'openDispute', args: [chainJobId(disputed.jobId)] })),
    )
    expect(await world().view.escrowOf(disputed.jobId)).toMatchObject({ state: 'disputed' })
  })

  test(
    'waits to the end of its seven days',
    async () => {
      await world().stack.moveTime({ instant: Date.parse(rejected.lifecycle.disputeWindowEndsAt) - 60_000 })
      for (const agent of agents()) await agent.signInAgain()
      const waiting = await sessionOf(experienced, rejected.sessionId)
      expect(waiting).toMatchObject({ status: 'rejected', chainState: 'rejected' })
      expect(waiting.rejectionFinalizedAt).toBeUndefined()
    },
    SLOW,
  )

  test(
    'is then final: stake and fee are slashed to the unit and the poster has its money back',
    async () => {
      await world().stack.moveTime({ instant: Date.parse(disputed.lifecycle.disputeWindowEndsAt) + 2_000 })
      const final = await untilFinal(experienced, rejected.sessionId)
      expect(final).toMatchObject({ status: 'rejected', chainState: 'closed' })
      expect(Date.parse(final.rejectionFinalizedAt)).toBeGreaterThan(Date.parse(rejected.lifecycle.disputeWindowEndsAt))
      await untilFinal(fresh, ofFresh.sessionId)
      expect(await world().view.escrowOf(rejected.jobId)).toMatchObject({ state: 'closed', releasedRaw: 0n })
      expect(await claimReason(rejected.jobId)).toBe('job_session_completed')
      // Two rejections are final; the reward of the disputed job is still reserved.
      expect(moved(before, await readBalances(world(), experienced.account.address))).toEqual({
        worker: { liquid: -LOCK },
        operator: { liquid: -(REWARD + POSTER_FEE), tokens: STAKE },
        verifier: { tokens: 2n * FEE_TO_VERIFIER },
        treasury: { liquid: 2n * (STAKE / 2n + FEE - FEE_TO_VERIFIER) },
      })
    },
    SLOW,
  )

  test('costs 10 skill and 20 reliability, never below zero', async () => {
    expect(await reputationOf(experienced)).toEqual({ skill: 15, reliability: 0, economic: 1 })
    expect(await reputationOf(fresh)).toEqual({ skill: 0, reliability: 0, economic: 0 })
  })

  test(
    'and disputed in time waits on, with its bond still locked',
    async () => {
      const session = await leaves(disputing, disputed.sessionId, 'rejected')
      expect(session).toMatchObject({ status: 'disputed', chainState: 'disputed' })
      expect((await readBalances(world(), disputing.account.address)).worker.locked).toBe(LOCK)
      await world().stack.moveTime({ plusSeconds: 2 * DAY_SECONDS })
      for (const agent of agents()) await agent.signInAgain()
      expect((await sessionOf(disputing, disputed.sessionId)).status).toBe('disputed')
      expect(await claimReason(disputed.jobId)).toBe('session_submitted')
      expect(await reputationOf(disputing)).toEqual({ skill: 0, reliability: 0, economic: 0 })
    },
    SLOW,
  )

  test(
    'is paid and badged when the arbitrator decides for the worker',
    async () => {
      const arbitrator = privateKeyToAccount(world().info.keys.arbitrator)
      const uri = `${world().base}/badges/${encode(disputed.sessionId)}`
      const args = [chainJobId(disputed.jobId), REWARD, stringToHex('DISPUTE_OVERTURNED', { size: 32 }), uri] as const
      await world().view.send(arbitrator, escrowCall(encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveDispute', args })))
      await world().stack.moveTime({ plusSeconds: DAY_SECONDS })
      await disputing.signInAgain()
      expect(await leaves(disputing, disputed.sessionId, 'disputed')).toMatchObject({ status: 'resolved', chainState: 'closed' })
      const standing = await world().view.standingOf(disputing.account.address)
      expect([standing.liquidRaw, standing.stakedRaw]).toEqual([10_000_000n + REWARD, 0n])
      expect(standing.badges).toMatchObject([{ level: 1n, metadataUri: uri }])
      const badge = await world().expectCall(200, `/badges/${encode(disputed.sessionId)}`)
      expect(badge.service).toMatchObject({ level: 1, reward: { amount: REWARD.toString() }, verifierMode: 'human_fallback' })
      expect(badge.resolution).toMatchObject({
        ...{ kind: 'arbitration', verdict: 'dismissed', workerShareBps: 10_000 },
        replacedVerdict: { outcome: 'rejected', reasonCode: 'BENCHMARK_THRESHOLD_MISSED' },
      })
      expect(badge.external_url).toBe(uri)
      expect((await experienced.call(`/badges/${encode(rejected.sessionId)}`)).body).toMatchObject({
        status: 410,
        code: 'badge_not_earned',
      })
      expect(await reputationOf(disputing)).toEqual({ skill: 0, reliability: 0, economic: 0 })
    },
    SLOW,
  )
})

/** Waits until a rejection is final. */
const untilFinal = async (agent: Agent, sessionId: string): Promise<Reply['body']> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const session = await sessionOf(agent, sessionId)
    if (session.rejectionFinalizedAt) return session
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`the rejection of ${sessionId} does not become final`)
}

test('the audit of the stack finds nothing after these rejections', async () => {
  expect(await auditStack(world())).toEqual([])
})
