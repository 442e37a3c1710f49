import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { Database } from '../../../activities/database/database.ts'
import { findKey } from '../../../activities/http/idempotency.ts'
import { createClaimKeys } from '../../../api/claims/idempotency.ts'
import type { Engine } from '../../../api/temporal/engine.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { NOW, openOwnDatabase } from '../support/account-world.ts'

const PENDING_MS = 30_000
const WALLET = `0x${'a1'.repeat(20)}`

let database: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openOwnDatabase())
})
afterAll(() => close())

let key = ''
let number = 0
/** Jobs whose claim by the wallet the engine holds. */
let going: Set<string>
let now: number
beforeEach(() => {
  number += 1
  key = `key-${number}`
  going = new Set()
  now = NOW
})

const keys = () =>
  createClaimKeys({
    database,
    engine: { claimant: async (jobId: string) => (going.has(jobId) ? WALLET : null) } as unknown as Engine,
    clock: { now: () => now },
    pendingMs: PENDING_MS,
  })
const requestFor = (jobId: string) => ({ idempotencyKey: key, fingerprint: `0x${jobId}` as const })
const claim = (jobId: string, work: () => Promise<unknown>) => keys().runUnderKey({ jobId, wallet: WALLET }, requestFor(jobId), work)
const sessionOf = (jobId: string) => keys().sessionOf(WALLET, jobId, requestFor(jobId))
const refusing = (error: unknown) => () => Promise.reject(error)
const bound = () => findKey(database.rows, { wallet: WALLET, operation: 'jobs_claim', key })
const REUSED = { code: 'idempotency_key_reused' }

test('names its job while the claim is handed over, and is refused to another one', async () => {
  await claim('a', async () => {
    await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
    await expect(claim('b', async () => 'never')).rejects.toMatchObject(REUSED)
    expect(await sessionOf('a')).toBeNull()
  })
})

test('is given back by a refusal', async () => {
  await expect(claim('a', refusing(new ServiceError('insufficient_liquidity')))).rejects.toMatchObject({ code: 'insufficient_liquidity' })
  expect(await bound()).toBeNull()
  expect(await claim('b', async () => 'begun')).toBe('begun')
})

test('is given back by a "later" unless a claim of the wallet goes on', async () => {
  const later = new ServiceError('claim_in_progress')
  await expect(claim('a', refusing(later))).rejects.toBe(later)
  expect(await bound()).toBeNull()
  going.add('a')
  await expect(claim('a', refusing(later))).rejects.toBe(later)
  await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
})

test('that found the session of another key stays with its job, also when it was bound before', async () => {
  await expect(claim('a', refusing(new Error('lost')))).rejects.toThrow('lost')
  await keys().attachSession({ sessionId: 'session-a', jobId: 'a', wallet: WALLET }, requestFor('a'))
  now += PENDING_MS
  expect(await sessionOf('a')).toBe('session-a')
  await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
})

test('that a twin bound anew is not given back by an older refusal', async () => {
  const refused = claim('a', async () => {
    now += 5
    await claim('a', async () => 'accepted')
    throw new ServiceError('insufficient_liquidity')
  })
  await expect(refused).rejects.toMatchObject({ code: 'insufficient_liquidity' })
  await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
})

test('is held anew when it is bound again', async () => {
  await claim('a', async () => 'accepted')
  now += PENDING_MS
  await claim('a', async () => {
    await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
  })
})

test('stays when nobody knows whether the claim has begun', async () => {
  for (const unknown of [new ServiceError('workflow_engine_unavailable'), new Error('lost')]) {
    await expect(claim('a', refusing(unknown))).rejects.toBe(unknown)
    await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
  }
})

test('of a claim that ended unseen is free once no request can be handing it over any more', async () => {
  await claim('a', async () => 'accepted')
  going.add('a')
  now += PENDING_MS - 1
  await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
  now += 1
  await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
  going.delete('a')
  expect(await sessionOf('b')).toBeNull()
  expect(await claim('b', async () => 'begun')).toBe('begun')
  await expect(sessionOf('a')).rejects.toMatchObject(REUSED)
})
