import { describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, stringToHex } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { moveTime } from '../../../local/time/move.ts'
import { idleAllocationWorkflowId } from '../../../schemas/idle-allocation/process.ts'
import { IDLE_STRATEGY_LABEL } from '../../../schemas/idle-allocation/record.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { deposit, fundedAgent } from '../../e2e/support/jobs.ts'
import { until } from '../../e2e/support/pull-requests.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'
import { followerAtHead } from '../../support/follower-head.ts'
import { consentTo, idleConsent, idleRequest } from '../../support/records/locked-deposits.ts'

const world = useWorld()
const DAY = 86_400_000
const STRATEGY = stringToHex(IDLE_STRATEGY_LABEL, { size: 32 })
const PATH = '/account/idle-allocation'

const engine = useTemporalClient(world)

const walletOf = (agent: Agent) => agent.account.address.toLowerCase()
const processOf = (agent: Agent) => engine.workflow.getHandle(idleAllocationWorkflowId(walletOf(agent)))
const consentOf = async (agent: Agent): Promise<Reply['body']> => (await agent.get(PATH)).consent
const eventsOf = async (agent: Agent): Promise<string[]> => {
  const { rows } = world().database
  const found = await rows
    .selectFrom('event')
    .select(['topic', 'wallets'])
    .where('topic', 'like', 'idle_allocation.%')
    .orderBy('at')
    .execute()
  return found.filter(({ wallets }) => wallets.includes(walletOf(agent))).map(({ topic }) => topic)
}
/** Liquid and allocated of a wallet, as the service shows them. */
const held = async (agent: Agent): Promise<[string, string]> => {
  const { liquid, strategyAllocated } = await agent.get('/account')
  return [liquid.USDC.raw, strategyAllocated.USDC.raw]
}
const holds = (agent: Agent, liquid: string, allocated: string) =>
  until(
    () => held(agent),
    ([nowLiquid, nowAllocated]) => nowLiquid === liquid && nowAllocated === allocated,
  )
const callAccount = async (agent: Agent, functionName: 'withdraw', args: readonly unknown[]) => {
  const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName, args: args as never })
  await world().view.send(agent.account, { to: world().chain.contracts.agentAccount.address as Hex, data })
  await followerAtHead(world())
}

