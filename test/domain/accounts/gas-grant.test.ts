import { describe, expect, test } from '@jest/globals'
import { decideGasGrant, type GasGrantFacts, gasGrantView, grantDay, withdrawalIntentHash } from '../../../domain/accounts/gas-grant.ts'
import { known } from '../../../domain/common/fact.ts'
import { GAS_GRANT_REASONS, type GasGrantReason, type GasGrantStatus } from '../../../schemas/accounts/record.ts'

const INTENT = {
  wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  symbol: 'usdc',
  asset: '0x0000053900000000000000000000000001200000',
  amountRaw: 1_000_000n,
  destination: null,
  liquidRaw: 2_000_000n,
}
const HASH = withdrawalIntentHash(INTENT)
const EARLIER = withdrawalIntentHash({ ...INTENT, amountRaw: 1n })
const prior = (status: GasGrantStatus, intentHash = HASH) => ({ prior: known({ status, intentHash, txHash: null }) })
const facts = (changes: Partial<GasGrantFacts> = {}): GasGrantFacts => ({
  prior: known(null),
  isOffered: true,
  isSettlementAsset: true,
  liquidRaw: 250_000n,
  reservedToday: known(24),
  dailyCap: 25,
  mapped: known(true),
  intentHash: HASH,
  currentIntentHash: HASH,
  ...changes,
})

describe('the hash of a withdrawal that asks for a gas grant', () => {
  test('is that of the vector, with the wallet as destination by default', () => {
    expect(HASH).toBe('0x291785e1616653b839d9dedd38c38f18f8ad54b5e885cc94cf6490edc7f184ce')
    expect(withdrawalIntentHash({ ...INTENT, symbol: 'USDC', destination: INTENT.wallet })).toBe(HASH)
  })

  test.each([
    ['wallet', { wallet: INTENT.asset }],
    ['symbol', { symbol: 'vDOT' }],
    ['asset', { asset: INTENT.wallet }],
    ['amount', { amountRaw: 1_000_001n }],
    ['destination', { destination: INTENT.asset }],
    ['balance', { liquidRaw: 2_000_001n }],
  ])('changes with the %s', (_name, changes) => {
    expect(withdrawalIntentHash({ ...INTENT, ...changes })).not.toBe(HASH)
  })
})

const GONE: Partial<GasGrantFacts> = { currentIntentHash: null, intentHash: null }
const UNMAPPED = { ...GONE, mapped: known(false) }
const FULL = { ...UNMAPPED, reservedToday: known(25) }
const POOR = { ...FULL, liquidRaw: 249_999n }
const FOREIGN = { ...POOR, isSettlementAsset: false }
const CLOSED = { ...FOREIGN, isOffered: false }

/** Each row fails on its own reason and on every later one, so the table fixes the order too. */
const DECISIONS: [GasGrantReason, Partial<GasGrantFacts>][] = [
  ['first_withdrawal_gas_grant_status_read_failed', { ...CLOSED, prior: 'unreadable' }],
  ['first_withdrawal_gas_grant_in_progress', { ...CLOSED, ...prior('sending') }],
  ['first_withdrawal_gas_grant_in_progress', { ...prior('sending') }],
  ['first_withdrawal_gas_grant_sent', prior('granted')],
  ['first_withdrawal_gas_grant_already_granted', prior('granted', EARLIER)],
  ['first_withdrawal_gas_grant_already_granted', { ...CLOSED, ...prior('granted') }],
  ['first_withdrawal_gas_grant_unavailable', { ...CLOSED, ...prior('failed') }],
  ['first_withdrawal_gas_grant_unavailable', prior('failed')],
  ['first_withdrawal_gas_grant_unavailable', CLOSED],
  ['first_withdrawal_gas_grant_usdc_only', FOREIGN],
  ['first_withdrawal_gas_grant_balance_below_floor', POOR],
  ['first_withdrawal_gas_grant_status_read_failed', { ...FULL, reservedToday: 'unreadable' }],
  ['first_withdrawal_gas_grant_daily_cap_reached', FULL],
  ['first_withdrawal_gas_grant_status_read_failed', { ...UNMAPPED, mapped: 'unreadable' }],
  ['first_withdrawal_gas_grant_address_unmapped', UNMAPPED],
  ['first_withdrawal_gas_grant_withdrawal_intent_required', GONE],
  ['first_withdrawal_gas_grant_withdrawal_intent_stale', { currentIntentHash: EARLIER }],
  ['first_withdrawal_gas_grant_available', {}],
]

describe('the decision about a gas grant', () => {
  test.each(DECISIONS)('is %s (row %#)', (reason, changes) => {
    expect(decideGasGrant(facts(changes))).toBe(reason)
  })

  test('has twelve reasons, each of which can be given', () => {
    const given = new Set(DECISIONS.map(([reason]) => reason))
    expect(Object.keys(GAS_GRANT_REASONS).sort()).toEqual([...given].sort())
    expect(given.size).toBe(12)
  })
})

describe('the daily cap of gas grants', () => {
  test.each([
    ['2026-03-01T00:00:00.000Z', '2026-03-01', '2026-03-02T00:00:00.000Z'],
    ['2026-03-01T23:59:59.999Z', '2026-03-01', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02T00:00:00.000Z', '2026-03-02', '2026-03-03T00:00:00.000Z'],
  ])('at %s is that of the UTC day %s', (at, day, resetAt) => {
    expect(grantDay(24, 25, Date.parse(at))).toEqual({
      day,
      clock: 'UTC',
      resetAt,
      limit: 25,
      reservedCount: 24,
      remainingCount: 1,
      source: 'reservations',
    })
  })

  test('leaves nothing where it was lowered below the reserved grants', () => {
    expect(grantDay(25, 10, 0).remainingCount).toBe(0)
  })
})

const ASSETS = { settlement: { symbol: 'USDC', decimals: 6 }, native: { symbol: 'DOT', decimals: 18 } }

describe('the gas grant of an answer', () => {
  test('shows the decision with what it was taken from', () => {
    const now = Date.parse('2026-03-01T12:00:00.000Z')
    expect(gasGrantView(facts(), ASSETS, now)).toEqual({
      offer: 'Once in its lifetime a wallet gets 0.03 DOT for the gas of its first withdrawal.',
      eligible: true,
      reason: 'first_withdrawal_gas_grant_available',
      amount: { raw: '30000000000000000', decimals: 18, display: '0.03' },
      minimumAccountLiquid: { raw: '250000', decimals: 6, display: '0.25' },
      balance: { raw: '250000', decimals: 6, display: '0.25' },
      daily: grantDay(24, 25, now),
      intentBound: true,
      standingFaucet: false,
    })
  })

  test('shows the earlier grant, and nothing in place of what was not read', () => {
    const view = gasGrantView(facts({ ...prior('sending'), reservedToday: 'unreadable' }), ASSETS, 0)
    expect(view).toMatchObject({ eligible: true, status: 'sending', daily: null })
    expect(view.priorGrant).toEqual({ status: 'sending', intentHash: HASH, txHash: null })
  })

  test.each([
    ['granted', HASH, true],
    ['sending', HASH, true],
    ['sending', EARLIER, false],
    ['granted', EARLIER, false],
    ['failed', HASH, false],
  ] as const)('of a grant that is %s for withdrawal %s is eligible: %s', (status, intentHash, eligible) => {
    expect(gasGrantView(facts(prior(status, intentHash)), ASSETS, 0).eligible).toBe(eligible)
  })
})
