import { describe, expect, test } from '@jest/globals'
import { domainSeparator, hashTypedData } from 'viem'
import { createPaymentGate } from '../../../../activities/paid-verification/payment/gate.ts'
import { recoverPayer } from '../../../../activities/paid-verification/payment/signature.ts'
import { encodePaymentHeader } from '../../../../domain/paid-verification/payment-headers.ts'
import { readPresentedPayment, tokenDomain, transferTypedData } from '../../../../domain/paid-verification/presented-payment.ts'
import { ERRORS, isServiceError, ServiceError } from '../../../../schemas/errors.ts'
import {
  AUTHORIZATION,
  FACTS,
  type GateCase,
  gateCase,
  NOW,
  otherPayer,
  payer,
  paymentPayload,
  REQUEST_HASH,
  REQUIREMENT,
  signAuthorization,
  TERMS,
  TIMEOUT_SECONDS,
} from '../../../domain/paid-verification/builders/payments.ts'
import { REFUSED_PAYMENTS, repeatedPayment } from '../../../domain/paid-verification/builders/refused-payments.ts'

/** The gate over the facts of a case, and what it asked for, in order. */
const pass = async ({ headers, known, facts, unpaid, ...demanded }: GateCase, assertSold = async (): Promise<void> => undefined) => {
  const asked: string[] = []
  const ask = async <T>(name: string, value: T): Promise<T> => {
    asked.push(name)
    return value
  }
  const gate = createPaymentGate({
    chain: { terms: TERMS, readFacts: () => ask('chain', { ...facts, blockNumber: 7n }) },
    records: { findKnown: () => ask('nonce', known), countUnpaid: () => ask('unpaid', unpaid) },
    assertSold,
  })
  const outcome = await gate(headers, demanded).catch((error: unknown) => {
    if (isServiceError(error)) return error
    throw error
  })
  return { outcome, asked }
}

const authorization = {
  ...AUTHORIZATION,
  value: 5_000_000n,
  validAfter: 0n,
  validBefore: 1_893_456_000n,
  to: TERMS.payTo,
}

describe('the signature of a payment', () => {
  test('digest, domain and signature are those of the specification', async () => {
    expect(domainSeparator({ domain: tokenDomain(TERMS) })).toBe('0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f')
    expect(hashTypedData(transferTypedData(authorization, TERMS))).toBe(
      '0xdee8474de4c6427288376ff01bf960be0373a415051d6ecf1e2b55b81891fcd7',
    )
    expect(await signAuthorization(AUTHORIZATION)).toBe(
      '0xbd8fd6d2197efc82240180f3318df765cf96f1ee15020a46ca093f18f28b251753913a6ed36615a52aebae9d0c904b616ddadbd01d3d8a8af26d4fb36511458a1c',
    )
  })

  test('a payer is recovered from its signature, in lower case', async () => {
    const { headers, requirement } = gateCase(await paymentPayload())
    const payment = readPresentedPayment(headers, requirement)
    expect(await recoverPayer(payment, TERMS)).toBe(payer.address.toLowerCase())
  })
})

