// Claims of delegates at the edge of their budgets, on records alone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { checkDelegateBudgets } from '../../../activities/audit/caps.ts'
import type { Audit } from '../../../activities/audit/context.ts'
import type { Rows } from '../../../activities/database/database.ts'
import { readDelegateUse } from '../../../activities/eligibility/delegate-use.ts'
import { lockGrant, revokeGrant } from '../../../activities/identity/grants.ts'
import { DAY_MS } from '../../../domain/common/instants.ts'
import type { AuditFinding } from '../../../schemas/audit/record.ts'
import type { AdmittedClaim, ClaimInput } from '../../../schemas/claims/process.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import type { DelegateTerms } from '../../../schemas/identity/delegate-terms.ts'
import { eventually } from '../../support/eventually.ts'
import { addDelegate } from '../../support/records/delegates.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { waitingForLocks } from '../support/locks.ts'
import { checkWithFault } from '../support/planted-faults.ts'
import { bondAt, type Records, startRecords, UNLIMITED, walletAt } from '../support/service.ts'

const HOUR = 3_600_000
/** Stake and fee that every claim here foretells without a waiver. */
const BOND_RAW = 250_000n
const { economics } = claimInput('job-0')
const WAIVED: Partial<ClaimInput> = { economics: { ...economics, waived: true } }

let records: Records
beforeAll(async () => {
  records = await startRecords({ ...UNLIMITED, ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: '1000000000' })
})
afterAll(() => records.stop())

let count = 0
const next = (): number => {
  count += 1
  return count
}
const delegate = async (terms: Partial<DelegateTerms> = {}, { wallet = walletAt(next()) as string, at = records.clock.now() } = {}) => {
  const grantId = await addDelegate(records.rows, { id: `grant-${next()}`, wallet, at, ...terms })
  return { wallet, grantId }
}
type By = Pick<ClaimInput, 'wallet' | 'grantId'>

const claimBy = async ({ wallet, grantId }: By, changes: Partial<ClaimInput> = {}, jobId = '') => {
  const job = jobId === '' ? await records.addJob(`job-${next()}`, { rewardAmount: 0.1 }) : jobId
  return { ...claimInput(job, { wallet, grantId, idempotencyKey: `${wallet}:${job}`, ...changes }), runId: `run-${next()}` }
}
type Claim = Awaited<ReturnType<typeof claimBy>>

const record = async (claim: Claim, waived = claim.economics.waived): Promise<AdmittedClaim> => {
  const admitted = await records.admission.admitClaim(claim)
  const charged = waived ? { waived, stakeRaw: '0', feeRaw: '0' } : {}
  await records.claims.recordClaim({ claim, admitted, bond: bondAt(records.clock.now(), charged) })
  return admitted
}
const refusalOf = (claim: Claim): Promise<string | null> =>
  records.admission.admitClaim(claim).then(
    () => null,
    (error: unknown) => {
      if (isServiceError(error)) return error.code
      throw error
    },
  )
const useOf = async ({ grantId }: By) => {
  const use = (await readDelegateUse(records.rows, [String(grantId)], records.clock.now())).get(String(grantId))
  return [use?.bondsRaw, use?.jobs]
}
const revokeIn = async (rows: Rows, grantId: string): Promise<void> => {
  const grant = await lockGrant(rows, 'delegate', grantId)
  if (grant !== null) await revokeGrant(rows, grant, { by: grant.subject, at: records.clock.now(), note: null })
}
const revoke = (grantId: string) => records.database.transaction((rows) => revokeIn(rows, grantId))

