import { describe, expect, test } from '@jest/globals'
import { sha256Of } from '../../../domain/common/hashes.ts'
import {
  listProfiles,
  paymentAvailability,
  quoteRun,
  readVerificationRequest,
  runnerAvailability,
  x402Manifest,
} from '../../../domain/paid-verification/offers.ts'
import { decodePaymentHeader, encodePaymentHeader } from '../../../domain/paid-verification/payment-headers.ts'
import { challengeOf, settlementHeaders } from '../../../domain/paid-verification/requirements.ts'
import { PaymentRequiredShape, SettleResponseShape } from '../../../schemas/paid-verification/payment.ts'
import { PROFILE_DOCUMENT_MEMBERS } from '../../../schemas/paid-verification/profiles/profiles.ts'
import { QuoteShape, X402ManifestShape } from '../../../schemas/paid-verification/shapes.ts'
import { refusalOf } from '../builders/refusal.ts'
import { TERMS } from './builders/payments.ts'
import { GIT_PATCH, MCP_FAILURE, STRUCTURED_OUTPUT } from './builders/requests.ts'

const SERVICE = { baseUrl: 'https://work.example', serviceName: 'work' }
const sale = (terms: typeof TERMS | null) => ({ terms, hasSecret: true, hasSettler: true })
const AVAILABLE = paymentAvailability(sale(TERMS), true)
const always = (availability: typeof AVAILABLE) => () => availability
const NOW = Date.UTC(2026, 10, 30)
const REQUESTS = [
  { profile: 'git-patch-tests-v1', profileVersion: 1, ...GIT_PATCH },
  { profile: 'mcp-failure-semantics-v1', profileVersion: 1, ...MCP_FAILURE },
  { profile: 'structured-output-evidence-v1', profileVersion: 1, ...STRUCTURED_OUTPUT },
]
const quote = (request: (typeof REQUESTS)[number]) =>
  quoteRun(readVerificationRequest(request), { terms: TERMS, availability: AVAILABLE, now: NOW })

