import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { findNonceTrouble, type NonceFacts, nonceRemedy } from '../../../domain/chain/nonce-trouble.ts'
import { replacementFees } from '../../../domain/chain/replacement-fees.ts'

const NOW = 1_000_000
const facts = (changes: Partial<NonceFacts> = {}): NonceFacts => ({
  chainLatest: 7,
  chainPending: 7,
  nextNonce: 9,
  lowest: { status: 'broadcast', since: NOW - 120_000 },
  ...changes,
})
const kindOf = (changes: Partial<NonceFacts>) => findNonceTrouble(facts(changes), NOW, 120)?.kind ?? null

describe('the lowest open nonce of a signer', () => {
  test('is stuck from its second on, and not before', () => {
    expect(findNonceTrouble(facts(), NOW, 120)).toEqual({ kind: 'stuck', nonce: 7, forSeconds: 120 })
    expect(findNonceTrouble(facts({ lowest: { status: 'broadcast', since: NOW - 119_999 } }), NOW, 120)).toBeNull()
  })

  test('is refused when no write address takes its bytes, and behind when the journal holds it for decided', () => {
    expect(kindOf({ lowest: { status: 'signed', since: 0 } })).toBe('refused')
    expect(kindOf({ lowest: { status: 'closed', since: 0 } })).toBe('behind')
  })

  test('is missing at once when no transaction holds it, unless one of another sender waits in the pool', () => {
    expect(kindOf({ lowest: null })).toBe('missing')
    expect(kindOf({ lowest: null, chainPending: 8 })).toBeNull()
  })

  test('is no trouble while the chain has counted everything that was handed out', () => {
    expect(kindOf({ chainLatest: 9, chainPending: 9, lowest: null })).toBeNull()
    expect(kindOf({ chainLatest: 12, chainPending: 12, lowest: null })).toBeNull()
  })

  test('comes with the command that helps', () => {
    const trouble = { nonce: 7, forSeconds: 1 }
    expect(nonceRemedy({ kind: 'stuck', ...trouble })).toBe('npm run nonce -- replace 7')
    expect(nonceRemedy({ kind: 'refused', ...trouble }, 'verifier')).toBe('npm run nonce -- replace 7 --signer verifier')
    expect(nonceRemedy({ kind: 'missing', ...trouble }, 'operator')).toBe('npm run nonce -- fill 7 --signer operator')
    expect(nonceRemedy({ kind: 'behind', ...trouble })).toBe('npm run nonce -- resend 7')
  })
})

describe('fees of a replacement', () => {
  const fee = fc.bigInt({ min: 0n, max: 10n ** 14n })
  const fees = fc.record({ maxFeePerGas: fee, maxPriorityFeePerGas: fee })

  test('are an eighth above both caps of the old one, never below the quote, and the tip is never above the whole', () => {
    fc.assert(
      fc.property(fees, fees, (old, quote) => {
        const raised = replacementFees(old, quote)
        for (const cap of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
          if (raised[cap] <= old[cap] || raised[cap] * 8n < old[cap] * 9n || raised[cap] < quote[cap]) return false
        }
        return raised.maxPriorityFeePerGas <= raised.maxFeePerGas
      }),
    )
  })

  test('are no more than that', () => {
    const old = { maxFeePerGas: 800n, maxPriorityFeePerGas: 80n }
    const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas })
    expect(replacementFees(old, fees(1n, 1n))).toEqual(fees(900n, 90n))
    expect(replacementFees(old, fees(5_000n, 95n))).toEqual(fees(5_000n, 95n))
  })
})
