import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { markExhausted, recordOutcome, storeFailure } from '../../../activities/cross-chain/outcomes.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { SETTLEMENT_TRIES } from '../../../domain/cross-chain/settlement.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

let place: TestDatabase
let database: ReturnType<typeof openDatabase>
beforeAll(async () => {
  place = await createTestDatabase()
  database = openDatabase({ url: place.url, poolSize: 2 })
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const NO_CODE = `0x${'0'.repeat(64)}`
const KEY = { wrapper: `0x${'1'.repeat(40)}`, requestId: `0x${'2'.repeat(64)}` }
const NOW = Date.parse('2026-11-27T00:00:00.000Z')

const outcome = (status: 'succeeded' | 'cancelled', observedAt: number) => ({
  ...{ status, settledAssetsRaw: 0n, settledSharesRaw: 0n, remoteRef: NO_CODE, failureCode: NO_CODE },
  ...{ observedAt, source: 'test', remoteBalanceRaw: null },
})

test('tries are used up once, and not those of an outcome that was recorded since', async () => {
  const { rows } = database
  const observe = (status: 'succeeded' | 'cancelled', at: number) =>
    database.transaction((open) => recordOutcome(open, { ...KEY, wallets: [] }, outcome(status, at), at))
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
