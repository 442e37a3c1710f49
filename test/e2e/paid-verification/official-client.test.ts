// The official client of x402 buys runs of verification on the local stack, over HTTP and by tools. It is the test of the wire.
import { afterEach, describe, expect, test } from '@jest/globals'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { eventually } from '../../support/eventually.ts'
import { machineProbe, reportSkipped } from '../../support/sandbox/runner.ts'
import { useWorld } from '../support/world.ts'
import { type Body, CLIENT_KINDS, type ClientKind, connectTools, type ToolClient } from '../tools/support/clients.ts'
import { suggestedCall } from '../tools/support/follow.ts'
import { createBuyer, PRICE_RAW } from './official-client.ts'
import { type RunRequest, TARGET_TOKEN, type Targets, useTargets } from './targets.ts'

const env: Record<string, string> = {}
const targets = useTargets(env)
const world = useWorld({ env })

/** Money of the payee, base units. */
const received = async (): Promise<bigint> => (await world().view.standingOf(world().treasury)).tokensRaw

/** The run when it has ended, as its address answers. */
const endOf = (runUrl: string) =>
  eventually(
    `${runUrl} ends`,
    () => world().call(new URL(runUrl).pathname),
    ({ body }) => body.status === 'complete',
  )

const send = (body: object, payment: string | null) =>
  world().call('/verify/runs', { body, headers: { 'payment-signature': payment ?? '' } })

interface Case {
  profile: string
  requestOf: (targets: Targets) => RunRequest
  verdict: 'approved' | 'rejected'
  /** What the buyer sends for the target alone. */
  credential?: string
}

const IN_SANDBOX: Case = { profile: 'git-patch-tests-v1', requestOf: (at) => at.patch(), verdict: 'approved' }
const AUTH = { scheme: 'bearer', credentialRef: 'closed-target' }
const CASES: Case[] = [
  { profile: 'structured-output-evidence-v1', requestOf: (at) => at.structuredOutput(), verdict: 'approved' },
  {
    profile: 'structured-output-evidence-v1, an invented quote',
    requestOf: (at) => at.structuredOutput({ quote: 'carries three lanes' }),
    verdict: 'rejected',
  },
  { profile: 'mcp-failure-semantics-v1', requestOf: (at) => at.toolServer(), verdict: 'approved' },
  {
    profile: 'mcp-failure-semantics-v1, a target with a credential',
    requestOf: (at) => at.toolServer({ endpoint: at.closed.endpoint, auth: AUTH }),
    verdict: 'approved',
    credential: `Bearer ${TARGET_TOKEN}`,
  },
  ...(machineProbe.ok ? [IN_SANDBOX] : []),
]
if (!machineProbe.ok) reportSkipped(1)

describe('the official client', () => {
  test.each(CASES)('buys a run and pays to the unit: $profile', async ({ requestOf, verdict, credential }) => {
    const request = requestOf(targets())
    const buyer = await createBuyer(world())
    const before = await received()
    const answer = await buyer.buy(request, credential === undefined ? {} : { 'verification-target-authorization': credential })
    const { body: started } = answer
    expect([answer.status, started.customer]).toEqual([202, buyer.account.address.toLowerCase()])
    expect(answer.headers.get('location')).toBe(started.runUrl)
    expect(buyer.sent.map(({ status }) => status)).toEqual([402, 202])

    const payment = buyer.sent[1]?.payment ?? null
    const again = await send(request, payment)
    expect([200, 202]).toContain(again.status)
    expect(again.body.runId).toBe(started.runId)

    const ended = await endOf(started.runUrl)
    expect(ended.body).toMatchObject({ verdict, billing: { status: 'captured', amountRaw: PRICE_RAW.toString() } })
    const settled = decodePaymentResponseHeader(ended.headers.get('payment-response') ?? '')
    expect(settled).toMatchObject({
      success: true,
      payer: buyer.account.address.toLowerCase(),
      transaction: ended.body.billing.transactionHash,
    })
    const { from } = await world().view.client.getTransaction({ hash: settled.transaction as '0x' })
    expect(from).not.toBe(buyer.account.address.toLowerCase())
    expect([await buyer.balance(), (await received()) - before]).toEqual([0n, PRICE_RAW])

    const later = await send(request, payment)
    expect([later.status, later.body.runId, later.body.verdict]).toEqual([200, started.runId, verdict])
    expect(later.headers.get('payment-response')).toBe(ended.headers.get('payment-response'))
    expect([await buyer.balance(), (await received()) - before]).toEqual([0n, PRICE_RAW])
  })

  test('reads the same price from quote, 402 and discovery', async () => {
    const request = targets().toolServer()
    const quote = (await world().call('/verify/quote', { body: request })).body
    const refused = await world().call('/verify/runs', { body: request })
    const challenge = decodePaymentRequiredHeader(refused.headers.get('payment-required') ?? '')
    expect(refused.status).toBe(402)
    expect(challenge).toEqual({ x402Version: 2, resource: refused.body.resource, accepts: quote.accepts })
    expect(refused.body).toMatchObject(challenge)
    expect(quote.accepts).toMatchObject([
      { amount: quote.price.amountRaw, network: quote.price.network, payTo: world().treasury.toLowerCase() },
    ])
    const { items } = (await world().call('/.well-known/x402')).body
    const [{ extra, ...accepted }] = quote.accepts
    const { requestHash: _ofRequest, ...discovered } = extra
    const item = items.find(({ accepts: [one] }: typeof quote) => one.extra.profile === extra.profile)
    expect(item).toMatchObject({ resource: refused.body.resource, accepts: [{ ...accepted, extra: discovered }] })
  })

  test('keeps its money when the result is inconclusive', async () => {
    const buyer = await createBuyer(world())
    const before = await received()
    const answer = await buyer.buy(targets().structuredOutput({ isGone: true }))
    const ended = await endOf(answer.body.runUrl)
    expect(ended.body).toMatchObject({
      verdict: 'inconclusive',
      billing: { status: 'not_billed', amountRaw: '0', reason: 'artefact_unavailable' },
    })
    expect(ended.headers.get('payment-response')).toBeNull()
    expect([await buyer.balance(), await received()]).toEqual([PRICE_RAW, before])
  })

  test('signs nothing while its wallet allows no asset', async () => {
    const buyer = await createBuyer(world(), { allows: false })
    await expect(buyer.buy(targets().toolServer())).rejects.toThrow('rejected by spendControls')
    expect(buyer.sent).toEqual([{ payment: null, status: 402 }])
  })

  test('ends after two requests when its wallet is empty', async () => {
    const buyer = await createBuyer(world(), { runs: 0n })
    const answer = await buyer.buy(targets().toolServer())
    expect([answer.status, answer.body.code]).toEqual([402, 'payment_insufficient_funds'])
    expect(buyer.sent.map(({ status }) => status)).toEqual([402, 402])
  })
})