describe('of claims at once', () => {
  test.each<[string, Partial<DelegateTerms>, number, string]>([
    ['bonds', { bondPerDayRaw: String(BOND_RAW * 4n - 1n) }, 3, 'delegate_bond_budget_exceeded'],
    ['jobs', { jobsPerDay: 4 }, 4, 'delegate_jobs_budget_exceeded'],
  ])('as many are admitted as fit into the %s of a day', async (_what, terms, fitting, code) => {
    const by = await delegate(terms)
    const claims = await Promise.all(Array.from({ length: 16 }, () => claimBy(by)))
    const answers = await Promise.all(claims.map(refusalOf))
    expect(answers.filter((answer) => answer === null)).toHaveLength(fitting)
    expect(new Set(answers)).toEqual(new Set([null, code]))
    expect(await useOf(by)).toEqual([BOND_RAW * BigInt(fitting), fitting])
  })

  test('those of the wallet itself and of another delegate do not count', async () => {
    const by = await delegate({ jobsPerDay: 1 })
    const others = [{ ...by, grantId: null }, await delegate({ jobsPerDay: 1 }, { wallet: by.wallet })]
    for (const other of [...others, by]) expect(await refusalOf(await claimBy(other))).toBeNull()
    expect(await useOf(by)).toEqual([BOND_RAW, 1])
  })
})

describe('what a claim counts', () => {
  test('is its bond without a waiver, until the record shows that the chain waived it', async () => {
    const by = await delegate({ bondPerDayRaw: String(BOND_RAW) })
    const first = await claimBy(by, WAIVED)
    const admitted = await records.admission.admitClaim(first)
    expect(await useOf(by)).toEqual([BOND_RAW, 1])
    expect(await refusalOf(await claimBy(by, WAIVED))).toBe('delegate_bond_budget_exceeded')
    await records.claims.recordClaim({
      claim: first,
      admitted,
      bond: bondAt(records.clock.now(), { waived: true, stakeRaw: '0', feeRaw: '0' }),
    })
    expect(await useOf(by)).toEqual([0n, 1])
    expect(await refusalOf(await claimBy(by, WAIVED))).toBeNull()
  })

  test('stays what was charged although a waiver was expected', async () => {
    const by = await delegate({ bondPerDayRaw: String(BOND_RAW) })
    await record(await claimBy(by, WAIVED), false)
    expect(await useOf(by)).toEqual([BOND_RAW, 1])
  })

  test('is nothing once it was refused, and everything once its run was ended: its bond may be on chain', async () => {
    const by = await delegate({ bondPerDayRaw: String(BOND_RAW * 2n) })
    const refused = await claimBy(by)
    await records.admission.admitClaim(refused)
    await records.admission.releaseClaim({ runId: refused.runId, code: 'insufficient_liquidity' })
    expect(await useOf(by)).toEqual([0n, 0])
    const ended = await claimBy(by)
    await records.admission.admitClaim(ended)
    // The wallet itself claims the job anew and takes over what is on chain.
    await record(await claimBy({ ...by, grantId: null }, {}, ended.jobId))
    expect(await useOf(by)).toEqual([BOND_RAW, 1])
    await records.admission.admitClaim(await claimBy(by))
    expect(await refusalOf(await claimBy(by))).toBe('delegate_bond_budget_exceeded')
  })

  test('ends 24 hours after it was recorded; while it may still lock its bond it goes on counting', async () => {
    const by = await delegate({ jobsPerDay: 2 })
    const slow = await claimBy(by)
    const admitted = await records.admission.admitClaim(slow)
    await record(await claimBy(by))
    records.clock.move(23 * HOUR)
    await records.claims.recordClaim({ claim: slow, admitted, bond: bondAt(records.clock.now()) })
    expect(await refusalOf(await claimBy(by))).toBe('delegate_jobs_budget_exceeded')
    records.clock.move(HOUR)
    expect(await useOf(by)).toEqual([BOND_RAW, 1])
    await record(await claimBy(by))
    records.clock.move(22 * HOUR)
    expect(await refusalOf(await claimBy(by))).toBe('delegate_jobs_budget_exceeded')
    records.clock.move(HOUR)
    expect(await refusalOf(await claimBy(by))).toBeNull()
  })
})

