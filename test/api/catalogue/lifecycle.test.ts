import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { findJob } from '../../../activities/catalogue/jobs.ts'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createCatalogueAdminHandlers } from '../../../api/catalogue/admin-handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { setJobLifecycle } from '../../../schemas/catalogue/admin-operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { testChain } from '../../support/api.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { ask, BASE_URL, NOW } from '../support/account-world.ts'
import { fillBank, listJob } from '../support/listed-job.ts'
import { useDatabase } from '../support/own-database.ts'
import { addSessionOf } from '../support/work-rows.ts'

const OPERATOR: Hex = `0x${'a1'.repeat(20)}`
const DAY = 86_400_000

const database = useDatabase()
let admin: ReturnType<typeof createCatalogueAdminHandlers>
let at = NOW
const clock = { now: () => at }
let evaluations: ReturnType<typeof createEvaluations>
beforeAll(async () => {
  await fillBank(database)
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused' })
  const reads = { operator: OPERATOR } as ApiDeps['reads']
  evaluations = createEvaluations({ database, settings, chain: testChain, clock, reads, identities: evmIdentities })
  admin = createCatalogueAdminHandlers({ database, evaluations, chain: testChain, clock, baseUrl: BASE_URL, settings, reads } as ApiDeps)
})

const stateOf = async (jobId: string) => {
  const job = await findJob(database.rows, jobId)
  if (job === null) throw new Error(`no job ${jobId}`)
  const { claimState, reason, claimAttemptCount, remainingClaimAttempts } = (await evaluations.evaluateListing(job)).claimStatus
  return { claimState, reason, claimAttemptCount, remainingClaimAttempts }
}
const change = (jobId: string, action: string) => ask(setJobLifecycle, admin.setJobLifecycle, { wallet: OPERATOR, body: { jobId, action } })

describe('the lifecycle of a listing', () => {
  test('goes from open to stale by itself, and an operator opens it for fourteen days more', async () => {
    await listJob(database, 'ages')
    expect(await stateOf('ages')).toMatchObject({ claimState: 'open', reason: 'claimable' })
    at = NOW + 14 * DAY - 1
    expect(await stateOf('ages')).toMatchObject({ claimState: 'open' })
    at = NOW + 14 * DAY
    expect(await stateOf('ages')).toMatchObject({ claimState: 'stale', reason: 'job_stale' })
    await change('ages', 'reopen')
    expect((await findJob(database.rows, 'ages'))?.staleAt).toBe(at + 14 * DAY)
    at += 14 * DAY - 1
    expect(await stateOf('ages')).toMatchObject({ claimState: 'open' })
    at = NOW
  })

  test('has no end for a recurring template, also after a pause', async () => {
    await listJob(database, 'recurs', { recurring: true, schedule: { cron: '0 6 * * 1' } })
    for (const action of ['pause', 'reopen']) await change('recurs', action)
    expect((await findJob(database.rows, 'recurs'))?.staleAt).toBeNull()
    await ask(setJobLifecycle, admin.setJobLifecycle, {
      wallet: OPERATOR,
      body: { jobId: 'recurs', action: 'reopen', staleAt: new Date(NOW + DAY).toISOString() },
    })
    expect((await findJob(database.rows, 'recurs'))?.staleAt).toBe(NOW + DAY)
  })

  test('stops at a pause and at the archive, and goes on after each', async () => {
    await listJob(database, 'moves')
    for (const [action, claimState] of [
      ['pause', 'paused'],
      ['reopen', 'open'],
      ['archive', 'archived'],
      ['reopen', 'open'],
      ['mark_stale', 'stale'],
      ['reopen', 'open'],
    ] as const) {
      await change('moves', action)
      expect(await stateOf('moves')).toMatchObject({ claimState })
    }
  })
})

describe('the retry budget', () => {
  const walletAt = (index: number): Hex => `0x${(0xa000 + index).toString(16).padStart(40, '0')}`
  const claimedAt = NOW - DAY
  const expired = { status: 'expired', chainState: 'open', expiredAt: claimedAt + 3_600_000 }

  test('is used up by submissions only, over several attempts', async () => {
    await listJob(database, 'tried', { retryLimit: 2 })
    const attempt = async (index: number, changes: Parameters<typeof addSessionOf>[4]) => {
      await addSessionOf(database, walletAt(index), 'tried', claimedAt + index * 1_000, { runId: `run ${index}`, ...expired, ...changes })
      const { claimAttemptCount, remainingClaimAttempts, reason } = await stateOf('tried')
      return [claimAttemptCount, remainingClaimAttempts, reason]
    }
    const submittedAt = claimedAt + 60_000
    // The claimant never submitted; a platform fault after a submission; then two that reached submission.
    expect(await attempt(1, {})).toEqual([0, 2, 'claim_ttl_expired_reopen_available'])
    expect(await attempt(2, { submittedAt, countsAsAttempt: false })).toEqual([0, 2, 'claim_ttl_expired_reopen_available'])
    expect(await attempt(3, { submittedAt })).toEqual([1, 1, 'claim_ttl_expired_reopen_available'])
    expect(await attempt(4, {})).toEqual([1, 1, 'claim_ttl_expired_reopen_available'])
    expect(await attempt(5, { submittedAt })).toEqual([2, 0, 'retry_limit_exhausted'])
  })

  test('of zero is unlimited', async () => {
    await listJob(database, 'endless', { retryLimit: 0 })
    await addSessionOf(database, walletAt(9), 'endless', claimedAt, { ...expired, submittedAt: claimedAt })
    expect(await stateOf('endless')).toMatchObject({ remainingClaimAttempts: null, reason: 'claim_ttl_expired_reopen_available' })
  })
})
