import { sql } from 'kysely'
import { forClaim } from '../../domain/catalogue/readiness.ts'
import { limitEvidence } from '../../domain/claims/admission-evidence.ts'
import { type Fact, known, knownValue } from '../../domain/common/fact.ts'
import { sessionId } from '../../domain/common/ids.ts'
import { iso, utcDay } from '../../domain/common/instants.ts'
import { floorSubtract } from '../../domain/common/money.ts'
import { assess, isBrokered } from '../../domain/eligibility/assessment.ts'
import { type ClaimEconomics, WAIVED_BOND } from '../../domain/eligibility/claim-economics.ts'
import { RUN_ENDED } from '../../domain/eligibility/delegate-budget.ts'
import { findAdmissionBlocker, recheckRacing, refusalOf } from '../../domain/eligibility/evaluate.ts'
import { claimExposureRaw, subsidyCostRaw } from '../../domain/eligibility/exposure.ts'
import type { Blocker } from '../../domain/eligibility/gates/blocker.ts'
import type { EarningIdentity } from '../../domain/identity/native/earning.ts'
import { forMaintainedClaim, maintainedWork, POLICY_MAX_AGE_SECONDS } from '../../domain/pull-requests/policy/standing.ts'
import { bondRaw, economicsView } from '../../domain/sessions/economics-view.ts'
import { captureSnapshot } from '../../domain/sessions/snapshot.ts'
import { isLapsedSession } from '../../domain/sessions/state-machine.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { liveEscrow } from '../../schemas/chain/chain-file.ts'
import type { AdmittedClaim, ClaimInput } from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RefusedBy } from '../../schemas/sessions/record.ts'
import { findJob, lockJob } from '../catalogue/jobs.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { type FactDeps, readJobFacts } from '../eligibility/facts.ts'
import { refusalError } from '../identity/earning-identity.ts'
import { holdGrant } from '../identity/grants.ts'
import { type ClaimsUnderWay, claimsUnderWay, lockBalance } from '../locked-deposits/balance.ts'
import { lockRepository } from '../pull-requests/capacity.ts'
import type { PolicyReader } from '../pull-requests/policy-reader.ts'
import { latestSessions, moveSession, nextAttempt } from '../sessions/records.ts'
import { findIntent, getOpenIntent, type Intent, openIntentOfJob, releaseIntent } from './intents.ts'

type Claim = ClaimInput & { runId: string }

const admittedOf = (
  intent: Pick<Intent, 'runId' | 'sessionId' | 'wallet'>,
  job: JobRecord,
  { adopted }: Pick<Claim, 'adopted'>,
): AdmittedClaim => ({
  runId: intent.runId,
  sessionId: intent.sessionId,
  chainJobId: job.chainJobId,
  jobId: job.id,
  wallet: intent.wallet,
  adopted,
})

/**
 * Serializes admissions of one wallet, and all reservations of operator-wide budgets, until the transaction ends. Always taken after the job's
 * row.
 */
const lockAdmission = async (rows: Rows, wallet: string): Promise<void> => {
  await lockBalance(rows, wallet)
  await sql`select pg_advisory_xact_lock(hashtext('admission:catalogue-budget'))`.execute(rows)
}

/** Throws 422 `idempotency_key_reused` if the wallet used the key for another job. */
const assertKeyFree = async (rows: Rows, claim: Claim): Promise<void> => {
  if (!claim.explicitKey) return
  const used = await rows
    .selectFrom('claim_intent')
    .select('jobId')
    .where('wallet', '=', claim.wallet)
    .where('idempotencyKey', '=', claim.idempotencyKey)
    .where('jobId', '<>', claim.jobId)
    .where('status', '<>', 'released')
    .limit(1)
    .executeTakeFirst()
  if (used !== undefined) throw new ServiceError('idempotency_key_reused', { details: { operation: 'jobs_claim', jobId: used.jobId } })
}

const refusedByOf = (blocker: Blocker | null): RefusedBy | undefined =>
  blocker === null ? undefined : { gate: blocker.gate, code: blocker.code, message: blocker.message }

/** Amount that the claim was evaluated with; unread there is unreadable here. */
const rawFact = (digits: string | null): Fact<bigint> => (digits === null ? 'unreadable' : known(BigInt(digits)))

