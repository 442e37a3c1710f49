import { type Hex, maxUint256, zeroHash } from 'viem'
import { reasonCodeHash } from '../../domain/common/ids.ts'
import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { FREEING_ROLES, nextFreeing } from '../../domain/postings/unlisted.ts'
import { verdictCodeBytes } from '../../domain/settlement/award.ts'
import { type PostingActivities, postingWorkflowId } from '../../schemas/postings/process.ts'
import type { FreeingStep } from '../../schemas/postings/terms.ts'
import { escrowIntent } from '../chain/escrow-calls.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
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
  const reject = async (chainJobId: Hex, context: Parameters<typeof escrowIntent>[0], key: string): Promise<MinedTransaction> => {
    const { payoutMode } = await reads.escrowJob(chainJobId)
    const verdict = [false, reasonCodeHash(REASON), '', zeroHash] as const
    return transactions.sendStep('verifier', key, (tried) =>
      payoutMode === 'single'
        ? escrowIntent(context, tried, 'resolveSinglePayout', [chainJobId, ...verdict])
        : // A rejection concerns the whole job; no milestone has this index, so none of it is paid.
          escrowIntent(context, tried, 'resolveMilestone', [chainJobId, maxUint256, ...verdict]),
    )
  }

  const send = (chainJobId: Hex, step: FreeingStep, key: string): Promise<MinedTransaction> => {
    const context = { escrow: reads.escrowAddress, jobId: chainJobId }
    switch (step) {
      case 'time_out':
        return transactions.sendStep('operator', key, (tried) => escrowIntent(context, tried, 'handleClaimTimeout', [chainJobId]))
      case 'reject':
        return reject(chainJobId, context, key)
      case 'finalize':
        return transactions.sendStep('operator', key, (tried) => escrowIntent(context, tried, 'finalizeRejectedJob', [chainJobId]))
      case 'uphold':
        return transactions.sendStep('arbitrator', key, (tried) =>
          escrowIntent(context, tried, 'resolveDispute', [chainJobId, 0n, verdictCodeBytes('upheld'), '']),
        )
    }
  }

  return {
    freeEscrow: async ({ jobId }) => {
      // Since the process asked, a fork may have listed the job.
      const { unlistedClaim: claim } = await reconcilePosting({ jobId })
      const chainJobId = jobId as Hex
      const before = claim === null ? null : nextFreeing(await reads.escrowJob(chainJobId))
      if (claim === null || before === null) return null
      const { step, from, until } = before
      const waiting = { next: step, until: iso(from), lapsesAt: until === null ? null : iso(until), missingKey: null }
      if (from > clock.now()) return waiting
      const role = FREEING_ROLES[step]
      if (!transactions.hasKey(role)) return { ...waiting, until: iso(plusSeconds(clock.now(), KEY_PAUSE_SECONDS)), missingKey: role }
      const key = await journalKey(database, { jobId, txHash: claim.txHash }, step)
      if ((await transactions.resumeStep(key)) === null) await send(chainJobId, step, key)
      const after = nextFreeing(await reads.escrowJob(chainJobId))
      if (after === null) return null
      const again = after.step === step ? plusSeconds(clock.now(), RETRY_SECONDS) : after.from
      return { next: after.step, until: iso(again), lapsesAt: after.until === null ? null : iso(after.until), missingKey: null }
    },
  }
}
