import { beforeAll, describe, expect } from '@jest/globals'
import { type Hex, zeroHash } from 'viem'
import { OBSERVATION_TIMEOUT_CODE } from '../../../domain/cross-chain/watch.ts'
import { LEG_FEE } from '../../../local/chain/remote-side.ts'
import { moveTime } from '../../../local/time/move.ts'
import { crossChainWorkflowId } from '../../../schemas/cross-chain/process.ts'
import { createRequestScript, type RequestScript } from '../../crash/savings/request-script.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { inTurns } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { followerAtHead } from '../../support/follower-head.ts'

const world = useWorld()
const SECOND = 1_000
const WATCH = 15 * 60 * SECOND
const AMOUNT = 5_000_000n
const ARRIVING = AMOUNT - LEG_FEE
const UNKNOWN = `0x${'5e'.repeat(32)}`

const engine = useTemporalClient(world)
let script: RequestScript
beforeAll(async () => {
  script = createRequestScript(world().chain, world().info.rpcUrl)
})

const walletOf = (agent: Agent): Hex => agent.account.address
const processOf = (requestId: string) => engine.workflow.getHandle(crossChainWorkflowId(requestId))
const requestPath = (requestId: string) => `/xcm/request?requestId=${requestId}`
const admin = () => world().admin

/** Reads until a value is found, and returns it. */
const poll = async <T>(what: string, read: () => Promise<T | null | undefined | false>): Promise<T> => (await eventually(what, read)) as T

const watchOf = (requestId: string) =>
  world()
    .database.rows.selectFrom('cross_chain_watch')
    .selectAll()
    .where('requestId', '=', requestId)
    .where('startRaw', 'is not', null)
    .executeTakeFirst()
const outcomeOf = (requestId: string) =>
  world().database.rows.selectFrom('cross_chain_outcome').selectAll().where('requestId', '=', requestId).executeTakeFirst()
const topicsOf = async (requestId: string): Promise<string[]> => {
  const rows = await world()
    .database.rows.selectFrom('event')
    .select('topic')
    .where('correlationId', '=', requestId)
    .orderBy('id')
    .execute()
  return rows.map(({ topic }) => topic)
}
const settled = (requestId: string) =>
  poll(`the settlement of ${requestId}`, async () => {
    const outcome = await outcomeOf(requestId)
    return outcome?.processedAt ? outcome : null
  })

/** A queued deposit whose balance is watched. */
const watchedDeposit = async (assets = AMOUNT) => {
  const agent = await world().agent()
  const requestId = await script.deposit(walletOf(agent), assets)
  const watch = await poll(`the watch of ${requestId}`, () => watchOf(requestId))
  return { agent, requestId, watch }
}
/** Ends whatever is still watched, so that the next request is watched at once. */
const cancel = async (requestId: Hex): Promise<void> => {
  await admin().post('/admin/xcm/observe', { requestId, status: 'cancelled' })
  await settled(requestId)
}
const moveTo = async (instant: number, ...agents: Agent[]): Promise<void> => {
  await moveTime(world().info, { instant })
  for (const agent of [admin(), ...agents]) await agent.signInAgain()
}

// `npm run test:whole -- test/long/cross-chain` plays all.
const test = inTurns(3)