/** Economics of the claim after those under way, which may use the waivers up. */
const economicsFacts = (
  { economics: { stakeRaw, stakeBps, feeRaw, feeBps, retainedRaw, ...economics } }: Claim,
  job: JobRecord,
  asset: { symbol: string; decimals: number },
  underWay: ClaimsUnderWay,
): ClaimEconomics => {
  const claimNumber = economics.claimNumber + underWay.claims
  const waived = economics.waived && claimNumber <= economics.waiverClaimsPerWallet
  const bond = { claimStakeRaw: BigInt(stakeRaw), claimFeeRaw: BigInt(feeRaw) }
  const unwaived = {
    ...bond,
    claimStakeBps: stakeBps,
    claimFeeBps: feeBps,
    lockRaw: bondRaw(bond),
    gasRetainedRaw: BigInt(retainedRaw),
  }
  const cost = waived ? { ...WAIVED_BOND, gasRetainedRaw: 0n } : unwaived
  return {
    ...economics,
    ...cost,
    waived,
    claimNumber,
    asset,
    rewardRaw: job.rewardRaw,
    brokered: isBrokered({ job }),
    netRewardRaw: job.rewardRaw - cost.gasRetainedRaw,
    unwaived,
  }
}

/**
 * This run owns the job's workflow id, so an earlier run with an open intent was terminated. Its intent is released and its lapsed claim
 * recorded. The next step reads and resolves what it left on chain.
 */
const clearAbandoned = async (rows: Rows, claim: Claim, now: number): Promise<void> => {
  const abandoned = await openIntentOfJob(rows, claim.jobId)
  if (abandoned !== null) await releaseIntent(rows, abandoned.runId, RUN_ENDED, now)
  const latest = (await latestSessions(rows, [claim.jobId])).get(claim.jobId)
  if (latest === undefined || !isLapsedSession(latest, now)) return
  const { sessionId, claimExpiresAt, claimTtlSeconds } = latest
  const metadata = { claimExpiresAt: iso(claimExpiresAt), claimTtlSeconds, recordedBy: claim.runId }
  await moveSession(rows, { sessionId, to: 'expired', reason: 'claim_ttl_expired', at: claimExpiresAt, metadata })
}

/**
 * Admits one claim. Reads first whether its wallet can earn. One transaction without network access then locks the job, repeats the checks that
 * can race, writes the intent with the pinned terms and reserves the subsidy. A repeated run finds its own intent.
 */