describe('idle-balance allocation', () => {
  test('lends what is idle to the pool, keeps the working capital liquid, and stops with the revocation', async () => {
    const agent = await fundedAgent(world(), 10_000_000n)
    expect(await consentOf(agent)).toEqual({ status: 'missing' })
    const consent = await idleConsent(agent)
    const given = await agent.post(`${PATH}/consent`, consent, 201)
    expect(given).toMatchObject({ created: true, consent: { status: 'active', termsHash: consent.termsHash } })
    expect(await agent.post(`${PATH}/consent`, consent)).toMatchObject({ created: false, consent: { status: 'active' } })
    await holds(agent, '2000000', '8000000')
    const { positions } = await agent.get('/account/strategies')
    expect(positions).toMatchObject([{ strategyId: STRATEGY }])
    // Work brings more in, and a payment takes some out.
    await deposit(world(), agent, 3_000_000n)
    await holds(agent, '2000000', '11000000')
    await callAccount(agent, 'withdraw', [world().chain.asset.address, 1_500_000n])
    await holds(agent, '2000000', '9500000')
    // The chain shows a movement before its process records it.
    const recalled = async (): Promise<string> => (await agent.get(PATH)).movements.recalled.raw
    await eventually('the process records the recall', recalled, (raw) => raw !== '0')
    expect((await agent.get(PATH)).movements).toMatchObject({ allocated: { raw: '11000000' }, recalled: { raw: '1500000' } })
    const revocation = { token: agent.token(), body: {}, headers: { 'idempotency-key': 'revoke-consent-1' } }
    expect(await world().expectCall(200, `${PATH}/revoke`, revocation)).toMatchObject({
      revoked: true,
      consent: { status: 'revoked' },
      stillLent: [{ id: STRATEGY, amount: { raw: '9500000' }, nextActions: [{ path: '/account/recall/transactions' }] }],
    })
    expect(await agent.post(`${PATH}/revoke`, {})).toMatchObject({
      revoked: false,
      reason: 'idle_balance_consent_missing',
      stillLent: [{ amount: { raw: '9500000' } }],
    })
    expect((await processOf(agent).result()).consent).toContain('revoked')
    await deposit(world(), agent, 5_000_000n)
    await followerAtHead(world())
    expect(await agent.post(`${PATH}/consent`, consent, 409)).toMatchObject({ code: 'idle_balance_consent_revoked' })
    expect(await held(agent)).toEqual(['7000000', '9500000'])
    // The way out needs neither consent nor operator.
    const { templates } = await agent.post('/account/recall/transactions', {})
    for (const { to, data } of templates) await world().view.send(agent.account, { to, data })
    expect(await held(agent)).toEqual(['16500000', '0'])
    await followerAtHead(world())
    expect((await agent.post(`${PATH}/revoke`, {})).stillLent).toEqual([])
    expect(await eventsOf(agent)).toEqual(['idle_allocation.consented', 'idle_allocation.revoked'])
  })

  test('leaves what locked deposits bind, and what is allocated still covers them', async () => {
    const agent = await fundedAgent(world(), 12_000_000n)
    const quote = await agent.post('/locked-deposits/quote', { tier: 't30', amount: '6000000', consentNonce: 'abcdefgh12345678' })
    const { entry } = await agent.post('/locked-deposits/consent', await consentTo(agent, quote), 201)
    await agent.post(`${PATH}/consent`, await idleConsent(agent), 201)
    await holds(agent, '8000000', '4000000')
    expect((await agent.get('/me')).lockedDeposits.entries[0]).toMatchObject({ id: entry.id, status: 'active' })
    await agent.post(`${PATH}/revoke`, {})
  })

  test('is consented to for ninety days, and its end unwinds nothing', async () => {
    const agent = await fundedAgent(world(), 5_000_000n)
    const { consent } = await agent.post(`${PATH}/consent`, await idleConsent(agent), 201)
    await holds(agent, '2000000', '3000000')
    const { consentedAt } = await world()
      .database.rows.selectFrom('idle_consent')
      .select('consentedAt')
      .where('wallet', '=', walletOf(agent))
      .executeTakeFirstOrThrow()
    const end = Date.parse(consent.consentExpiresAt)
    expect(end - consentedAt).toBeLessThanOrEqual(90 * DAY)
    expect(end - consentedAt).toBeGreaterThan(89 * DAY)
    const statusAt = async (instant: number): Promise<string> => {
      await moveTime(world().info, { instant })
      await agent.signInAgain()
      return (await consentOf(agent)).status
    }
    expect(await statusAt(end - 60_000)).toBe('active')
    expect(await statusAt(end)).toBe('expired')
    expect((await processOf(agent).result()).consent).toContain('expired')
    expect(await held(agent)).toEqual(['2000000', '3000000'])
    expect(await eventsOf(agent)).toEqual(['idle_allocation.consented', 'idle_allocation.expired'])
  })

  test('refuses what is not its consent, and stores nothing', async () => {
    const [agent, other] = [await world().agent(), await world().agent()]
    const consent = await idleConsent(agent)
    const rows: [object, number, string][] = [
      [{ ...consent, termsHash: `0x${'0'.repeat(64)}` }, 409, 'idle_balance_consent_quote_unknown'],
      [
        { ...consent, terms: { ...consent.terms, consentExpiresAt: '2099-01-01T00:00:00.000Z' } },
        409,
        'idle_balance_consent_terms_hash_mismatch',
      ],
      [{ ...consent, consentSignature: await other.account.signMessage({ message: 'x' }) }, 409, 'idle_balance_consent_signer_mismatch'],
      [await idleConsent(other), 409, 'idle_balance_consent_binding_mismatch'],
      [{ ...consent, extra: 1 }, 400, 'invalid_request'],
    ]
    for (const [body, status, code] of rows) expect(await agent.post(`${PATH}/consent`, body, status)).toMatchObject({ code })
    // A consent to a lock is none to an allocation.
    const saver = await fundedAgent(world())
    const quote = await saver.post('/locked-deposits/quote', { tier: 't30', amount: '1', consentNonce: 'abcdefgh' })
    expect(await saver.post(`${PATH}/consent`, await consentTo(saver, quote), 409)).toMatchObject({
      code: 'idle_balance_consent_quote_unknown',
    })
    await agent.post(`${PATH}/quote`, { ...idleRequest(), asset: 'USDC' }, 400)
    expect(await consentOf(agent)).toEqual({ status: 'missing' })
  })

  test('a later consent replaces the one before it', async () => {
    const agent = await world().agent()
    const [first, second] = [await idleConsent(agent), await idleConsent(agent)]
    await agent.post(`${PATH}/consent`, first, 201)
    await agent.post(`${PATH}/consent`, second, 201)
    expect(await consentOf(agent)).toMatchObject({ status: 'active', termsHash: second.termsHash })
    expect(await agent.post(`${PATH}/consent`, first, 409)).toMatchObject({ code: 'idle_balance_consent_revoked' })
    await processOf(agent).terminate('by an operator')
    expect(await consentOf(agent)).toMatchObject({ status: 'active' })
    await deposit(world(), agent, 4_000_000n)
    await holds(agent, '2000000', '2000000')
    await agent.post(`${PATH}/revoke`, {})
  })
})
