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

/** A request with its key: scope, fingerprint of the content, time (epoch ms). */
export interface KeyedRequest {
  scope: KeyScope
  fingerprint: string
  now: number
}

const KEY = ['wallet', 'operation', 'key'] as const
const EMPTY = { subject: null, workflowId: null, runId: null, updateId: null, responseStatus: null, responseBody: null, completedAt: null }
const newRow = ({ scope, fingerprint, now }: KeyedRequest) => ({ ...EMPTY, ...scope, fingerprint, createdAt: now })

/** Finds a key; null if it was never used. */
export const findKey = async (rows: Rows, scope: KeyScope): Promise<KeyRecord | null> => {
  const row = await rows
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'subject', 'workflowId', 'runId', 'updateId', 'responseStatus', 'responseBody', 'createdAt'])
    .where((is) => is.and({ ...scope }))
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
export const bindKey = async (rows: Rows, request: KeyedRequest): Promise<KeyRecord> => {
  await rows
    .insertInto('idempotency_key')
    .values(newRow(request))
    .onConflict((conflict) => conflict.columns(KEY).doNothing())
    .execute()
  const record = await findKey(rows, request.scope)
  if (record === null) return bindKey(rows, request)
  assertSameRequest(request.scope, record, request.fingerprint)
  return record
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
    .values({ ...newRow(request), ...process })
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
    .where((is) => is.and({ ...scope }))
    .where('updateId', '=', updateId)
    .execute()
}

/**
 * Stores an answer unless a duplicate stored one, also if a refused duplicate released the key. Returns the duplicate's answer; null if this
 * one was stored or other content has the key. Never call it with a 202 or with a secret in the body.
 */
export const storeAnswer = async (rows: Rows, request: KeyedRequest, { status, body }: StoredAnswer): Promise<StoredAnswer | null> => {
  const answer = { responseStatus: status, responseBody: body, completedAt: request.now }
  const stored = await rows
    .insertInto('idempotency_key')
    .values({ ...newRow(request), ...answer })
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet(answer)
        .where('idempotency_key.fingerprint', '=', request.fingerprint)
        .where('idempotency_key.responseStatus', 'is', null),
    )
    .returning('key')
    .executeTakeFirst()
  if (stored !== undefined) return null
  const record = await findKey(rows, request.scope)
  return record?.fingerprint === request.fingerprint ? record.answer : null
}

/**
 * Releases an unanswered key after its operation was refused. Does nothing if other content has the key, if it names another process (null:
 * none), or if it was bound at another time than `boundAt` (epoch ms).
 */
export const releaseKey = async (
  rows: Rows,
  { scope, fingerprint }: Pick<KeyedRequest, 'scope' | 'fingerprint'>,
  { workflowId = null, updateId = null, boundAt }: { workflowId?: string | null; updateId?: string | null; boundAt?: number },
): Promise<void> => {
  await rows
    .deleteFrom('idempotency_key')
    .where((is) => is.and({ ...scope, fingerprint }))
    .where('responseStatus', 'is', null)
    .where('workflowId', 'is not distinct from', workflowId)
    .where('updateId', 'is not distinct from', updateId)
    .where((is) => (boundAt === undefined ? is.lit(true) : is('createdAt', '=', boundAt)))
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
