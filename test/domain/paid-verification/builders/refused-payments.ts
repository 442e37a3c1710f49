import { encodePaymentHeader } from '../../../../domain/paid-verification/payment-headers.ts'
import type { PaymentRefusal } from '../../../../domain/paid-verification/payment-refusals.ts'
import {
  AUTHORIZATION,
  type Authorization,
  FACTS,
  type GateCase,
  gateCase,
  NOW,
  otherPayer,
  type Payload,
  payer,
  paymentPayload,
  REQUEST_HASH,
  REQUIREMENT,
  TERMS,
  TIMEOUT_SECONDS,
} from './payments.ts'

/** One refused payment: what is wrong with it, its code and its word in x402. */
export interface RefusedPayment {
  readonly title: string
  readonly code: PaymentRefusal
  /** Absent where there is no payment that the protocol could name a fault of. */
  readonly x402Reason?: string
  readonly make: () => GateCase | Promise<GateCase>
}

const VALUE = 'invalid_exact_evm_payload_authorization_value_mismatch'
const VALID_BEFORE = 'invalid_exact_evm_payload_authorization_valid_before'
const SIGNATURE = 'invalid_exact_evm_signature'
const USED = 'invalid_exact_evm_nonce_already_used'
const ERROR = 'unexpected_verify_error'

/** A row whose header is not a payment. */
const malformed = (title: string, header: string): RefusedPayment => ({
  title,
  code: 'payment_proof_malformed',
  x402Reason: 'invalid_payload',
  make: () => gateCase(null, { headers: { 'payment-signature': header } }),
})

/** A row whose payload is changed after it was signed. */
const altered = (title: string, code: PaymentRefusal, x402Reason: string, change: (payload: Payload) => object): RefusedPayment => ({
  title,
  code,
  x402Reason,
  make: async () => gateCase(change(await paymentPayload())),
})

/** A row whose echo of the requirement has another member. */
const echo = (member: string, x402Reason: string, change: object): RefusedPayment =>
  altered(`another ${member} is echoed`, 'payment_requirements_mismatch', x402Reason, (payload) => ({
    ...payload,
    accepted: { ...payload.accepted, ...change },
  }))

const extra = (member: keyof typeof REQUIREMENT.extra, x402Reason: string): RefusedPayment =>
  echo(`extra.${member}`, x402Reason, { extra: { ...REQUIREMENT.extra, [member]: 'other' } })

/** A row whose authorisation was signed as it is. */
const signed = (title: string, code: PaymentRefusal, x402Reason: string, change: Partial<Authorization>): RefusedPayment => ({
  title,
  code,
  x402Reason,
  make: async () => gateCase(await paymentPayload(change)),
})

/** A row whose authorisation has a malformed member. */
const misshapen = (title: string, change: object, x402Reason = 'invalid_payload'): RefusedPayment =>
  altered(title, 'payment_authorization_invalid', x402Reason, ({ payload, ...rest }) => ({
    ...rest,
    payload: { ...payload, authorization: { ...payload.authorization, ...change } },
  }))

const withSignature = (title: string, change: (signature: string) => string): RefusedPayment =>
  altered(title, 'payment_signature_invalid', SIGNATURE, ({ payload, ...rest }) => ({
    ...rest,
    payload: { ...payload, signature: change(payload.signature) },
  }))

const signedFor = (title: string, terms: object): RefusedPayment => ({
  title,
  code: 'payment_payer_mismatch',
  x402Reason: SIGNATURE,
  make: async () => gateCase(await paymentPayload({}, { terms: { ...TERMS, ...terms } })),
})

/** A row whose payment is in order and whose chain or records say otherwise. */
const found = (title: string, code: PaymentRefusal, x402Reason: string, changes: Partial<GateCase>): RefusedPayment => ({
  title,
  code,
  x402Reason,
  make: async () => gateCase(await paymentPayload(), changes),
})

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The second form of a signature, with `s` in the upper half. */
const highS = (signature: string): string => {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
}

const MARGIN = BigInt(TIMEOUT_SECONDS + 600)