export const createAdmission = (deps: FactDeps & { database: Database; clock: Clock; maintainers: Pick<PolicyReader, 'refreshJob'> }) => {
  const { database, chain, clock, identities } = deps
  const asset = { symbol: chain.asset.symbol, decimals: chain.asset.decimals }

  const recheck = async (
    rows: Rows,
    claim: Claim,
    job: JobRecord,
    { economics, bondsRaw, identity }: { economics: ClaimEconomics; bondsRaw: bigint; identity: EarningIdentity },
    now: number,
  ) => {
    const { policy, facts } = await readJobFacts(rows, deps, job, claim, now)
    const maintainers = knownValue(facts.maintainers) ?? null
    const encumberedRaw = knownValue(facts.locks)?.encumberedRaw ?? 0n
    const withdrawableRaw = BigInt(claim.withdrawableRaw)
    // The contract checks state and pause in the next step. Only what can race is checked here.
    const complete = {
      ...facts,
      readiness: forClaim(facts.readiness),
      maintainers: known(forMaintainedClaim(maintainers)),
      economics: known(economics),
      liquidity: known({
        block: BigInt(claim.block),
        withdrawableRaw,
        spendableRaw: floorSubtract(withdrawableRaw, encumberedRaw + bondsRaw),
        encumberedRaw,
        // Nothing that is decided here depends on it.
        strategyAllocatedRaw: 0n,
      }),
      vestedRaw: rawFact(claim.vestedRaw),
      priority: { ...facts.priority, capacity: 'unreadable' as const, outstandingCreditRaw: rawFact(claim.creditDebtRaw) },
      identity: known(identity),
      chainJob: known(null),
      paused: 'unreadable' as const,
    }
    const assessment = assess(complete, policy)
    const openPrCap = maintainers?.capacity?.openPrCap ?? null
    const measured = { limits: policy.limits, measured: limitEvidence(assessment), openPrCap }
    // A claim that is on chain is recorded in any case: only so it can be ended.
    if (claim.adopted) return { ...measured, refusedBy: claim.wasAdmitted ? undefined : refusedByOf(findAdmissionBlocker(assessment)) }
    const blocker = recheckRacing(assessment)
    if (blocker !== null) throw refusalOf(blocker)
    return { ...measured, refusedBy: undefined }
  }

  const pin = (claim: Claim, job: JobRecord, economics: ClaimEconomics, now: number) => {
    const snapshot = captureSnapshot({
      job,
      decimals: asset.decimals,
      capturedAt: now,
      chainId: chain.chainId,
      escrowAddress: liveEscrow(chain),
      claimEconomics: { ...economicsView(economics), claimEconomicsSource: economics.source },
      specSource: claim.specSource,
    })
    if (snapshot === null)
      throw new ServiceError('job_definition_integrity_invalid', { reason: 'job_snapshot_capture_failed', details: { jobId: job.id } })
    return snapshot
  }

  const admit = async (rows: Rows, claim: Claim, identity: EarningIdentity): Promise<AdmittedClaim> => {
    const job = await lockJob(rows, claim.jobId)
    if (job === null) throw new ServiceError('job_not_found', { details: { jobId: claim.jobId } })
    const existing = await findIntent(rows, claim.runId)
    if (existing !== null) return admittedOf(await getOpenIntent(rows, claim.runId), job, claim)
    if (!identity.mapped && !claim.adopted) throw refusalError(identity.refusal)
    await clearAbandoned(rows, claim, clock.now())
    await lockAdmission(rows, claim.wallet)
    if (claim.grantId !== null) await holdGrant(rows, claim.grantId)
    const work = maintainedWork(job)
    if (work !== null) await lockRepository(rows, work.key)
    await assertKeyFree(rows, claim)
    const now = clock.now()
    const claimCount = claim.economics.claimNumber - 1
    const underWay = await claimsUnderWay(rows, claim.wallet, { block: BigInt(claim.block), claimCount })
    const economics = economicsFacts(claim, job, asset, underWay)
    // Of claims at once the chain decides the order, so this one may be waived whatever its number is here: the subsidy must bear it.
    const economicsIfWaived = { ...economics, waived: claim.economics.waived }
    const { limits, measured, openPrCap, refusedBy } = await recheck(
      rows,
      claim,
      job,
      { economics: economicsIfWaived, bondsRaw: underWay.bondsRaw, identity },
      now,
    )
    const attempt = await nextAttempt(rows, claim)
    const id = sessionId(job.id, claim.wallet, attempt)
    const subsidyRaw = subsidyCostRaw(economicsIfWaived, limits)
    await rows
      .insertInto('claim_intent')
      .values({
        runId: claim.runId,
        jobId: job.id,
        wallet: claim.wallet,
        sessionId: id,
        attempt,
        status: 'open',
        stage: 'locking_bond',
        terms: {
          snapshot: pin(claim, job, economics, now),
          admission: { ...claim.admission, ...measured, ...(refusedBy && { refusedBy }) },
          waived: economicsIfWaived.waived,
          waiverClaimsPerWallet: economics.waiverClaimsPerWallet,
          openPrCap,
        },
        exposureRaw: claimExposureRaw(job.rewardRaw, isBrokered({ job }), limits),
        subsidyRaw,
        bondRaw: economics.lockRaw,
        unwaivedBondRaw: economics.unwaived.lockRaw,
        grantId: claim.grantId,
        claimCount,
        idempotencyKey: claim.idempotencyKey,
        requestId: claim.requestId,
        createdAt: now,
      })
      .execute()
    if (subsidyRaw > 0n) {
      await rows
        .insertInto('subsidy_reservation')
        .values({ sessionId: id, runId: claim.runId, wallet: claim.wallet, day: utcDay(now), amountRaw: subsidyRaw, createdAt: now })
        .execute()
    }
    return admittedOf({ ...claim, sessionId: id }, job, claim)
  }

  return {
    admitClaim: async (claim: Claim): Promise<AdmittedClaim> => {
      const identity = await identities.read(database.rows, claim.wallet)
      const job = claim.adopted ? null : await findJob(database.rows, claim.jobId)
      // The claim may have waited since its request read them. The transaction decides by what is stored.
      if (job !== null && (await findIntent(database.rows, claim.runId)) === null)
        await deps.maintainers.refreshJob(job, POLICY_MAX_AGE_SECONDS)
      return database.transaction((rows) => admit(rows, claim, identity))
    },

    /** Releases an admitted claim that was refused for good. */
    releaseClaim: ({ runId, code }: { runId: string; code: string }): Promise<void> =>
      database.transaction((rows) => releaseIntent(rows, runId, code, clock.now())),
  }
}
