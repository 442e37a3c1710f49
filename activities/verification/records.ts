import { ON_CHAIN } from '../../domain/sessions/deciders.ts'
import { isFinalOutcome, isLateVerdict } from '../../domain/verification/late-verdict.ts'
import { parseVerdictOutcome } from '../../domain/verification/outcome.ts'
import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { SessionRecord, SessionStatus, VerificationSummary } from '../../schemas/sessions/record.ts'
import { VerdictItemShape } from '../../schemas/sessions/shapes.ts'
import type { VerdictItem, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import type { VerdictRecord } from '../../schemas/verification/shapes.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { recordReviewStart } from '../pull-requests/records.ts'
import { isRoundDecided } from '../sessions/dispute.ts'

const VerdictItems = VerdictItemShape.array()

export interface StoredVerdict extends Omit<Tables['verification'], 'jobId' | 'score'> {
  outcome: VerdictOutcome
  verdict: VerdictRecord
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
export const verdictOfRun = async (rows: Rows, sessionId: string, runId: string): Promise<StoredVerdict | null> => {
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
export const summaryOf = ({ outcome, reasonCode, handler, handlerVersion, verdict }: StoredVerdict): VerificationSummary => ({
  outcome,
  reasonCode,
  handler,
  handlerVersion,
  ...(typeof verdict.escalatedFrom === 'string' && { escalatedFrom: verdict.escalatedFrom }),
  verifierPolicyVersion: Number(verdict.verifierPolicyVersion),
  verifierConfigVersion: Number(verdict.verifierConfigVersion),
})

/** Step of a verdict. A run decides `once` per run, or per step for a watched pull request. */
interface VerdictStep {
  runId: string
  name: string
  once: 'run' | 'step'
}

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
  const row = { ...stored, jobId, score }
  await rows.insertInto('verification').values(row).execute()
  const severity = outcome === 'rejected' ? 'error' : outcome === 'approved' ? 'info' : 'warn'
  const data = { outcome, reasonCode, handler, score }
  await emit(rows, { topic: 'verification.resolved', ...sessionSubject(session), severity, at, data })
  return storedOf(stored)
}

/** Stores the verdict of a step and returns the valid one. A repeat, a late verdict and one about work that the session had before store nothing. */
export const storeVerdict = (
  database: Database,
  session: SessionRecord,
  { runId, name, once }: VerdictStep,
  record: VerdictRecord,
  now: number,
): Promise<StoredVerdict> =>
  database.transaction(async (rows) => {
    const { sessionId } = session
    const { status, chainState, evidenceHash } = await rows
      .selectFrom('session')
      .select(['status', 'chainState', 'evidenceHash'])
      .where('sessionId', '=', sessionId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const existing = await (once === 'run' ? verdictOfRun(rows, sessionId, runId) : findVerdict(rows, `${runId}/${name}`))
    if (existing !== null) return existing
    const last = await latestVerdict(rows, sessionId)
    const present = { status: status as SessionStatus, chainState: chainState as ChainJobState | null }
    const roundDecided = await isRoundDecided(rows, sessionId)
    if (last !== null) {
      const judged = record.verificationInputHash
      // The session was read before it got other work. What the chain shows counts all the same.
      if (judged !== evidenceHash && record.handler !== ON_CHAIN) return last
      // The first verdict about the other work decides anew.
      const isFirstOfWork = judged === evidenceHash && last.verdict.verificationInputHash !== evidenceHash
      if (!isFirstOfWork && isLateVerdict({ session: present, last, roundDecided }, record)) return last
    }
    if (!isFinalOutcome(record)) await recordReviewStart(rows, sessionId, now)
    return insertVerdict(rows, session, { id: `${runId}/${name}`, last, at: now }, record)
  })
