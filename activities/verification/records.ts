import { HANDLER_VERSIONS } from '../../domain/catalogue/verification-contract.ts'
import { iso } from '../../domain/common/instants.ts'
import { reviewEnd } from '../../domain/sessions/review-deadline.ts'
import { pinnedDefinition, verifySnapshot } from '../../domain/sessions/snapshot.ts'
import { awaitsVerdict } from '../../domain/sessions/state-machine.ts'
import { isFinalOutcome, isLateVerdict } from '../../domain/verification/late-verdict.ts'
import { parseVerdictOutcome } from '../../domain/verification/outcome.ts'
import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord, SessionStatus, VerificationSummary } from '../../schemas/sessions/record.ts'
import { VerdictItemShape } from '../../schemas/sessions/shapes.ts'
import type { VerdictItem, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { RunResult, VerdictRequester, VerifierSubject } from '../../schemas/verification/process.ts'
import type { VerdictRecord } from '../../schemas/verification/shapes.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { recordReviewStart } from '../pull-requests/records.ts'
import { isRoundDecided } from '../sessions/dispute.ts'
import { findSession, getSession } from '../sessions/records.ts'
import { evaluateSession, verdictRecordOf } from './evaluate.ts'
import type { VerifierHandlers } from './registry.ts'

const VerdictItems = VerdictItemShape.array()

export interface VerificationDeps {
  database: Database
  clock: Clock
  handlers: VerifierHandlers
  publicBaseUrl: string
  settings: Pick<Settings, 'CODEHOST_PR_REVIEW_POLL_MINUTES'>
}

export interface StoredVerdict {
  id: string
  sessionId: string
  seq: number
  outcome: VerdictOutcome
  reasonCode: string
  handler: string
  handlerVersion: number
  verdict: VerdictRecord
  decidedAt: number
}

const storedOf = (row: Omit<Tables['verification'], 'jobId' | 'score'>): StoredVerdict => ({
  ...row,
  verdict: row.verdict as VerdictRecord,
  outcome: parseVerdictOutcome(row.outcome),
})

/** Finds a verdict by its id; null if there is none. */
export const findVerdict = async (rows: Rows, verdictId: string): Promise<StoredVerdict | null> => {
  const row = await rows.selectFrom('verification').selectAll().where('id', '=', verdictId).executeTakeFirst()
  return row === undefined ? null : storedOf(row)
}

/** The verdict of a verifier run. A run decides once over all its attempts, even if the result was lost. */
const verdictOfRun = async (rows: Rows, sessionId: string, runId: string): Promise<StoredVerdict | null> => {
  const row = await rows
    .selectFrom('verification')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .where(({ fn, val }) => fn<boolean>('starts_with', ['id', val(`${runId}/`)]))
    .executeTakeFirst()
  return row === undefined ? null : storedOf(row)
}

/** The newest verdict of a session, or the newest before another one. */
export const latestVerdict = async (rows: Rows, sessionId: string, before: StoredVerdict | null = null): Promise<StoredVerdict | null> => {
  const all = rows.selectFrom('verification').selectAll().where('sessionId', '=', sessionId)
  const earlier = before === null ? all : all.where('seq', '<', before.seq)
  const row = await earlier.orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row === undefined ? null : storedOf(row)
}

/** Verdicts of several sessions, the newest of each first. */
export const listVerdicts = async (rows: Rows, sessionIds: readonly string[]): Promise<StoredVerdict[]> =>
  sessionIds.length === 0
    ? []
    : (await rows.selectFrom('verification').selectAll().where('sessionId', 'in', sessionIds).orderBy('seq', 'desc').execute()).map(
        storedOf,
      )

/** Scores of the newest verdicts of several sessions, by session. */
export const findScores = async (rows: Rows, sessionIds: readonly string[]): Promise<Map<string, number>> => {
  if (sessionIds.length === 0) return new Map()
  const newest = rows.selectFrom('verification').distinctOn('sessionId').select(['sessionId', 'score'])
  const found = await newest.where('sessionId', 'in', sessionIds).orderBy('sessionId').orderBy('seq', 'desc').execute()
  return new Map(found.map(({ sessionId, score }) => [sessionId, score]))
}

/** Items of a stored verdict. */
export const itemsOf = ({ verdict }: Pick<StoredVerdict, 'verdict'>): VerdictItem[] => VerdictItems.parse(verdict.items)

/** Public summary of a verdict, as the session stores it. */
export const summaryOf = (verdict: StoredVerdict): VerificationSummary => ({
  outcome: verdict.outcome,
  reasonCode: verdict.reasonCode,
  handler: verdict.handler,
  handlerVersion: verdict.handlerVersion,
  ...(typeof verdict.verdict.escalatedFrom === 'string' && { escalatedFrom: verdict.verdict.escalatedFrom }),
  verifierPolicyVersion: Number(verdict.verdict.verifierPolicyVersion),
  verifierConfigVersion: Number(verdict.verdict.verifierConfigVersion),
})

/** Step of a verdict. A run decides `once` per run, or per step for a watched pull request. */
interface VerdictStep {
  runId: string
  name: string
  once: 'run' | 'step'
}

/** A verdict with its requester and the requested metadata URI. */
export const askedFor = (verdict: VerdictRecord, { requestedBy, metadataURI }: VerdictRequester): VerdictRecord => ({
  ...verdict,
  requestedBy,
  ...(metadataURI !== undefined && { metadataURI }),
})

/** Stores and announces a verdict after `last`, the session's newest. `at` in epoch ms. */
export const insertVerdict = async (
  rows: Rows,
  session: SessionRecord,
  { id, last, at }: { id: string; last: StoredVerdict | null; at: number },
  record: VerdictRecord,
): Promise<StoredVerdict> => {
  const { sessionId, jobId } = session
  const { outcome, reasonCode, handler, handlerVersion, score } = record
  const seq = (last?.seq ?? 0) + 1
  const stored = { id, sessionId, seq, outcome, reasonCode, handler, handlerVersion, verdict: record, decidedAt: at }
  await rows
    .insertInto('verification')
    .values({ ...stored, jobId, score })
    .execute()
  const severity = outcome === 'rejected' ? 'error' : outcome === 'approved' ? 'info' : 'warn'
  const data = { outcome, reasonCode, handler, score }
  await emit(rows, { topic: 'verification.resolved', ...sessionSubject(session), severity, at, data })
  return storedOf(stored)
}

/** Stores the verdict of a step and returns the valid one. A repeat or a late verdict stores nothing. */
export const storeVerdict = (
  database: Database,
  session: SessionRecord,
  { runId, name, once }: VerdictStep,
  record: VerdictRecord,
  now: number,
): Promise<StoredVerdict> =>
  database.transaction(async (rows) => {
    const { sessionId } = session
    const { status, chainState } = await rows
      .selectFrom('session')
      .select(['status', 'chainState'])
      .where('sessionId', '=', sessionId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const existing = await (once === 'run' ? verdictOfRun(rows, sessionId, runId) : findVerdict(rows, `${runId}/${name}`))
    if (existing !== null) return existing
    const last = await latestVerdict(rows, sessionId)
    const present = { status: status as SessionStatus, chainState: chainState as ChainJobState | null }
    const roundDecided = await isRoundDecided(rows, sessionId)
    if (last !== null && isLateVerdict({ session: present, last, roundDecided }, record)) return last
    if (!isFinalOutcome(record)) await recordReviewStart(rows, sessionId, now)
    return insertVerdict(rows, session, { id: `${runId}/${name}`, last, at: now }, record)
  })

/** Result of a run for its workflow. */
export const resultOf = (verdict: StoredVerdict): RunResult => ({
  kind: 'verdict',
  verdictId: verdict.id,
  outcome: verdict.outcome,
  reasonCode: verdict.reasonCode,
})

const reviewRequired = (session: SessionRecord, publicBaseUrl: string, now: number): VerdictRecord => {
  const pin = verifySnapshot(session.jobSnapshot, session.jobId)
  const core = {
    jobId: session.jobId,
    sessionId: session.sessionId,
    handler: 'human_fallback',
    handlerVersion: HANDLER_VERSIONS.human_fallback,
    outcome: 'disputed' as const,
    score: 0,
    reasonCode: 'HUMAN_REVIEW_REQUIRED',
    detail: 'No verdict within the review time. A reviewer decides.',
    items: [],
    escalatedFrom: session.verifierMode,
  }
  return verdictRecordOf(session, pin.ok ? pin.definition : null, core, publicBaseUrl, now)
}

/** Steps of a verification that store results. */
export const createVerifications = ({ database, clock, handlers, publicBaseUrl, settings }: VerificationDeps) => {
  /** The latest verdict of a session that no verifier can change any more; null otherwise. */
  const verdictBefore = async (session: SessionRecord): Promise<StoredVerdict | null> =>
    awaitsVerdict(session) ? null : latestVerdict(database.rows, session.sessionId)

  return {
    loadSubject: async ({ sessionId }: { sessionId: string }): Promise<VerifierSubject> => {
      const session = await getSession(database.rows, sessionId)
      const { submittedAt } = session.timestamps
      if (submittedAt === null)
        throw new ServiceError('invalid_session_transition', {
          detail: 'Nothing was submitted for this session.',
          details: { sessionId, currentStatus: session.status },
        })
      return {
        sessionId,
        jobId: session.jobId,
        wallet: session.wallet,
        chainJobId: session.chainJobId,
        verifierMode: session.verifierMode,
        title: pinnedDefinition(session.jobSnapshot).title,
        slaDeadline: iso(reviewEnd(session, submittedAt)),
        pollSeconds: settings.CODEHOST_PR_REVIEW_POLL_MINUTES * 60,
        underReview: session.status === 'disputed',
      }
    },

    evaluateSubmission: async ({
      sessionId,
      runId,
      attempt,
      ...asker
    }: VerdictRequester & { sessionId: string; runId: string; attempt: number }): Promise<RunResult> => {
      const decided = await verdictOfRun(database.rows, sessionId, runId)
      if (decided !== null) return resultOf(decided)
      const session = await getSession(database.rows, sessionId)
      const given = await verdictBefore(session)
      if (given !== null) return resultOf(given)
      const evaluated = await evaluateSession(session, handlers, { publicBaseUrl, now: clock.now() })
      if ('unavailable' in evaluated) return { kind: 'unavailable', ...evaluated.unavailable }
      const step = { runId, name: String(attempt), once: 'run' } as const
      return resultOf(await storeVerdict(database, session, step, askedFor(evaluated.verdict, asker), clock.now()))
    },

    recordReviewRequired: async ({ sessionId, runId }: { sessionId: string; runId: string }): Promise<{ verdictId: string }> => {
      const session = await getSession(database.rows, sessionId)
      const step = { runId, name: 'review', once: 'run' } as const
      const now = clock.now()
      const stored = await storeVerdict(database, session, step, reviewRequired(session, publicBaseUrl, now), now)
      return { verdictId: stored.id }
    },

    /** The verdict that a claim was notified of; null if it does not belong to this session. */
    readVerdict: async ({ sessionId, verdictId }: { sessionId: string; verdictId: string }) => {
      const [verdict, session] = await Promise.all([findVerdict(database.rows, verdictId), findSession(database.rows, sessionId)])
      if (verdict === null || verdict.sessionId !== sessionId || session === null) return null
      return { verdictId, outcome: verdict.outcome, reasonCode: verdict.reasonCode }
    },
  }
}
