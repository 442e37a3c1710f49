import type { Hex } from 'viem'
import { known } from '../../domain/common/fact.ts'
import { type Claimant, NO_CLAIMANT } from '../../domain/eligibility/claimant.ts'
import { type Evaluation, evaluate } from '../../domain/eligibility/evaluate.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'
import { findJob } from '../catalogue/jobs.ts'
import type { ChainReads } from '../chain/reads.ts'
import type { RecordDeps, Rows } from '../database/database.ts'
import { readVestedRaw } from '../pool/capital.ts'
import { type FactDeps, readDatabaseFacts, readJobFacts, withChainFacts, withOwnFacts, withWalletFacts } from './facts.ts'

export interface EvaluationDeps extends FactDeps, RecordDeps {
  reads: Pick<ChainReads, 'claimFacts' | 'walletFacts'>
}

/** Evaluates jobs: lists from the database alone, one job with the chain's facts at one block. */
export const createEvaluations = (deps: EvaluationDeps) => {
  const { database, reads, chain, clock, identities } = deps

  const readIdentity = async (wallet: string) => known(await identities.read(database.rows, wallet))

  /** Null when the chain could not be read. */
  const readChain = async (job: JobRecord, wallet: string) => {
    try {
      const read = await reads.claimFacts(job.chainJobId, wallet as Hex)
      return { ...read, vestedRaw: await readVestedRaw(database.rows, chain, wallet, read) }
    } catch (error) {
      if (isServiceError(error)) return null
      throw error
    }
  }

  const getJob = async (jobId: string): Promise<JobRecord> => {
    const job = await findJob(database.rows, jobId)
    if (job === null) throw new ServiceError('job_not_found', { details: { jobId } })
    return job
  }

  return {
    /** Evaluates a page of jobs, in order, from the database. */
    evaluatePage: async (jobs: readonly JobRecord[], claimant: Claimant<string | null>): Promise<Evaluation[]> => {
      const { policy, jobs: facts } = await readDatabaseFacts(database.rows, deps, jobs, claimant, clock.now())
      return facts.map((one) => evaluate(one, policy))
    },

    /** Evaluates one job for no wallet from the database. In a transaction pass its `rows`, so that it needs one connection only. */
    evaluateListing: async (job: JobRecord, rows: Rows = database.rows): Promise<Evaluation> => {
      const { policy, facts } = await readJobFacts(rows, deps, job, NO_CLAIMANT, clock.now())
      return evaluate(facts, policy)
    },

    /**
     * Evaluates jobs for recommendations with the wallet's chain facts at one block and no escrow read per job. Throws 502 if the chain cannot
     * be read.
     */
    rankJobs: async (jobs: readonly JobRecord[], claimant: Claimant): Promise<Evaluation[]> => {
      const [{ policy, jobs: facts }, chainFacts, identity] = await Promise.all([
        readDatabaseFacts(database.rows, deps, jobs, claimant, clock.now()),
        reads.walletFacts(claimant.wallet as Hex),
        readIdentity(claimant.wallet),
      ])
      const vestedRaw = await readVestedRaw(database.rows, chain, claimant.wallet, chainFacts)
      return facts.map((one) => evaluate(withWalletFacts({ ...one, identity }, chain, chainFacts, vestedRaw), policy))
    },

    /** Evaluates one job for one wallet with every fact, as preflight shows it. Throws 404 `job_not_found`. */
    evaluateJob: async (jobId: string, claimant: Claimant): Promise<Evaluation> => {
      const job = await getJob(jobId)
      const [{ policy, facts }, chainFacts, identity] = await Promise.all([
        readJobFacts(database.rows, deps, job, claimant, clock.now()),
        readChain(job, claimant.wallet),
        readIdentity(claimant.wallet),
      ])
      return evaluate(withChainFacts({ ...facts, identity }, chain, chainFacts), policy)
    },

    /** First of two steps: evaluates one job by its records, for callers that the records alone may refuse. Throws 404 `job_not_found`. */
    evaluateRecords: async (jobId: string, claimant: Claimant): Promise<Evaluation> => {
      const { policy, facts } = await readJobFacts(database.rows, deps, await getJob(jobId), claimant, clock.now(), false)
      return evaluate(facts, policy)
    },
    addChainFacts: async ({ assessment: { facts, policy } }: Evaluation, claimant: Claimant): Promise<Evaluation> => {
      const [own, chainFacts, identity] = await Promise.all([
        withOwnFacts(database.rows, deps, facts, claimant),
        readChain(facts.job, claimant.wallet),
        readIdentity(claimant.wallet),
      ])
      return evaluate(withChainFacts({ ...own, identity }, chain, chainFacts), policy)
    },
  }
}
export type Evaluations = ReturnType<typeof createEvaluations>
