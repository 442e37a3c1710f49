import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { idleConsentStatus } from '../../../domain/idle-allocation/consent.ts'
import { IDLE_LIMITS, type IdleFacts, planIdleMove } from '../../../domain/idle-allocation/plan.ts'
import { type IdleAsset, idleTerms } from '../../../domain/idle-allocation/terms.ts'
import { runsOf } from '../../support/cases/sample.ts'

const NOW = Date.parse('2027-01-01T00:00:00.000Z')
const DAY = 86_400_000
const ASSET: IdleAsset = { symbol: 'USDC', address: `0x${'C'.repeat(40)}`, decimals: 6, chainId: 420420417 }
const POOL = `0x${'D'.repeat(40)}`

const run = (ofWalletRaw: bigint, ofAllRaw: bigint) => ({ ofWalletRaw, ofAllRaw })
const facts = (changes: Partial<Omit<IdleFacts, 'position'>> & { liquid?: bigint; debtOutstanding?: bigint } = {}): IdleFacts => {
  const { liquid = 10_000_000n, debtOutstanding = 0n, ...others } = changes
  return {
    position: { liquid, reserved: 0n, strategyAllocated: 0n, collateralLocked: 0n, jobStakeLocked: 0n, debtOutstanding },
    encumberedRaw: 0n,
    allocatedRaw: 0n,
    book: { managedRaw: 1_000_000n, supplyRaw: 1_000_000n },
    poolHeadroomRaw: 100_000_000n,
    poolBufferRaw: 100_000_000n,
    run: run(0n, 0n),
    ...others,
  }
}

/** A pool at its cap, in which only the seed has shares. */
const DEAR = { managedRaw: 999_000_000n, supplyRaw: 1_000_000n }

describe('a movement', () => {
  type Changes = Parameters<typeof facts>[0]
  test.each<[Changes, 'allocate' | 'recall' | null, bigint]>([
    [{ liquid: 2_499_999n }, null, 0n],
    [{ liquid: 2_500_000n }, 'allocate', 500_000n],
    [{ liquid: 27_000_000n }, 'allocate', 25_000_000n],
    [{ liquid: 28_000_000n }, 'allocate', 25_000_000n],
    [{ liquid: 10_000_000n, encumberedRaw: 6_000_000n }, 'allocate', 2_000_000n],
    [{ liquid: 10_000_000n, debtOutstanding: 8_000_000n }, null, 0n],
    [{ liquid: 10_000_000n, poolHeadroomRaw: 499_999n }, null, 0n],
    [{ liquid: 10_000_000n, poolHeadroomRaw: 3_000_000n }, 'allocate', 3_000_000n],
    [{ liquid: 10_000_000n, run: run(0n, 99_000_000n) }, 'allocate', 1_000_000n],
    [{ liquid: 10_000_000n, run: run(0n, 100_000_000n) }, null, 0n],
    [{ liquid: 10_000_000n, run: run(24_000_000n, 24_000_000n) }, 'allocate', 1_000_000n],
    [{ liquid: 10_000_000n, run: run(25_000_000n, 25_000_000n) }, null, 0n],
    [{ liquid: 1_500_000n, allocatedRaw: 9_000_000n }, 'recall', 500_000n],
    [{ liquid: 1_500_001n, allocatedRaw: 9_000_000n }, null, 0n],
    [{ liquid: 0n, allocatedRaw: 1_000_000n }, 'recall', 1_000_000n],
    [{ liquid: 0n, allocatedRaw: 9_000_000n, encumberedRaw: 5_000_000n }, 'recall', 7_000_000n],
    [{ liquid: 0n, allocatedRaw: 9_000_000n, poolBufferRaw: 800_000n }, 'recall', 800_000n],
    [{ liquid: 0n, allocatedRaw: 0n }, null, 0n],
    // One share is worth 0.000999 USDC: of 0.500498 USDC it is more than 0.1 %, of 8 USDC it is not.
    [{ liquid: 2_500_498n, book: DEAR }, null, 0n],
    [{ liquid: 10_000_000n, book: DEAR }, 'allocate', 8_000_000n],
    [{ liquid: 1_000_000n, allocatedRaw: 9_000_000n, book: DEAR }, 'recall', 1_000_000n],
  ])('%#', (changes, kind, amountRaw) => {
    expect(planIdleMove(facts(changes))).toEqual(kind && { kind, amountRaw })
  })

  test('random balances come to rest with nothing left to move, within every limit, and no money made or lost', () => {
    const balance = fc.record({
      liquid: fc.bigInt(0n, 80_000_000n),
      allocatedRaw: fc.bigInt(0n, 80_000_000n),
      encumberedRaw: fc.bigInt(0n, 25_000_000n),
      poolHeadroomRaw: fc.bigInt(0n, 100_000_000n),
      poolBufferRaw: fc.bigInt(0n, 100_000_000n),
    })
    fc.assert(
      fc.property(balance, ({ liquid, allocatedRaw, encumberedRaw, poolHeadroomRaw, poolBufferRaw }) => {
        const all = liquid + allocatedRaw
        let held = { liquid, allocatedRaw, poolHeadroomRaw, poolBufferRaw }
        // Each round is a run of its own; within one the limits of a movement hold.
        for (let round = 0; round < 12; round += 1) {
          const move = planIdleMove(facts({ ...held, encumberedRaw }))
          if (move === null) break
          const { kind, amountRaw } = move
          if (amountRaw < IDLE_LIMITS.smallestRaw || amountRaw > IDLE_LIMITS.largestRaw) throw new Error(`moved ${amountRaw}`)
          const toPool = kind === 'allocate' ? amountRaw : -amountRaw
          held = {
            liquid: held.liquid - toPool,
            allocatedRaw: held.allocatedRaw + toPool,
            poolHeadroomRaw: held.poolHeadroomRaw - toPool,
            poolBufferRaw: held.poolBufferRaw + toPool,
          }
        }
        if (held.liquid + held.allocatedRaw !== all) throw new Error('money was made or lost')
        if (held.allocatedRaw < 0n || held.poolHeadroomRaw < 0n || held.poolBufferRaw < 0n) throw new Error('a limit was passed')
        // At rest nothing that could be moved is left.
        const wanted = encumberedRaw + 2_000_000n
        const idle = held.liquid - wanted
        const lacking = wanted - held.liquid
        const canAllocate = idle >= 500_000n && held.poolHeadroomRaw >= 500_000n
        const canRecall = lacking >= 500_000n && held.allocatedRaw >= 500_000n && held.poolBufferRaw >= 500_000n
        if (canAllocate || canRecall) throw new Error(`${JSON.stringify({ idle: String(idle), lacking: String(lacking) })} is left`)
      }),
      { numRuns: runsOf(100_000) },
    )
  })
})

