// A facilitator of x402 over HTTP that sends real transactions, or fails in a way that a test names.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hex } from 'viem'
import type { PaymentRequirements } from '../../../../schemas/paid-verification/payment.ts'

/** What it is asked to settle. */
export interface SettleBody {
  x402Version: number
  paymentPayload: {
    x402Version: number
    accepted: PaymentRequirements
    payload: { signature: Hex; authorization: Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string> }
  }
  paymentRequirements: PaymentRequirements
}

/**
 * `settles`: it pays and says so. `loses`: it pays, and its answer is lost. `breaks`: the connection ends before it pays. `fails`: 500 without a payment.
 * `fails_after`: 500 although it has paid. `doubts`: it has paid and does not know yet. `delays`: pending without a payment. `lies`: success without a
 * payment. `denies`: it has paid and says that it has not. `garbles`: an answer that is none. `stalls`: it has paid and never answers.
 */
export const BEHAVIOURS = [
  'settles',
  'loses',
  'breaks',
  'fails',
  'fails_after',
  'doubts',
  'delays',
  'lies',
  'denies',
  'garbles',
  'stalls',
] as const
export type Behaviour = (typeof BEHAVIOURS)[number]
const PAYS: ReadonlySet<Behaviour> = new Set(['settles', 'loses', 'fails_after', 'doubts', 'denies', 'stalls'])

const readJson = async (request: IncomingMessage): Promise<SettleBody> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as SettleBody
}

const answer = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

interface Sender {
  /** Sends what was signed. */
  send: (body: SettleBody) => Promise<Hex>
}

/** Starts one; `behave` decides each answer, by the number of the request and what it asks. */
export const startFacilitator = async ({ send }: Sender, behave: (asked: number, body: SettleBody) => Behaviour) => {
  const asked: { body: SettleBody; authorization: string | undefined; path: string | undefined }[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readJson(request)
      asked.push({ body, authorization: request.headers.authorization, path: request.url })
      const behaviour = behave(asked.length, body)
      const { network } = body.paymentRequirements
      const { from: payer } = body.paymentPayload.payload.authorization
      // A second payment reverts: the token takes each nonce once.
      const transaction = PAYS.has(behaviour) ? await send(body).catch(() => '' as const) : ''
      const failed = { success: false, payer, transaction: '', network }
      if (behaviour === 'stalls') return
      if (behaviour === 'loses' || behaviour === 'breaks') return response.destroy()
      if (behaviour === 'fails' || behaviour === 'fails_after') return answer(response, 500, { error: 'internal' })
      if (behaviour === 'garbles') return answer(response, 200, 'no JSON')
      if (behaviour === 'doubts' || behaviour === 'delays')
        return answer(response, 200, { ...failed, errorReason: 'settlement_pending', transaction })
      if (behaviour === 'denies') return answer(response, 200, { ...failed, errorReason: 'unexpected_settle_error' })
      const success = behaviour === 'lies' ? `0x${'ab'.repeat(32)}` : transaction
      return answer(response, 200, { success: true, payer, transaction: success, network })
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    asked,
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type FacilitatorServer = Awaited<ReturnType<typeof startFacilitator>>
