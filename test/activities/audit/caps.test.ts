// Histories that exceed no cap, and the same with one moment altered.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import {
  checkCatalogueBudget,
  checkCatalogueCredit,
  checkGasGrants,
  checkIdleRuns,
  checkLaneBudgets,
  checkLockCaps,
  checkOnboardingSubsidy,
  checkOpenExposure,
  checkOpenPullRequests,
} from '../../../activities/audit/caps.ts'
import type { Audit, Check } from '../../../activities/audit/context.ts'
import { createDeliverySteps } from '../../../activities/deliveries/steps.ts'
import { endDelivery } from '../../../activities/pull-requests/records.ts'
import type { AuditFinding } from '../../../schemas/audit/record.ts'
import type { ClaimInput } from '../../../schemas/claims/process.ts'
import { prBody } from '../../domain/builders/job.ts'
import { payWork } from '../../support/records/paid-work.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { checkWithFault } from '../support/planted-faults.ts'
import { bondAt, type Records, startRecords, UNLIMITED, walletAt } from '../support/service.ts'

const EXPOSURE = 159_000n
const HOUR = 3_600_000
const TWO_CLAIMS = (EXPOSURE * 2n).toString()
const LIMITED = { ...UNLIMITED, WORKER_OPEN_EXPOSURE_CAP_RAW: TWO_CLAIMS }

let records: Records
beforeAll(async () => {
  records = await startRecords(LIMITED)
})
afterAll(() => records.stop())

let count = 0
const next = (): number => {
  count += 1
  return count
}

