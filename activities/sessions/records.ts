import { expressionBuilder, sql, type Updateable } from 'kysely'
import { entryHash, type LogEntry, logEntry } from '../../domain/sessions/log-entry.ts'
import { assertMove, STATUS_TIMESTAMP, VERDICT_STATUSES } from '../../domain/sessions/state-machine.ts'
import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { ServiceError } from '../../schemas/errors.ts'
import {
  type JobSnapshot,
  SESSION_TIMESTAMPS,
  type SessionEvidence,
  type SessionRecord,
  type SessionStatus,
  type SessionTimestamps,
  type StatusHistoryEntry,
} from '../../schemas/sessions/record.ts'
import { touchCatalogue } from '../catalogue/jobs.ts'
import type { Database, Rows } from '../database/database.ts'

const ofSession = expressionBuilder<Tables, 'session'>()
/** Condition for sessions that a verifier's verdict can still change: `awaitsVerdict` of the session graph. */
export const awaitingVerdict = ofSession.and([
  ofSession('session.status', 'in', [...VERDICT_STATUSES]),
  ofSession('session.chainState', '=', 'submitted'),
])

/** Condition for sessions that have not ended: a rejection counts until it is final. */
export const openSession = sql<boolean>`(status in ('claimed', 'submitted', 'disputed') or (status = 'rejected' and rejection_finalized_at is null))`

/** Converts a row of `session` with its history. */
export const parseSessionRow = ({ evidence: stored, ...row }: Tables['session'], statusHistory: StatusHistoryEntry[]): SessionRecord => {
  const evidence = stored as unknown as SessionEvidence
  return {
    ...row,
    ...evidence,
    status: row.status as SessionStatus,
    chainState: row.chainState as ChainJobState,
    jobSnapshot: row.jobSnapshot as unknown as JobSnapshot,
    statusHistory,
    timestamps: Object.fromEntries(SESSION_TIMESTAMPS.map((name) => [name, row[name]])) as unknown as SessionTimestamps,
    economics: {
      asset: { symbol: row.rewardAsset, decimals: evidence.assetDecimals },
      rewardRaw: row.rewardRaw,
      claimStakeRaw: row.claimStakeRaw,
      claimStakeBps: row.claimStakeBps,
      claimFeeRaw: row.claimFeeRaw,
      claimFeeBps: row.claimFeeBps,
      claimNumber: row.claimNumber,
      waived: row.waived,
      brokered: row.brokered,
      claimFeeRetainedOnSuccess: evidence.claimFeeRetainedOnSuccess,
      gasRetentionSupported: evidence.gasRetentionSupported,
      gasRetainedRaw: BigInt(evidence.gasRetainedRaw),
    },
  }
}

const parseEvent = ({ fromStatus: from, toStatus: to, reason, at, recordedAt, metadata }: Tables['session_event']): StatusHistoryEntry => ({
  from,
  to,
  reason,
  at,
  recordedAt,
  metadata,
})

const withHistory = async (rows: Rows, found: Tables['session'][]): Promise<SessionRecord[]> => {
  if (found.length === 0) return []
  const ids = found.map(({ sessionId }) => sessionId)
  const events = await rows.selectFrom('session_event').selectAll().where('sessionId', 'in', ids).orderBy('seq').execute()
  const eventsOf = Map.groupBy(events, ({ sessionId }) => sessionId)
  return found.map((row) => parseSessionRow(row, (eventsOf.get(row.sessionId) ?? []).map(parseEvent)))
}

/** Finds a session with its history; null if there is none. */
export const findSession = async (rows: Rows, sessionId: string): Promise<SessionRecord | null> => {
  const found = await rows.selectFrom('session').selectAll().where('sessionId', '=', sessionId).execute()
  return (await withHistory(rows, found))[0] ?? null
}

/** Sessions with their histories, by id. */
export const findSessions = async (rows: Rows, sessionIds: readonly string[]): Promise<Map<string, SessionRecord>> => {
  if (sessionIds.length === 0) return new Map()
  const found = await rows.selectFrom('session').selectAll().where('sessionId', 'in', sessionIds).execute()
  return new Map((await withHistory(rows, found)).map((session) => [session.sessionId, session]))
}

