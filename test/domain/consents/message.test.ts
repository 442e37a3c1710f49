import { describe, expect, test } from '@jest/globals'
import { SiweMessage } from 'siwe'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { type ConsentProduct, consentMessage, consentStatement, type OfferedTerms } from '../../../domain/consents/message.ts'
import { IDLE_CONSENT, idleAuthorisation, idleTerms, type VenueState } from '../../../domain/idle-allocation/terms.ts'
import { LOCK_CONSENT, lockAuthorisation, lockTerms } from '../../../domain/locked-deposits/terms.ts'
import { TERM_TIERS, type TermTier } from '../../../schemas/locked-deposits/record.ts'
import { WALLET } from '../builders/eligibility.ts'

const NOW = Date.parse('2027-01-01T00:00:00.000Z')
const ASSET = { symbol: 'USDC', address: `0x${'C'.repeat(40)}`, decimals: 6, chainId: 420420417 }
const SERVICE = { domain: 'work.example', baseUrl: 'https://work.example', chainId: ASSET.chainId }
const ASKER = { wallet: WALLET, consentNonce: 'abcdefgh' }

const lockConsent = (tier: TermTier, amountRaw: bigint, publicProfileOptIn: boolean) => {
  const pool = { block: 1n, managedRaw: 2n, supplyRaw: 1n, placedRaw: 0n, headroomRaw: 0n, holderHeadroomRaw: 0n, balanceRaw: 0n }
  const gate = {} as Parameters<typeof lockTerms>[2]['gate']
  const terms = lockTerms({ ...ASKER, tier, amountRaw, publicProfileOptIn }, ASSET, { gate, pool, now: NOW })
  return { product: LOCK_CONSENT, terms, authorises: lockAuthorisation(terms) }
}
const idleConsent = (venue: VenueState) => {
  const terms = idleTerms(ASKER, { asset: ASSET, depositPool: `0x${'D'.repeat(40)}`, venue, now: NOW })
  return { product: IDLE_CONSENT, terms, authorises: idleAuthorisation(terms) }
}
type Consent = { product: ConsentProduct; terms: OfferedTerms; authorises: string }
const messageOf = ({ product, terms, authorises }: Consent) =>
  consentMessage(product, { terms, statement: consentStatement(authorises, terms) }, SERVICE)

const LEAVING =
  'If I leave early: The principal returns through a normal withdrawal 48 hours after the request, without haircut or fee. Perks end at once.'

describe('the message of a consent', () => {
  const locks = TERM_TIERS.flatMap((tier) => [1n, 25_000_000n].map((amountRaw) => lockConsent(tier, amountRaw, tier === 't90')))
  const idle = (['unbound', 'inactive', 'active'] as const).map(idleConsent)
  test.each<Consent>([...locks, ...idle])('%# is one that the reference parser of EIP-4361 takes, with every line', (consent) => {
    const { statement, ...parsed } = new SiweMessage(messageOf(consent))
    expect(statement).toBe(`${consent.authorises} Hash of the terms: ${keccakOf(consent.terms)}`)
    expect(parsed).toMatchObject({
      domain: SERVICE.domain,
      address: consent.terms.wallet,
      uri: `${SERVICE.baseUrl}${consent.product.path}`,
      chainId: SERVICE.chainId,
      nonce: 'abcdefgh',
      issuedAt: '2027-01-01T00:00:00.000Z',
      expirationTime: '2027-01-01T00:10:00.000Z',
    })
  })

  test.each([
    ['t7', 1n, '0.000001 USDC', 7, '2027-01-08T00:10:00.000Z', LEAVING],
    ['t30', 15_000_000n, '15 USDC', 30, '2027-01-31T00:10:00.000Z', `${LEAVING} The yield share of the current period is forfeited.`],
  ] as const)(
    'to a lock of %s says amount, product, term, end and cost of leaving early',
    (tier, amountRaw, amount, days, end, leaving) => {
      expect(lockConsent(tier, amountRaw, false).authorises).toBe(
        `I lock ${amount} of my balance in the account contract as a locked deposit of tier ${tier} for ${days} days from my consent, until ${end} at the latest. No funds move. ${leaving}`,
      )
    },
  )

  test('to a lock says that the profile shows it only where the wallet asked for that', () => {
    const shown = 'My public profile shows that I am a committed depositor.'
    expect([true, false].map((optIn) => lockConsent('t90', 1n, optIn).authorises.includes(shown))).toEqual([true, false])
  })

  test('to idle-balance allocation says amounts, product, term, end and cost of leaving early', () => {
    expect(idleConsent('active').authorises).toBe(
      'I let the operator lend my idle balance to the deposit pool: what exceeds 2 USDC and my locked deposits, 0.5 USDC or more a movement and at most 25 USDC an hour, for 90 days, until 2027-04-01T00:00:00.000Z or until I revoke it. A loss of the pool is my loss. Leaving early costs nothing: I revoke at any time and take lent balance back while the buffer of the pool covers it.',
    )
  })

  test.each(['{', '}', '"', '\n', 'é', '%'])('is not built with %j in its statement', (character) => {
    const { terms } = idleConsent('active')
    expect(() => consentStatement(`I lend ${character}.`, terms)).toThrow('outside the grammar')
  })
})
