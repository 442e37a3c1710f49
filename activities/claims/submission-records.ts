import { checkPinnedSubmission } from '../../domain/claims/pinned-submission.ts'
import { acceptanceTime, submissionRefusal } from '../../domain/claims/submission-refusal.ts'
import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { reviewSeconds } from '../../domain/sessions/review-deadline.ts'
import type { ClaimRecordActivities, RecordedSubmission } from '../../schemas/claims/process.ts'
import { isServiceError } from '../../schemas/errors.ts'
import type { SessionProtocol, SessionRecord, SessionSubmission } from '../../schemas/sessions/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { dropDelivery, reserveDelivery } from '../pull-requests/records.ts'
import { getSession, lockSession, withMove } from '../sessions/records.ts'
import { dropSubmissionContent, storeSubmissionContent } from '../sessions/submission-content.ts'
import { recordMissingSubmission } from './divergence.ts'
import type { ClaimStepDeps } from './step.ts'

interface LandedDeps extends Pick<ClaimStepDeps, 'database' | 'clock'> {
  settings: Pick<Settings, 'CODEHOST_PR_REVIEW_SLA_HOURS'>
}

interface SubmissionRecordDeps extends LandedDeps {
  settings: Pick<Settings, 'MAINTAINER_OPEN_PR_CAP' | 'CODEHOST_PR_REVIEW_SLA_HOURS'>
}

type Steps = Pick<ClaimRecordActivities, 'admitSubmission' | 'recordSubmission' | 'dropSubmission' | 'recordLateSubmission'>

/** A submission as its session stores it. */
export const submissionColumn = (submission: SessionSubmission, normalizedFrom: string | undefined): SessionSubmission => ({
  ...submission,
  ...(normalizedFrom && { normalizedFrom }),
})

/** Work that stands in a session once its submission is recorded. */
export interface LandedWork {
  submission: SessionSubmission | null
  evidenceHash: string
}

/**
 * Records a submission that is on chain; `submittedAt` is the time of its block (ISO 8601). `work` is that of a session which does not hold it yet,
 * stored by `store` in the same transaction.
 */
export const recordLanded = async (
  { database, clock, settings }: LandedDeps,
  session: SessionRecord,
  { txHash, submittedAt, protocol }: { txHash: string; submittedAt: string; protocol: SessionProtocol },
  work: LandedWork = { submission: session.submission, evidenceHash: session.evidenceHash ?? '' },
  store: (rows: Rows) => Promise<void> = async () => undefined,
): Promise<RecordedSubmission> => {
  const { sessionId } = session
  const protocolHistory = [...new Set([...session.protocolHistory, protocol])]
  const at = Date.parse(submittedAt)
  const recordedAt = clock.now()
  const about = { submissionKind: work.submission?.kind ?? null, schemaRef: session.jobSnapshot.outputSchema.ref }
  const reviewEndsAt = session.reviewEndsAt ?? plusSeconds(at, reviewSeconds(session.verifierMode, settings))
  const columns = { submission: work.submission, evidenceHash: work.evidenceHash }
  const patch = { ...columns, chainState: 'submitted', submitTxHash: txHash, protocolHistory, reviewEndsAt } as const
  await withMove(
    database,
    { sessionId, to: 'submitted', reason: 'work_submitted', at, recordedAt, metadata: { protocol, ...about }, patch },
    async (rows) => {
      await store(rows)
      await emit(rows, {
        topic: 'session.submitted',
        ...sessionSubject(session),
        txHash,
        at,
        recordedAt,
        data: { status: 'submitted', phase: 'verification', protocolHistory, ...about },
      })
    },
  )
  return { sessionId, status: 'submitted', reviewEndsAt: iso(reviewEndsAt) }
}

/** Records submissions. Each step is one transaction and safe to repeat. */
export const createSubmissionRecords = ({ database, clock, settings }: SubmissionRecordDeps): Steps => {
  const admit: Steps['admitSubmission'] = ({ sessionId, submission, acceptedAt }) =>
    database.transaction(async (rows) => {
      const session = await lockSession(rows, sessionId)
      const accepted = checkPinnedSubmission(session, submission)
      const refusal = submissionRefusal(session, accepted.evidenceHash, acceptanceTime(acceptedAt, clock.now()))
      if (refusal !== null) throw refusal
      if (session.status !== 'claimed') return { alreadySubmitted: true, status: session.status }
      await reserveDelivery(rows, session, accepted.normalized, { usualCap: settings.MAINTAINER_OPEN_PR_CAP, now: clock.now() })
      await rows
        .updateTable('session')
        .set({
          submission: submissionColumn(accepted.submission, accepted.normalizedFrom),
          evidenceHash: accepted.evidenceHash,
          version: session.version + 1,
        })
        .where('sessionId', '=', sessionId)
        .execute()
      await storeSubmissionContent(rows, session.wallet, accepted.submission, clock.now())
      return { alreadySubmitted: false, status: session.status }
    })

  /** Records a refusal; the session stays claimed. The timestamp makes a repeat of the same work another attempt. */
  const recordRefusal = (sessionId: string, code: string, { dropped = false } = {}): Promise<void> =>
    database.transaction(async (rows) => {
      const row = await rows
        .selectFrom('session')
        .select(['sessionId', 'wallet', 'evidence', 'version', 'submission', 'evidenceHash'])
        .where('sessionId', '=', sessionId)
        .where('status', '=', 'claimed')
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined || (dropped && row.submission === null)) return
      if (dropped) {
        await dropDelivery(rows, sessionId)
        await dropSubmissionContent(rows, row)
      }
      const evidence = { ...row.evidence, submitFailedAt: clock.now(), submitFailureCode: code }
      await rows
        .updateTable('session')
        .set({ evidence, version: row.version + 1, ...(dropped && { submission: null, evidenceHash: null }) })
        .where('sessionId', '=', sessionId)
        .execute()
    })

  return {
    admitSubmission: async (input) => {
      try {
        return await admit(input)
      } catch (error) {
        // The open-PR cap says nothing about the work, so the worker may submit the same again.
        if (isServiceError(error) && error.code === 'maintainer_open_pr_cap_reached') await recordRefusal(input.sessionId, error.code)
        throw error
      }
    },

    recordSubmission: async ({ sessionId, ...landed }) =>
      recordLanded({ database, clock, settings }, await getSession(database.rows, sessionId), landed),

    /** The contract refused the submission, so no attempt counts. */
    dropSubmission: ({ sessionId, code }) => recordRefusal(sessionId, code, { dropped: true }),

    /**
     * Records an accepted submission that did not reach the chain before the claim expired. The platform is at fault: the session diverges, no
     * attempt counts, and an operator closes it.
     */
    recordLateSubmission: async ({ sessionId }) => {
      const session = await getSession(database.rows, sessionId)
      const status = await recordMissingSubmission(database, session, session.chainState ?? 'claimed', clock.now())
      return { sessionId, status }
    },
  }
}
