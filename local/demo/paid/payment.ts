import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { transferTypedData } from '../../../domain/paid-verification/presented-payment.ts'
import type { PaymentRequirements } from '../../../schemas/paid-verification/payment.ts'
import type { ChainView } from '../chain.ts'

/**
 * Signs a payment for what a 402 or a quote demands, as a client of x402 does. Its end follows from the time of the chain, which the time machine may have
 * moved: a client that reads the clock of its computer would sign one that is over.
 */
export const signPayment = async ({ client }: Pick<ChainView, 'client'>, account: PrivateKeyAccount, accepted: PaymentRequirements) => {
  const { asset, amount, payTo, network, extra, maxTimeoutSeconds } = accepted
  const { timestamp } = await client.getBlock()
  const message = {
    from: account.address.toLowerCase() as Hex,
    to: payTo as Hex,
    value: BigInt(amount),
    validAfter: 0n,
    validBefore: timestamp + BigInt(maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}` as Hex,
  }
  const terms = {
    chainId: Number(network.split(':')[1]),
    asset: { address: asset as Hex, symbol: '', decimals: 0 },
    domain: { name: extra.name, version: extra.version },
  }
  const signature = await account.signTypedData(transferTypedData(message, terms))
  const authorization = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]))
  return { x402Version: 2, accepted, payload: { signature, authorization } }
}
