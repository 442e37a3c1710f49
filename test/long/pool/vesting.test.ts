import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { vestingWorkflowId } from '../../../schemas/pool/process.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { createJob, deposit } from '../../e2e/support/jobs.ts'
import { inSecondOf, nextBlockAt, serviceNow, waitUntil } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { followerAtHead } from '../../support/follower-head.ts'

/** One job of 1 USDC and its gas; a second one needs a raise of 1.1 or more. */
const CAP = '1100000'
// With tier perks the cap would also rise with the reward bank.
const world = useWorld({ env: { WORKER_OPEN_EXPOSURE_CAP_RAW: CAP, NON_YIELD_TIER_PERKS_ENABLED: 'false' } })
const SLOW = 120_000
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const VESTING = 48 * HOUR

let connection: Connection
let engine: Client
beforeAll(async () => {
  connection = await Connection.connect({ address: world().info.temporalAddress })
  engine = new Client({ connection })
})
afterAll(() => connection?.close())

const walletOf = (agent: Agent) => agent.account.address.toLowerCase()
const ownPool = async (agent: Agent): Promise<Reply['body']> => (await agent.get('/pool')).wallet
const processOf = (agent: Agent) => engine.workflow.getHandle(vestingWorkflowId(walletOf(agent)))

const sendTemplates = async (agent: Agent, body: object): Promise<void> => {
  for (const { to, data } of (await agent.post('/pool/transactions', body)).templates) await world().view.send(agent.account, { to, data })
  await followerAtHead(world())
}
const depositInPool = async (agent: Agent, assets: string): Promise<void> => {
  await world().view.fund(agent.account.address, BigInt(assets))
  await sendTemplates(agent, { direction: 'deposit', assets })
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

/** The deadline by which operators find the process, once it is shown. */
const shownDeadline = async (agent: Agent): Promise<unknown> => {
  for (const end = Date.now() + 30 * SECOND; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
    const { DeadlineAt } = (await processOf(agent).describe()).searchAttributes
    if (DeadlineAt !== undefined) return DeadlineAt[0]
  }
  throw new Error(`${walletOf(agent)} has no process that waits`)
}

const isAnnounced = async (agent: Agent, times: number) => {
  for (const end = Date.now() + 30 * SECOND; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
    const events = await announced(agent)
    if (events.length >= times) return events
  }
  throw new Error(`${walletOf(agent)} is not announced ${times} times`)
}

describe('a deposit in the pool', () => {
  test(
    'has vested at the exact instant, not a second before, and is announced then',
    async () => {
      const look = async (agent: Agent) => {
        const progress = await processOf(agent).query('vestingProgress')
        return { progress, before: await announced(agent) }
      }
      const make = async () => {
        const made = await newDeposit()
        expect(await shownDeadline(made.subject)).toEqual(new Date(made.instant))
        return { subject: made.subject, instant: made.instant - SECOND }
      }
      const { subject: agent, instant: secondBefore, result } = await inSecondOf(world(), make, look)
      const instant = secondBefore + SECOND
      expect(result.before).toEqual([])
      expect(result.progress).toMatchObject({ kind: 'vesting', waiting: 1, next: { at: new Date(instant).toISOString() } })
      const at = (raw: string) => ({ vested: raw, next: null })
      expect(await poolAt(agent, instant - SECOND)).toMatchObject({ vested: '9999942', next: { at: new Date(instant).toISOString() } })
      expect(await poolAt(agent, instant)).toEqual(at('10000000'))
      expect(await poolAt(agent, instant + SECOND)).toEqual(at('10000000'))
      await waitUntil(world(), instant)
      const [event] = await isAnnounced(agent, 1)
      expect(event).toMatchObject({ at: instant, severity: 'info', data: { remaining: { raw: '10000000' } } })
      expect(await processOf(agent).result()).toEqual({ principal: '10 USDC' })
      expect(await announced(agent)).toHaveLength(1)
    },
    SLOW,
  )

  test(
    'shows the same numbers when its process was terminated, and the next event starts it again',
    async () => {
      const { subject: agent, instant } = await newDeposit()
      await world().stack.moveTime({ instant: instant - 30 * HOUR })
      await followerAtHead(world())
      const before = await ownPool(agent)
      await processOf(agent).terminate('by an operator')
      expect(await ownPool(agent)).toEqual(before)
      await world().stack.moveTime({ instant: instant + HOUR })
      expect(await poolAt(agent, serviceNow(world()) + SECOND)).toEqual({ vested: '10000000', next: null })
      expect(await announced(agent)).toEqual([])
      await depositInPool(agent, '4000000')
      expect(await isAnnounced(agent, 1)).toMatchObject([{ at: instant, data: { remaining: { raw: '10000000' } } }])
      expect((await processOf(agent).describe()).status.name).toBe('RUNNING')
    },
    SLOW,
  )

  test(
    'lets its wallet hold more open work once enough of it has vested, and no longer after a withdrawal',
    async () => {
      const { subject: agent, instant } = await newDeposit()
      await world().stack.moveTime({ instant: instant - 24 * HOUR })
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
      await world().stack.moveTime({ instant: instant - 4 * HOUR })
      await agent.signInAgain()
      await world().admin.signInAgain()
      expect((await ownPool(agent)).openExposureRaise.raw).toBe('1500000')
      const [next, last] = [await createJob(world()), await createJob(world())]
      expect(await claimOf(next)).toEqual([200, undefined])
      expect(await claimOf(last)).toEqual([200, undefined])
      await sendTemplates(agent, { direction: 'withdraw', assets: '9000000' })
      expect((await ownPool(agent)).openExposureRaise.raw).toBe('0')
      expect(await claimOf(third)).toEqual([409, 'worker_open_exposure_cap_reached'])
    },
    SLOW,
  )

  test(
    'that a withdrawal burns is not announced',
    async () => {
      const { subject: agent, instant } = await newDeposit()
      await world().stack.moveTime({ instant: instant - 30 * HOUR })
      await sendTemplates(agent, { direction: 'withdraw', assets: '10000000' })
      expect(await processOf(agent).result()).toEqual({ principal: '0 USDC' })
      expect(await announced(agent)).toEqual([])
    },
    SLOW,
  )

  test(
    'that a fork removes is gone from the answer and from its process',
    async () => {
      const { subject: agent } = await newDeposit()
      expect((await ownPool(agent)).vesting.tranches).toHaveLength(1)
      await world().view.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
      await followerAtHead(world())
      expect(await processOf(agent).result()).toEqual({ principal: '0 USDC' })
      const { depositedAssets, vesting } = await ownPool(agent)
      expect([depositedAssets.raw, vesting.tranches]).toEqual(['0', []])
    },
    SLOW,
  )
})
