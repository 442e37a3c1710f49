import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Agent, Reply } from '../support/http.ts'
import { claim, createJob, deposit, GOOD_WORK, leaves, sessionOf } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })
const STAKE = 100_000n
const FEE = 50_000n
const LOCK = STAKE + FEE
const REWARD = 1_000_000n
const GAS = 50_000n

describe('a claim with a real bond', () => {
  let agent: Agent
  let jobId: string
  let session: Reply['body']
  const balances = async () => {
    const { liquidRaw, stakedRaw } = await world().view.standingOf(agent.account.address)
    return { liquid: liquidRaw, locked: stakedRaw }
  }

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

  test('the claim locks stake and fee, and the escrow holds the reward', async () => {
    session = await claim(agent, jobId)
    expect(session).toMatchObject({ claimStakeRaw: STAKE.toString(), claimFeeRaw: FEE.toString(), totalClaimLockRaw: LOCK.toString() })
    expect(await balances()).toEqual({ liquid: 0n, locked: LOCK })
    expect(await world().view.escrowOf(jobId)).toMatchObject({ state: 'claimed', rewardRaw: REWARD, releasedRaw: 0n })
    const { account } = await agent.get('/account/position')
    expect(account.stakedOnOpenWork.raw).toBe(LOCK.toString())
    expect(account.statement[0]).toMatchObject({ type: 'stake_locked', amount: { raw: LOCK.toString() }, sessionId: session.sessionId })
  })

  test('approval returns the bond whole and pays the reward less the gas kept back', async () => {
    await agent.post('/jobs/submit', { sessionId: session.sessionId, submission: GOOD_WORK })
    expect((await leaves(agent, session.sessionId, 'submitted')).status).toBe('resolved')
    expect(await balances()).toEqual({ liquid: LOCK + REWARD - GAS, locked: 0n })
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
