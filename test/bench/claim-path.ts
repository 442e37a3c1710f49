import { createAdmission } from '../../activities/claims/admission.ts'
import { openIntentOfJob } from '../../activities/claims/intents.ts'
import { openDatabase } from '../../activities/database/database.ts'
import { createEvaluations } from '../../activities/eligibility/evaluate.ts'
import type { Settings } from '../../schemas/settings.ts'
import { testChain } from '../support/api.ts'
import { walletChainFacts } from '../support/chain-facts.ts'
import { evmIdentities } from '../support/native/identities.ts'
import { createMaintainers } from '../support/records/maintainers.ts'
import { claimInput } from '../workflows/support/claim-input.ts'
import { historyWallet } from './history.ts'

/** Jobs without a claim that every wallet may claim. */
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
  const facts = walletChainFacts()
  const deps = { database, settings, chain: testChain, clock: { now: () => Date.now() }, identities: evmIdentities }
  const evaluations = createEvaluations({ ...deps, reads: { claimFacts: async () => facts, walletFacts: async () => facts } })
  const admission = createAdmission({ ...deps, maintainers: createMaintainers(database) })
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
      // As the API does it: the job's records, then every fact.
      const recorded = await evaluations.evaluateRecords(jobId, { wallet, grantId: null })
      await openIntentOfJob(database.rows, jobId)
      const evaluation = await evaluations.addChainFacts(recorded, { wallet, grantId: null })
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
