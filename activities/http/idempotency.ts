import { ServiceError } from '../../schemas/errors.ts'
import type { Rows } from '../database/database.ts'

/** Wallet, operation and key. `operation` is the scope name of the registry (`idempotent`). */
export interface KeyScope {
  wallet: string
  operation: string
  key: string
}

/** The workflow, run and update that a key stands for. */
export interface KeyProcess {
  subject?: string
  workflowId?: string
  runId?: string
  updateId?: string
}

export interface StoredAnswer {
  status: number
  body: unknown
}

export interface KeyRecord {
  fingerprint: string
  subject: string | null
  workflowId: string | null
  runId: string | null
  updateId: string | null
  /** Null while the operation has no answer. */
  answer: StoredAnswer | null
  /** When the key was bound, epoch ms. */
  createdAt: number
}

const columns = ['fingerprint', 'subject', 'workflowId', 'runId', 'updateId', 'responseStatus', 'responseBody', 'createdAt'] as const

const KEY = ['wallet', 'operation', 'key'] as const
const EMPTY = { subject: null, workflowId: null, runId: null, updateId: null, responseStatus: null, responseBody: null, completedAt: null }

/** Finds a key; null if it was never used. */
export const findKey = async (rows: Rows, { wallet, operation, key }: KeyScope): Promise<KeyRecord | null> => {
  const row = await rows
    .selectFrom('idempotency_key')
    .select(columns)
    .where('wallet', '=', wallet)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return null
  const { responseStatus, responseBody, ...rest } = row
  return { ...rest, answer: responseStatus === null ? null : { status: responseStatus, body: responseBody } }
}

/** Throws 422 `idempotency_key_reused` if the key was used for other content. */
export const assertSameRequest = (scope: KeyScope, record: Pick<KeyRecord, 'fingerprint'>, fingerprint: string): void => {
  if (record.fingerprint === fingerprint) return
  throw new ServiceError('idempotency_key_reused', {
    details: { operation: scope.operation, originalRequestHash: record.fingerprint, requestHash: fingerprint },
  })
}

/**
 * Binds a key to a request or returns its record. A duplicate whose transaction is open is waited for, up to the lock time-out. Throws 422
 * `idempotency_key_reused` for other content.
 */
export const bindKey = async (
  rows: Rows,
  scope: KeyScope,
  fingerprint: string,
  process: KeyProcess,
  now: number,
): Promise<{ created: boolean; record: KeyRecord }> => {
  const inserted = await rows
    .insertInto('idempotency_key')
    .values({ ...EMPTY, ...process, ...scope, fingerprint, createdAt: now })
    .onConflict((conflict) => conflict.columns(KEY).doNothing())
    .returning('key')
    .executeTakeFirst()
  const record = await findKey(rows, scope)
  if (record === null) return bindKey(rows, scope, fingerprint, process, now)
  assertSameRequest(scope, record, fingerprint)
  return { created: inserted !== undefined, record }
}

/** A request with its key: scope, fingerprint of the content, time (epoch ms). */
export interface KeyedRequest {
  scope: KeyScope
  fingerprint: string
  now: number
}

/**
 * Stores the process of a key before it starts; binds the key again if a refused duplicate released it. With `joins` an earlier update id
 * stays; without, the key counts as newly bound. Returns the stored update id. Throws 422 `idempotency_key_reused` for other content.
 */
export const nameKeyProcess = async (
  rows: Rows,
  request: KeyedRequest,
  process: KeyProcess,
  { joins }: { joins: boolean },
): Promise<string | null> => {
  const named = await rows
    .insertInto('idempotency_key')
    .values({ ...EMPTY, ...process, ...request.scope, fingerprint: request.fingerprint, createdAt: request.now })
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet(({ fn, ref }) => ({
          ...process,
          ...(!joins && { createdAt: request.now }),
          ...(joins && { updateId: fn.coalesce(ref('idempotency_key.updateId'), ref('excluded.updateId')) }),
        }))
        .where('idempotency_key.fingerprint', '=', request.fingerprint),
    )
    .returning('updateId')
    .executeTakeFirst()
  if (named !== undefined) return named.updateId
  const record = await findKey(rows, request.scope)
  if (record !== null) assertSameRequest(request.scope, record, request.fingerprint)
  return nameKeyProcess(rows, request, process, { joins })
}

/** Clears an update that ended without an answer, so that the next request under the key starts a new one. */
export const clearKeyUpdate = async (rows: Rows, scope: KeyScope, updateId: string): Promise<void> => {
  await rows
    .updateTable('idempotency_key')
    .set({ updateId: null })
    .where('wallet', '=', scope.wallet)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .where('updateId', '=', updateId)
    .execute()
}

/**
 * Stores the answer of a process unless a duplicate stored one, also if a refused duplicate released the key. Returns the stored answer; null
 * if other content has the key. Never call it with a 202.
 */
export const storeAnswer = async (
  rows: Rows,
  request: KeyedRequest,
  answer: StoredAnswer,
): Promise<(StoredAnswer & { own: boolean }) | null> => {
  const stored = { responseStatus: answer.status, responseBody: answer.body, completedAt: request.now }
  const kept = await rows
    .insertInto('idempotency_key')
    .values({ ...EMPTY, ...request.scope, fingerprint: request.fingerprint, createdAt: request.now, ...stored })
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet(stored)
        .where('idempotency_key.fingerprint', '=', request.fingerprint)
        .where('idempotency_key.responseStatus', 'is', null),
    )
    .returning('key')
    .executeTakeFirst()
  if (kept !== undefined) return { ...answer, own: true }
  const record = await findKey(rows, request.scope)
  const stands = record?.fingerprint === request.fingerprint ? record.answer : null
  return stands === null ? null : { ...stands, own: false }
}

/** Stores the answer of a key that this transaction bound. Never call it with a secret in the body. */
export const completeKey = async (rows: Rows, scope: KeyScope, answer: StoredAnswer, now: number): Promise<void> => {
  await rows
    .updateTable('idempotency_key')
    .set({ responseStatus: answer.status, responseBody: answer.body, completedAt: now })
    .where('wallet', '=', scope.wallet)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .where('responseStatus', 'is', null)
    .execute()
}

/**
 * Releases an unanswered key after its operation was refused. Does nothing if other content has the key, if it names another process than
 * `refusedBy` (null: none was named), or if it was bound after `boundAt`.
 */
export const releaseKey = async (
  rows: Rows,
  { scope, fingerprint }: Pick<KeyedRequest, 'scope' | 'fingerprint'>,
  refusedBy: (Pick<KeyProcess, 'workflowId' | 'updateId'> & { boundAt?: number }) | null,
): Promise<void> => {
  await rows
    .deleteFrom('idempotency_key')
    .where('wallet', '=', scope.wallet)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .where('fingerprint', '=', fingerprint)
    .where('responseStatus', 'is', null)
    .where('workflowId', 'is not distinct from', refusedBy?.workflowId ?? null)
    .where((is) => (refusedBy?.boundAt === undefined ? is.lit(true) : is('createdAt', '=', refusedBy.boundAt)))
    .where((is) => (refusedBy === null ? is.lit(true) : is('updateId', 'is not distinct from', refusedBy.updateId ?? null)))
    .execute()
}

/** Deletes unanswered keys bound before `before` (epoch ms): their operations have ended. */
export const deleteUnfinishedKeys = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('idempotency_key').where('createdAt', '<', before).where('responseStatus', 'is', null).execute()
}

/** Deletes answers completed before `before` (epoch ms), which must be at least 24 h ago. */
export const deleteCompletedKeys = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('idempotency_key').where('completedAt', '<', before).execute()
}
