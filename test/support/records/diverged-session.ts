import { sql } from 'kysely'
import type { Database } from '../../../activities/database/database.ts'
import { chainJobId, sessionId } from '../../../domain/common/ids.ts'

/**
 * A session that ended as diverged, of a job that the chain does not know, so that nothing of it is left there. In all else it is like
 * the given one. Gives its id.
 */
export const addDivergedSession = async (
  { rows }: Pick<Database, 'rows'>,
  like: { sessionId: string; wallet: string },
  jobId: string,
): Promise<string> => {
  const changes = {
    session_id: sessionId(jobId, like.wallet),
    job_id: jobId,
    chain_job_id: chainJobId(jobId),
    run_id: `run of ${jobId}`,
    status: 'chain_state_diverged',
    work_receipt_id: null,
    rejection_finalized_at: null,
    dispute_resolution: null,
  }
  await sql`
    insert into session
    select (jsonb_populate_record(s, ${JSON.stringify(changes)}::jsonb)).* from session s where session_id = ${like.sessionId}`.execute(
    rows,
  )
  return changes.session_id
}
