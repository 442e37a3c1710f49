import { ServiceError } from '../../schemas/errors.ts'
import type { Rows } from '../database/database.ts'

/** Whose key, for which operation. `operation` is the scope name of the registry (`idempotent`). */
export interface KeyScope {
  wallet: string
  operation: string
  key: string
}

/** The process a key stands for. */
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
  /** When it was bound, epoch ms. */
  createdAt: number
}

const columns = ['fingerprint', 'subject', 'workflowId', 'runId', 'updateId', 'responseStatus', 'responseBody', 'createdAt'] as const

/** What is known of a key; null when it was never used. */
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

/** Refuses a key that was used for other content: 422 `idempotency_key_reused`. */
export const assertSameRequest = (scope: KeyScope, record: Pick<KeyRecord, 'fingerprint'>, fingerprint: string): void => {
  if (record.fingerprint === fingerprint) return
  throw new ServiceError('idempotency_key_reused', {
    details: { operation: scope.operation, originalRequestHash: record.fingerprint, requestHash: fingerprint },
  })
}

/**
 * Takes a key for a request, or gives what it already stands for. A twin whose transaction is still open waits for its end
 * here (bounded by the lock time-out). Throws 422 `idempotency_key_reused` for other content.
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
    .values({
      ...scope,
      fingerprint,
      subject: process.subject ?? null,
      workflowId: process.workflowId ?? null,
      runId: process.runId ?? null,
      updateId: process.updateId ?? null,
      responseStatus: null,
      responseBody: null,
      createdAt: now,
      completedAt: null,
    })
    .onConflict((conflict) => conflict.columns(['wallet', 'operation', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  const record = await findKey(rows, scope)
  if (record === null) return bindKey(rows, scope, fingerprint, process, now)
  assertSameRequest(scope, record, fingerprint)
  return { created: inserted !== undefined, record }
}

const KEY = ['wallet', 'operation', 'key'] as const
const EMPTY = { subject: null, workflowId: null, runId: null, updateId: null, responseStatus: null, responseBody: null, completedAt: null }

/** A request under a key: whose key, for what content, at what moment (epoch ms). */
export interface KeyedRequest {
  scope: KeyScope
  fingerprint: string
  now: number
}

/**
 * Names the process of a key before it starts, and takes the key again if a refused twin gave it back meanwhile. With `joins` an
 * update that was named before stays; without, the key counts as bound anew. Gives the update that is named now; throws 422 `idempotency_key_reused` when other content has the key.
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

/** Forgets an update that ended without an answer, so that the next request under the key asks anew. */
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
 * Stores the answer of a process unless one of its twins did, also when a refused twin gave the key back meanwhile. Gives the answer
 * that stands; null when other content has the key by now. Never call it with a 202.
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
 * Gives a key back that has no answer: its operation was refused. Not when other content has it by now, nor when it names another
 * process than the one that refused (none: the refusal came before any process was named), nor when it was bound anew since `boundAt`.
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

/** Forgets keys that never got an answer and were bound before `before` (epoch ms): what they stand for is long decided. */
export const deleteUnfinishedKeys = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('idempotency_key').where('createdAt', '<', before).where('responseStatus', 'is', null).execute()
}

/** Forgets answers completed before `before` (epoch ms); at least 24 h must lie between. */
export const deleteCompletedKeys = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('idempotency_key').where('completedAt', '<', before).execute()
}
