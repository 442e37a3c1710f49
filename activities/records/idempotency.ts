import { ServiceError } from '../../schemas/errors.ts'
import type { Rows } from './database.ts'

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
}

const columns = ['fingerprint', 'subject', 'workflowId', 'runId', 'updateId', 'responseStatus', 'responseBody'] as const

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

/** Names the process that a bound key stands for. */
export const setKeyProcess = async (rows: Rows, scope: KeyScope, process: KeyProcess): Promise<void> => {
  await rows
    .updateTable('idempotency_key')
    .set(process)
    .where('wallet', '=', scope.wallet)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .execute()
}

/** Stores the final answer of a key, once; a later call changes nothing. Never call it with a 202 or with a secret in the body. */
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

/** Gives a key back that has no answer: its operation was refused before any effect. */
export const releaseKey = async (rows: Rows, scope: KeyScope): Promise<void> => {
  await rows
    .deleteFrom('idempotency_key')
    .where('wallet', '=', scope.wallet)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .where('responseStatus', 'is', null)
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
