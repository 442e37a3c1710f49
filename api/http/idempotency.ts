import { types } from 'node:util'
import type { Database, Rows } from '../../activities/database/database.ts'
import {
  bindKey,
  clearKeyUpdate,
  findKey,
  type KeyedRequest,
  type KeyProcess,
  type KeyRecord,
  nameKeyProcess,
  releaseKey,
  type StoredAnswer,
  storeAnswer,
} from '../../activities/http/idempotency.ts'
import { ERRORS, isServiceError, ServiceError } from '../../schemas/errors.ts'
import type { RequestFacts } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
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

/** Header of a replayed answer. */
export const REPLAYED = { 'Idempotent-Replayed': 'true' }

/** The stored answer, typed as an answer of its operation. */
const replay = <Given extends StoredAnswer>(answer: StoredAnswer): Given & { headers: Record<string, string> } => ({
  ...(answer as Given),
  headers: REPLAYED,
})

const LOCK_TIMEOUT = '55P03'
const isLockTimeout = (error: unknown): boolean => types.isNativeError(error) && 'code' in error && error.code === LOCK_TIMEOUT

/** Binds a key. Throws 409 `idempotency_key_in_flight` when a duplicate holds it longer than the lock time-out. */
const bindWithinTimeout = async (rows: Rows, request: KeyedRequest): Promise<KeyRecord> => {
  try {
    return await bindKey(rows, request)
  } catch (error) {
    if (isLockTimeout(error)) throw new ServiceError('idempotency_key_in_flight', { retryAfterSeconds: 2, cause: error })
    throw error
  }
}

/** A request with the database of its effects; `keyed` is null without an idempotency key. */
export interface KeyedWork {
  database: Database
  keyed: KeyedRequest | null
}

/** A caller's request of an operation (scope name of the registry), by its idempotency key. */
export const keyedRequest = (
  { database, clock }: Pick<ApiDeps, 'database' | 'clock'>,
  operation: string,
  { caller: { wallet }, request }: { caller: { wallet: string }; request: Pick<RequestFacts, 'idempotencyKey' | 'fingerprint'> },
): KeyedWork => {
  const { idempotencyKey: key } = request
  return {
    database,
    keyed: key === null ? null : { scope: { wallet, operation, key }, fingerprint: request.fingerprint, now: clock.now() },
  }
}

/**
 * Runs an operation that is one database transaction at most once per key: key row, effect and answer commit together. A duplicate
 * waits for the row and gets the stored answer. If the work throws, the key is rolled back too.
 */
export const withIdempotentTransaction = <Given extends StoredAnswer>(
  { database, keyed }: KeyedWork,
  work: (rows: Rows) => Promise<Given>,
): Promise<Given & { headers?: Record<string, string> }> =>
  database.transaction(async (rows) => {
    if (keyed === null) return work(rows)
    const { answer: stored } = await bindWithinTimeout(rows, keyed)
    if (stored !== null) return replay<Given>(stored)
    const answer = await work(rows)
    await storeAnswer(rows, keyed, answer)
    return answer
  })

/** How a request ties its workflow to its idempotency key; without a key nothing is stored. */
export interface ProcessKey {
  /** Records the workflow under the key before it starts. */
  bind(process: KeyProcess): Promise<void>
  /** Like `bind`, but duplicates share the update that was recorded first; returns its id. */
  join(process: KeyProcess & { updateId: string }): Promise<string>
  /** The workflow recorded under the key, or null. */
  findProcess(): Promise<KeyProcess | null>
  /** Whether a request under this key joined with this id. */
  hasJoined(updateId: string): Promise<boolean>
  /** Drops an update that ended without an answer, so that a repeat starts a new one. */
  forget(updateId: string): Promise<void>
}

const NO_KEY: ProcessKey = {
  bind: async () => undefined,
  join: async ({ updateId }) => updateId,
  findProcess: async () => null,
  hasJoined: async () => false,
  forget: async () => undefined,
}

const processIn = (record: KeyRecord | null): KeyProcess | null =>
  record === null || record.workflowId === null
    ? null
    : { workflowId: record.workflowId, ...(record.updateId !== null && { updateId: record.updateId }) }

/** The key of a request. `release` drops only what this request recorded under it. */
const openKey = (rows: Rows, request: KeyedRequest) => {
  let recorded: KeyProcess = {}
  const record = async (process: KeyProcess, joins: boolean): Promise<string | null> => {
    const updateId = await nameKeyProcess(rows, request, process, { joins })
    recorded = { ...process, ...(updateId !== null && { updateId }) }
    return updateId
  }
  const findProcess = async () => processIn(await findKey(rows, request.scope))
  const key: ProcessKey = {
    bind: async (process) => void (await record(process, false)),
    join: async (process) => (await record(process, true)) ?? process.updateId,
    findProcess,
    hasJoined: async (updateId) => (await findProcess())?.updateId === updateId,
    forget: (updateId) => clearKeyUpdate(rows, request.scope, updateId),
  }
  /** A workflow that refused with a retryable code may still accept a duplicate; any other refusal decides for all duplicates. */
  const release = async (error: unknown): Promise<void> => {
    if (!isServiceError(error) || ERRORS[error.code].status >= 500) return
    if (recorded.workflowId === undefined || !ERRORS[error.code].retryable) await releaseKey(rows, request, recorded)
  }
  return { key, release }
}

/**
 * Runs an operation that is a workflow (a submission, a verdict, a funding) under a caller's key. A finished answer is replayed; other
 * content is refused. A repeat without an answer yet runs again and attaches to the workflow, which `work` records before it starts.
 * Of concurrent duplicates the first stores its answer and all return it. A refusal releases the key; a 202 is never stored.
 */
export const withProcessKey = async <Given extends StoredAnswer>(
  { database: { rows }, keyed }: KeyedWork,
  work: (key: ProcessKey) => Promise<Given>,
): Promise<Given & { headers?: Record<string, string> }> => {
  if (keyed === null) return work(NO_KEY)
  const { answer: stored } = await bindWithinTimeout(rows, keyed)
  if (stored !== null) return replay<Given>(stored)
  const { key, release } = openKey(rows, keyed)
  try {
    const answer = await work(key)
    const earlier = answer.status === 202 ? null : await storeAnswer(rows, keyed, answer)
    return earlier === null ? answer : replay<Given>(earlier)
  } catch (error) {
    await release(error)
    throw error
  }
}
