import type { Hex } from 'viem'
import { isClaimedOnChain } from '../../domain/sessions/close.ts'
import type { ClaimChainActivities, ExpiryResult } from '../../schemas/claims/process.ts'
import type { EscrowJob } from '../chain/block-reads.ts'
import { escrowIntent } from '../chain/escrow-calls.ts'
import { BlockedStepError } from '../common/blocked.ts'
import { getSession } from '../sessions/records.ts'
import { findRequestId } from './intents.ts'
import { type ClaimStepDeps, stepKey } from './step.ts'

/** A record that disagrees with the chain (`diverged`), because the worker submitted directly on chain, needs an operator's decision. */
const RESULTS: Partial<Record<EscrowJob['state'], ExpiryResult['result']>> = {
  closed: 'chain_closed',
  cancelled: 'chain_closed',
  open: 'expired',
  none: 'expired',
  claimed: 'expired',
}

const createExpiryResult = ({ state, worker, block }: EscrowJob & { block: { number: bigint } }, txHash: string | null): ExpiryResult => ({
  result: RESULTS[state] ?? 'diverged',
  observedState: state,
  observedWorker: worker?.toLowerCase() ?? null,
  blockNumber: block.number.toString(),
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
    if (!isItsClaim(job)) return createExpiryResult(job, begun?.status === 'mined' ? begun.txHash : null)
    const context = { escrow: reads.escrowAddress, jobId, sessionId, requestId: await findRequestId(database.rows, runId) }
    const mined = await transactions.sendStep('operator', step, (key) => escrowIntent(context, key, 'handleClaimTimeout', [chainJobId]))
    const after = await reads.escrowJob(chainJobId)
    // The block's clock may lag a second behind ours, so the step is retried.
    if (isItsClaim(after))
      throw new BlockedStepError('blockchain_revert', `${sessionId} was not reopened by ${mined.txHash}: ${mined.revertReason}`)
    return createExpiryResult(after, mined.status === 'mined' ? mined.txHash : null)
  },
})
