import { expect, test } from '@jest/globals'
import { markExhausted, recordOutcome, storeFailure } from '../../../activities/cross-chain/outcomes.ts'
import { SETTLEMENT_TRIES } from '../../../domain/cross-chain/settlement.ts'
import { useOwnDatabase } from '../support/own-database.ts'

const own = useOwnDatabase()

const NO_CODE = `0x${'0'.repeat(64)}`
const KEY = { wrapper: `0x${'1'.repeat(40)}`, requestId: `0x${'2'.repeat(64)}` }
const NOW = Date.parse('2026-11-27T00:00:00.000Z')

const outcome = (status: 'succeeded' | 'cancelled', observedAt: number) => ({
  status,
  settledAssetsRaw: 0n,
  settledSharesRaw: 0n,
  remoteRef: NO_CODE,
  failureCode: NO_CODE,
  observedAt,
  source: 'test',
  remoteBalanceRaw: null,
})

test('tries are used up once, and not those of an outcome that was recorded since', async () => {
  const { rows, transaction } = own.database()
  const observe = (status: 'succeeded' | 'cancelled', at: number) =>
    transaction((open) => recordOutcome(open, { ...KEY, wallets: [] }, outcome(status, at), at))
  const fail = async (tries: number): Promise<void> => {
    for (let failed = 1; failed <= tries; failed += 1) await storeFailure(rows, KEY, failed, 'SomeRefusal')
  }
  expect(await observe('succeeded', NOW)).toBe(true)
  await fail(SETTLEMENT_TRIES - 1)
  expect(await markExhausted(rows, KEY, NOW)).toBe(false)
  await fail(SETTLEMENT_TRIES)
  expect([await markExhausted(rows, KEY, NOW), await markExhausted(rows, KEY, NOW)]).toEqual([true, false])
  expect(await observe('cancelled', NOW + 1)).toBe(true)
  // The step of a worker that was lost before it answered comes again.
  expect(await markExhausted(rows, KEY, NOW + 2)).toBe(false)
})
