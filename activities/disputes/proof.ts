import { iso } from '../../domain/common/instants.ts'
import { parsePayoutRaw } from '../../domain/disputes/operator-input.ts'
import { needsProof } from '../../domain/disputes/proof.ts'
import { parseVerdict } from '../../domain/disputes/verdict-names.ts'
import type { DisputeProofActivities } from '../../schemas/disputes/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RecordDeps } from '../database/database.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { getSession } from '../sessions/records.ts'
import { evaluateSession } from '../verification/evaluate.ts'
import type { VerifierHandlers } from '../verification/registry.ts'
import { findDisputeOfSession, lockDispute } from './rows.ts'

export interface ProofDeps extends RecordDeps {
  handlers: VerifierHandlers
  publicBaseUrl: string
  /** Address of this process's arbitrator key; null without one. */
  arbitrator: string | null
}

/** Runs the profile of a job again for a verdict that only a passing result allows. */
export const createDisputeProofs = ({ database, clock, handlers, publicBaseUrl, arbitrator }: ProofDeps): DisputeProofActivities => ({
  proveVerdict: async ({ sessionId, verdict: name, workerPayout, key }) => {
    const verdict = parseVerdict(name)
    const dispute = await findDisputeOfSession(database.rows, sessionId)
    // What is no verdict is refused where it is recorded.
    if (verdict === null || verdict === 'timeout' || dispute === null || dispute.status === 'resolved') return
    if (!needsProof({ ...dispute, arbitrator }, { verdict, payoutRaw: parsePayoutRaw(workerPayout) ?? null })) return
    const session = await getSession(database.rows, sessionId)
    const options = { publicBaseUrl, now: clock.now(), expectedOutputs: [], attemptKey: key }
    const evaluated = await evaluateSession(session, handlers, options)
    if ('unavailable' in evaluated)
      throw new ServiceError('dispute_proof_unavailable', {
        detail: evaluated.unavailable.detail,
        details: { disputeId: dispute.disputeId, verdict },
      })
    const { outcome, reasonCode, detail } = evaluated.verdict
    const now = clock.now()
    const proof = {
      round: dispute.round,
      outcome: outcome === 'approved' ? outcome : 'rejected',
      reasonCode,
      detail,
      ranAt: iso(now),
    } as const
    await database.transaction(async (rows) => {
      const locked = await lockDispute(rows, sessionId)
      if (locked === null || locked.round !== proof.round) return
      await rows.updateTable('dispute').set({ proof }).where('disputeId', '=', locked.disputeId).execute()
      const data = { outcome: proof.outcome, reasonCode, verdict }
      await appendEntry(rows, locked.disputeId, { at: now, actor: 'system:verification_profile', action: 'profile_run', data })
    })
  },
})
