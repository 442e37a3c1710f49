// Buys runs of verification as a client of x402 does, over HTTP.
import { randomUUID } from 'node:crypto'
import { encodePaymentHeader } from '../../../domain/paid-verification/payment-headers.ts'
import { signPayment } from '../../../local/demo/paid/payment.ts'
import { QUOTED_RUN } from '../../domain/paid-verification/builders/requests.ts'
import { eventually } from '../../support/eventually.ts'
import type { Agent, Reply } from '../support/http.ts'
import type { World } from '../support/world.ts'

type Place = Pick<World, 'view' | 'agent'>

/** A new wallet that can pay for a run of this request, and its payment. */
export const preparePayment = async ({ view, agent }: Place, body: object = QUOTED_RUN): Promise<{ agent: Agent; payment: object }> => {
  const buyer = await agent()
  await view.fund(buyer.account.address, 5_000_000n)
  const { status, body: challenge } = await buyer.call('/verify/runs', { body })
  if (status !== 402) throw new Error(`no price: ${status} ${JSON.stringify(challenge).slice(0, 300)}`)
  return { agent: buyer, payment: await signPayment(view, buyer.account, challenge.accepts[0]) }
}

/** Buys a run and sends the same again when it has ended; both answers. */
const buyTwice = async ({ call, ...place }: Place & Pick<World, 'call'>): Promise<[Reply, Reply]> => {
  const { agent, payment } = await preparePayment(place)
  const send = () => agent.call('/verify/runs', { body: QUOTED_RUN, headers: { 'payment-signature': encodePaymentHeader(payment) } })
  const started = await send()
  const { pathname } = new URL(started.body.runUrl)
  await eventually(
    'the run ends',
    () => call(pathname),
    ({ body }) => body.status === 'complete',
  )
  return [started, await send()]
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
  const [started, repeated] = await buyTwice(world)
  if (started.status !== 202 || repeated.status !== 200) throw new Error(`no run: ${started.status}, then ${repeated.status}`)
  await world.expectCall(404, `/verify/runs/verify-${randomUUID()}`)
}