describe('the payment gate', () => {
  test.each(REFUSED_PAYMENTS)('a payment is refused with $code when $title', async ({ code, x402Reason, make }) => {
    const given = await make()
    const { outcome } = await pass(given)
    expect(outcome).toMatchObject({ code })
    const { details } = (outcome as { info: { details?: Record<string, unknown> } }).info
    expect(details?.x402Reason).toBe(x402Reason)
    expect([402, 409, 503]).toContain(ERRORS[code].status)
  })

  test('the rows name every refusal of a payment', () => {
    const codes = Object.keys(ERRORS).filter((code) => code.startsWith('payment_') || code === 'verification_payment_required')
    expect(new Set(REFUSED_PAYMENTS.map(({ code }) => code))).toEqual(new Set(codes))
  })

  test('a payment in order is taken for a new run', async () => {
    const { outcome, asked } = await pass(gateCase(await paymentPayload()))
    const from = payer.address.toLowerCase()
    expect(outcome).toMatchObject({ isRepeat: false, payment: { from, to: TERMS.payTo, value: 5_000_000n, network: 'eip155:8453' } })
    expect(asked).toEqual(['nonce', 'chain', 'unpaid'])
  })

  test.each(['payment-signature', 'x-payment', 'verification-payment'] as const)('a payment is read from the header %s', async (name) => {
    const { headers, ...rest } = gateCase(await paymentPayload())
    const { outcome } = await pass({ ...rest, headers: { [name]: headers['payment-signature'] } })
    expect(outcome).toMatchObject({ isRepeat: false })
  })

  test('the first of several payment headers counts', async () => {
    const { headers, ...rest } = gateCase(await paymentPayload())
    const { outcome } = await pass({ ...rest, headers: { ...headers, 'x-payment': 'not base64' } })
    expect(outcome).toMatchObject({ isRepeat: false })
    expect(
      (await pass({ ...rest, headers: { 'payment-signature': '!', 'x-payment': headers['payment-signature'] as string } })).outcome,
    ).toMatchObject({
      code: 'payment_proof_malformed',
    })
  })

  test('a payment is taken that ends with the demanded margin and began a second ago', async () => {
    const validBefore = (NOW + BigInt(TIMEOUT_SECONDS + 600)).toString()
    const { outcome } = await pass(gateCase(await paymentPayload({ validAfter: (NOW - 1n).toString(), validBefore })))
    expect(outcome).toMatchObject({ isRepeat: false })
  })

  test('a payment is taken whose echo writes addresses in mixed case and has further members', async () => {
    const payload = await paymentPayload()
    const accepted = { ...payload.accepted, payTo: AUTHORIZATION.to, note: 'mine' }
    const { outcome } = await pass(gateCase({ ...payload, accepted, extensions: { any: 1 }, resource: { url: 'https://a.example' } }))
    expect(outcome).toMatchObject({ isRepeat: false })
  })

  const CLOSED = { name: 'ServiceError', code: 'verification_profile_unavailable' }
  const refuseAll = () => Promise.reject(new ServiceError('verification_profile_unavailable'))

  test.each<[string, Partial<GateCase>]>([
    ['the chain has moved on', {}],
    ['the price has changed', { requirement: { ...REQUIREMENT, amount: '7000000' } }],
    ['the time offered has changed', { requirement: { ...REQUIREMENT, maxTimeoutSeconds: 1 }, timeoutSeconds: 1 }],
    ['the payee has changed', { requirement: { ...REQUIREMENT, payTo: otherPayer.address.toLowerCase() as `0x${string}` } }],
    ['the payment is the same and the echo is lost', { headers: {} }],
  ])('a repeat of a stored payment is recognised when %s, also while no run is sold, and the chain is not read', async (_why, changes) => {
    const given = await repeatedPayment()
    const { accepted: _accepted, ...bare } = await paymentPayload()
    const headers = changes.headers === undefined ? given.headers : { 'payment-signature': encodePaymentHeader(bare) }
    const { outcome, asked } = await pass({ ...given, ...changes, headers }, refuseAll)
    expect(outcome).toMatchObject({ isRepeat: true, payment: { value: 5_000_000n, to: TERMS.payTo } })
    expect(asked).toEqual(['nonce'])
  })

  test('a repeat that its payer did not sign is refused as a new payment is', async () => {
    const known = { requestHash: REQUEST_HASH }
    const forged = gateCase(await paymentPayload({}, { account: otherPayer }), { known })
    expect((await pass(forged)).outcome).toMatchObject({ code: 'payment_payer_mismatch' })
    const dearer = { ...forged, requirement: { ...REQUIREMENT, amount: '7000000' } }
    expect((await pass(dearer)).outcome).toMatchObject({ code: 'payment_requirements_mismatch' })
    expect((await pass(forged, refuseAll)).outcome).toMatchObject(CLOSED)
  })

  test.each<[string, () => GateCase | Promise<GateCase>]>([
    ['no payment', () => gateCase(null)],
    ['a new payment', async () => gateCase(await paymentPayload())],
  ])('%s is refused while no run is sold', async (_title, make) => {
    expect((await pass(await make(), refuseAll)).outcome).toMatchObject(CLOSED)
  })

  test.each([
    ['no payment', gateCase(null), []],
    ['a payment of another signer', null, ['nonce']],
    ['a payment that the chain refuses', 'chain', ['nonce', 'chain']],
  ] as const)('%s costs only the reads before its refusal', async (_title, given, expected) => {
    const other = { ...gateCase(await paymentPayload()), facts: { ...FACTS, isNonceUsed: true } }
    const forged = gateCase({
      ...(await paymentPayload()),
      payload: (await paymentPayload({ value: '5000000' }, { terms: { ...TERMS, chainId: 1 } })).payload,
    })
    const input = given === null ? forged : given === 'chain' ? other : given
    expect((await pass(input)).asked).toEqual(expected)
  })
})
