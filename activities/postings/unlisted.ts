import { type Hex, maxUint256, zeroHash } from 'viem'
import { reasonCodeHash } from '../../domain/common/ids.ts'
import { iso, isoOrNull, plusSeconds } from '../../domain/common/instants.ts'
import { FREEING_ROLES, nextFreeing } from '../../domain/postings/unlisted.ts'
import { verdictCodeBytes } from '../../domain/settlement/award.ts'
import { type Freeing, type PostingActivities, postingWorkflowId } from '../../schemas/postings/process.ts'
import type { FreeingStep } from '../../schemas/postings/terms.ts'
import type { EscrowJob } from '../chain/block-reads.ts'
import { escrowIntent } from '../chain/escrow-calls.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import type { Transactions } from '../chain/journal/send.ts'
import type { ChainReads } from '../chain/reads.ts'
import type { Clock } from '../common/clock.ts'
import type { Database } from '../database/database.ts'

interface Deps extends Pick<PostingActivities, 'reconcilePosting'> {
  database: Database
  /** Reads no state from before the newest recorded event. */
  reads: ChainReads
  transactions: Transactions
  clock: Clock
}

const REASON = 'JOB_NOT_LISTED'
/** A step waits for a process that holds its key, seconds. */
const KEY_PAUSE_SECONDS = 3_600
/** A transaction that did not move the escrow is tried again after this long, seconds: the clock of its block may lag behind ours. */
const RETRY_SECONDS = 60

/** What frees an escrow next, and when it is tried (epoch ms); null once the escrow is free. */
const freeingAt = (due: ReturnType<typeof nextFreeing>, at: number, missingKey: Freeing['missingKey'] = null): Freeing | null =>
  due === null ? null : { next: due.step, until: iso(at), lapsesAt: isoOrNull(due.until), missingKey }

/** Journal key of a step. Each event of the job that a fork has removed changes it: what was sent before may have to be sent again. */
const journalKey = async ({ rows }: Database, { jobId, txHash }: { jobId: string; txHash: string }, step: FreeingStep): Promise<string> => {
  const { removed } = await rows
    .selectFrom('chain_event')
    .select(({ fn }) => fn.countAll<string>().as('removed'))
    .where('chainJobId', '=', jobId)
    .where('removedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return `${postingWorkflowId(jobId)}/${txHash}/${step}/${removed}`
}

/** Frees the escrows of jobs that are funded but not listed. Source: ADR 39. */
export const createFreeing = ({ database, reads, transactions, clock, reconcilePosting }: Deps): Pick<PostingActivities, 'freeEscrow'> => {
  const intentOf = (step: FreeingStep, chainJobId: Hex, payoutMode: EscrowJob['payoutMode'], key: string): TransactionIntent => {
    const context = { escrow: reads.escrowAddress, jobId: chainJobId }
    const verdict = [false, reasonCodeHash(REASON), '', zeroHash] as const
    switch (step) {
      case 'time_out':
        return escrowIntent(context, key, 'handleClaimTimeout', [chainJobId])
      case 'reject':
        return payoutMode === 'single'
          ? escrowIntent(context, key, 'resolveSinglePayout', [chainJobId, ...verdict])
          : // A rejection concerns the whole job; no milestone has this index, so none of it is paid.
            escrowIntent(context, key, 'resolveMilestone', [chainJobId, maxUint256, ...verdict])
      case 'finalize':
        return escrowIntent(context, key, 'finalizeRejectedJob', [chainJobId])
      case 'uphold':
        return escrowIntent(context, key, 'resolveDispute', [chainJobId, 0n, verdictCodeBytes('upheld'), ''])
    }
  }

  return {
    freeEscrow: async ({ jobId }) => {
      // Since the process asked, a fork may have listed the job.
      const { unlistedClaim: claim } = await reconcilePosting({ jobId })
      if (claim === null) return null
      const chainJobId = jobId as Hex
      const job = await reads.escrowJob(chainJobId)
      const due = nextFreeing(job)
      if (due === null || due.from > clock.now()) return freeingAt(due, due?.from ?? 0)
      const { step } = due
      const role = FREEING_ROLES[step]
      if (!transactions.hasKey(role)) return freeingAt(due, plusSeconds(clock.now(), KEY_PAUSE_SECONDS), role)
      const key = await journalKey(database, { jobId, txHash: claim.txHash }, step)
      if ((await transactions.resumeStep(key)) === null)
        await transactions.sendStep(role, key, (tried) => intentOf(step, chainJobId, job.payoutMode, tried))
      const next = nextFreeing(await reads.escrowJob(chainJobId))
      return freeingAt(next, next?.step === step ? plusSeconds(clock.now(), RETRY_SECONDS) : (next?.from ?? 0))
    },
  }
}