describe('the price of a run', () => {
  test.each(REQUESTS)('quote and 402 of $profile agree in every member, and discovery in all that knows no request', (request) => {
    const read = readVerificationRequest(request)
    const quoted = QuoteShape.parse(quote(request))
    const { challenge, headers } = challengeOf(SERVICE, { terms: TERMS, ...read })
    expect(PaymentRequiredShape.parse(challenge)).toEqual(challenge)
    expect(challenge.accepts).toEqual(quoted.accepts)
    for (const header of Object.values(headers)) expect(decodePaymentHeader(header)).toEqual(challenge)
    expect(Object.keys(headers)).toEqual(['PAYMENT-REQUIRED', 'X-PAYMENT-REQUIRED'])

    const item = x402Manifest(SERVICE, TERMS, always(AVAILABLE)).items.find(
      ({ accepts }) => accepts[0]?.extra.profile === quoted.profileRef,
    )
    const { extra, ...shared } = challenge.accepts[0] ?? { extra: {} }
    const { requestHash, ...unbound } = extra as { requestHash?: string }
    expect(item?.accepts).toEqual([{ ...shared, extra: unbound }])
    expect(item?.resource).toEqual(challenge.resource)
    expect(requestHash).toBe(quoted.requestHash)
  })

  test('a requirement asks for the price, the payee and the time-out with 900 seconds', () => {
    expect(quote(REQUESTS[0] as never).accepts).toEqual([
      {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: TERMS.asset.address,
        amount: '5000000',
        payTo: TERMS.payTo,
        maxTimeoutSeconds: 1_020,
        extra: { name: 'USD Coin', version: '2', profile: 'git-patch-tests-v1@1', requestHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      },
    ])
    expect(quote(REQUESTS[1] as never).accepts[0]?.maxTimeoutSeconds).toBe(930)
  })

  test('a refused payment is named in the challenge by the word of the protocol', () => {
    const read = readVerificationRequest(REQUESTS[1] as never)
    expect(challengeOf(SERVICE, { terms: TERMS, ...read, error: 'invalid_payload' }).challenge).toMatchObject({ error: 'invalid_payload' })
  })

  test('a quote states the price in both forms and lasts a quarter of an hour', () => {
    expect(quote(REQUESTS[2] as never)).toMatchObject({
      price: {
        amount: '5',
        amountRaw: '5000000',
        asset: 'USDC',
        decimals: 6,
        network: 'eip155:8453',
        billingRule: 'inconclusive_not_billed',
      },
      expiresAt: '2026-11-30T00:15:00.000Z',
      availability: { status: 'available' },
    })
  })

  test.each([
    ['without a payee', { ...sale(null) }, null, 'payment_not_configured'],
    ['without a secret of the ids', { ...sale(TERMS), hasSecret: false }, true, 'run_secret_missing'],
    ['without a key that takes payments', { ...sale(TERMS), hasSettler: false }, true, 'settler_not_configured'],
    ['while the payment chain is away', sale(TERMS), null, 'payment_chain_unreachable'],
    ['of a token with another domain', sale(TERMS), false, 'payment_domain_differs'],
  ] as const)('no run is sold %s', (_title, given, isConfirmed, reasonCode) => {
    const availability = paymentAvailability(given, isConfirmed)
    const { terms } = given
    expect(availability).toMatchObject({ status: 'unavailable', reasonCode, reason: expect.any(String) })
    const read = readVerificationRequest(REQUESTS[1] as never)
    expect(refusalOf(() => quoteRun(read, { terms, availability, now: NOW }))).toMatchObject({
      code: 'verification_profile_unavailable',
      info: { reason: reasonCode },
    })
    expect(x402Manifest(SERVICE, terms, always(availability)).items).toEqual([])
  })

  test.each([
    ['one runner is ready', { ready: 1, unable: ['bubblewrap is not installed.'] }, 'available', undefined],
    ['no runner polls', { ready: 0, unable: [] }, 'unavailable', 'No runner takes work now.'],
    ['runners lack a sandbox', { ready: 0, unable: ['this is darwin.'] }, 'unavailable', 'No runner has a sandbox: this is darwin.'],
    ['the engine does not answer', null, 'unavailable', 'The workflow engine does not answer now.'],
  ] as const)('a profile that runs programs where %s', (_title, runners, status, reason) => {
    const availability = runnerAvailability(runners)
    expect(availability).toEqual(reason === undefined ? { status } : { status, reasonCode: 'runner_unavailable', reason })
    const sold = x402Manifest(SERVICE, TERMS, (ref) => (ref === 'git-patch-tests-v1@1' ? availability : AVAILABLE)).items
    expect(sold).toHaveLength(status === 'available' ? 3 : 2)
  })

  test('an unknown profile and broken inputs are refused before the availability counts', () => {
    const request = { ...REQUESTS[1], profileVersion: 2 } as never
    expect(refusalOf(() => readVerificationRequest(request))?.code).toBe('verification_profile_not_found')
    expect(refusalOf(() => readVerificationRequest({ ...REQUESTS[1], inputs: { a: 1 } } as never))?.code).toBe('invalid_request')
  })
})

describe('the list of profiles', () => {
  test.each([TERMS, null, { ...TERMS, payTo: TERMS.asset.address, priceRaw: 1n, chainId: 1, network: 'eip155:1' }])(
    'a reader computes each digest from the members that it names, whatever the settings (%#)',
    (terms) => {
      const { profiles } = listProfiles(terms, always(paymentAvailability(sale(terms), true)))
      expect(profiles).toHaveLength(3)
      for (const profile of profiles) {
        const document = Object.fromEntries(Object.keys(PROFILE_DOCUMENT_MEMBERS).map((name) => [name, profile[name as 'name']]))
        expect(sha256Of(document)).toBe(profile.profileDigest)
      }
      expect(profiles.map(({ price }) => price?.amountRaw ?? null)).toEqual(Array(3).fill(terms?.priceRaw.toString() ?? null))
    },
  )

  test('the schema of a body in discovery names the profile and its version', () => {
    const { items, lastUpdated } = X402ManifestShape.parse(x402Manifest(SERVICE, TERMS, always(AVAILABLE)))
    expect(items).toHaveLength(3)
    expect(items[0]?.input.body).toMatchObject({
      required: ['profile', 'profileVersion', 'target', 'inputs'],
      properties: { profile: { const: 'git-patch-tests-v1' }, profileVersion: { const: 1 }, target: { type: 'object' } },
    })
    expect(lastUpdated).toBe(Date.UTC(2026, 10, 30) / 1_000)
  })
})

describe('headers of x402', () => {
  test('an object survives its header, text beyond ASCII too', () => {
    const value = { x402Version: 2, text: 'żółw 🐢' }
    expect(decodePaymentHeader(encodePaymentHeader(value))).toEqual(value)
  })

  test('the outcome of a payment stands in both headers of the answer', () => {
    const transaction = `0x${'a'.repeat(64)}`
    const outcome = { success: true, payer: TERMS.payTo, transaction, network: TERMS.network, amount: '5000000' }
    const headers = settlementHeaders(SettleResponseShape.parse(outcome))
    expect(Object.keys(headers)).toEqual(['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'])
    for (const header of Object.values(headers)) expect(decodePaymentHeader(header)).toEqual(outcome)
    expect(SettleResponseShape.safeParse({ ...outcome, success: false, transaction: '' }).success).toBe(true)
    expect(SettleResponseShape.safeParse({ ...outcome, transaction: '0x12' }).success).toBe(false)
  })

  test.each(['', 'eyJ9', 'e30', 'e30==', 'e3-_', ' e30=', '"e30="'])('%j is no header', (header) => {
    expect(decodePaymentHeader(header)).toBeNull()
  })
})
