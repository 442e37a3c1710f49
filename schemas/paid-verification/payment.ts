import { z } from 'zod'
import { Address, AddressInput, Bytes32, part, RawAmount, shape } from '../operations/values.ts'

/** Version of x402 that the service speaks. */
export const X402_VERSION = 2
/** How a price is paid, and the way of the token that does it. */
export const PAYMENT_SCHEME = 'exact'

/** Headers of a request that carry a payment, in the order in which they are read, and of a 402. All hold JSON in base64. */
export const PAYMENT_HEADERS = ['payment-signature', 'x-payment', 'verification-payment'] as const
export const REQUIRED_HEADERS = ['PAYMENT-REQUIRED', 'X-PAYMENT-REQUIRED'] as const
/** Headers of an answer to a payment that was collected. */
export const RESPONSE_HEADERS = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'] as const

/** Longest payment header, characters. A payment has some 1,500. */
export const MAX_PAYMENT_HEADER = 8_192

const Network = z
  .string()
  .regex(/^eip155:[1-9][0-9]{0,19}$/)
  .meta({ description: 'Network as CAIP-2.', examples: ['eip155:8453'] })

/** One way to pay (x402, `PaymentRequirements`). */
export const PaymentRequirementsShape = shape('PaymentRequirements', 'A way to pay, in the form of x402 version 2.', {
  scheme: z.literal(PAYMENT_SCHEME),
  network: Network,
  asset: Address.describe('Contract of the token.'),
  amount: RawAmount,
  payTo: Address,
  maxTimeoutSeconds: z.int().min(1).describe('How long the authorisation has to be valid, from its signature.'),
  extra: part('What the scheme needs beside, and what the payment is bound to.', {
    name: z.string().describe('Name in the signing domain of the token (EIP-712).'),
    version: z.string().describe('Version in that domain.'),
    profile: z.string().describe('Profile that is paid, as `name@version`.'),
    requestHash: Bytes32.optional().describe('Hash of the request that is paid. Absent in discovery, which knows no request.'),
  }),
})
export type PaymentRequirements = z.output<typeof PaymentRequirementsShape>

/** What is paid for (x402, `ResourceInfo`). */
export const PaymentResourceShape = shape('PaymentResource', 'What is paid for, in the form of x402 version 2.', {
  url: z.url(),
  description: z.string(),
  mimeType: z.string(),
  serviceName: z.string(),
  tags: z.array(z.string()).optional(),
})

/** Challenge of a 402 (x402, `PaymentRequired`): the content of its header, whose members the problem document repeats. */
export const PaymentRequiredShape = shape('PaymentRequired', 'What a request has to pay, in the form of x402 version 2.', {
  x402Version: z.literal(X402_VERSION),
  error: z.string().optional().describe('Why the payment that was sent is refused.'),
  resource: PaymentResourceShape,
  accepts: z.array(PaymentRequirementsShape).min(1),
})
export type PaymentRequired = z.output<typeof PaymentRequiredShape>

/** Outcome of a payment (x402, `SettleResponse`). `transaction` is empty only where it is certain that none moved money. */
export const SettleResponseShape = shape('SettleResponse', 'Outcome of a payment, in the form of x402 version 2.', {
  success: z.boolean(),
  errorReason: z.string().optional(),
  payer: Address.optional(),
  transaction: z.union([z.literal(''), Bytes32]),
  network: Network,
  amount: RawAmount.optional(),
})
export type SettleResponse = z.output<typeof SettleResponseShape>

/** A payment before its version is known. Members that are not read may hold anything. */
export const PaymentEnvelope = z.looseObject({
  x402Version: z.unknown().optional(),
  accepted: z.unknown().optional(),
  payload: z.unknown().optional(),
})
export type PaymentEnvelope = z.output<typeof PaymentEnvelope>

const Uint256 = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,77})$/)
  .transform((digits) => BigInt(digits))
  .refine((value) => value < 1n << 256n)
const HexDigits = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/)

/** Payload of the scheme `exact` on an EVM chain with a transfer authorisation (EIP-3009). Numbers are digits. */
export const ExactPayload = z.looseObject({
  signature: HexDigits.transform((text) => text.toLowerCase() as `0x${string}`),
  authorization: z.looseObject({
    from: AddressInput,
    to: AddressInput,
    value: Uint256,
    validAfter: Uint256,
    validBefore: Uint256,
    nonce: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/)
      .transform((text) => text.toLowerCase() as `0x${string}`),
  }),
})
export type ExactPayload = z.output<typeof ExactPayload>
