import type { ClaimChainFacts } from '../../activities/chain/reads.ts'
import { createAdmission } from '../../activities/claims/admission.ts'
import { openIntentOfJob } from '../../activities/claims/intents.ts'
import { openDatabase } from '../../activities/database/database.ts'
import { createEvaluations } from '../../activities/eligibility/evaluate.ts'
import type { Settings } from '../../schemas/settings.ts'
import { testChain } from '../support/api.ts'
import { claimInput } from '../workflows/support/claim-input.ts'
import { historyWallet } from './history.ts'

/** A wallet that has money and a job that is not on chain yet, without asking a chain. */
const chainFacts = (): ClaimChainFacts => {
  const nothing = { liquid: 0n, reserved: 0n, strategyAllocated: 0n, collateralLocked: 0n, jobStakeLocked: 0n, debtOutstanding: 0n }
  return {
    block: { number: 1n, hash: '0x01', time: Date.now() },
    job: {
      ...{ state: 'none', poster: null, worker: null, specHash: '0x', claimExpiresAt: null, rejectedAt: null, disputedAt: null },
      ...{ payoutMode: 'single', asset: 'USDC', rewardRaw: 0n, claimTtlSeconds: 0n, releasedRaw: 0n, waiverEligible: false },
    },
    preview: null,
    workerClaimCount: 0,
    position: { ...nothing, liquid: 10n ** 12n },
    operatorPosition: { ...nothing, liquid: 10n ** 15n },
    policy: {
      ...{ stakeBps: 1_000, feeBps: 200, minFeeRaw: 50_000n, waiverClaims: 3, posterFeeBps: 0, posterFeeFloorRaw: 0n, paused: false },
      ...{ retentionFlatRaw: 50_000n, retentionCapBps: 3_000, gasRetentionSupported: true, claimFeeRetainedOnSuccess: false },
    },
  }
}

/** Jobs that nobody worked on yet and that every wallet may claim. */
const claimableJobs = async (rows: ReturnType<typeof openDatabase>['rows'], many: number): Promise<string[]> => {
  const found = await rows
    .selectFrom('job')
    .select('id')
    .where('lifecycleStatus', '=', 'open')
    .where('tier', '=', 'starter')
    .where('staleAt', '>', Date.now() + 3_600_000)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('session').select('sessionId').whereRef('session.jobId', '=', 'job.id'))))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('claim_intent').select('runId').whereRef('claim_intent.jobId', '=', 'job.id'))),
    )
    .orderBy('id')
    .limit(many)
    .execute()
  return found.map(({ id }) => id)
}

/** What a claim does on the database before anything is sent: the evaluation with its facts, then the admission. The chain's facts are given. */
export const openClaimPath = async (settings: Settings, many: number) => {
  const database = openDatabase({ url: settings.DATABASE_URL, poolSize: 10 })
  const facts = chainFacts()
  const deps = { database, settings, chain: testChain, clock: { now: () => Date.now() } }
  const evaluations = createEvaluations({ ...deps, reads: { claimFacts: async () => facts, walletFacts: async () => facts } })
  const admission = createAdmission(deps)
  const jobs = await claimableJobs(database.rows, many)
  let count = 0
  return {
    /** Claims the next free job for a wallet that never claimed; answers the milliseconds it took. */
    async claim(): Promise<number> {
      count += 1
      const jobId = jobs[count]
      if (jobId === undefined) throw new Error('the catalogue has no free job left')
      const wallet = historyWallet(1_000_000 + count)
      const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `key-${count}` }), runId: `bench-${count}` }
      const began = performance.now()
      // As the door does it: the job's records, then every fact.
      const recorded = await evaluations.evaluateRecords(jobId, wallet)
      await openIntentOfJob(database.rows, jobId)
      const evaluation = await evaluations.addChainFacts(recorded, wallet)
      if (!evaluation.claimStatus.claimable) throw new Error(`${jobId} is not claimable: ${evaluation.claimStatus.reason}`)
      const admitted = await admission.admitClaim(claim)
      const took = performance.now() - began
      if (admitted.jobId !== jobId || admitted.wallet !== wallet)
        throw new Error(`the claim of ${jobId} was admitted as one of ${admitted.jobId}`)
      return took
    },
    close: () => database.close(),
  }
}
