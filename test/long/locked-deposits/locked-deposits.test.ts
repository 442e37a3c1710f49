import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { encodeFunctionData } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { lockedDepositWorkflowId } from '../../../schemas/locked-deposits/process.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { fundedAgent } from '../../e2e/support/jobs.ts'
import { consentTo, exitPath, lock, lockRequest, signedQuote } from '../../e2e/support/locks.ts'
import { serviceNow, waitUntil } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { followerAtHead } from '../../support/follower-head.ts'

const world = useWorld({
  env: {
    LOCKED_TIER_VENUE_RATE: JSON.stringify({
      ...{ approved: true, evidence: 'https://venue.example/reports/7', principalRaw: '10000000', yieldRaw: '10000' },
      elapsedSeconds: '86400',
    }),
  },
})
const SLOW = 120_000
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

let connection: Connection
let engine: Client
beforeAll(async () => {
  connection = await Connection.connect({ address: world().info.temporalAddress })
  engine = new Client({ connection })
})
afterAll(() => connection?.close())

const processOf = (id: string) => engine.workflow.getHandle(lockedDepositWorkflowId(id))
const stateOf = async (agent: Agent): Promise<Reply['body']> => (await agent.get('/me')).lockedDeposits
const entryOf = async (agent: Agent, id: string): Promise<Reply['body']> =>
  (await stateOf(agent)).entries.find((entry: { id: string }) => entry.id === id)
const eventsOf = async (id: string): Promise<string[]> => {
  const { rows } = world().database
  const found = await rows.selectFrom('event').select('topic').where('correlationId', '=', id).orderBy('at').execute()
  return found.map(({ topic }) => topic)
}
const signIn = (...agents: Agent[]) => Promise.all([world().admin, ...agents].map((agent) => agent.signInAgain()))
const moveTo = async (instant: number, ...agents: Agent[]): Promise<void> => {
  await world().stack.moveTime({ instant })
  await signIn(...agents)
}
const withdraw = async (agent: Agent, amountRaw: bigint): Promise<void> => {
  const { agentAccount } = world().chain.contracts
  const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'withdraw', args: [world().chain.asset.address, amountRaw] })
  await world().view.send(agent.account, { to: agentAccount.address, data })
  await followerAtHead(world())
}

describe('a locked deposit', () => {
  test('is quoted, consented to once, and binds the balance without moving it', async () => {
    const agent = await fundedAgent(world())
    const quote = await agent.post('/locked-deposits/quote', lockRequest('4000000'))
    expect(quote.activationGate).toMatchObject({ open: false, blockers: expect.arrayContaining(['no_active_locks']) })
    const consent = await consentTo(agent, quote)
    const first = await agent.post('/locked-deposits/consent', consent, 201)
    expect(first).toMatchObject({ created: true, entry: { id: quote.termsHash, status: 'active', tier: 't30', amountRaw: '4000000' } })
    expect(first.tierState).toMatchObject({ tier: 't30', priorityRank: 2, perksActive: true, encumbered: { raw: '4000000' } })
    expect(await agent.post('/locked-deposits/consent', consent)).toMatchObject({ created: false, entry: first.entry })
    const sheet = await agent.get('/account')
    expect([sheet.liquid.USDC.raw, sheet.lockedDepositEncumbered.USDC.raw, sheet.withdrawable.USDC.raw]).toEqual([
      '10000000',
      '4000000',
      '6000000',
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
  })
})
