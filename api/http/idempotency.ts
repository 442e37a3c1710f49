import { types } from 'node:util'
import type { Database, Rows } from '../../activities/database/database.ts'
import {
  bindKey,
  completeKey,
  findKey,
  forgetKeyUpdate,
  type KeyedRequest,
  type KeyProcess,
  type KeyRecord,
  type KeyScope,
  keepAnswer,
  nameKeyProcess,
  releaseKey,
  type StoredAnswer,
} from '../../activities/http/idempotency.ts'
import { ERRORS, isServiceError, ServiceError } from '../../schemas/errors.ts'
import type { RequestFacts } from '../../schemas/operations/operation.ts'
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

/** The stored answer of an operation, whose own answers have this shape. */
const replay = <Given extends StoredAnswer>(answer: StoredAnswer): Given & { headers: Record<string, string> } => ({
  ...(answer as Given),
  headers: REPLAYED,
})

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
    if (!created && record.answer !== null) return replay<Given>(record.answer)
    const answer = await work(rows)
    await completeKey(rows, keyScope, storable?.(answer) ?? answer, now)
    return answer
  })
}

/** What a process does with the key it runs under; without a key all of it is nothing. */
export interface ProcessKey {
  /** Names the process of this very content, before it starts. */
  bind(process: KeyProcess): Promise<void>
  /** The same, but the update that a twin named first is everybody's; gives its id. */
  join(process: KeyProcess & { updateId: string }): Promise<string>
  /** The process that the key names by now; null when none was named. */
  named(): Promise<KeyProcess | null>
  /** The update ended without an answer: who repeats asks anew. */
  forget(updateId: string): Promise<void>
}

const NO_KEY: ProcessKey = {
  bind: async () => undefined,
  join: async ({ updateId }) => updateId,
  named: async () => null,
  forget: async () => undefined,
}

const namedIn = (record: KeyRecord | null): KeyProcess | null =>
  record === null || record.workflowId === null
    ? null
    : { workflowId: record.workflowId, ...(record.updateId !== null && { updateId: record.updateId }) }

/** The key of a request, and what this request named under it: whoever was refused gives back only that. */
const openKey = (rows: Rows, request: KeyedRequest) => {
  let mine: KeyProcess | null = null
  const name = async (process: KeyProcess, joins: boolean): Promise<string | null> => {
    const updateId = await nameKeyProcess(rows, request, process, { joins })
    mine = { ...process, ...(updateId !== null && { updateId }) }
    return updateId
  }
  const key: ProcessKey = {
    bind: async (process) => void (await name(process, false)),
    join: async (process) => (await name(process, true)) ?? process.updateId,
    named: async () => namedIn(await findKey(rows, request.scope)),
    forget: (updateId) => forgetKeyUpdate(rows, request.scope, updateId),
  }
  /** A process that says "later", by the code, may still take the request of a twin; one that says no, if only for now, has decided for all. */
  const release = async (error: unknown): Promise<void> => {
    if (!isServiceError(error) || ERRORS[error.code].status >= 500) return
    if (mine === null || !ERRORS[error.code].retryable) await releaseKey(rows, request, mine)
  }
  return { key, release }
}

/**
 * Runs an operation that is a process (a submission, a verdict, a funding) under a caller's key: a finished answer is replayed, other content is
 * refused, a repeat of what has no answer yet runs again and attaches to the process, which `work` names before it starts. Of twins
 * that end together the first stores its answer, and all give that one. A refusal gives the key back; a 202 is never kept.
 */
export const withProcessKey = async <Given extends StoredAnswer>(
  { database, scope, request, now }: Omit<IdempotentWork<Given>, 'storable'>,
  work: (key: ProcessKey) => Promise<Given>,
): Promise<Given & { headers?: Record<string, string> }> => {
  if (request.idempotencyKey === null) return work(NO_KEY)
  const { rows } = database
  const keyed: KeyedRequest = { scope: { ...scope, key: request.idempotencyKey }, fingerprint: request.fingerprint, now }
  const { record } = await bindOrWait(rows, keyed.scope, keyed.fingerprint, now)
  if (record.answer !== null) return replay<Given>(record.answer)
  const { key, release } = openKey(rows, keyed)
  try {
    const answer = await work(key)
    if (answer.status === 202) return answer
    const stands = await keepAnswer(rows, keyed, { status: answer.status, body: answer.body })
    return stands === null || stands.own ? answer : replay<Given>({ status: stands.status, body: stands.body })
  } catch (error) {
    await release(error)
    throw error
  }
}
