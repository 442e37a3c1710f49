import { beforeEach, expect, test } from '@jest/globals'
import { findKey } from '../../../activities/http/idempotency.ts'
import { createClaimKeys } from '../../../api/claims/idempotency.ts'
import type { Engine } from '../../../api/temporal/engine.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { NOW } from '../support/account-world.ts'
import { useDatabase } from '../support/own-database.ts'
import { addSession } from '../support/work-rows.ts'

const PENDING_MS = 30_000
const WALLET = `0x${'a1'.repeat(20)}` as const

const database = useDatabase()

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

const keyFor = (jobId: string) =>
  createClaimKeys({
    database,
    engine: {
      findClaimRun: async (jobId: string) => (going.has(jobId) ? { wallet: WALLET, runId: `run ${jobId}` } : null),
    } as unknown as Engine,
    clock: { now: () => now },
    pendingMs: PENDING_MS,
  })({
    body: { jobId },
    caller: { subject: WALLET, wallet: WALLET },
    request: { keyScope: 'jobs_claim', idempotencyKey: key, fingerprint: `0x${jobId}` },
  })
const claim = (jobId: string, work: () => Promise<unknown>) => keyFor(jobId).run(work)
const sessionOf = (jobId: string) => keyFor(jobId).findSessionId()
const refusing = (error: unknown) => () => Promise.reject(error)
const bound = () => findKey(database.rows, { subject: WALLET, operation: 'jobs_claim', key })
const REUSED = { code: 'idempotency_key_reused' }

test('a claim key is tied to its job while the claim starts, and is refused for another job', async () => {
  await claim('a', async () => {
    await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
    await expect(claim('b', async () => 'never')).rejects.toMatchObject(REUSED)
    expect(await sessionOf('a')).toBeNull()
  })
})

test('a claim key is released by a refusal', async () => {
  await expect(claim('a', refusing(new ServiceError('insufficient_liquidity')))).rejects.toMatchObject({ code: 'insufficient_liquidity' })
  expect(await bound()).toBeNull()
  expect(await claim('b', async () => 'begun')).toBe('begun')
})

test('a claim key is released by a retryable refusal unless a claim of the wallet is running', async () => {
  const later = new ServiceError('claim_in_progress')
  await expect(claim('a', refusing(later))).rejects.toBe(later)
  expect(await bound()).toBeNull()
  going.add('a')
  await expect(claim('a', refusing(later))).rejects.toBe(later)
  await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
})

test('a claim key that found the session of another key stays with its job, also when it was bound before', async () => {
  await expect(claim('a', refusing(new Error('lost')))).rejects.toThrow('lost')
  await keyFor('a').attachSession('session-a')
  now += PENDING_MS
  expect(await sessionOf('a')).toBe('session-a')
  await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
})

test('a claim key that a duplicate bound again is not released by an older refusal', async () => {
  const refused = claim('a', async () => {
    now += 5
    await claim('a', async () => 'accepted')
    throw new ServiceError('insufficient_liquidity')
  })
  await expect(refused).rejects.toMatchObject({ code: 'insufficient_liquidity' })
  await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
})

test('a claim key is held from its last binding', async () => {
  await claim('a', async () => 'accepted')
  now += PENDING_MS
  await claim('a', async () => {
    await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
  })
})

test('a claim key stays bound while it is unknown whether the claim has started', async () => {
  for (const unknown of [new ServiceError('workflow_engine_unavailable'), new Error('lost')]) {
    await expect(claim('a', refusing(unknown))).rejects.toBe(unknown)
    await expect(sessionOf('b')).rejects.toMatchObject(REUSED)
  }
})

test('a claim key whose claim ended without a session is free after its waiting time', async () => {
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

test('a claim key is released by a retryable refusal while only the process of an ended session runs', async () => {
  const jobId = 'rejected-job'
  await addSession(database, WALLET, jobId, NOW, { status: 'rejected', rejectedAt: NOW })
  going.add(jobId)
  const later = new ServiceError('claim_in_progress')
  await expect(claim(jobId, refusing(later))).rejects.toBe(later)
  expect(await bound()).toBeNull()
})
