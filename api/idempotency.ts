import { types } from 'node:util'
import type { Database, Rows } from '../activities/records/database.ts'
import {
  bindKey,
  completeKey,
  type KeyProcess,
  type KeyScope,
  releaseKey,
  type StoredAnswer,
  setKeyProcess,
} from '../activities/records/idempotency.ts'
import { ERRORS, isServiceError, ServiceError } from '../schemas/errors.ts'
import type { RequestFacts } from '../schemas/operations/operation.ts'
import { invalidRequest } from './problem.ts'

const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/** Key of a request: the header, or its alias in the body. Both and different, or not 1 to 255 printable characters: 400. */
export const idempotencyKeyOf = (header: string | undefined, body: Record<string, unknown>): string | null => {
  const { idempotencyKey: alias } = body
  if (header !== undefined && !PRINTABLE.test(header))
    throw invalidRequest([{ pointer: 'header/idempotency-key', rule: 'pattern', message: 'must be 1 to 255 printable ASCII characters' }])
  if (header !== undefined && alias !== undefined && alias !== header)
    throw invalidRequest([{ pointer: 'header/idempotency-key', rule: 'equal', message: 'differs from idempotencyKey in the body' }])
  return header ?? (typeof alias === 'string' ? alias : null)
}

/** Header of an answer that was given before. */
export const REPLAYED = { 'Idempotent-Replayed': 'true' }

const LOCK_TIMEOUT = '55P03'
const waitedTooLong = (error: unknown): boolean => types.isNativeError(error) && 'code' in error && error.code === LOCK_TIMEOUT

/** Binds a key; a twin that holds it for longer than the lock time-out is a 409 `idempotency_key_in_flight`. */
const bindOrWait = async (rows: Rows, scope: KeyScope, fingerprint: string, now: number) => {
  try {
    return await bindKey(rows, scope, fingerprint, {}, now)
  } catch (error) {
    if (waitedTooLong(error)) throw new ServiceError('idempotency_key_in_flight', { retryAfterSeconds: 2, cause: error })
    throw error
  }
}

export interface IdempotentWork<Given extends StoredAnswer> {
  database: Database
  scope: Omit<KeyScope, 'key'>
  request: Pick<RequestFacts, 'idempotencyKey' | 'fingerprint'>
  now: number
  /** What of the answer may be kept; it must drop every secret. Default: all of it. */
  storable?: (answer: Given) => StoredAnswer
}

/**
 * Runs an operation that is one database transaction at most once per key: key row, effect and answer commit together. A twin
 * waits for the row and gets the stored answer; what throws leaves nothing behind, the key included.
 */
export const withIdempotentTransaction = async <Given extends StoredAnswer>(
  { database, scope, request, now, storable }: IdempotentWork<Given>,
  work: (rows: Rows) => Promise<Given>,
): Promise<Given & { headers?: Record<string, string> }> => {
  const key = request.idempotencyKey
  if (key === null) return database.transaction(work)
  const keyScope = { ...scope, key }
  return database.transaction(async (rows) => {
    const { created, record } = await bindOrWait(rows, keyScope, request.fingerprint, now)
    if (!created && record.answer !== null) return { ...(record.answer as Given), headers: REPLAYED }
    const answer = await work(rows)
    await completeKey(rows, keyScope, storable?.(answer) ?? answer, now)
    return answer
  })
}

/**
 * Runs an operation that is a process (claim, submit, verify) under a caller's key: a finished answer is replayed, other content
 * is refused, a repeat of what has no answer yet runs again and attaches to the same process, which `work` names before it starts.
 * A refusal releases the key, unless an earlier request bound it and may still be at work; a 202 is never kept.
 */
export const withProcessKey = async <Given extends StoredAnswer>(
  { database, scope, request, now }: Omit<IdempotentWork<Given>, 'storable'>,
  work: (bind: (process: KeyProcess) => Promise<void>) => Promise<Given>,
): Promise<Given & { headers?: Record<string, string> }> => {
  const key = request.idempotencyKey
  if (key === null) return work(async () => undefined)
  const keyScope = { ...scope, key }
  const { created, record } = await bindOrWait(database.rows, keyScope, request.fingerprint, now)
  if (record.answer !== null) return { ...(record.answer as Given), headers: REPLAYED }
  try {
    const answer = await work((process) => setKeyProcess(database.rows, keyScope, process))
    if (answer.status !== 202) await completeKey(database.rows, keyScope, { status: answer.status, body: answer.body }, now)
    return answer
  } catch (error) {
    if (created && isServiceError(error) && ERRORS[error.code].status < 500) await releaseKey(database.rows, keyScope)
    throw error
  }
}
