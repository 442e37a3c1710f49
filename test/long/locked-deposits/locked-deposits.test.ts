import { describe, expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { moveTime } from '../../../local/time/move.ts'
import { lockedDepositWorkflowId } from '../../../schemas/locked-deposits/process.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { createJob, fundedAgent } from '../../e2e/support/jobs.ts'
import { until } from '../../e2e/support/pull-requests.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { followerAtHead } from '../../support/follower-head.ts'
import { consentTo, exitPath, lock, lockRequest } from '../../support/records/locked-deposits.ts'

const world = useWorld()
/** Cap of all locks on the stack of a worker. */
const CAP = 100_000_000n
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const engine = useTemporalClient(world)

const processOf = (id: string) => engine.workflow.getHandle(lockedDepositWorkflowId(id))
const stateOf = async (agent: Agent): Promise<Reply['body']> => (await agent.get('/me')).lockedDeposits
const entryOf = async (agent: Agent, id: string): Promise<Reply['body']> =>
  (await stateOf(agent)).entries.find((entry: { id: string }) => entry.id === id)
const eventsOf = async (id: string): Promise<string[]> => {
  const { rows } = world().database
  const found = await rows.selectFrom('event').select('topic').where('correlationId', '=', id).orderBy('at').execute()
  return found.map(({ topic }) => topic)
}
const withdraw = async (agent: Agent, amountRaw: bigint): Promise<void> => {
  const { agentAccount } = world().chain.contracts
  const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'withdraw', args: [world().chain.asset.address, amountRaw] })
  await world().view.send(agent.account, { to: agentAccount.address, data })
  await followerAtHead(world())
}

const pass = async (instant: number, agent: Agent): Promise<void> => {
  await moveTime(world().info, { instant })
  for (const one of [agent, world().admin]) await one.signInAgain()
}

/** Waits until the process of a lock has ended. */
const ended = (id: string) => processOf(id).result()
const hasStatus = (agent: Agent, id: string, status: string): Promise<Reply['body']> =>
  until(
    () => entryOf(agent, id),
    (entry) => entry.status === status,
  )
const warnings = async (): Promise<string[]> => (await world().admin.get('/health')).warnings.map(({ code }: { code: string }) => code)

