import { type Hex, maxUint256, zeroHash } from 'viem'
import { reasonCodeHash } from '../../domain/common/ids.ts'
import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { nextFreeing } from '../../domain/postings/unlisted.ts'
import { verdictCodeBytes } from '../../domain/settlement/award.ts'
import { type PostingActivities, postingWorkflowId } from '../../schemas/postings/process.ts'
import type { FreeingStep } from '../../schemas/postings/terms.ts'
import { escrowIntent } from '../chain/escrow-calls.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
import type { Transactions } from '../chain/journal/send.ts'
import type { ChainReads } from '../chain/reads.ts'
import type { Clock } from '../common/clock.ts'
import type { Database } from '../database/database.ts'

interface Deps {
  database: Database
  /** Reads no state from before the newest recorded event. */
  reads: ChainReads
  transactions: Transactions
  clock: Clock
}

const REASON = 'JOB_NOT_LISTED'
/** A dispute waits for a process that holds the arbitrator's key, seconds. */
const KEY_PAUSE_SECONDS = 3_600
/** A transaction that did not move the escrow is tried again after this long, seconds: the clock of its block may lag behind ours. */
const RETRY_SECONDS = 60

/**
 * Journal key of a step. Each event of the job that a fork has removed changes it: what was sent before may have to be sent again.
 */
const stepOf = async ({ rows }: Database, { jobId, txHash }: { jobId: string; txHash: string }, step: string): Promise<string> => {
  const { removed } = await rows
    .selectFrom('chain_event')
    .select(({ fn }) => fn.countAll<string>().as('removed'))
    .where('chainJobId', '=', jobId)
    .where('removedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return `${postingWorkflowId(jobId)}/${txHash}/${step}/${removed}`
}

/** Frees the escrows of jobs that are funded but not listed. Source: ADR 39. */
export const createFreeing = ({ database, reads, transactions, clock }: Deps): Pick<PostingActivities, 'freeEscrow'> => ({
  freeEscrow: async (claim) => {
    const chainJobId = claim.jobId as Hex
    const context = { escrow: reads.escrowAddress, jobId: claim.jobId }
    const dueIn = async () => {
      const next = nextFreeing(await reads.escrowJob(chainJobId))
      return next === null ? null : { ...next, isDue: next.from <= clock.now() }
    }
    const reject = async (step: string): Promise<MinedTransaction> => {
      const { payoutMode } = await reads.escrowJob(chainJobId)
      const verdict = [false, reasonCodeHash(REASON), '', zeroHash] as const
      return transactions.sendStep('verifier', step, (key) =>
        payoutMode === 'single'
          ? escrowIntent(context, key, 'resolveSinglePayout', [chainJobId, ...verdict])
          : // A rejection concerns the whole job; no milestone has this index, so none of it is paid.
            escrowIntent(context, key, 'resolveMilestone', [chainJobId, maxUint256, ...verdict]),
      )
    }
    const send = (name: FreeingStep, step: string): Promise<MinedTransaction> => {
      switch (name) {
        case 'time_out':
          return transactions.sendStep('operator', step, (key) => escrowIntent(context, key, 'handleClaimTimeout', [chainJobId]))
        case 'reject':
          return reject(step)
        case 'finalize':
          return transactions.sendStep('operator', step, (key) => escrowIntent(context, key, 'finalizeRejectedJob', [chainJobId]))
        case 'uphold':
          return transactions.sendStep('arbitrator', step, (key) =>
            escrowIntent(context, key, 'resolveDispute', [chainJobId, 0n, verdictCodeBytes('upheld'), '']),
          )
      }
    }

    const before = await dueIn()
    if (before === null) return { next: null, until: null }
    if (!before.isDue) return { next: before.step, until: iso(before.from) }
    if (before.step === 'uphold' && !transactions.hasKey('arbitrator'))
      return { next: before.step, until: iso(plusSeconds(clock.now(), KEY_PAUSE_SECONDS)) }
    const step = await stepOf(database, claim, before.step)
    if ((await transactions.resumeStep(step)) === null) await send(before.step, step)
    const after = await dueIn()
    if (after === null) return { next: null, until: null }
    const from = after.step === before.step ? plusSeconds(clock.now(), RETRY_SECONDS) : after.from
    return { next: after.step, until: iso(from) }
  },
})
