import { sql } from 'kysely'
import type { Recovery } from '../../common/processes.ts'
import type { Rows } from '../../database/database.ts'
import { openSession } from '../../sessions/records.ts'
import { resumedClaimStart } from '../start.ts'

/** Claims are taken over where their sessions stand. A claim starts the verifier run and the dispute of its session. */
export const claimRecovery: Recovery<Rows> = {
  workflows: ['claimSession', 'verifierRun', 'dispute'],
  listWanted: async (rows) => {
    const found = await rows
      .selectFrom('session')
      .leftJoin('claim_intent', 'claim_intent.runId', 'session.runId')
      .select(['session.sessionId', 'session.jobId', 'session.wallet', 'session.chainJobId', 'claim_intent.requestId'])
      .select([
        sql<boolean>`(session.evidence->>'external')::boolean`.as('selfPaid'),
        sql<string>`session.evidence->>'verifierMode'`.as('verifierMode'),
        sql<string>`session.job_snapshot->'specDefinition'->>'title'`.as('title'),
      ])
      .where('session.sessionId', 'in', rows.selectFrom('session').select('sessionId').where(openSession))
      .orderBy('session.claimedAt')
      .execute()
    return found.map(({ requestId, ...session }) => ({
      workflow: 'claimSession',
      start: resumedClaimStart({ ...session, requestId: requestId ?? session.sessionId }),
    }))
  },
}
