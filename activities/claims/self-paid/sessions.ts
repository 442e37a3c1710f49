import { CLAIM_REMOVED } from '../../../domain/sessions/state-machine.ts'
import type { Rows } from '../../database/database.ts'

/** Whether a claim on chain has a session. One that ended because a fork removed the claim does not count: the claim may be mined again. */
export const hasSessionOfClaim = async (rows: Rows, { jobId, txHash }: { jobId: string; txHash: string }): Promise<boolean> => {
  const found = await rows
    .selectFrom('session')
    .select('sessionId')
    .where('jobId', '=', jobId)
    .where('claimTxHash', '=', txHash)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('session_event')
            .select('session_event.seq')
            .whereRef('session_event.sessionId', '=', 'session.sessionId')
            .where('session_event.reason', '=', CLAIM_REMOVED),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