describe('a consent', () => {
  const terms = idleTerms(
    { wallet: `0x${'a1'.repeat(20)}`, consentNonce: 'k3NVqOzB5QmW1xTj' },
    { asset: ASSET, depositPool: POOL, venue: 'unbound', now: NOW },
  )
  const record = { termsHash: '0x1', expiresAt: Date.parse(terms.consentExpiresAt), revokedAt: null, requestId: 'r-1', terms }
  const statusOf = (changes: object = {}, now = NOW, depositPool: string | null = POOL) =>
    idleConsentStatus({ ...record, ...changes }, { asset: ASSET, depositPool }, now)

  test('has exactly thirteen terms, ten minutes and ninety days', () => {
    expect(Object.keys(terms)).toHaveLength(13)
    expect([Date.parse(terms.quoteExpiresAt) - NOW, record.expiresAt - NOW]).toEqual([600_000, 90 * DAY])
    expect(terms.venue).toEqual({ route: 'deposit_pool_v2', depositPool: POOL.toLowerCase(), downstream: 'pool buffer' })
    const request = { wallet: `0x${'a1'.repeat(20)}`, consentNonce: 'k3NVqOzB' }
    const disclosureOf = (venue: 'unbound' | 'inactive' | 'active') =>
      idleTerms(request, { asset: ASSET, depositPool: POOL, venue, now: NOW }).venueDisclosure
    expect(new Set((['unbound', 'inactive', 'active'] as const).map(disclosureOf)).size).toBe(3)
    expect(JSON.stringify(terms)).toMatch(/^[\x20-\x7e]+$/)
  })

  test('is active to the last millisecond of its ninety days', () => {
    expect([statusOf({}, record.expiresAt - 1), statusOf({}, record.expiresAt)]).toEqual(['active', 'expired'])
    expect([statusOf({ revokedAt: NOW }), statusOf({}, NOW, `0x${'e'.repeat(40)}`), statusOf({}, NOW, null)]).toEqual([
      ...['revoked', 'invalid', 'invalid'],
    ])
    expect(idleConsentStatus(null, { asset: ASSET, depositPool: POOL }, NOW)).toBe('missing')
  })
})
