import type { Hex } from 'viem'
import { pauseRefusal } from '../../domain/chain/contract-refusals.ts'
import { isDecided } from '../../domain/chain/escrow-state.ts'
import { isAcceptedLate } from '../../domain/claims/submission-refusal.ts'
import { iso, isPast } from '../../domain/common/instants.ts'
import { isClaimOf } from '../../domain/sessions/close.ts'
import type { ClaimChainActivities } from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { escrowIntent } from '../chain/escrow-calls.ts'
import { getEvent } from '../chain/escrow-events.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
import { revertInfo } from '../chain/refusals.ts'
import { getSession } from '../sessions/records.ts'
import { type ClaimStepDeps, findJobTransaction, isClaimedBy, stepKey } from './step.ts'

/**
 * Error for a claim that expired before its accepted submission was on chain. The platform is at fault, unless the submission arrived in the
 * last moments; it is then refused and the claim expires.
 */
const createLapsedError = ({ sessionId, jobId, wallet, claimExpiresAt }: SessionRecord, acceptedAt: string | undefined): ServiceError =>
  new ServiceError(isAcceptedLate(acceptedAt, claimExpiresAt) ? 'brokered_submit_expired' : 'claim_expired', {
    details: { sessionId, jobId, claimedBy: wallet, claimExpiresAt: iso(claimExpiresAt) },
  })

/** Submits accepted work on chain, or finds it there if the worker submitted directly. */
export const createSubmission = (deps: ClaimStepDeps): Pick<ClaimChainActivities, 'submitOnChain'> => {
  const { database, reads, transactions, clock } = deps
  const escrow = reads.escrowAddress

  /**
   * Finds the evidence on chain if the worker sent it directly; throws the refusal otherwise. Before its expiry a claim that the chain does not
   * show is no refusal: the node may lag, and a fork may restore the claim.
   */
  const findDirectSubmission = async (session: SessionRecord, acceptedAt: string | undefined, reverted: MinedTransaction | null) => {
    const { sessionId } = session
    const chainJobId = session.chainJobId as Hex
    const job = await reads.escrowJob(chainJobId)
    const isSubmitted =
      (job.state === 'submitted' || isDecided(job.state)) && isClaimOf(session, { ...job, worker: job.worker?.toLowerCase() ?? null })
    const found = isSubmitted ? await findJobTransaction(deps, 'Submitted', chainJobId) : null
    if (found !== null) {
      if (getEvent(found.receipt.logs, escrow, 'Submitted', chainJobId).args.payloadHash === session.evidenceHash)
        return { txHash: found.txHash, submittedAt: iso(found.blockTime) }
      throw new ServiceError('external_direct_submit_evidence_mismatch', { details: { sessionId } })
    }
    if (isPast(session.claimExpiresAt, job.block.time)) throw createLapsedError(session, acceptedAt)
    if (reverted !== null && isClaimedBy(job, session.wallet))
      throw new ServiceError('blockchain_revert', revertInfo('submitWorkFor', reverted.revertReason, { sessionId }))
    throw new ServiceError('blockchain_unavailable', { detail: 'The chain does not show the claim at the moment.' })
  }

  return {
    submitOnChain: async ({ runId, sessionId, requestId, submitNumber, acceptedAt }) => {
      const session = await getSession(database.rows, sessionId)
      const { jobId, wallet, claimExpiresAt } = session
      const chainJobId = session.chainJobId as Hex
      // A transaction that was proved dead may still be on chain if a node learned of its receipt late. The step then finds it.
      const step = stepKey(jobId, runId, `submit/${submitNumber}`)
      const key = `${step}/${await transactions.countDeadTries(step)}`
      const known = (await transactions.resume([key])).length > 0
      const [job, isPaused] = await Promise.all([reads.escrowJob(chainJobId), reads.isPaused()])
      if (!known) {
        if (job.state !== 'claimed') return findDirectSubmission(session, acceptedAt, null)
        if (job.claimExpiresAt !== null && isPast(job.claimExpiresAt, clock.now())) throw createLapsedError(session, acceptedAt)
        const leftSeconds = Math.floor((claimExpiresAt - clock.now()) / 1000)
        if (isPaused) throw new ServiceError('blockchain_revert', pauseRefusal('submitWorkFor', { sessionId }, leftSeconds))
      }
      const context = { escrow, jobId, sessionId, requestId }
      const intent = escrowIntent(context, key, 'submitWorkFor', [chainJobId, wallet as Hex, session.evidenceHash as Hex])
      const [mined] = await transactions.send('operator', [intent])
      if (mined?.status === 'mined') return { txHash: mined.txHash, submittedAt: iso(mined.blockTime) }
      return findDirectSubmission(session, acceptedAt, mined ?? null)
    },
  }
}