const claimBy = async (wallet: string, changes: Partial<ClaimInput> = {}) => {
  const jobId = await records.addJob(`job-${next()}`, { rewardAmount: 0.1 })
  return { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}`, ...changes }), runId: `run-${next()}` }
}
const EXPIRED = { result: 'expired', observedState: 'open', observedWorker: null, blockNumber: '9', txHash: null } as const
type Admitted = Awaited<ReturnType<typeof claimBy>> & { sessionId: string }

/** Admits a claim and records it; the chain clock may run ahead. */
const claim = async (wallet: string, admission = records.admission): Promise<Admitted> => {
  const one = await claimBy(wallet)
  const admitted = await admission.admitClaim(one)
  await records.claims.recordClaim({ claim: one, admitted, bond: bondAt(records.clock.now()) })
  return { ...one, sessionId: admitted.sessionId }
}
const expire = ({ runId, sessionId }: Admitted) => records.claims.recordExpiry({ runId, sessionId, expiry: EXPIRED })

const findingsOn = async (check: Check, rows = records.rows): Promise<AuditFinding[]> => {
  const found: AuditFinding[] = []
  await check({ rows } as Audit, (finding) => found.push(finding))
  return found
}
/** Findings of a check after statements that are undone. */
const findingsWith = (check: Check, statements: string) =>
  checkWithFault(records.database, statements, ({ rows }) => findingsOn(check, rows))

describe('the cap on open work', () => {
  test('is kept by a wallet whose claim expired before the next one, and not when it expired after', async () => {
    const wallet = walletAt(next())
    const first = await claim(wallet)
    await claim(wallet)
    records.clock.move(2 * HOUR)
    await expire(first)
    records.clock.move(HOUR)
    await claim(wallet)
    expect(await findingsOn(checkOpenExposure)).toEqual([])
    const [finding, ...others] = await findingsWith(
      checkOpenExposure,
      `update session_event set at = at + interval '9 hours', recorded_at = null where session_id = '${first.sessionId}' and to_status = 'expired'`,
    )
    expect([finding, others]).toEqual([
      expect.objectContaining({ expected: `at most ${TWO_CLAIMS}`, found: (EXPOSURE * 3n).toString() }),
      [],
    ])
    expect(finding?.subject).toContain(wallet)
  })

  test('is kept by a wallet whose refused claim was released, also in the moment of the next admission', async () => {
    const wallet = walletAt(next())
    await claim(wallet)
    const { runId } = await records.admission.admitClaim(await claimBy(wallet))
    await records.admission.releaseClaim({ runId, code: 'insufficient_liquidity' })
    await claim(wallet)
    const closed = (after: string) => `update claim_intent set closed_at = closed_at + interval '${after}' where run_id = '${runId}'`
    expect(await findingsOn(checkOpenExposure)).toEqual([])
    expect(await findingsWith(checkOpenExposure, closed('10 seconds'))).toEqual([])
    expect(await findingsWith(checkOpenExposure, closed('10 minutes'))).toHaveLength(1)
  })

  test('is that of the admission: a lower one of later settings says nothing about it', async () => {
    const wallet = walletAt(next())
    const roomy = records.admissionWith(UNLIMITED)
    for (let index = 0; index < 4; index += 1) await claim(wallet, roomy)
    await expect(claim(wallet)).rejects.toMatchObject({ code: 'worker_open_exposure_cap_reached' })
    expect(await findingsOn(checkOpenExposure)).toEqual([])
  })
})

describe('the budget of all wallets', () => {
  test('is kept by claims a day apart, and not by the same claims on one day', async () => {
    records.clock.move(50 * HOUR)
    const limited = records.admissionWith({ ...UNLIMITED, WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: TWO_CLAIMS })
    const first = await claim(walletAt(next()), limited)
    await claim(walletAt(next()), limited)
    records.clock.move(25 * HOUR)
    await claim(walletAt(next()), limited)
    expect(await findingsOn(checkCatalogueBudget)).toEqual([])
    const later = (table: string, column: string) =>
      `update ${table} set ${column} = ${column} + interval '24 hours' where session_id = '${first.sessionId}'`
    expect(await findingsWith(checkCatalogueBudget, `${later('claim_intent', 'created_at')}; ${later('session', 'claimed_at')}`)).toEqual(
      [],
    )
    const day = `update claim_intent set created_at = (select max(created_at) from claim_intent) - interval '1 hour';
      update session set claimed_at = (select max(claimed_at) from session)`
    expect((await findingsWith(checkCatalogueBudget, day)).length).toBeGreaterThan(0)
  })
})

describe('the cap of open pull requests', () => {
  const roomy = () => records.admissionWith(UNLIMITED)
  const claimPull = async (repo: string, number: number | null): Promise<Admitted> => {
    const { id: _id, ...body } = prBody({ source: { type: 'codehost_issue', repo, issueNumber: 7 } })
    const jobId = await records.addJob(`pull-${next()}`, {
      ...body,
      rewardAmount: 0.1,
      verifierTerms: undefined,
      verifierConfig: { requireClaimantBinding: true },
    })
    const wallet = walletAt(next())
    const one = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}` }), runId: `run-${next()}` }
    const admitted = await roomy().admitClaim(one)
    await records.claims.recordClaim({ claim: one, admitted, bond: bondAt(records.clock.now()) })
    const prUrl = `https://codehost.example/${repo}/pull/${number}`
    if (number !== null) {
      await records.claims.admitSubmission({
        ...admitted,
        submission: { prUrl, summary: 'The last row is kept.', tests: 'npm test: 12 passed' },
        requestId: 'request-2',
        protocol: 'http',
      })
    }
    return { ...one, sessionId: admitted.sessionId }
  }

  const MERGED = { kind: 'pull_request', state: 'closed', isMerged: true, mergeCommit: 'a'.repeat(40), revertedBy: null } as const
  const mergeUnpaid = ({ sessionId }: Admitted) =>
    records.database.transaction((rows) => endDelivery(rows, sessionId, 'merged', records.clock.now()))
  const mergePaid = async (claim: Admitted) => {
    const { sessionId } = claim
    await payWork(records, claim)
    const readPullRequestDelivery = async () => ({ ok: true as const, facts: MERGED })
    await createDeliverySteps({ ...records, readPullRequestDelivery, readArticleDelivery: readPullRequestDelivery }).readDelivery({
      sessionId,
    })
    // An observation of unpaid work that comes late changes nothing.
    await records.database.transaction((rows) => endDelivery(rows, sessionId, 'closed_unmerged', records.clock.now() + HOUR))
  }

  test.each([
    ['an unpaid claim', 'acme/audited', mergeUnpaid],
    ['a paid claim', 'acme/audited-paid', mergePaid],
  ])(
    'is kept by %s after a merge, an expiry and a second delivery of one pull request, and not without one of them',
    async (_who, repo, merge) => {
      const merged = await claimPull(repo, 1)
      const [lapsed] = [await claimPull(repo, null), await claimPull(repo, 3)]
      records.clock.move(2 * HOUR)
      const at = records.clock.now()
      await merge(merged)
      const ended = await records.rows.selectFrom('pull_request').selectAll().where('sessionId', '=', merged.sessionId).executeTakeFirst()
      expect([ended?.delivery, (ended?.endedAt ?? 0) >= at]).toEqual(['merged', true])
      await expire(lapsed)
      records.clock.move(HOUR)
      const twice = await claimPull(repo, 3)
      await claimPull(repo, null)
      await claimPull(repo, null)
      expect(await findingsOn(checkOpenPullRequests)).toEqual([])
      const faults = [
        `update pull_request set ended_at = ended_at + interval '9 hours' where session_id = '${merged.sessionId}'`,
        `update session_event set at = at + interval '9 hours', recorded_at = null where session_id = '${lapsed.sessionId}' and to_status = 'expired'`,
        `update pull_request set number = 4 where session_id = '${twice.sessionId}'`,
        `update claim_intent set terms = jsonb_set(terms, '{openPrCap}', '1') where session_id = '${twice.sessionId}'`,
      ]
      for (const fault of faults) {
        const [finding] = await findingsWith(checkOpenPullRequests, fault)
        expect(finding).toMatchObject({ subject: expect.stringMatching(new RegExp(`^claim pull-\\d+:0x\\w+, of ${repo}$`)) })
      }
    },
  )
})

describe('a history without an overrun', () => {
  test.each(
    Object.entries({
      checkCatalogueCredit,
      checkOpenPullRequests,
      checkGasGrants,
      checkIdleRuns,
      checkLaneBudgets,
      checkLockCaps,
      checkOnboardingSubsidy,
    }),
  )('gives no finding: %s', async (_name, check) => {
    expect(await findingsOn(check)).toEqual([])
  })

  test('of a lane counts a job for a day', async () => {
    const lane = (hours: number) =>
      sql`update job set lane_daily_raw = 150000, created_at = now() - (${hours}::integer * substr(id, 5)::integer) * interval '1 hour'`
    const within = async (hours: number) => {
      await lane(hours).execute(records.rows)
      return (await findingsOn(checkLaneBudgets)).length
    }
    expect(await within(25)).toBe(0)
    expect(await within(1)).toBeGreaterThan(0)
  })
})