describe('a grant that changes while a claim is on its way', () => {
  test('and is revoked or over before the admission refuses it', async () => {
    const revoked = await delegate()
    const claim = await claimBy(revoked)
    await revoke(revoked.grantId)
    expect(await refusalOf(claim)).toBe('delegate_ended')
    const over = await delegate({}, { at: records.clock.now() - 30 * DAY_MS })
    expect(await refusalOf(await claimBy(over))).toBe('delegate_ended')
  })

  test('by a revocation that has begun: the admission waits for it and refuses', async () => {
    const by = await delegate()
    const claim = await claimBy(by)
    let answer: Promise<string | null> | undefined
    await records.database.transaction(async (rows) => {
      await revokeIn(rows, by.grantId)
      answer = refusalOf(claim)
      await eventually(
        'the admission waits',
        () => waitingForLocks(records.rows),
        (waiting) => waiting === 1,
      )
    })
    expect(await answer).toBe('delegate_ended')
  })

  test('after the admission has begun: the revocation waits, so that no claim is admitted once it is answered', async () => {
    const by = await delegate()
    const claim = await claimBy(by)
    let answer: Promise<string | null> | undefined
    let revocation: Promise<void> | undefined
    await records.database.transaction(async (rows) => {
      await sql`lock table claim_intent in exclusive mode`.execute(rows)
      answer = refusalOf(claim)
      await eventually(
        'the admission is about to write',
        () => waitingForLocks(records.rows),
        (waiting) => waiting === 1,
      )
      revocation = revoke(by.grantId)
      await eventually(
        'the revocation waits too',
        () => waitingForLocks(records.rows),
        (waiting) => waiting === 2,
      )
    })
    expect(await answer).toBeNull()
    await revocation
    expect(await refusalOf(await claimBy(by))).toBe('delegate_ended')
  })
})

describe('the audit', () => {
  const findings = async (rows = records.rows): Promise<AuditFinding[]> => {
    const found: AuditFinding[] = []
    await checkDelegateBudgets({ rows } as Audit, (finding) => found.push(finding))
    return found
  }
  const findingsWith = (statements: string) => checkWithFault(records.database, statements, ({ rows }) => findings(rows))

  test('finds nothing in what the admission let in', async () => {
    expect(await findings()).toEqual([])
  })

  test.each<[string, Partial<DelegateTerms>, string, string]>([
    ['bonds', { bondPerDayRaw: String(BOND_RAW) }, String(BOND_RAW), String(BOND_RAW * 2n)],
    ['jobs', { jobsPerDay: 1 }, '1', '2'],
  ])('finds %s above what the wallet granted for a day', async (what, terms, limit, found) => {
    const by = await delegate(terms)
    await record(await claimBy(by))
    const { sessionId } = await record(await claimBy({ ...by, grantId: null }))
    const given = `update claim_intent set grant_id = '${by.grantId}' where session_id = '${sessionId}'`
    const [finding, ...others] = await findingsWith(given)
    expect([finding, others]).toEqual([expect.objectContaining({ expected: `at most ${limit}`, found }), []])
    expect(finding?.subject).toContain(`${what} of grant ${by.grantId}`)
    const aDayLater = `${given}; update claim_intent set created_at = created_at + interval '1 day', closed_at = closed_at + interval '1 day'
      where session_id = '${sessionId}'`
    expect(await findingsWith(aDayLater)).toEqual([])
    const ended = `${given}; update claim_intent set status = 'released', failure_code =`
    expect(
      await findingsWith(`${ended} 'insufficient_liquidity' where grant_id = '${by.grantId}' and session_id <> '${sessionId}'`),
    ).toEqual([])
    expect(await findingsWith(`${ended} 'claim_run_ended' where grant_id = '${by.grantId}' and session_id <> '${sessionId}'`)).toHaveLength(
      1,
    )
  })
})