describe('a cross-chain request', () => {
  test('succeeds when the amount arrives, is read every 15 s, and is shown to its account and to admins only', async () => {
    const { agent, requestId, watch } = await watchedDeposit()
    expect([watch.expectedRaw, watch.endsAt - watch.startedAt]).toEqual([ARRIVING, WATCH])
    await script.dispatchDeposit(requestId)
    await followerAtHead(world())
    const pending: Reply['body'] = await agent.get(requestPath(requestId))
    expect(pending).toMatchObject({
      statusLabel: 'pending',
      strategyIdLabel: 'HYDRATION_USDC_V1',
      kindLabel: 'Deposit',
      assetSymbol: 'USDC',
    })
    expect(pending).toMatchObject({ requestedAssets: '5', requestedAssetsRaw: '5000000', settledSharesRaw: '0', failureCodeLabel: null })
    const stranger = await world().agent()
    expect(await stranger.get(requestPath(requestId), 403)).toMatchObject({ code: 'xcm_request_not_owned' })
    expect(await admin().get(requestPath(requestId))).toEqual(pending)
    expect(await agent.get(requestPath(UNKNOWN), 404)).toMatchObject({ code: 'xcm_request_not_found' })
    for (const wrong of ['/xcm/request', requestPath('0x12'), requestPath('nonsense')])
      expect(await agent.get(wrong, 400)).toMatchObject({ code: 'invalid_request' })
    await script.sharesArrive(ARRIVING)
    const asked = serviceNow(world())
    const outcome = await settled(requestId)
    expect(outcome).toMatchObject({ status: 'succeeded', settledAssetsRaw: ARRIVING, source: 'balance_watch', failureCode: zeroHash })
    expect(outcome.observedAt - asked).toBeLessThan(16 * SECOND)
    expect(await agent.get(requestPath(requestId))).toMatchObject({
      statusLabel: 'succeeded',
      settledAssets: '4.98',
      settledShares: '4.98',
    })
    expect(await processOf(requestId).result()).toEqual({ requestId, status: 'succeeded' })
    await followerAtHead(world())
    expect(await topicsOf(requestId)).toEqual([
      'xcm.request_queued',
      'xcm.request_parameters_stored',
      'xcm.balance_watch_started',
      'xcm.request_leg_dispatched',
      'xcm.request_leg_dispatched',
      'xcm.outcome_observed',
      'xcm.balance_watch_succeeded',
      expect.stringMatching(/auto_finalized|status_updated/),
      expect.stringMatching(/auto_finalized|status_updated/),
    ])
  })

  test('whose amount arrives after its time-out stays failed, and leaves what was seen at the venue to recover', async () => {
    const { requestId, watch } = await watchedDeposit()
    await script.dispatchDeposit(requestId)
    await script.assetsArrive(3_000_000n)
    await moveTo(watch.endsAt + SECOND)
    const failed = await settled(requestId)
    expect(failed).toMatchObject({ status: 'failed', failureCode: OBSERVATION_TIMEOUT_CODE, remoteBalanceRaw: 3_000_000n })
    expect(failed).toMatchObject({ settledAssetsRaw: 0n, source: 'balance_watch' })
    expect(failed.observedAt).toBeGreaterThanOrEqual(watch.endsAt)
    expect(await admin().get(requestPath(requestId))).toMatchObject({
      statusLabel: 'failed',
      failureCode: OBSERVATION_TIMEOUT_CODE,
      failureCodeLabel: 'BALANCE_OBSERVATION_TIMEOUT',
    })
    expect(await topicsOf(requestId)).toContain('xcm.balance_watch_timed_out')
    await script.sharesArrive(ARRIVING)
    const late = { requestId, status: 'succeeded', settledAssets: String(ARRIVING), settledShares: String(ARRIVING) }
    const { recorded, outcome } = await admin().post('/admin/xcm/observe', late)
    expect([recorded, outcome.status, outcome.processed]).toEqual([false, 'failed', true])
    expect((await script.request(requestId)).status).toBe(3)
    expect(await script.toRecover(requestId)).toBe(3_000_000n)
    await script.assetsArrive(-3_000_000n)
    await script.sharesArrive(-ARRIVING)
  })

  test('takes one of two outcomes with different numbers, and none of another wrapper', async () => {
    const { requestId } = await watchedDeposit()
    const failure = { requestId, status: 'failed', failureCode: `0x${'1f'.repeat(32)}` }
    expect(await admin().post('/admin/xcm/observe', { ...failure, wrapper: `0x${'77'.repeat(20)}` }, 409)).toMatchObject({
      code: 'xcm_wrapper_mismatch',
    })
    expect(await outcomeOf(requestId)).toBeUndefined()
    expect(await admin().post('/admin/xcm/observe', { requestId: UNKNOWN, status: 'cancelled' }, 404)).toMatchObject({
      code: 'xcm_request_not_found',
    })
    for (const wrong of [
      { failureCode: undefined },
      { settledAssets: '1' },
      { status: 'succeeded', failureCode: undefined },
      { status: 'succeeded', failureCode: undefined, settledAssets: '1' },
      { status: 'pending' },
      { observedAt: '2099-01-01T00:00:00.000Z' },
    ])
      await admin().post('/admin/xcm/observe', { ...failure, ...wrong }, 400)
    const first = await admin().post('/admin/xcm/observe', failure)
    expect(first).toMatchObject({ recorded: true, outcome: { status: 'failed' } })
    await settled(requestId)
    const second = await admin().post('/admin/xcm/observe', { ...failure, failureCode: `0x${'2f'.repeat(32)}` })
    expect(second).toMatchObject({ recorded: false, outcome: { failureCode: failure.failureCode, processed: true } })
    expect((await script.request(requestId)).failureCode).toBe(failure.failureCode)
    expect((await topicsOf(requestId)).filter((topic) => topic === 'xcm.outcome_observed')).toHaveLength(1)
  })

  test('is decided by an operator where what arrived may be another’s, and then the next is watched', async () => {
    const first = await watchedDeposit()
    const second = { requestId: await script.deposit(walletOf(await world().agent()), AMOUNT) }
    await script.dispatchDeposit(first.requestId)
    await script.dispatchDeposit(second.requestId)
    await followerAtHead(world())
    await script.sharesArrive(2n * ARRIVING)
    const unclear = (requestId: string, reason: string) =>
      poll(`the uncertainty about ${requestId}`, async () => {
        await moveTo(serviceNow(world()) + 16 * SECOND)
        const { rows } = world().database
        const row = await rows.selectFrom('cross_chain_watch').select('unclearReason').where('requestId', '=', requestId).executeTakeFirst()
        return row?.unclearReason === reason
      })
    await unclear(first.requestId, 'another_request_under_way')
    expect(await outcomeOf(first.requestId)).toBeUndefined()
    const observe = ({ requestId }: { requestId: string }) =>
      admin().post('/admin/xcm/observe', {
        requestId,
        status: 'succeeded',
        settledAssets: String(ARRIVING),
        settledShares: String(ARRIVING),
      })
    await observe(first)
    expect(await settled(first.requestId)).toMatchObject({ status: 'succeeded', settledAssetsRaw: ARRIVING })
    await unclear(second.requestId, 'dispatched_before_its_watch')
    await observe(second)
    expect(await settled(second.requestId)).toMatchObject({ status: 'succeeded', settledAssetsRaw: ARRIVING })
    expect(await topicsOf(second.requestId)).toContain('xcm.balance_watch_scope_unknown')
  })

  test('is parked after five refused tries and settled by an operator’s retry', async () => {
    const { requestId } = await watchedDeposit()
    await script.dispatchDeposit(requestId)
    expect(await admin().post('/admin/xcm/finalize', { requestId }, 409)).toMatchObject({ code: 'xcm_request_not_observed' })
    // The contracts accept no success while they are paused.
    await script.setPaused(true)
    try {
      await script.sharesArrive(ARRIVING)
      await moveTo(serviceNow(world()) + 16 * SECOND)
      await poll('the first refusal', async () => (await outcomeOf(requestId))?.lastFailure)
      // The pauses are 15, 30, 60 and 120 s.
      for (const seconds of [16, 31, 61, 121]) {
        const before = (await topicsOf(requestId)).filter((topic) => topic === 'xcm.request_finalize_failed').length
        await moveTo(serviceNow(world()) + seconds * SECOND)
        await poll(
          'the next refusal',
          async () => (await topicsOf(requestId)).filter((topic) => topic === 'xcm.request_finalize_failed').length > before,
        )
      }
      const parked = await poll('the parked request', async () => {
        const { items } = await admin().get('/admin/xcm/finalize-exhausted?limit=200')
        return items.find((item: { requestId: string }) => item.requestId === requestId)
      })
      expect(parked).toMatchObject({ status: 'succeeded', processed: false, lastFailure: 'ProtocolPaused' })
      expect((await topicsOf(requestId)).filter((topic) => topic.endsWith('finalize_failed'))).toHaveLength(5)
      await moveTo(serviceNow(world()) + 3_600 * SECOND)
      expect((await topicsOf(requestId)).filter((topic) => topic.endsWith('finalize_failed'))).toHaveLength(5)
      expect(await admin().post('/admin/xcm/finalize', { requestId })).toMatchObject({ settlement: 'refused', reason: 'ProtocolPaused' })
    } finally {
      await script.setPaused(false)
    }
    expect(await admin().post('/admin/xcm/finalize', { requestId })).toMatchObject({
      settlement: 'settled',
      outcome: { processed: true },
    })
    const exhausted = (await admin().get('/admin/xcm/finalize-exhausted?limit=200')).items
    expect(exhausted.map((item: { requestId: string }) => item.requestId)).not.toContain(requestId)
    expect(await admin().post('/admin/xcm/finalize', { requestId })).toMatchObject({ settlement: 'settled' })
  })

  test('is only reconciled when it has ended on chain, and left to another party when the service may not settle it', async () => {
    const operator = world().operatorAccount.address
    const { requestId } = await watchedDeposit()
    await script.setStrategySettler(operator, false)
    await admin().post('/admin/xcm/observe', { requestId, status: 'cancelled' })
    await poll('the report', async () => (await topicsOf(requestId)).includes('xcm.request_adapter_managed_pending'))
    expect((await script.request(requestId)).status).toBe(1)
    await script.settleAsOwner(requestId, 4)
    await settled(requestId)
    expect(await topicsOf(requestId)).toContain('xcm.request_reconciled_terminal')
    await script.setStrategySettler(operator, true)
  })

  test('of a withdrawal is settled by what came home, beside deposits that wait in the adapter', async () => {
    const agent = await world().agent()
    const requestId = await script.withdraw(walletOf(agent), 1_000_000n, 950_000n)
    await poll('the watch', () => watchOf(requestId))
    // A deposit that waits in the adapter is not the amount of the withdrawal.
    const waiting = await script.deposit(walletOf(agent), AMOUNT)
    await script.dispatchWithdrawal(requestId)
    await moveTo(serviceNow(world()) + 16 * SECOND, agent)
    await moveTo(serviceNow(world()) + 16 * SECOND, agent)
    expect(await outcomeOf(requestId)).toBeUndefined()
    await script.assetsComeHome(960_000n)
    expect(await settled(requestId)).toMatchObject({ status: 'succeeded', settledAssetsRaw: 960_000n, settledSharesRaw: 1_000_000n })
    expect(await script.balanceOf(walletOf(agent))).toBe(960_000n)
    await poll('the watch of the deposit', () => watchOf(waiting))
    await cancel(waiting)
    const feed = await admin().get('/admin/xcm/outcomes?limit=2')
    expect(feed.items).toHaveLength(2)
    const next = await admin().get(`/admin/xcm/outcomes?limit=200&cursor=${encodeURIComponent(feed.nextCursor)}`)
    expect(next.items.at(-1)).toMatchObject({ requestId: waiting, status: 'cancelled' })
  })
})
