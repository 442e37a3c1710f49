// Buys runs of verification as a client of x402 does, over HTTP.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { encodePaymentHeader } from '../../../domain/paid-verification/payment-headers.ts'
import { transferTypedData } from '../../../domain/paid-verification/presented-payment.ts'
import type { PaymentRequirements } from '../../../schemas/paid-verification/payment.ts'
import { QUOTED_RUN } from '../../domain/paid-verification/builders/requests.ts'
import type { Agent, Reply } from '../support/http.ts'
import type { World } from '../support/world.ts'

type Place = Pick<World, 'view' | 'agent'>

/** A wallet that can pay for one run. */
const payer = async ({ view, agent }: Place): Promise<Agent> => {
  const buyer = await agent()
  await view.fund(buyer.account.address, 5_000_000n)
  return buyer
}

const sign = async (agent: Agent, accepted: PaymentRequirements, now: bigint): Promise<object> => {
  const { asset, amount, payTo, network, extra, maxTimeoutSeconds } = accepted
  const message = {
    from: agent.account.address.toLowerCase() as Hex,
    to: payTo as Hex,
    value: BigInt(amount),
    validAfter: 0n,
    validBefore: now + BigInt(maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}` as Hex,
  }
  const chainId = Number(network.split(':')[1])
  const terms = { chainId, asset: { address: asset as Hex, symbol: '', decimals: 6 }, domain: { name: extra.name, version: extra.version } }
  const signature = await agent.account.signTypedData(transferTypedData(message, terms))
  const authorization = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]))
  return { x402Version: 2, accepted, payload: { signature, authorization } }
}

/** A new wallet that can pay for a run of this request, and its payment. */
export const preparePayment = async (place: Place, body: object = QUOTED_RUN): Promise<{ agent: Agent; payment: object }> => {
  const agent = await payer(place)
  const { status, body: challenge } = await agent.call('/verify/runs', { body })
  if (status !== 402) throw new Error(`no price: ${status} ${JSON.stringify(challenge).slice(0, 300)}`)
  const { timestamp } = await place.view.client.getBlock()
  return { agent, payment: await sign(agent, challenge.accepts[0] as PaymentRequirements, timestamp) }
}

/** Buys a run of this request with a new wallet; the answer to the paid request. */
export const buyRun = async (place: Place, body: object = QUOTED_RUN): Promise<Reply> => {
  const { agent, payment } = await preparePayment(place, body)
  return agent.call('/verify/runs', { body, headers: { 'payment-signature': encodePaymentHeader(payment) } })
}

/** Asks for profiles and prices, buys a run and reads it. */
export const callVerification = async (world: World): Promise<void> => {
  for (const path of ['/verify/profiles', '/.well-known/x402', '/.well-known/x402.json']) await world.expectCall(200, path)
  for (const [status, change] of Object.entries({ 200: {}, 400: { target: {} }, 404: { profileVersion: 9 } }))
    await world.expectCall(Number(status), '/verify/quote', { body: { ...QUOTED_RUN, ...change } })
  const { status, body } = await buyRun(world)
  if (status !== 202) throw new Error(`no run: ${status} ${JSON.stringify(body).slice(0, 300)}`)
  await world.expectCall(200, new URL(body.runUrl).pathname)
  await world.expectCall(404, `/verify/runs/verify-${randomUUID()}`)
}
