import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DemandedPayment, KnownPayment, PaymentFacts, Unpaid } from '../../../../domain/paid-verification/gate.ts'
import { encodePaymentHeader } from '../../../../domain/paid-verification/payment-headers.ts'
import { type PaymentHeaders, transferTypedData } from '../../../../domain/paid-verification/presented-payment.ts'
import { getProfile } from '../../../../domain/paid-verification/profiles.ts'
import { requestHash } from '../../../../domain/paid-verification/request-hash.ts'
import { buildRequirements, type PaymentTerms, timeoutSeconds } from '../../../../domain/paid-verification/requirements.ts'
import type { PaymentRequirements } from '../../../../schemas/paid-verification/payment.ts'
import { STRUCTURED_OUTPUT } from './requests.ts'

/** Token, payee and price of the example of the specification. */
export const TERMS: PaymentTerms = {
  chainId: 8453,
  network: 'eip155:8453',
  asset: { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', symbol: 'USDC', decimals: 6 },
  domain: { name: 'USD Coin', version: '2' },
  payTo: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  priceRaw: 5_000_000n,
}

/** Payer of the example, a known key of development nodes. */
export const payer = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
export const otherPayer = privateKeyToAccount('0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6')

const PROFILE = getProfile('structured-output-evidence-v1', 1)
const REQUEST = { profile: 'structured-output-evidence-v1', profileVersion: 1, ...STRUCTURED_OUTPUT }
export const REQUEST_HASH = requestHash(REQUEST)
export const REQUIREMENT = buildRequirements(TERMS, PROFILE, REQUEST_HASH)
export const TIMEOUT_SECONDS = timeoutSeconds(PROFILE)

export const NOW = 1_893_454_800n
export const NONCE: Hex = `0x${'11'.repeat(32)}`

/** Authorisation of the example. */
export const AUTHORIZATION = {
  from: payer.address,
  to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  value: '5000000',
  validAfter: '0',
  validBefore: '1893456000',
  nonce: NONCE,
} as const
export type Authorization = { [Name in keyof typeof AUTHORIZATION]: string }

interface Signing {
  terms?: Pick<PaymentTerms, 'chainId' | 'asset' | 'domain'>
  account?: typeof payer
}

/** Signature over an authorisation, by the payer of the example unless the caller names another account or token. */
export const signAuthorization = (
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
  { terms = TERMS, account = payer }: Signing = {},
): Promise<Hex> =>
  account.signTypedData(
    transferTypedData(
      {
        from: from as Hex,
        to: to as Hex,
        value: BigInt(value),
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
        nonce: nonce as Hex,
      },
      terms,
    ),
  )

/** What a client of x402 sends: the requirement that it accepts, and a signed authorisation. */
export const paymentPayload = async (
  changes: Partial<Authorization> = {},
  { accepted = REQUIREMENT, ...signing }: Signing & { accepted?: PaymentRequirements } = {},
) => {
  const authorization = { ...AUTHORIZATION, ...changes }
  return { x402Version: 2, accepted, payload: { signature: await signAuthorization(authorization, signing), authorization } }
}
export type Payload = Awaited<ReturnType<typeof paymentPayload>>

/** Facts with which the payment of the example is taken. */
export const FACTS: PaymentFacts = {
  blockTime: NOW,
  isNonceUsed: false,
  isDomainConfirmed: true,
  balanceRaw: 5_000_000n,
  isContract: false,
}

/** What the gate is asked, without the account that signed. */
export interface GateCase extends DemandedPayment {
  readonly headers: PaymentHeaders
  readonly known: KnownPayment | null
  readonly facts: PaymentFacts
  readonly unpaid: Unpaid
}

/** The gate's input for a payload; with `null` no payment is sent. */
export const gateCase = (payload: object | null, changes: Partial<GateCase> = {}): GateCase => ({
  headers: payload === null ? {} : { 'payment-signature': encodePaymentHeader(payload) },
  requirement: REQUIREMENT,
  requestHash: REQUEST_HASH,
  timeoutSeconds: TIMEOUT_SECONDS,
  known: null,
  facts: FACTS,
  unpaid: { open: 0, uncollectable: 0 },
  ...changes,
})
