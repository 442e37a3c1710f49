import type { Tables } from '../../schemas/entities/tables.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Rows } from '../database/database.ts'

/** Subject of the caller, operation and key. `operation` is the scope name of the registry (`idempotent`). */
export type KeyScope = Pick<Tables['idempotency_key'], 'subject' | 'operation' | 'key'>

/** The update of a workflow that a key stands for. */
export type KeyProcess = Pick<Tables['idempotency_key'], 'workflowId' | 'updateId'>

export interface StoredAnswer {
  status: number
  body: unknown
}

export interface KeyRecord extends Pick<Tables['idempotency_key'], 'fingerprint' | 'sessionId' | 'workflowId' | 'updateId' | 'createdAt'> {
  /** Null while the operation has no answer. */
  answer: StoredAnswer | null
}

/** A request with its key: scope, fingerprint of the content, time (epoch ms). */
export interface KeyedRequest {
  scope: KeyScope
  fingerprint: string
  now: number
}

const KEY = ['subject', 'operation', 'key'] as const
const COLUMNS = ['fingerprint', 'sessionId', 'workflowId', 'updateId', 'responseStatus', 'responseBody', 'createdAt'] as const
const newRow = ({ scope, fingerprint, now }: KeyedRequest) => ({ ...scope, fingerprint, createdAt: now })

const recordOf = ({ responseStatus, responseBody, ...rest }: Pick<Tables['idempotency_key'], (typeof COLUMNS)[number]>): KeyRecord => ({
  ...rest,
  answer: responseStatus === null ? null : { status: responseStatus, body: responseBody },
})

/** Finds a key; null if it was never used. */
export const findKey = async (rows: Rows, scope: KeyScope): Promise<KeyRecord | null> => {
  const row = await rows
    .selectFrom('idempotency_key')
    .select(COLUMNS)
    .where((is) => is.and({ ...scope }))
    .executeTakeFirst()
  return row === undefined ? null : recordOf(row)
}

/** Throws 422 `idempotency_key_reused` if the key was used for other content. */
export const assertSameRequest = (scope: KeyScope, record: Pick<KeyRecord, 'fingerprint'>, fingerprint: string): void => {
  if (record.fingerprint === fingerprint) return
  throw new ServiceError('idempotency_key_reused', {
    details: { operation: scope.operation, originalRequestHash: record.fingerprint, requestHash: fingerprint },
  })
}

/**
 * Binds a key to a request, or returns its record. `stands` is what the key stands for from now on; with `joins` it keeps its age and an
 * earlier update id. A duplicate whose transaction is open is waited for, up to the lock time-out. Throws 422 `idempotency_key_reused` for
 * other content.
 */
export const bindKey = async (
  rows: Rows,
  request: KeyedRequest,
  stands?: Partial<KeyProcess & Pick<KeyRecord, 'sessionId'>>,
  { joins = false } = {},
): Promise<KeyRecord> => {
  const written = await rows
    .insertInto('idempotency_key')
    .values({ ...newRow(request), ...stands })
    .onConflict((conflict) => {
      const duplicate = conflict.columns(KEY)
      if (stands === undefined) return duplicate.doNothing()
      return duplicate
        .doUpdateSet(({ fn, ref }) => ({
          ...stands,
          ...(joins ? { updateId: fn.coalesce(ref('idempotency_key.updateId'), ref('excluded.updateId')) } : { createdAt: request.now }),
        }))
        .where('idempotency_key.fingerprint', '=', request.fingerprint)
    })
    .returning(COLUMNS)
    .executeTakeFirst()
  const record = written === undefined ? await findKey(rows, request.scope) : recordOf(written)
  if (record !== null) assertSameRequest(request.scope, record, request.fingerprint)
  // Between the two statements a refused duplicate can release the key, and another one bind it.
  const isBound = record !== null && (written !== undefined || stands === undefined)
  return isBound ? record : bindKey(rows, request, stands, { joins })
}

/** Clears an update that ended without an answer, so that the next request under the key starts a new one. */
export const clearKeyUpdate = async (rows: Rows, scope: KeyScope, updateId: string): Promise<void> => {
  await rows
    .updateTable('idempotency_key')
    .set({ updateId: null })
    .where((is) => is.and({ ...scope, updateId }))
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

/** Releases an unanswered key after its operation was refused. Does nothing if other content has the key, or if it stands for another update. */
export const releaseKey = async (
  rows: Rows,
  { scope, fingerprint }: Pick<KeyedRequest, 'scope' | 'fingerprint'>,
  { workflowId, updateId }: KeyProcess,
): Promise<void> => {
  await rows
    .deleteFrom('idempotency_key')
    .where((is) => is.and({ ...scope, fingerprint }))
    .where('responseStatus', 'is', null)
    .where('workflowId', 'is not distinct from', workflowId)
    .where('updateId', 'is not distinct from', updateId)
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