/** Entries of a session's history up to a number, as the session log publishes them. */
export const readLog = async (rows: Rows, sessionId: string, upTo: number): Promise<LogEntry[]> => {
  const found = await rows.selectFrom('session_event').selectAll().where('sessionId', '=', sessionId).orderBy('seq').execute()
  return found.filter(({ seq }) => seq <= upTo).map(logEntry)
}

/** Finds a session. Throws 404 `session_not_found`. */
export const getSession = async (rows: Rows, sessionId: string): Promise<SessionRecord> => {
  const session = await findSession(rows, sessionId)
  if (session === null) throw new ServiceError('session_not_found', { details: { sessionId } })
  return session
}

/** Locks a session's row, then reads it. Throws 404 `session_not_found`. */
export const lockSession = async (rows: Rows, sessionId: string): Promise<SessionRecord> => {
  await rows.selectFrom('session').select('sessionId').where('sessionId', '=', sessionId).forUpdate().execute()
  return getSession(rows, sessionId)
}

/** Latest session of each job, without its history. */
export const latestSessions = async (rows: Rows, jobIds: string[]): Promise<Map<string, SessionRecord>> => {
  if (jobIds.length === 0) return new Map()
  const found = await rows
    .selectFrom('session')
    .selectAll()
    .distinctOn('jobId')
    .where('jobId', 'in', jobIds)
    .orderBy('jobId')
    .orderBy('claimedAt', 'desc')
    .orderBy('attempt', 'desc')
    .execute()
  return new Map(found.map((row) => [row.jobId, parseSessionRow(row, [])]))
}

export interface SessionListFilter {
  wallet?: string | undefined
  jobId?: string | undefined
  statuses?: readonly SessionStatus[] | undefined
  limit: number
  /** Keyset position: rows strictly after it, newest first. */
  after: { updatedAt: number; sessionId: string } | null
}

/** Sessions, last updated first. */
export const listSessions = async (rows: Rows, filter: SessionListFilter): Promise<SessionRecord[]> => {
  let query = rows.selectFrom('session').selectAll()
  if (filter.wallet !== undefined) query = query.where('wallet', '=', filter.wallet)
  if (filter.jobId !== undefined) query = query.where('jobId', '=', filter.jobId)
  if (filter.statuses !== undefined) query = query.where('status', 'in', filter.statuses)
  const after = filter.after
  if (after !== null) {
    query = query
      .where('updatedAt', '<=', after.updatedAt)
      .where((is) => is.or([is('updatedAt', '<', after.updatedAt), is('sessionId', '>', after.sessionId)]))
  }
  const found = await query.orderBy('updatedAt', 'desc').orderBy('sessionId').limit(filter.limit).execute()
  return withHistory(rows, found)
}

export interface Move {
  sessionId: string
  to: SessionStatus
  reason: string
  /** Time of the transition, epoch ms. */
  at: number
  /** Service time, epoch ms, where `at` is the time of a block. */
  recordedAt?: number | undefined
  /** Time of the new status, epoch ms, if it is earlier: a status that the session returns to. */
  since?: number | undefined
  metadata: Record<string, unknown>
  /** Columns that change in the same update. */
  patch?: Updateable<Tables['session']> | undefined
}