/** Every payment that the gate refuses. */
export const REFUSED_PAYMENTS: readonly RefusedPayment[] = [
  { title: 'no header is sent', code: 'verification_payment_required', make: () => gateCase(null) },
  {
    title: 'the header is empty',
    code: 'verification_payment_required',
    make: () => gateCase(null, { headers: { 'payment-signature': ' ', 'x-payment': '' } }),
  },
  malformed('the header is no base64', '{"x402Version":2}'),
  malformed('the header is base64 without its end', 'eyJ4NDAyVmVyc2lvbiI6Mn'),
  malformed('the header is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')),
  malformed('the header is no JSON', Buffer.from('{"x402Version":2').toString('base64')),
  malformed('the header is a JSON list', Buffer.from('[]').toString('base64')),
  malformed('the header is JSON null', Buffer.from('null').toString('base64')),
  malformed('the header is too long', encodePaymentHeader({ x402Version: 2, padding: 'a'.repeat(8_000) })),
  altered('the payment has version 1', 'payment_version_unsupported', 'invalid_x402_version', ({ payload }) => ({
    x402Version: 1,
    scheme: 'exact',
    network: 'base',
    payload,
  })),
  altered('the payment has its version as text', 'payment_version_unsupported', 'invalid_x402_version', (payload) => ({
    ...payload,
    x402Version: '2',
  })),
  altered('the payment has no version', 'payment_version_unsupported', 'invalid_x402_version', ({ accepted, payload }) => ({
    accepted,
    payload,
  })),
  altered('nothing is echoed', 'payment_requirements_mismatch', 'invalid_exact_evm_scheme', ({ accepted: _accepted, ...rest }) => rest),
  echo('scheme', 'invalid_exact_evm_scheme', { scheme: 'upto' }),
  echo('network', 'invalid_exact_evm_network_mismatch', { network: 'eip155:84532' }),
  echo('asset', 'invalid_payment_requirements', { asset: TERMS.payTo }),
  echo('amount', 'invalid_payment_requirements', { amount: '4999999' }),
  echo('amount as a number', 'invalid_payment_requirements', { amount: 5_000_000 }),
  echo('payTo', 'invalid_exact_evm_recipient_mismatch', { payTo: payer.address }),
  echo('maxTimeoutSeconds', 'invalid_payment_requirements', { maxTimeoutSeconds: 60 }),
  extra('name', 'invalid_exact_evm_token_name_mismatch'),
  extra('version', 'invalid_exact_evm_token_version_mismatch'),
  extra('profile', 'invalid_payment_requirements'),
  extra('requestHash', 'invalid_payment_requirements'),
  echo('extra, none at all,', 'invalid_exact_evm_token_name_mismatch', { extra: undefined }),
  altered('the payload is one of Permit2', 'payment_authorization_invalid', 'unsupported_payload_type', (payload) => ({
    ...payload,
    payload: { signature: payload.payload.signature, permit2Authorization: {} },
  })),
  altered('there is no payload', 'payment_authorization_invalid', 'unsupported_payload_type', ({ payload: _payload, ...rest }) => rest),
  altered(
    'the signature is no hex',
    'payment_authorization_invalid',
    'invalid_exact_evm_failed_to_parse_signature',
    ({ payload, ...rest }) => ({
      ...rest,
      payload: { ...payload, signature: '0xzz' },
    }),
  ),
  misshapen('the payer is no address', { from: '0x1234' }),
  misshapen('the payer has a wrong checksum', { from: `0x${payer.address.slice(2, -1)}d` }),
  misshapen('the amount is a number', { value: 5_000_000 }),
  misshapen('the amount is hex', { value: '0x4c4b40' }),
  misshapen('the amount has leading zeros', { value: '05000000' }),
  misshapen('an instant is beyond 256 bits', { validBefore: (1n << 256n).toString() }),
  misshapen('the nonce is short', { nonce: '0x11' }),
  misshapen('the nonce is missing', { nonce: undefined }),
  signed('the authorisation pays another account', 'payment_recipient_mismatch', 'invalid_exact_evm_recipient_mismatch', {
    to: otherPayer.address,
  }),
  signed('the authorisation is for less', 'payment_exact_price_required', VALUE, { value: '4999999' }),
  signed('the authorisation is for more', 'payment_exact_price_required', VALUE, { value: '5000001' }),
  withSignature('the signature is empty', () => '0x'),
  withSignature('the signature has 64 bytes', (signature) => signature.slice(0, -2)),
  withSignature('the signature is one of a contract wallet', (signature) => `${signature}${'00'.repeat(32)}`),
  withSignature('the signature has its second form', highS),
  withSignature('the signature has another recovery id', (signature) => `${signature.slice(0, -2)}00`),
  withSignature('the signature recovers to no account', (signature) => `0x${'f'.repeat(64)}${signature.slice(66)}`),
  {
    title: 'another account signed',
    code: 'payment_payer_mismatch',
    x402Reason: SIGNATURE,
    make: async () => gateCase(await paymentPayload({}, { account: otherPayer })),
  },
  signedFor('the signature is for the symbol as the name of the token', { domain: { name: 'USDC', version: '2' } }),
  signedFor('the signature is for another version of the token', { domain: { name: 'USD Coin', version: '1' } }),
  signedFor('the signature is for another chain', { chainId: 1 }),
  signedFor('the signature is for another contract', { asset: { ...TERMS.asset, address: TERMS.payTo } }),
  altered('a member was changed after it was signed', 'payment_payer_mismatch', SIGNATURE, ({ payload, ...rest }) => ({
    ...rest,
    payload: { ...payload, authorization: { ...AUTHORIZATION, validBefore: '1893456001' } },
  })),
  found('the nonce belongs to another request', 'payment_authorization_reused', USED, {
    known: { requestHash: `0x${'2'.repeat(64)}` },
  }),
  signed(
    'the authorisation begins with the next second',
    'payment_authorization_not_yet_valid',
    'invalid_exact_evm_payload_authorization_valid_after',
    { validAfter: NOW.toString() },
  ),
  signed('the authorisation has expired', 'payment_authorization_expiry_margin_insufficient', VALID_BEFORE, {
    validBefore: (NOW - 1n).toString(),
  }),
  signed('the authorisation ends a second too early', 'payment_authorization_expiry_margin_insufficient', VALID_BEFORE, {
    validBefore: (NOW + MARGIN - 1n).toString(),
  }),
  signed('the authorisation lasts an hour and a second longer than needed', 'payment_authorization_invalid', 'invalid_payload', {
    validBefore: (NOW + MARGIN + 3_601n).toString(),
  }),
  found('the chain does not answer', 'payment_nonce_state_unavailable', ERROR, { facts: { ...FACTS, blockTime: null } }),
  found('the state of the nonce is not readable', 'payment_nonce_state_unavailable', ERROR, { facts: { ...FACTS, isNonceUsed: null } }),
  found('the authorisation is used on chain', 'payment_authorization_used', USED, { facts: { ...FACTS, isNonceUsed: true } }),
  found('the domain of the token is not readable', 'payment_domain_unavailable', ERROR, { facts: { ...FACTS, isDomainConfirmed: null } }),
  found('the token has another domain', 'payment_domain_unavailable', ERROR, { facts: { ...FACTS, isDomainConfirmed: false } }),
  found('the balance is not readable', 'payment_nonce_state_unavailable', ERROR, { facts: { ...FACTS, balanceRaw: null } }),
  found('the payer is a contract', 'payment_signature_invalid', SIGNATURE, { facts: { ...FACTS, isContract: true } }),
  found('the payer holds a unit too little', 'payment_insufficient_funds', 'invalid_exact_evm_insufficient_balance', {
    facts: { ...FACTS, balanceRaw: 4_999_999n },
  }),
  found('three runs of the payer could not be collected', 'payment_payer_blocked', ERROR, { unpaid: { open: 0, uncollectable: 3 } }),
  found('three runs of the payer are not over', 'payment_payer_blocked', ERROR, { unpaid: { open: 3, uncollectable: 0 } }),
  found('three runs of the payer are unpaid', 'payment_payer_blocked', ERROR, { unpaid: { open: 1, uncollectable: 2 } }),
]

/** A repeat of the payment of a stored run, whatever the chain says of it by now. */
export const repeatedPayment = async (): Promise<GateCase> =>
  gateCase(await paymentPayload(), {
    known: { requestHash: REQUEST_HASH },
    facts: { ...FACTS, blockTime: 1_893_456_000n, isNonceUsed: true, balanceRaw: 0n },
    unpaid: { open: 0, uncollectable: 3 },
  })
