import type { Hex } from 'viem'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { getEvent } from '../chain/escrow-events.ts'
import { type ClaimStepDeps, findJobTransaction } from '../claims/step.ts'
import { getSession, lockSession } from '../sessions/records.ts'

/**
 * Follows claim, its end and submission of a session to the blocks that hold them now: after a fork these may be older than the recorded ones. `verifiedAt` is
 * the block time of the verdict, epoch ms. The session is as before where claim, submission and verdict are in this order.
 */
export const createInstants =
  (deps: Pick<ClaimStepDeps, 'database' | 'chain' | 'clients' | 'reads'>) =>
  async (session: SessionRecord, verifiedAt: number): Promise<SessionRecord> => {
    const { sessionId, timestamps } = session
    const { claimedAt, submittedAt } = timestamps
    if (submittedAt === null || (claimedAt <= submittedAt && submittedAt <= verifiedAt)) return session
    const chainJobId = session.chainJobId as Hex
    const claimed = await findJobTransaction(deps, 'JobClaimed', chainJobId)
    const submitted = await findJobTransaction(deps, 'Submitted', chainJobId)
    // A node that lags shows them later: without them the receipt is refused and the step repeated.
    if (claimed === null || submitted === null) return session
    const { claimExpiry } = getEvent(claimed.receipt.logs, deps.reads.escrowAddress, 'JobClaimed', chainJobId).args
    await deps.database.transaction(async (rows) => {
      const { version } = await lockSession(rows, sessionId)
      await rows
        .updateTable('session')
        .set({
          claimedAt: claimed.blockTime,
          claimTxHash: claimed.txHash,
          claimBlock: claimed.blockNumber,
          claimExpiresAt: Number(claimExpiry) * 1_000,
          submittedAt: submitted.blockTime,
          submitTxHash: submitted.txHash,
          version: version + 1,
        })
        .where('sessionId', '=', sessionId)
        .execute()
    })
    return getSession(deps.database.rows, sessionId)
  }
export type FollowInstants = ReturnType<typeof createInstants>
