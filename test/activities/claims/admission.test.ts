import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { releaseIntent } from '../../../activities/claims/intents.ts'
import { catalogueUse, subsidyOfDay } from '../../../activities/eligibility/exposure.ts'
import { utcDay } from '../../../domain/common/instants.ts'
import type { AdmittedClaim, ClaimInput } from '../../../schemas/claims/process.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { insertLock } from '../../support/records/locked-deposits.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { waitingForLocks } from '../support/locks.ts'
import { bondAt, type Records, startRecords, UNLIMITED, walletAt } from '../support/service.ts'

/** What one claim of these jobs puts at risk: a reward of 0.1 USDC and the gas. */
const REWARD = 100_000n
const GAS = 59_000n
const EXPOSURE = REWARD + GAS
/** Stake that the waiver spares, as the claims below foretell it. */
const WAIVED_STAKE = 10_000n

const ROOMY = {
  ...UNLIMITED,
  ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: '1000000000',
  ONBOARDING_SUBSIDY_GAS_ESTIMATE_RAW: GAS.toString(),
}

let records: Records
beforeAll(async () => {
  records = await startRecords(ROOMY)
})
afterAll(() => records.stop())

let count = 0
const next = (): number => {
  count += 1
  return count
}
const addJobs = (many: number): Promise<string[]> =>
  Promise.all(Array.from({ length: many }, () => records.addJob(`job-${next()}`, { rewardAmount: 0.1 })))
const freshWallet = (): string => walletAt(next())

