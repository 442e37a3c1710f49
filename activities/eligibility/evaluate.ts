import type { Hex } from 'viem'
import { type Evaluation, evaluate } from '../../domain/eligibility/evaluate.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { findJob } from '../catalogue/jobs.ts'
import type { ChainReads, ClaimChainFacts } from '../chain/reads.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import {
  type DatabaseFacts,
  type FactDeps,
  readDatabaseFacts,
  readJobFacts,
  withChainFacts,
  withOwnFacts,
  withWalletFacts,
} from './facts.ts'

export interface EvaluationDeps extends FactDeps {
  database: Database
  reads: Pick<ChainReads, 'claimFacts' | 'walletFacts'>
  clock: Clock
}

/** One job for one wallet, evaluated from the database alone. */
export interface RecordedJob {
  job: JobRecord
  evaluation: Evaluation
  latest: SessionRecord | null
}

export interface EvaluatedJob extends RecordedJob {
  /** Null when the chain could not be read. */
  chainFacts: ClaimChainFacts | null
}

/** One job of a list, evaluated from the database alone. */
export interface PageEntry {
  evaluation: Evaluation
  latest: SessionRecord | null
}
export type EvaluatedPage = PageEntry[]

/** Evaluates jobs: lists from the database alone, one job with the chain's facts at one block. */
export const createEvaluations = (deps: EvaluationDeps) => {
  const { database, reads, chain, clock } = deps

  const readChain = async (job: JobRecord, wallet: string): Promise<ClaimChainFacts | null> => {
    try {
      return await reads.claimFacts(job.chainJobId, wallet as Hex)
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

  const createRecordedJob = (job: JobRecord, { policy, jobs, latest }: DatabaseFacts): RecordedJob => {
    const [facts] = jobs
    if (facts === undefined) throw new Error('facts of one job are missing')
    return { job, evaluation: evaluate(facts, policy), latest: latest.get(job.id) ?? null }
  }

  const withChain = ({ job, evaluation, latest }: RecordedJob, chainFacts: ClaimChainFacts | null): EvaluatedJob => {
    const { facts, policy } = evaluation.assessment
    return { job, evaluation: evaluate(withChainFacts(facts, chain, chainFacts), policy), latest, chainFacts }
  }

  return {
    /** Evaluates a page of jobs, in order, from the database. In a transaction pass its `rows`, so that it needs one connection only. */
    evaluatePage: async (jobs: readonly JobRecord[], wallet: string | null, rows: Rows = database.rows): Promise<EvaluatedPage> => {
      const { policy, jobs: facts, latest } = await readDatabaseFacts(rows, deps, jobs, wallet, clock.now())
      return facts.map((one) => ({ evaluation: evaluate(one, policy), latest: latest.get(one.job.id) ?? null }))
    },

    /**
     * Evaluates jobs for recommendations with the wallet's chain facts at one block and no escrow read per job. Throws 502 if the chain cannot
     * be read.
     */
    rankJobs: async (jobs: readonly JobRecord[], wallet: string): Promise<EvaluatedPage> => {
      const [{ policy, jobs: facts, latest }, chainFacts] = await Promise.all([
        readDatabaseFacts(database.rows, deps, jobs, wallet, clock.now()),
        reads.walletFacts(wallet as Hex),
      ])
      return facts.map((one) => ({
        evaluation: evaluate(withWalletFacts(one, chain, chainFacts), policy),
        latest: latest.get(one.job.id) ?? null,
      }))
    },

    /** Evaluates one job for one wallet with every fact, as preflight shows it. Throws 404 `job_not_found`. */
    evaluateJob: async (jobId: string, wallet: string): Promise<EvaluatedJob> => {
      const job = await getJob(jobId)
      const [facts, chainFacts] = await Promise.all([
        readDatabaseFacts(database.rows, deps, [job], wallet, clock.now()),
        readChain(job, wallet),
      ])
      return withChain(createRecordedJob(job, facts), chainFacts)
    },

    /** First of two steps: evaluates one job by its records, for callers that the records alone may refuse. Throws 404 `job_not_found`. */
    evaluateRecords: async (jobId: string, wallet: string): Promise<RecordedJob> => {
      const job = await getJob(jobId)
      return createRecordedJob(job, await readJobFacts(database.rows, deps, job, wallet, clock.now()))
    },
    addChainFacts: async (recorded: RecordedJob, wallet: string): Promise<EvaluatedJob> => {
      const { facts, policy } = recorded.evaluation.assessment
      const [own, chainFacts] = await Promise.all([withOwnFacts(database.rows, facts, wallet), readChain(recorded.job, wallet)])
      return withChain({ ...recorded, evaluation: evaluate(own, policy) }, chainFacts)
    },
  }
}
export type Evaluations = ReturnType<typeof createEvaluations>
