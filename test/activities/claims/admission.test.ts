import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { catalogueUse, subsidyOfDay } from '../../../activities/eligibility/exposure.ts'
import { utcDay } from '../../../domain/common/instants.ts'
import type { AdmittedClaim, ClaimInput } from '../../../schemas/claims/process.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
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
  economics: { ...economics, waived: true, stakeRaw: '0', feeRaw: '0', retainedRaw: '0', unwaivedStakeRaw: WAIVED_STAKE.toString() },
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

describe('an admission', () => {
  test('of a hundred runs at once leaves one that holds the job, and nothing of the others', async () => {
    const [jobId = ''] = await addJobs(1)
    const claims = Array.from({ length: 100 }, () => claim(jobId, freshWallet(), WAIVED))
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

  test('when one wallet claims a hundred jobs at once', async () => {
    const wallet = freshWallet()
    const capRaw = EXPOSURE * BigInt(CLAIMS)
    const { admitted, refusals } = await admitMany('WORKER_OPEN_EXPOSURE_CAP_RAW', capRaw, 100, (jobId) => claim(jobId, wallet))
    expect([admitted.length, refusals]).toEqual([CLAIMS, { worker_open_exposure_cap_reached: 100 - CLAIMS }])
  })

  test.each([
    ['WORKER_OPEN_EXPOSURE_CAP_RAW', async () => 0n],
    ['WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW', async () => (await catalogueUse(records.rows, records.clock.now())).totalRaw],
  ])('%s, while what it let in is recorded', async (cap, readUsed) => {
    for (let round = 0; round < 4; round += 1) {
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
