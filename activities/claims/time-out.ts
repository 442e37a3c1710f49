import type { Hex } from 'viem'
import { escrowHoldsMoney, isClaimedOnChain } from '../../domain/sessions/close.ts'
import type { ClaimChainActivities, ExpiryResult } from '../../schemas/claims/process.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { EscrowJob } from '../chain/block-reads.ts'
import { escrowIntent } from '../chain/escrow-calls.ts'
import { BlockedStepError } from '../common/blocked.ts'
import { getSession } from '../sessions/records.ts'
import { findRequestId } from './intents.ts'
import { type ClaimStepDeps, stepKey } from './step.ts'

type ReadJob = EscrowJob & { block: { number: bigint } }

/** A record that disagrees with the chain (`diverged`), because the worker submitted directly on chain, needs an operator's decision. */
const RESULTS: Partial<Record<EscrowJob['state'], ExpiryResult['result']>> = {
  closed: 'chain_closed',
  cancelled: 'chain_closed',
  open: 'expired',
  none: 'expired',
  claimed: 'expired',
}

/** A job that another claim holds by now, in whatever state, was timed out before. */
const resultOf = (session: SessionRecord, { state, worker, claimExpiresAt }: EscrowJob): ExpiryResult['result'] => {
  const isOurs = escrowHoldsMoney(session, { state, worker: worker?.toLowerCase() ?? null, claimExpiresAt })
  return RESULTS[state] ?? (isOurs ? 'diverged' : 'expired')
}

const createExpiryResult = (session: SessionRecord, job: ReadJob, txHash: string | null): ExpiryResult => ({
  result: resultOf(session, job),
  observedState: job.state,
  observedWorker: job.worker?.toLowerCase() ?? null,
  blockNumber: job.block.number.toString(),
  txHash,
})

/** Ends an expired claim on chain, or reads what became of it. */
export const createClaimTimeout = ({
  database,
  reads,
  transactions,
}: Pick<ClaimStepDeps, 'database' | 'reads' | 'transactions'>): Pick<ClaimChainActivities, 'timeoutClaim'> => ({
  timeoutClaim: async ({ runId, sessionId }) => {
    const session = await getSession(database.rows, sessionId)
    const { jobId } = session
    const chainJobId = session.chainJobId as Hex
    const step = stepKey(jobId, runId, 'timeout')
    const begun = await transactions.resumeStep(step)
    const isItsClaim = ({ state, worker, claimExpiresAt }: EscrowJob): boolean =>
      isClaimedOnChain(session, { state, worker: worker?.toLowerCase() ?? null, claimExpiresAt })
    const job = await reads.escrowJob(chainJobId)
    // A newer claim, also one of the same worker, proves that this one was timed out by another caller.
    if (!isItsClaim(job)) return createExpiryResult(session, job, begun?.status === 'mined' ? begun.txHash : null)
    const context = { escrow: reads.escrowAddress, jobId, sessionId, requestId: await findRequestId(database.rows, runId) }
    const mined = await transactions.sendStep('operator', step, (key) => escrowIntent(context, key, 'handleClaimTimeout', [chainJobId]))
    const after = await reads.escrowJob(chainJobId)
    // The block's clock may lag a second behind ours, so the step is retried.
    if (isItsClaim(after))
      throw new BlockedStepError('blockchain_revert', `${sessionId} was not reopened by ${mined.txHash}: ${mined.revertReason}`)
    return createExpiryResult(session, after, mined.status === 'mined' ? mined.txHash : null)
  },
})
