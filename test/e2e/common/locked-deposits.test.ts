import { beforeAll, describe, expect, test } from '@jest/globals'
import { SiweMessage } from 'siwe'
import type { Hex } from 'viem'
import { idleAuthorisation } from '../../../domain/idle-allocation/terms.ts'
import { lockAuthorisation } from '../../../domain/locked-deposits/terms.ts'
import { consentTo, exitPath, idleRequest, lock, lockRequest, signedQuote } from '../../support/records/locked-deposits.ts'
import type { Agent, Reply } from '../support/http.ts'
import { fundedAgent } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })
let agent: Agent
let other: Agent
beforeAll(async () => {
  agent = await fundedAgent(world(), 60_000_000n)
  other = await fundedAgent(world(), 60_000_000n)
})

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The other signature of the same key over the same message. */
const malleable = (signature: Hex): string => {
  const s = (ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  return `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`
}
type Consent = Awaited<ReturnType<typeof signedQuote>>
const entries = async (who: Agent): Promise<unknown[]> => (await who.get('/me')).lockedDeposits.entries

describe('a quote', () => {
  test.each([
    [{ amount: '0' }, '/amount'],
    [{ amount: '1.5' }, '/amount'],
    [{ amount: '-1' }, '/amount'],
    [{ amount: 5 }, '/amount'],
    [{ tier: 'flex' }, '/tier'],
    [{ tier: 't91' }, '/tier'],
    [{ consentNonce: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6' }, '/consentNonce'],
    [{ consentNonce: 'short' }, '/consentNonce'],
    [{ publicProfileOptIn: true }, '/publicProfileOptIn'],
    [{ tier: 't90', publicProfileOptIn: 'yes' }, '/publicProfileOptIn'],
    [{ asset: 'DOT' }, '/asset'],
    [{ amountRaw: '1000000' }, '/amountRaw'],
  ])('with %j is refused, and stores nothing', async (wrong, pointer) => {
    const stored = () =>
      world().database.rows.selectFrom('quote').select('termsHash').where('wallet', '=', agent.account.address.toLowerCase()).execute()
    const before = await stored()
    const { code, errors } = await agent.post('/locked-deposits/quote', { ...lockRequest('1000000'), ...wrong }, 400)
    expect([code, errors.map((error: { pointer: string }) => error.pointer)]).toEqual(['invalid_request', [pointer]])
    expect(await stored()).toEqual(before)
  })

  test('of more than the wallet has or may lock is refused with the amounts', async () => {
    const poor = await fundedAgent(world(), 1_000_000n)
    expect(await poor.post('/locked-deposits/quote', lockRequest('1000001'), 409)).toMatchObject({
      code: 'locked_tier_insufficient_aac_liquid',
      details: { available: { raw: '1000000' }, requested: { raw: '1000001' } },
    })
    expect(await agent.post('/locked-deposits/quote', lockRequest('25000001'), 409)).toMatchObject({
      code: 'locked_tier_per_wallet_cap_exceeded',
      details: { limit: { raw: '25000000' } },
    })
  })

  test('has exactly the lines of a sign-in message to sign, and the reference parser takes it', async () => {
    const request = lockRequest('15000000')
    const { terms, termsHash, consent } = await agent.post('/locked-deposits/quote', request)
    const lines: string[] = consent.message.split('\n')
    const { host, origin } = new URL(world().info.api ?? '')
    expect(lines).toEqual([
      `${host} wants you to sign in with your Ethereum account:`,
      agent.account.address,
      '',
      `${lockAuthorisation(terms)} Hash of the terms: ${termsHash}`,
      '',
      `URI: ${origin}/locked-deposits/consent`,
      'Version: 1',
      `Chain ID: ${world().chain.chainId}`,
      `Nonce: ${request.consentNonce}`,
      `Issued At: ${terms.issuedAt}`,
      `Expiration Time: ${terms.quoteExpiresAt}`,
    ])
    expect(lines[3]).toMatch(
      /^I lock 15 USDC of my balance in the account contract as a locked deposit of tier t30 for 30 days from my consent/,
    )
    expect(new SiweMessage(consent.message)).toMatchObject({ statement: lines[3], nonce: request.consentNonce })
    const idle = await agent.post('/account/idle-allocation/quote', idleRequest())
    const lent = new SiweMessage(idle.consent.message)
    expect(lent.statement).toBe(`${idleAuthorisation(idle.terms)} Hash of the terms: ${idle.termsHash}`)
    expect(consent.submit).toEqual({ method: 'POST', path: '/locked-deposits/consent' })
  })
})

describe('a consent', () => {
  type Change = (consent: Consent) => Promise<Consent> | Consent
  const otherTerms: [string, Change][] = [
    ['to a larger amount', (consent) => ({ ...consent, terms: { ...consent.terms, amountRaw: '2000000' } })],
    ['to terms without a member', ({ terms: { nav: _, ...terms }, ...consent }) => ({ ...consent, terms })],
    ['to terms with one more member', (consent) => ({ ...consent, terms: { ...consent.terms, extra: 1 } })],
  ]
  const signed = (sign: (signature: Hex) => Promise<string> | string): Change => {
    return async (consent) => ({ ...consent, consentSignature: (await sign(consent.consentSignature)) as Hex })
  }
  const otherSigners: [string, Change][] = [
    ['with the other form of its signature', signed(malleable)],
    ['signed by another key', signed(() => other.account.signMessage({ message: 'something else' }))],
    [
      'with a signed sign-in message',
      signed(async () => {
        const { message } = await world().expectCall(200, '/auth/nonce', { body: { wallet: agent.account.address } })
        return agent.account.signMessage({ message })
      }),
    ],
  ]
  const rows: [string, Change, string][] = [
    ['to an unknown quote', (consent) => ({ ...consent, termsHash: `0x${'0'.repeat(64)}` }), '409 locked_tier_quote_unknown'],
    ['with a signature of 63 bytes', signed((signature) => signature.slice(0, -4)), '400 invalid_request'],
    ['with a signature of 64 bytes', signed((signature) => signature.slice(0, -2)), '409 locked_tier_consent_signer_mismatch'],
    ...otherTerms.map(([name, change]): [string, Change, string] => [name, change, '409 locked_tier_terms_hash_mismatch']),
    ...otherSigners.map(([name, change]): [string, Change, string] => [name, change, '409 locked_tier_consent_signer_mismatch']),
  ]
  test.each(rows)('%s is refused, and locks nothing', async (_name, change, refusal) => {
    const before = await entries(agent)
    const consent = await signedQuote(agent)
    const { status, body }: Reply = await agent.call('/locked-deposits/consent', { body: await change(consent) })
    expect(`${status} ${body.code}`).toBe(refusal)
    expect(await entries(agent)).toEqual(before)
    // The quote itself is still good, also with its members in another order.
    const terms = Object.fromEntries(Object.entries(consent.terms).reverse())
    expect((await agent.post('/locked-deposits/consent', { ...consent, terms }, 201)).created).toBe(true)
  })

  test('to the quote of another wallet is refused', async () => {
    const consent = await signedQuote(other)
    expect(await agent.post('/locked-deposits/consent', consent, 409)).toMatchObject({ code: 'locked_tier_consent_binding_mismatch' })
    const own = await consentTo(agent, await other.post('/locked-deposits/quote', lockRequest('1')))
    expect(await other.post('/locked-deposits/consent', own, 409)).toMatchObject({ code: 'locked_tier_consent_signer_mismatch' })
  })

  test.each([
    ['with a nonce of its own', () => lockRequest('1').consentNonce],
    [
      'with the nonce of a sign-in',
      async () => (await world().expectCall(200, '/auth/nonce', { body: { wallet: agent.account.address } })).nonce,
    ],
  ])('%s gives no token as a sign-in', async (_name, nonce) => {
    const { consent } = await agent.post('/locked-deposits/quote', { ...lockRequest('1000000'), consentNonce: await nonce() })
    const signature = await agent.account.signMessage({ message: consent.message })
    const reply = await world().call('/auth/verify', { body: { message: consent.message, signature } })
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    expect(reply.body.token).toBeUndefined()
  })

  test('to a balance that was spent after the quote is refused', async () => {
    const leaver = await fundedAgent(world(), 2_000_000n)
    const [first, second] = [await signedQuote(leaver, lockRequest('1500000')), await signedQuote(leaver, lockRequest('1500000'))]
    await leaver.post('/locked-deposits/consent', first, 201)
    expect(await leaver.post('/locked-deposits/consent', second, 409)).toMatchObject({
      code: 'locked_tier_insufficient_aac_liquid',
      details: { available: { raw: '500000' }, encumbered: { raw: '1500000' } },
    })
  })
})

describe('an exit', () => {
  test('of a lock of another wallet, of none, or of a bad id is refused', async () => {
    const { id } = await lock(other)
    expect(await agent.post(exitPath(id), {}, 404)).toMatchObject({ code: 'locked_tier_not_found' })
    expect(await agent.post(exitPath(`0x${'1'.repeat(64)}`), {}, 404)).toMatchObject({ code: 'locked_tier_not_found' })
    await agent.post(exitPath('0x12'), {}, 400)
    await other.post(exitPath(id), { amount: '1' }, 400)
    expect((await entries(other))[0]).toMatchObject({ id, status: 'active' })
    await other.post(exitPath(id), {})
  })
})
