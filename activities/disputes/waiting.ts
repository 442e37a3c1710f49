import { disputeWait } from '../../domain/disputes/stage.ts'
import type { WaitingFacts } from '../../domain/sessions/waiting.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'
import { findWatched } from '../pull-requests/records.ts'
import { findScores } from '../verification/records.ts'
import { findDecisions, findDisputesOfSessions } from './rows.ts'

type Session = Pick<SessionRecord, 'sessionId' | 'status' | 'timestamps' | 'verifierMode'>

/** Reads what several sessions wait for, beside their own records. */
export const readWaitingFacts = async (rows: Rows, sessions: readonly Session[]): Promise<(sessionId: string) => WaitingFacts> => {
  const idsWhere = (matches: (session: Session) => boolean): string[] => sessions.filter(matches).map(({ sessionId }) => sessionId)
  const disputed = idsWhere(({ status }) => status === 'disputed')
  const isUndecided = ({ status }: Session): boolean => status === 'submitted' || status === 'disputed'
  const delivered = idsWhere((session) => session.verifierMode === 'codehost_pr' && isUndecided(session))
  const submitted = idsWhere(({ timestamps }) => timestamps.submittedAt !== null)
  const [disputes, watched, scores] = await Promise.all([
    findDisputesOfSessions(rows, disputed),
    findWatched(rows, delivered),
    findScores(rows, submitted),
  ])
  const decisions = await findDecisions(rows, [...disputes.values()])
  return (sessionId) => {
    const dispute = disputes.get(sessionId) ?? null
    return {
      dispute: dispute === null ? null : disputeWait(dispute, decisions.get(dispute.disputeId) ?? null),
      pullRequest: watched.get(sessionId) ?? null,
      score: scores.get(sessionId) ?? null,
    }
  }
}

/** What one session waits for, beside its own record. */
export const waitingFactsOf = async (rows: Rows, session: Session): Promise<WaitingFacts> =>
  (await readWaitingFacts(rows, [session]))(session.sessionId)
