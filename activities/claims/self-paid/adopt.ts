import { newClaim, usualClaimKey } from '../../../domain/claims/new-claim.ts'
import { createEvaluations, type EvaluationDeps } from '../../eligibility/evaluate.ts'
import { hasSessionOfRun } from '../../sessions/records.ts'
import type { StartClaim } from '../start.ts'
import { findClaimOffer } from './offers.ts'
import { hasSessionOfClaim } from './sessions.ts'

/** A claim on chain without a session. */
interface MinedClaim {
  jobId: string
  /** Lower case. */
  wallet: string
  txHash: string
  /** Whether the service itself locked its bond, and so had admitted it. */
  wasAdmitted: boolean
}

/**
 * Starts the process of a claim that is on chain. True where the claim has its session or its run, also from earlier; false while another run of
 * the job goes on. Throws `job_not_found`, and 502 where the chain cannot be read.
 */
export const startAdoptedClaim = async (
  deps: EvaluationDeps & { startClaim: StartClaim },
  { jobId, wallet, txHash, wasAdmitted }: MinedClaim,
): Promise<boolean> => {
  const { rows } = deps.database
  const hasSession = (): Promise<boolean> => hasSessionOfClaim(rows, { jobId, txHash })
  if (await hasSession()) return true
  const offer = await findClaimOffer(rows, jobId, wallet)
  const claimant = { wallet, grantId: offer?.grantId ?? null, responsiblePerson: null }
  const evaluation = await createEvaluations(deps).evaluateJob(jobId, claimant)
  const claim = newClaim(evaluation, {
    ...claimant,
    idempotencyKey: usualClaimKey(wallet, jobId),
    explicitKey: false,
    requestId: offer?.requestId ?? txHash,
    protocol: offer?.protocol ?? 'http',
    adopted: true,
    wasAdmitted,
  })
  const running = await deps.startClaim(claim)
  if (running === null) return true
  // A run without a session records the claim that is on chain; one with a session owns another claim, unless it has just recorded this one.
  if (running.wallet === wallet && !(await hasSessionOfRun(rows, running.runId))) return true
  return hasSession()
}