/** Appends to a session's hash-chained history; `from` is null for its first entry. */
export const appendEvent = async (rows: Rows, from: SessionStatus | null, move: Omit<Move, 'patch'>): Promise<void> => {
  const { sessionId, to: toStatus, reason, at, recordedAt = null, metadata } = move
  const previous = await rows
    .selectFrom('session_event')
    .select(['seq', 'hash'])
    .where('sessionId', '=', sessionId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const place = { sessionId, seq: (previous?.seq ?? 0) + 1, previousHash: previous?.hash ?? null }
  const entry = { ...place, fromStatus: from, toStatus, reason, at, recordedAt, metadata }
  const { hash: _none, ...published } = logEntry({ ...entry, hash: '' })
  const row = { ...entry, hash: entryHash(published) }
  await rows.insertInto('session_event').values(row).execute()
}

/**
 * Changes a session's status along the graph, sets its timestamp and appends to its history. Locks the row. The caller increments the
 * catalogue's version as the last statement of its transaction. False if the session already has the status (a repeated step).
 */
export const moveSession = async (rows: Rows, move: Move): Promise<boolean> => {
  const row = await rows
    .selectFrom('session')
    .select(['status', 'version', 'rejectionFinalizedAt'])
    .where('sessionId', '=', move.sessionId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('session_not_found', { details: { sessionId: move.sessionId } })
  if (row.status === move.to) return false
  const from = row.status as SessionStatus
  assertMove(from, move.to, row.rejectionFinalizedAt)
  const stamps = { [STATUS_TIMESTAMP[move.to]]: move.since ?? move.at, updatedAt: move.at }
  await rows
    .updateTable('session')
    .set({ ...move.patch, status: move.to, ...stamps, version: row.version + 1 })
    .where('sessionId', '=', move.sessionId)
    .where('version', '=', row.version)
    .execute()
  await appendEvent(rows, from, move)
  return true
}

/** Changes a session's status in one transaction. Runs `effects` only if the status changed; the catalogue's version is incremented last. */
export const withMove = (database: Database, move: Move, effects: (rows: Rows) => Promise<void>): Promise<boolean> =>
  database.transaction(async (rows) => {
    if (!(await moveSession(rows, move))) return false
    await effects(rows)
    await touchCatalogue(rows)
    return true
  })

/** A wallet's sessions on one job, newest first. */
export const sessionsOfWalletOnJob = async (rows: Rows, wallet: string, jobId: string): Promise<SessionRecord[]> => {
  const found = await rows
    .selectFrom('session')
    .selectAll()
    .where('wallet', '=', wallet)
    .where('jobId', '=', jobId)
    .orderBy('attempt', 'desc')
    .execute()
  return withHistory(rows, found)
}

/** Whether a run of the claim workflow has recorded its session. */
export const hasSessionOfRun = async (rows: Rows, runId: string): Promise<boolean> =>
  (await rows.selectFrom('session').select('sessionId').where('runId', '=', runId).executeTakeFirst()) !== undefined

/** Number of a wallet's next attempt on a job. Session ids are never reused. */
export const nextAttempt = async (rows: Rows, { jobId, wallet }: { jobId: string; wallet: string }): Promise<number> => {
  const last = await rows
    .selectFrom('session')
    .select('attempt')
    .where('jobId', '=', jobId)
    .where('wallet', '=', wallet)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (last?.attempt ?? 0) + 1
}

/** Sessions by their ids, without their histories. */
export const sessionsById = async (rows: Rows, sessionIds: readonly string[]): Promise<Map<string, SessionRecord>> => {
  if (sessionIds.length === 0) return new Map()
  const found = await rows.selectFrom('session').selectAll().where('sessionId', 'in', sessionIds).execute()
  return new Map(found.map((row) => [row.sessionId, parseSessionRow(row, [])]))
}

/** Submissions that a verifier or a reviewer has to decide, oldest first. `after`: rows strictly later. */
export const listUndecided = async (
  rows: Rows,
  { limit, after }: { limit: number; after: { submittedAt: number; sessionId: string } | null },
): Promise<SessionRecord[]> => {
  let query = rows.selectFrom('session').selectAll().where(awaitingVerdict).where('submittedAt', 'is not', null)
  if (after !== null)
    query = query
      .where('submittedAt', '>=', after.submittedAt)
      .where((is) => is.or([is('submittedAt', '>', after.submittedAt), is('sessionId', '>', after.sessionId)]))
  const found = await query.orderBy('submittedAt').orderBy('sessionId').limit(limit).execute()
  return withHistory(rows, found)
}

/** Sessions of escrow jobs in some of the states, with what their processes are found by. */
export const listSessionsOfChainJobs = async (
  rows: Rows,
  chainJobIds: readonly string[],
  statuses: readonly SessionStatus[],
): Promise<{ sessionId: string; jobId: string; chainJobId: string; isRejectionFinal: boolean }[]> => {
  if (chainJobIds.length === 0) return []
  const found = await rows
    .selectFrom('session')
    .select(['sessionId', 'jobId', 'chainJobId', 'rejectionFinalizedAt'])
    .where('chainJobId', 'in', chainJobIds)
    .where('status', 'in', statuses)
    .execute()
  return found.map(({ rejectionFinalizedAt, ...session }) => ({ ...session, isRejectionFinal: rejectionFinalizedAt !== null }))
}
