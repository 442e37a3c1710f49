import type { Hex } from 'viem'
import { isDecided } from '../../../domain/chain/escrow-state.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import type { EscrowJob } from '../../chain/block-reads.ts'
import { findEvents } from '../../chain/escrow-events.ts'
import { getOpenIntent } from '../intents.ts'
import { assertAdmitted, type BondClaim, type BondStrategy, parseBond } from '../locked-bond.ts'
import { type ClaimStepDeps, findJobTransaction, isHeldBy } from '../step.ts'
import { findRecordedBond, hasSessionOfClaim } from './sessions.ts'

/** Why there is no claim of the wallet to record. */
const noClaim = ({ jobId, wallet }: BondClaim, { state, worker }: EscrowJob): ServiceError => {
  if (state === 'open') return new ServiceError('external_self_paid_claim_required', { details: { jobId, worker: wallet } })
  if (state === 'claimed') return new ServiceError('job_already_claimed', { details: { jobId, claimedBy: worker?.toLowerCase() ?? null } })
  return new ServiceError('job_not_claimable', { details: { jobId, chainState: state } })
}

/**
 * Reads the bond of a claim that is on chain, because its worker sent it or its record was lost. It may have run out, or have a submission or a verdict
 * already: its process ends it.
 */
export const minedBond = (deps: Omit<ClaimStepDeps, 'transactions'>): BondStrategy => {
  const { database, reads } = deps
  const escrow = reads.escrowAddress
  const unavailable = (detail: string): ServiceError => new ServiceError('blockchain_unavailable', { detail })

  return async (claim) => {
    // The step is repeated after its record, and its result was lost: whatever the chain shows by now, the run keeps its session.
    const recorded = await findRecordedBond(database.rows, claim.runId)
    if (recorded !== null) return recorded
    const chainJobId = claim.chainJobId as Hex
    const { snapshot } = (await getOpenIntent(database.rows, claim.runId)).terms
    const job = await reads.escrowJob(chainJobId)
    if (!isHeldBy(job, claim.wallet) && !(isDecided(job.state) && job.worker?.toLowerCase() === claim.wallet)) {
      if (job.block.number < BigInt(claim.block ?? 0)) throw unavailable('The node lags behind the block of the claim.')
      throw noClaim(claim, job)
    }
    assertAdmitted(job, claim.jobId, snapshot)
    const found = await findJobTransaction(deps, 'JobClaimed', chainJobId)
    const newest = found === null ? undefined : findEvents(found.receipt.logs, escrow, 'JobClaimed', chainJobId).at(-1)
    // A node may show the state before its index has the event, or the event of the claim before.
    if (found === null || newest?.args.worker.toLowerCase() !== claim.wallet || job.poster === null)
      throw unavailable('The claim is on chain but its event cannot be found yet.')
    if (await hasSessionOfClaim(database.rows, { jobId: claim.jobId, txHash: found.txHash }))
      throw new ServiceError('job_session_completed', { details: { jobId: claim.jobId, txHash: found.txHash } })
    return parseBond(escrow, chainJobId, found, job.poster)
  }
}
