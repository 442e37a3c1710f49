import { describe, expect, test } from '@jest/globals'
import { moveTime } from '../../../local/time/move.ts'
import { vestingWorkflowId } from '../../../schemas/pool/process.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { createJob, deposit } from '../../e2e/support/jobs.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { actAt, nextBlockAt, serviceNow } from '../../e2e/support/time.ts'
import { eventually } from '../../support/eventually.ts'
import { followerAtHead } from '../../support/follower-head.ts'
import { world } from './other-settings.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const VESTING = 48 * HOUR

const engine = useTemporalClient(world)

const walletOf = (agent: Agent) => agent.account.address.toLowerCase()
const ownPool = async (agent: Agent): Promise<Reply['body']> => (await agent.get('/pool')).wallet
const processOf = (agent: Agent) => engine.workflow.getHandle(vestingWorkflowId(walletOf(agent)))

const sendTemplates = async (agent: Agent, body: object): Promise<void> => {
  for (const { to, data } of (await agent.post('/pool/transactions', body)).templates) await world().view.send(agent.account, { to, data })
  await followerAtHead(world())
}
const depositInPool = async (agent: Agent, assets: string): Promise<void> => {
  await world().view.fund(agent.account.address, BigInt(assets))
  await sendTemplates(agent, { direction: 'deposit', amount: assets })
}

/** A new wallet with one deposit; its deadline is the instant at which the deposit has vested. */
const newDeposit = async () => {
  const agent = await world().agent()
  await depositInPool(agent, '10000000')
  const { vesting } = await ownPool(agent)
  return { subject: agent, instant: Date.parse(vesting.tranches[0].depositedAt) + VESTING }
}

/** What `GET /pool` shows in a block of this time. */
const poolAt = async (agent: Agent, instant: number) => {
  await nextBlockAt(world(), instant)
  await world().view.client.request({ method: 'evm_mine' } as never)
  await followerAtHead(world())
  await agent.signInAgain()
  const { vestedAssets, vesting } = await ownPool(agent)
  return { vested: vestedAssets.raw, next: vesting.next }
}

const announced = (agent: Agent) =>
  world()
    .database.rows.selectFrom('event')
    .select(['at', 'data', 'severity', 'wallets'])
    .where('topic', '=', 'pool.tranche_vested')
    .execute()
    .then((rows) => rows.filter(({ wallets }) => wallets.includes(walletOf(agent))))

/** Waits until operators find the process by the deadline of its deposit. */
const deadlineIsShown = (agent: Agent, instant: number) =>
  eventually(
    `the process of ${walletOf(agent)} shows its deadline`,
    async () => String((await processOf(agent).describe()).searchAttributes.DeadlineAt?.[0]),
    (shown) => shown === String(new Date(instant)),
  )

const isAnnounced = (agent: Agent, times: number) =>
  eventually(
    `${walletOf(agent)} is announced ${times} times`,
    () => announced(agent),
    (events) => events.length >= times,
  )

describe('a deposit in the pool', () => {
  test('has vested at the exact instant, not a second before, and is announced once', async () => {
    const { subject: agent, instant } = await newDeposit()
    await deadlineIsShown(agent, instant)
    await actAt(world(), instant - SECOND, async () => {
      const next = { at: new Date(instant).toISOString() }
      expect(await announced(agent)).toEqual([])
      expect(await processOf(agent).query('vestingProgress')).toMatchObject({ kind: 'vesting', waiting: 1, next })
      expect(await poolAt(agent, instant - SECOND)).toMatchObject({ vested: '9999942', next })
      for (const after of [instant, instant + SECOND]) expect(await poolAt(agent, after)).toEqual({ vested: '10000000', next: null })
    })
    const [event] = await isAnnounced(agent, 1)
    expect(event).toMatchObject({ at: instant, severity: 'info', data: { remaining: { raw: '10000000' } } })
    expect(await processOf(agent).result()).toEqual({ principal: '10 USDC' })
    expect(await announced(agent)).toHaveLength(1)
  })

  test('shows the same numbers when its process was terminated, and the next event starts it again', async () => {
    const { subject: agent, instant } = await newDeposit()
    await moveTime(world().info, { instant: instant - 30 * HOUR })
    await followerAtHead(world())
    const before = await ownPool(agent)
    await processOf(agent).terminate('by an operator')
    expect(await ownPool(agent)).toEqual(before)
    await moveTime(world().info, { instant: instant + HOUR })
    expect(await poolAt(agent, serviceNow(world()) + SECOND)).toEqual({ vested: '10000000', next: null })
    expect(await announced(agent)).toEqual([])
    await depositInPool(agent, '4000000')
    expect(await isAnnounced(agent, 1)).toMatchObject([{ at: instant, data: { remaining: { raw: '10000000' } } }])
    expect((await processOf(agent).describe()).status.name).toBe('RUNNING')
  })

  test('lets its wallet hold more open work once enough of it has vested, and no longer after a withdrawal', async () => {
    const { subject: agent, instant } = await newDeposit()
    await moveTime(world().info, { instant: instant - 24 * HOUR })
    await agent.signInAgain()
    await world().admin.signInAgain()
    await deposit(world(), agent, 10_000_000n)
    const [first, second, third] = [await createJob(world()), await createJob(world()), await createJob(world())]
    const claimOf = async (jobId: string): Promise<[number, string | undefined]> => {
      await followerAtHead(world())
      const { status, body } = await agent.call('/jobs/claim', { body: { jobId } })
      return [status, body.code]
    }
    // Half of it, 5 USDC, raises the cap by 1.
    expect(await claimOf(first)).toEqual([200, undefined])
    expect(await claimOf(second)).toEqual([409, 'worker_open_exposure_cap_reached'])
    await moveTime(world().info, { instant: instant - 4 * HOUR })
    await agent.signInAgain()
    await world().admin.signInAgain()
    expect((await ownPool(agent)).openExposureRaise.raw).toBe('1500000')
    const [next, last] = [await createJob(world()), await createJob(world())]
    expect(await claimOf(next)).toEqual([200, undefined])
    expect(await claimOf(last)).toEqual([200, undefined])
    await sendTemplates(agent, { direction: 'withdraw', assets: '9000000' })
    expect((await ownPool(agent)).openExposureRaise.raw).toBe('0')
    expect(await claimOf(third)).toEqual([409, 'worker_open_exposure_cap_reached'])
  })

  test('that a withdrawal burns is not announced', async () => {
    const { subject: agent, instant } = await newDeposit()
    await moveTime(world().info, { instant: instant - 30 * HOUR })
    await sendTemplates(agent, { direction: 'withdraw', assets: '10000000' })
    expect(await processOf(agent).result()).toEqual({ principal: '0 USDC' })
    expect(await announced(agent)).toEqual([])
  })

  test('that a fork removes is gone from the answer and from its process', async () => {
    const { subject: agent } = await newDeposit()
    expect((await ownPool(agent)).vesting.tranches).toHaveLength(1)
    await world().view.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await followerAtHead(world())
    expect(await processOf(agent).result()).toEqual({ principal: '0 USDC' })
    const { depositedAssets, vesting } = await ownPool(agent)
    expect([depositedAssets.raw, vesting.tranches]).toEqual(['0', []])
  })
})
