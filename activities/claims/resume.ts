import { sql } from 'kysely'
import { iso } from '../../domain/common/instants.ts'
import type { ClaimRecordActivities, ResumedSession } from '../../schemas/claims/process.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'
import { getSession, lockSession } from '../sessions/records.ts'
import { latestVerdict } from '../verification/records.ts'
import { createRecordedClaim } from './records.ts'
import type { ClaimStepDeps } from './step.ts'

/** Gives everything that names the lost run of a session to this one. */
const takeOver = async (rows: Rows, { sessionId, runId: lost }: SessionRecord, runId: string): Promise<void> => {
  if (lost === runId) return
  for (const table of ['claim_intent', 'subsidy_reservation'] as const)
    await rows.updateTable(table).set({ runId }).where('runId', '=', lost).execute()
  await rows.updateTable('session').set({ runId, version: sql`version + 1` }).where('sessionId', '=', sessionId).execute()
}

const standingOf = async (rows: Rows, session: SessionRecord, now: number): Promise<ResumedSession> => {
  const { sessionId, status, timestamps, claimExpiresAt, reviewEndsAt } = session
  const claim = createRecordedClaim(sessionId, timestamps.claimedAt, claimExpiresAt, now)
  const isRejectionOpen = status === 'rejected' && timestamps.rejectionFinalizedAt === null
  if (status === 'claimed') {
    const [protocol = 'http'] = session.protocolHistory.slice(-1)
    return { kind: 'claimed', session: claim, accepted: session.submission === null || session.external ? null : protocol }
  }
  if (status === 'submitted' && reviewEndsAt !== null) return { kind: 'submitted', session: claim, reviewEndsAt: iso(reviewEndsAt) }
  const verdict = status === 'disputed' || isRejectionOpen ? await latestVerdict(rows, sessionId) : null
  if (verdict === null) return { kind: 'ended', outcome: { sessionId, status } }
  const { id: verdictId, outcome, reasonCode } = verdict
  return { kind: 'contested', session: claim, verdict: { verdictId, outcome, reasonCode } }
}

/** Takes over sessions whose process is lost. */
export const createResumption = ({
  database,
  clock,
}: Pick<ClaimStepDeps, 'database' | 'clock'>): Pick<ClaimRecordActivities, 'resumeClaim'> => ({
  resumeClaim: async ({ runId, sessionId }) => {
    await database.transaction(async (rows) => takeOver(rows, await lockSession(rows, sessionId), runId))
    return standingOf(database.rows, await getSession(database.rows, sessionId), clock.now())
  },
})