describe('a locked deposit', () => {
  test('is quoted, consented to once, and binds the balance without moving it', async () => {
    const agent = await fundedAgent(world())
    const quote = await agent.post('/locked-deposits/quote', lockRequest('4000000'))
    const consent = await consentTo(agent, quote)
    const first = await agent.post('/locked-deposits/consent', consent, 201)
    expect(first).toMatchObject({
      created: true,
      entry: { id: quote.termsHash, status: 'active', tier: 't30', amount: { raw: '4000000' } },
    })
    expect(first.tierState).toMatchObject({ tier: 't30', priorityRank: 2, perksActive: true, encumbered: { raw: '4000000' } })
    expect(await agent.post('/locked-deposits/consent', consent)).toMatchObject({ created: false, entry: first.entry })
    const sheet = await agent.get('/account')
    expect([sheet.liquid.USDC.raw, sheet.lockedDepositEncumbered.USDC.raw, sheet.withdrawable.USDC.raw]).toEqual([
      ...['10000000', '4000000', '6000000'],
    ])
    const { account } = await agent.get('/account/position')
    expect([account.available.raw, account.chainLiquid.raw, account.lockedDepositEncumbered.raw]).toEqual([
      '6000000',
      '10000000',
      '4000000',
    ])
    const refused = await agent.post('/account/withdraw/transactions', { amount: '6000001' }, 400)
    expect(refused).toMatchObject({
      code: 'invalid_request',
      reason: 'locked_deposit_encumbered',
      details: { encumbered: { raw: '4000000' } },
    })
    expect(refused.nextActions.map(({ path }: { path: string }) => path)).toContain(exitPath(quote.termsHash))
    await agent.post('/account/withdraw/transactions', { amount: '6000000' })
    expect(await eventsOf(quote.termsHash)).toEqual(['locked_deposit.opened'])
    expect((await processOf(quote.termsHash).describe()).searchAttributes.DeadlineAt).toEqual([new Date(first.entry.expiresAt)])
  })

  test('keeps what it binds from the bond of a claim', async () => {
    const agent = await fundedAgent(world(), 200_000n)
    await lock(agent, lockRequest('100000'))
    const jobId = await createJob(world())
    expect(await agent.get(`/jobs/preflight?jobId=${jobId}`)).toMatchObject({ eligible: false })
    const refused = await agent.post('/jobs/claim', { jobId }, 409)
    expect(refused).toMatchObject({
      code: 'insufficient_liquidity',
      details: { requiredRaw: '150000', availableRaw: '100000', shortfallRaw: '50000', encumberedRaw: '100000' },
    })
  })

  test('is active until its term ends, and is then released once', async () => {
    const agent = await fundedAgent(world())
    const { id, expiresAt, lockedAt } = await lock(agent, lockRequest('3000000', 't7'))
    expect(Date.parse(expiresAt)).toBe(Date.parse(lockedAt) + 7 * DAY)
    await pass(Date.parse(expiresAt) - MINUTE, agent)
    expect(await entryOf(agent, id)).toMatchObject({ status: 'active' })
    await pass(Date.parse(expiresAt), agent)
    expect(await entryOf(agent, id)).toMatchObject({ status: 'released', releasedAt: expiresAt, releaseReason: 'term_completed' })
    expect(await ended(id)).toEqual({ status: 'released' })
    expect(await eventsOf(id)).toEqual(['locked_deposit.opened', 'locked_deposit.released'])
    expect((await agent.get('/account')).withdrawable.USDC.raw).toBe('10000000')
    expect(await agent.post(exitPath(id), {}, 409)).toMatchObject({ code: 'locked_tier_already_released' })
  })

  test('left early is released 48 hours later, loses its tier at once, and asks only once', async () => {
    const agent = await fundedAgent(world())
    const { id } = await lock(agent, lockRequest('3000000'))
    const { entry, consequence } = await agent.post(exitPath(id), {})
    expect(consequence).toMatchObject({
      tier: 'flex',
      perks: 'immediate',
      yieldShare: 'current_period',
      principalHaircut: { raw: '0' },
      penaltyFee: { raw: '0' },
      principal: { raw: '3000000' },
    })
    expect(Date.parse(entry.releaseAt)).toBe(Date.parse(entry.exitRequestedAt) + 48 * HOUR)
    expect((await agent.post(exitPath(id), {})).entry).toEqual(entry)
    expect(await stateOf(agent)).toMatchObject({ tier: 'flex', locked: { raw: '0' }, encumbered: { raw: '3000000' } })
    await pass(Date.parse(entry.releaseAt) - MINUTE, agent)
    expect((await entryOf(agent, id)).status).toBe('exiting')
    await pass(Date.parse(entry.releaseAt), agent)
    const released = { status: 'released', releasedAt: entry.releaseAt, releaseReason: 'early_exit_vesting_completed' }
    expect(await entryOf(agent, id)).toMatchObject(released)
    expect(await ended(id)).toEqual({ status: 'released' })
    expect(await eventsOf(id)).toEqual(['locked_deposit.opened', 'locked_deposit.exiting', 'locked_deposit.released'])
  })

  test('cannot be consented to when its quote has ended after ten minutes', async () => {
    const agent = await fundedAgent(world())
    const quote = await agent.post('/locked-deposits/quote', lockRequest('1000000'))
    expect(Date.parse(quote.terms.quoteExpiresAt)).toBe(Date.parse(quote.terms.issuedAt) + 10 * MINUTE)
    await pass(Date.parse(quote.terms.quoteExpiresAt), agent)
    const late = await agent.post('/locked-deposits/consent', await consentTo(agent, quote), 409)
    expect(late).toMatchObject({ code: 'locked_tier_quote_expired' })
  })

  test('ends early when its wallet withdraws below it, and says so', async () => {
    const agent = await fundedAgent(world())
    const { id } = await lock(agent, lockRequest('4000000'))
    await withdraw(agent, 6_000_000n)
    expect(await entryOf(agent, id)).toMatchObject({ status: 'active' })
    expect(await warnings()).not.toContain('locked_tier_balance_below_encumbered')
    await withdraw(agent, 1n)
    const entry = await hasStatus(agent, id, 'exiting')
    expect(entry.exitReason).toBe('balance_below_encumbered')
    expect(await stateOf(agent)).toMatchObject({ tier: 'flex', encumbered: { raw: '4000000' } })
    // The report is read again every few seconds.
    await until(warnings, (codes) => codes.includes('locked_tier_balance_below_encumbered'))
    const { rows } = world().database
    const event = await rows
      .selectFrom('event')
      .selectAll()
      .where('correlationId', '=', id)
      .where('topic', '=', 'locked_deposit.exiting')
      .executeTakeFirstOrThrow()
    expect([event.severity, event.data]).toEqual(['warn', expect.objectContaining({ exitReason: 'balance_below_encumbered' })])
  })

  test('shows the same numbers without its process, whose next event or request begins it again', async () => {
    const agent = await fundedAgent(world())
    const [one, other] = [await lock(agent, lockRequest('2000000')), await lock(agent, lockRequest('2000000'))]
    const before = await stateOf(agent)
    for (const { id } of [one, other]) await processOf(id).terminate('by an operator')
    expect(await stateOf(agent)).toEqual(before)
    await agent.post(exitPath(one.id), {})
    expect(await entryOf(agent, one.id)).toMatchObject({ status: 'exiting' })
    await withdraw(agent, 7_000_000n)
    expect(await hasStatus(agent, other.id, 'exiting')).toMatchObject({ exitReason: 'balance_below_encumbered' })
    expect((await entryOf(agent, one.id)).exitReason).toBe('requested')
  })

  test('opens the gate together with others, whose caps hold to the unit over twenty that arrive at once', async () => {
    const agents: Agent[] = []
    while (agents.length < 20) agents.push(await fundedAgent(world(), 30_000_000n))
    const { totalLocked } = (await agents[0]?.post('/locked-deposits/quote', lockRequest('1')))?.activationGate ?? {}
    // The twenty want 25 each, and all together may lock 100.
    const consents = await Promise.all(
      agents.map(async (agent) => ({
        agent,
        body: await consentTo(agent, await agent.post('/locked-deposits/quote', lockRequest('25000000', 't90'))),
      })),
    )
    const headroom = BigInt((await world().admin.get('/pool')).caps.poolHeadroom.raw)
    const replies = await Promise.all(consents.map(({ agent, body }) => agent.call('/locked-deposits/consent', { body })))
    const made = replies.filter(({ status }) => status === 201)
    expect(headroom).toBeGreaterThan(CAP)
    expect(BigInt(made.length)).toBe((CAP - BigInt(totalLocked.raw)) / 25_000_000n)
    expect(made.length).toBeGreaterThan(0)
    const refused = replies.filter(({ status }) => status !== 201).map(({ body }) => body.code)
    expect(new Set(refused)).toEqual(new Set(['locked_tier_cohort_cap_exceeded']))
    const [first] = agents
    if (first === undefined) throw new Error('no agent')
    expect((await stateOf(first)).activationGate).toMatchObject({ open: true, blockers: [], status: 'open' })
  })
})
