import { iso } from '../../domain/instants.ts'
import type { SessionRecord } from '../../schemas/session-record.ts'
import type { Database } from './database.ts'
import { emit } from './events.ts'
import { dropDelivery } from './pull-requests.ts'
import { withMove } from './sessions.ts'

/** What a session keeps of a chain that tells another story than the record. */
export const divergence = (expected: string, observed: string, at: number) => ({
  chainStateDivergence: { expected, observed, at: iso(at) },
})

/** Ends a session whose submission the chain does not have: the platform's fault, so it counts no attempt. A repeat finds it done. */
export const recordMissingSubmission = async (database: Database, session: SessionRecord, observed: string, at: number): Promise<void> => {
  const { sessionId, jobId, wallet, claimExpiresAt } = session
  const metadata = { expected: 'submitted', observed, claimExpiresAt: iso(claimExpiresAt) }
  const patch = { chainState: observed, countsAsAttempt: false, ...divergence('submitted', observed, at) }
  const move = { sessionId, to: 'chain_state_diverged', reason: 'chain_state_diverged', at, metadata, patch } as const
  await withMove(database, move, async (rows) => {
    await dropDelivery(rows, sessionId)
    const data = { status: 'chain_state_diverged', ...metadata }
    await emit(rows, { topic: 'verifier.chain_state_diverged', wallets: [wallet], jobId, sessionId, at, data })
  })
}
