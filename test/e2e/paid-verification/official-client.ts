// The official client of x402, unchanged, with a wallet of the test.
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Reply } from '../support/http.ts'
import type { World } from '../support/world.ts'

/** Price of one run, base units. */
export const PRICE_RAW = 5_000_000n

/** A request as the client sent it, and the status of its answer. */
interface Sent {
  payment: string | null
  status: number
}

type Place = Pick<World, 'view' | 'base' | 'chain'>

/** A client whose wallet has the price of so many runs. With `allows` false it names no asset that it may pay in. */
export const createBuyer = async ({ view, base, chain }: Place, { runs = 1n, allows = true } = {}) => {
  const account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())
  if (runs > 0n) await view.mint(account.address, runs * PRICE_RAW)
  const network = chain.caip2 as `${string}:${string}`
  const allowed = { network, asset: chain.asset.address as Hex, maxAmountPerPayment: PRICE_RAW.toString() }
  const client = x402Client.fromConfig({
    schemes: [{ network, client: new ExactEvmScheme(account) }],
    ...(allows && { spendControls: { allowedAssets: [allowed] } }),
  })
  const sent: Sent[] = []
  const noted: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const payment = request.headers.get('payment-signature')
    const response = await fetch(request)
    sent.push({ payment, status: response.status })
    return response
  }
  const pay = wrapFetchWithPayment(noted, client)
  return {
    account,
    client,
    sent,
    /** Base units of the asset in the wallet. */
    balance: async (): Promise<bigint> => (await view.standingOf(account.address)).tokensRaw,
    buy: async (request: object, headers: Record<string, string> = {}): Promise<Pick<Reply, 'status' | 'headers' | 'body'>> => {
      const answer = await pay(`${base}/verify/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(request),
      })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },
  }
}