const claim = (jobId: string, wallet: string, changes: Partial<ClaimInput> = {}) => ({
  ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}`, ...changes }),
  runId: `run-${next()}`,
})
const { economics } = claimInput('job-0')
const WAIVED: Partial<ClaimInput> = {
  economics: { ...economics, waived: true, stakeRaw: WAIVED_STAKE.toString() },
}

type Claim = ReturnType<typeof claim>

/** As the engine does it: only a refusal is an answer, anything else (a pool that is used up) is tried again. */
const untilAnswered = async (one: Claim, admission: Records['admission']): Promise<AdmittedClaim> => {
  for (;;) {
    try {
      return await admission.admitClaim(one)
    } catch (error) {
      if (isServiceError(error)) throw error
    }
  }
}

/** Admits all at once: what was admitted, and how often each refusal was given. */
const admitAll = async (claims: Claim[], admission = records.admission) => {
  const settled = await Promise.allSettled(claims.map((one) => untilAnswered(one, admission)))
  const admitted: AdmittedClaim[] = []
  const refusals: Record<string, number> = {}
  for (const outcome of settled) {
    if (outcome.status === 'fulfilled') admitted.push(outcome.value)
    else refusals[outcome.reason.code] = (refusals[outcome.reason.code] ?? 0) + 1
  }
  return { admitted, refusals }
}
const refusalOf = async (one: Claim, admission = records.admission): Promise<string | undefined> =>
  Object.keys((await admitAll([one], admission)).refusals)[0]

/** Admits a claim and records it with a bond. */
const record = async (one: Claim, admission = records.admission, waived = one.economics.waived): Promise<AdmittedClaim> => {
  const admitted = await untilAnswered(one, admission)
  await records.claims.recordClaim({ claim: one, admitted, bond: bondAt(records.clock.now(), { waived }) })
  return admitted
}

const intentsOf = (jobId: string) => records.rows.selectFrom('claim_intent').selectAll().where('jobId', '=', jobId).execute()
const subsidies = async (wallet: string): Promise<bigint> => {
  const rows = await records.rows.selectFrom('subsidy_reservation').select('amountRaw').where('wallet', '=', wallet).execute()
  return rows.reduce((sum, { amountRaw }) => sum + amountRaw, 0n)
}

/** Claims at once. */
const CROWD = PLAYS_ALL ? 100 : 40
const ROUNDS = PLAYS_ALL ? 4 : 2

describe('an admission', () => {
  test('of many runs at once leaves one that holds the job, and nothing of the others', async () => {
    const [jobId = ''] = await addJobs(1)
    const claims = Array.from({ length: CROWD }, () => claim(jobId, freshWallet(), WAIVED))
    await admitAll(claims)
    const open = (await intentsOf(jobId)).filter(({ status }) => status === 'open')
    expect(open).toEqual([expect.objectContaining({ exposureRaw: EXPOSURE, subsidyRaw: WAIVED_STAKE + GAS })])
    const reserved = await records.rows.selectFrom('subsidy_reservation').selectAll().execute()
    const runs = new Set(claims.map(({ runId }) => runId))
    expect(reserved.filter(({ runId }) => runs.has(runId)).map(({ runId }) => runId)).toEqual([open[0]?.runId])
  })

  test('of a job that another wallet holds is refused to every wallet', async () => {
    const [jobId = ''] = await addJobs(1)
    const one = claim(jobId, freshWallet())
    await record(one)
    expect(await refusalOf(claim(jobId, freshWallet()))).toBe('job_already_claimed')
    expect(await intentsOf(jobId)).toHaveLength(1)
  })

  test('repeated by its run is the same admission', async () => {
    const [jobId = ''] = await addJobs(1)
    const one = claim(jobId, freshWallet(), WAIVED)
    const { admitted } = await admitAll([one, one, one])
    expect(new Set(admitted.map((found) => JSON.stringify(found))).size).toBe(1)
    expect(await intentsOf(jobId)).toHaveLength(1)
    expect(await subsidies(one.wallet)).toBe(WAIVED_STAKE + GAS)
  })

  test('pins the terms as they are now', async () => {
    const [jobId = ''] = await addJobs(1)
    await records.admission.admitClaim(claim(jobId, freshWallet()))
    const [intent] = await intentsOf(jobId)
    expect(intent?.terms.snapshot).toMatchObject({
      jobId,
      specHash: expect.stringMatching(/^0x/),
      claimEconomics: { claimStake: '0.2', claimStakeRaw: '200000' },
    })
  })

  test('pins the limits that it was decided under, with what counted then', async () => {
    const wallet = freshWallet()
    const admission = records.admissionWith({ ...ROOMY, WORKER_OPEN_EXPOSURE_CAP_RAW: (EXPOSURE * 2n).toString() })
    const [first = '', second = ''] = await addJobs(2)
    await admission.admitClaim(claim(first, wallet, WAIVED))
    await admission.admitClaim(claim(second, wallet, WAIVED))
    const [intent] = await intentsOf(second)
    expect(intent?.terms.admission).toMatchObject({
      workerExposure: { limitRaw: (EXPOSURE * 2n).toString(), usedRaw: EXPOSURE.toString() },
      catalogueDailyBudget: { limitRaw: ROOMY.WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW },
      onboardingSubsidy: { applies: true, dailyBudget: { raw: ROOMY.ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW } },
    })
  })

  test('of a job that was delisted meanwhile is refused and leaves nothing', async () => {
    const [jobId = ''] = await addJobs(1)
    await records.rows.updateTable('job').set({ delistedAt: records.clock.now(), delistReason: 'test' }).where('id', '=', jobId).execute()
    const one = claim(jobId, freshWallet(), WAIVED)
    expect(await refusalOf(one)).toBeDefined()
    expect(await intentsOf(jobId)).toEqual([])
    expect(await subsidies(one.wallet)).toBe(0n)
  })

  test('of an unknown job is refused', async () => {
    expect(await refusalOf(claim('job-none', freshWallet()))).toBe('job_not_found')
  })
})

describe('a cap holds to the unit', () => {
  const CLAIMS = 15
  /** Admits claims of so many jobs at once under one cap. */
  const admitMany = async (cap: string, capRaw: bigint, count: number, claimOf: (jobId: string) => Claim) =>
    admitAll((await addJobs(count)).map(claimOf), records.admissionWith({ ...ROOMY, [cap]: capRaw.toString() }))

  test('when one wallet claims many jobs at once', async () => {
    const wallet = freshWallet()
    const capRaw = EXPOSURE * BigInt(CLAIMS)
    const { admitted, refusals } = await admitMany('WORKER_OPEN_EXPOSURE_CAP_RAW', capRaw, CROWD, (jobId) => claim(jobId, wallet))
    expect([admitted.length, refusals]).toEqual([CLAIMS, { worker_open_exposure_cap_reached: CROWD - CLAIMS }])
  })

  test.each([
    ['WORKER_OPEN_EXPOSURE_CAP_RAW', async () => 0n],
    ['WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW', async () => (await catalogueUse(records.rows, records.clock.now())).totalRaw],
  ])('%s, while what it let in is recorded', async (cap, readUsed) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const wallet = freshWallet()
      const admission = records.admissionWith({ ...ROOMY, [cap]: ((await readUsed()) + EXPOSURE * BigInt(CLAIMS)).toString() })
      const claims = (await addJobs(26)).map((jobId) => claim(jobId, wallet))
      const settled = await Promise.allSettled(claims.map((one) => record(one, admission)))
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(CLAIMS)
    }
  })

  test('and a cap that is one unit short lets one claim less in', async () => {
    const wallet = freshWallet()
    const { admitted } = await admitMany('WORKER_OPEN_EXPOSURE_CAP_RAW', EXPOSURE * 3n - 1n, 5, (jobId) => claim(jobId, wallet))
    expect(admitted).toHaveLength(2)
  })

  test('when fifty wallets draw on the budget of all', async () => {
    const { totalRaw } = await catalogueUse(records.rows, records.clock.now())
    const capRaw = totalRaw + EXPOSURE * BigInt(CLAIMS)
    const claimOf = (jobId: string) => claim(jobId, freshWallet())
    const { admitted, refusals } = await admitMany('WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW', capRaw, 50, claimOf)
    expect([admitted.length, refusals]).toEqual([CLAIMS, { catalogue_daily_budget_exhausted: 50 - CLAIMS }])
  })

  test('when fifty wallets draw on the onboarding subsidy of the day', async () => {
    const usedRaw = await subsidyOfDay(records.rows, utcDay(records.clock.now()))
    const capRaw = usedRaw + (WAIVED_STAKE + GAS) * BigInt(CLAIMS)
    const claimOf = (jobId: string) => claim(jobId, freshWallet(), WAIVED)
    const { admitted, refusals } = await admitMany('ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW', capRaw, 50, claimOf)
    expect([admitted.length, refusals]).toEqual([CLAIMS, { onboarding_subsidy_exhausted: 50 - CLAIMS }])
  })
})

/** The bond of a claim that is charged. */
const BOND = 250_000n
const LOCKED = 5_000_000n

describe('claims at once of one wallet', () => {
  /** Claims of as many jobs, by one reading of the chain: what it lets the wallet spend, and how many of its claims it counts. */
  const claimsOf = async (wallet: string, count: number, withdrawableRaw: bigint, { mined = 0, block = 5, terms = {} } = {}) =>
    (await addJobs(count)).map((jobId) =>
      claim(jobId, wallet, {
        withdrawableRaw: withdrawableRaw.toString(),
        block: String(block),
        ...terms,
        economics: { ...economics, ...(terms as Partial<ClaimInput>).economics, claimNumber: mined + 1 },
      }),
    )

  test('leave what a locked deposit binds, to the unit', async () => {
    for (const [spareRaw, fitting] of [
      [BOND * 5n, 5],
      [BOND * 5n - 1n, 4],
    ] as const) {
      const wallet = freshWallet()
      await insertLock(records.rows, wallet, records.clock.now(), { amountRaw: LOCKED })
      const { admitted, refusals } = await admitAll(await claimsOf(wallet, 26, LOCKED + spareRaw))
      expect([admitted.length, refusals]).toEqual([fitting, { insufficient_liquidity: 26 - fitting }])
    }
  })

  test('draw once on the balance, whether the chain has mined the others or not, and in whatever order', async () => {
    const wallet = freshWallet()
    await insertLock(records.rows, wallet, records.clock.now(), { amountRaw: LOCKED })
    const spendable = LOCKED + BOND * 5n
    const first = await claimsOf(wallet, 3, spendable)
    const admitted = await Promise.all(first.map((one) => untilAnswered(one, records.admission)))
    const fits = async (count: number, mined: number, block: number): Promise<number> => {
      const claims = await claimsOf(wallet, count, spendable - BOND * BigInt(mined), { mined, block })
      const { admitted } = await admitAll(claims)
      for (const { runId } of admitted) await records.admission.releaseClaim({ runId, code: 'blockchain_unavailable' })
      return admitted.length
    }
    expect(await fits(4, 0, 5)).toBe(2)
    // The chain has mined two of them, and no process has recorded one.
    expect(await fits(4, 2, 6)).toBe(2)
    // The last admitted one was mined first, and is recorded.
    const [claimed, session] = [first[2], admitted[2]]
    if (claimed === undefined || session === undefined) throw new Error('three claims were admitted')
    const bond = bondAt(records.clock.now(), { blockNumber: '6', claimNumber: 1 })
    await records.claims.recordClaim({ claim: claimed, admitted: session, bond })
    expect(await fits(4, 0, 5)).toBe(2)
    expect(await fits(4, 1, 6)).toBe(2)
    expect(await fits(4, 3, 8)).toBe(2)
  })

  test('are waived as often as the contract waives, and the others need a bond', async () => {
    const [poor, rich] = [freshWallet(), freshWallet()]
    const poorOnes = await admitAll(await claimsOf(poor, 26, 0n, { terms: WAIVED }))
    expect([poorOnes.admitted.length, poorOnes.refusals]).toEqual([3, { insufficient_liquidity: 23 }])
    expect(await subsidies(poor)).toBe((WAIVED_STAKE + GAS) * 3n)
    const charged = WAIVED_STAKE + BigInt(economics.feeRaw)
    const richOnes = await admitAll(await claimsOf(rich, 26, charged * 4n, { terms: WAIVED }))
    expect([richOnes.admitted.length, richOnes.refusals]).toEqual([7, { insufficient_liquidity: 19 }])
    const pinned = await records.rows.selectFrom('claim_intent').select(['bondRaw', 'terms']).where('wallet', '=', rich).execute()
    expect(pinned.map(({ bondRaw }) => bondRaw).sort()).toEqual([0n, 0n, 0n, charged, charged, charged, charged])
    expect(pinned.map(({ terms }) => terms.snapshot.claimEconomics.claimNumber).sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('use no more of the subsidy than was reserved, whichever of them the chain waives', async () => {
    const wallet = freshWallet()
    const claims = await claimsOf(wallet, 5, BOND * 5n, { terms: WAIVED })
    const admitted = await Promise.all(claims.map((one) => untilAnswered(one, records.admission)))
    for (const [index, one] of claims.entries()) {
      const waived = index >= 2
      const bond = bondAt(records.clock.now(), { waived, claimNumber: waived ? index - 1 : index + 4 })
      await records.claims.recordClaim({ claim: one, admitted: admitted[index] as AdmittedClaim, bond })
    }
    expect(await subsidies(wallet)).toBe((WAIVED_STAKE + GAS) * 3n)
  })

  test('are waived again when those before them were released', async () => {
    const wallet = freshWallet()
    const { admitted } = await admitAll(await claimsOf(wallet, 3, 0n, { terms: WAIVED }))
    for (const { runId } of admitted.slice(0, 2)) await records.admission.releaseClaim({ runId, code: 'blockchain_revert' })
    expect((await admitAll(await claimsOf(wallet, 26, 0n, { terms: WAIVED }))).admitted).toHaveLength(2)
  })
})

describe('a claim that the chain refused', () => {
  test('frees the job, the exposure and the subsidy', async () => {
    const wallet = freshWallet()
    const admission = records.admissionWith({ ...ROOMY, WORKER_OPEN_EXPOSURE_CAP_RAW: EXPOSURE.toString() })
    const [jobId = '', otherJob = ''] = await addJobs(2)
    const { runId } = await admission.admitClaim(claim(jobId, wallet, WAIVED))
    expect(await refusalOf(claim(otherJob, wallet), admission)).toBe('worker_open_exposure_cap_reached')

    await admission.releaseClaim({ runId, code: 'insufficient_liquidity' })
    await admission.releaseClaim({ runId, code: 'insufficient_liquidity' })
    expect(await intentsOf(jobId)).toEqual([expect.objectContaining({ status: 'released', failureCode: 'insufficient_liquidity' })])
    expect(await subsidies(wallet)).toBe(0n)
    expect((await admitAll([claim(jobId, freshWallet()), claim(otherJob, wallet)], admission)).admitted).toHaveLength(2)
  })

  test('is recorded no more once its release has begun, so that it never counts in neither', async () => {
    const wallet = freshWallet()
    const [jobId = ''] = await addJobs(1)
    const one = claim(jobId, wallet, WAIVED)
    const admitted = await records.admission.admitClaim(one)
    let recorded = Promise.resolve('')
    await records.database.transaction(async (rows) => {
      await releaseIntent(rows, one.runId, 'claim_run_ended', records.clock.now())
      const recording = records.claims.recordClaim({ claim: one, admitted, bond: bondAt(records.clock.now()) })
      recorded = recording.then(
        () => 'recorded',
        (error: Error) => error.message,
      )
      await eventually(
        'the record waits for the release',
        () => waitingForLocks(records.rows),
        (count) => count > 0,
      )
    })
    expect(await recorded).toContain('was released')
    expect(await intentsOf(jobId)).toEqual([expect.objectContaining({ status: 'released' })])
  })

  test('keeps what the chain took all the same: a recorded claim is not released', async () => {
    const wallet = freshWallet()
    const [jobId = ''] = await addJobs(1)
    const one = claim(jobId, wallet, WAIVED)
    const { runId } = await record(one)
    await records.admission.releaseClaim({ runId, code: 'blockchain_revert' })
    expect(await subsidies(wallet)).toBe(WAIVED_STAKE + GAS)
  })
})

describe('a claim that was expected to be waived', () => {
  test('keeps nothing of the subsidy when the contract charges it, nor when it is released later', async () => {
    const [wallet, other] = [freshWallet(), freshWallet()]
    const [first = '', second = ''] = await addJobs(2)
    const { runId } = await record(claim(first, wallet, WAIVED), records.admission, false)
    await record(claim(second, other, WAIVED))
    expect([await subsidies(wallet), await subsidies(other)]).toEqual([0n, WAIVED_STAKE + GAS])
    await records.admission.releaseClaim({ runId, code: 'blockchain_revert' })
    expect([await subsidies(wallet), await subsidies(other)]).toEqual([0n, WAIVED_STAKE + GAS])
  })

  test('leaves the budget of the day to others when the contract charges it', async () => {
    const usedRaw = await subsidyOfDay(records.rows, utcDay(records.clock.now()))
    const admission = records.admissionWith({ ...ROOMY, ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: (usedRaw + WAIVED_STAKE + GAS).toString() })
    const [first = '', second = '', third = ''] = await addJobs(3)
    await record(claim(first, freshWallet(), WAIVED), admission, false)
    await record(claim(second, freshWallet(), WAIVED), admission)
    expect(await refusalOf(claim(third, freshWallet(), WAIVED), admission)).toBe('onboarding_subsidy_exhausted')
  })
})

describe('the key of a claim', () => {
  const keyed = { idempotencyKey: 'my-key', explicitKey: true }

  test('stands for one job of one wallet', async () => {
    const wallet = freshWallet()
    const [first = '', second = ''] = await addJobs(2)
    await records.admission.admitClaim(claim(first, wallet, keyed))
    expect(await refusalOf(claim(second, wallet, keyed))).toBe('idempotency_key_reused')
    expect(await intentsOf(second)).toEqual([])
  })

  test('of another wallet is another key', async () => {
    const [first = '', second = ''] = await addJobs(2)
    const { admitted } = await admitAll([claim(first, freshWallet(), keyed), claim(second, freshWallet(), keyed)])
    expect(admitted).toHaveLength(2)
  })

  test('is free again when its claim was released', async () => {
    const wallet = freshWallet()
    const [first = '', second = ''] = await addJobs(2)
    const { runId } = await records.admission.admitClaim(claim(first, wallet, keyed))
    await records.admission.releaseClaim({ runId, code: 'insufficient_liquidity' })
    expect((await admitAll([claim(second, wallet, keyed)])).admitted).toHaveLength(1)
  })
})