describe.each(CLIENT_KINDS)('a tool client (%s)', (kind: ClientKind) => {
  const open: ToolClient[] = []
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close()
  })
  const connect = async (): Promise<ToolClient> => {
    const client = await connectTools(world().base, { kind, toolset: 'poster' })
    open.push(client)
    await client.listTools()
    return client
  }

  /** The run when it has ended, by the next action of each answer. */
  const followToEnd = (client: ToolClient, started: Body) =>
    eventually(
      `${started.runUrl} ends`,
      () => client.callTool('getVerificationRun', suggestedCall(started, 'getVerificationRun').arguments),
      ({ body }) => body.status === 'complete',
    )

  test('buys a run of a target with a credential by what it says in _meta', async () => {
    const client = await connect()
    const buyer = await createBuyer(world())
    const request = { ...targets().toolServer({ endpoint: targets().closed.endpoint, auth: AUTH }) }
    const unpaid = await client.callTool('startVerificationRun', request)
    const quote = await client.callTool('quoteVerificationRun', request)
    expect(unpaid.body).toMatchObject({ status: 402, code: 'verification_payment_required', x402Version: 2, accepts: quote.body.accepts })
    expect([unpaid.isError, JSON.parse(unpaid.texts[0] ?? '')]).toEqual([true, unpaid.body])
    const payment = await buyer.client.createPaymentPayload(unpaid.body as Parameters<typeof buyer.client.createPaymentPayload>[0])
    const meta = { 'x402/payment': payment, 'verification/target-authorization': `Bearer ${TARGET_TOKEN}` }
    const started = await client.callTool('startVerificationRun', request, { meta })
    expect([started.isError, started.meta['x402/payment-response']]).toEqual([false, undefined])
    const ended = await followToEnd(client, started.body)
    expect(ended.body).toMatchObject({ runId: started.body.runId, verdict: 'approved', billing: { status: 'captured' } })
    expect(ended.meta['x402/payment-response']).toMatchObject({ success: true, transaction: ended.body.billing.transactionHash })
    expect(await buyer.balance()).toBe(0n)
    const again = await client.callTool('startVerificationRun', request, { meta })
    expect([again.body.runId, again.meta]).toEqual([started.body.runId, expect.objectContaining(ended.meta)])
    for (const { texts } of [started, ended, again]) expect(texts.join()).not.toContain(TARGET_TOKEN)
  })

  test.each<[string, unknown, string]>([
    ['a number', 1, 'invalid_request'],
    ['a text that no header holds', 'a\nb', 'invalid_request'],
    ['a text that is no payment', 'bm90aGluZw==', 'payment_proof_malformed'],
    ['an object that is no payment', { x402Version: 2 }, 'payment_requirements_mismatch'],
  ])('is refused with %s as its payment', async (_name, payment, code) => {
    const client = await connect()
    const answer = await client.callTool('startVerificationRun', { ...targets().toolServer() }, { meta: { 'x402/payment': payment } })
    expect([answer.isError, answer.body.code]).toEqual([true, code])
    if (code === 'invalid_request') expect(answer.body.errors).toMatchObject([{ pointer: '/_meta/x402~1payment', rule: 'type' }])
  })
})
