import { types } from 'node:util'
import type { Rows } from '../../activities/database/database.ts'
import {
  bindKey,
  clearKeyUpdate,
  findKey,
  type KeyedRequest,
  type KeyProcess,
  type KeyRecord,
  releaseKey,
  type StoredAnswer,
  storeAnswer,
} from '../../activities/http/idempotency.ts'
import { type Holder, holderOf } from '../../domain/http/holder.ts'
import { ERRORS, isRefusal, ServiceError } from '../../schemas/errors.ts'
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

/** A request by its caller and idempotency key. */
export interface KeyedInput {
  caller: Holder
  request: Pick<RequestFacts, 'keyScope' | 'idempotencyKey' | 'fingerprint'>
}

/** The key of a request at this time; null without one. */
export const keyedRequest = ({ clock }: Pick<ApiDeps, 'clock'>, { caller, request }: KeyedInput): KeyedRequest | null => {
  const { keyScope: operation, idempotencyKey: key, fingerprint } = request
  return key === null ? null : { scope: { subject: holderOf(caller), operation, key }, fingerprint, now: clock.now() }
}

type KeyDeps = Pick<ApiDeps, 'database' | 'clock'>
type Replayable<Given> = Promise<Given & { headers?: Record<string, string> }>

/**
 * Runs an operation that is one database transaction at most once per key: key row, effect and answer commit together. A duplicate
 * waits for the row and gets the stored answer. If the work throws, the key is rolled back too.
 */
export const withIdempotentTransaction = <Given extends StoredAnswer>(
  deps: KeyDeps,
  input: KeyedInput,
  work: (rows: Rows) => Promise<Given>,
): Replayable<Given> => {
  const keyed = keyedRequest(deps, input)
  return deps.database.transaction(async (rows) => {
    if (keyed === null) return work(rows)
    const { answer: stored } = await bindWithinTimeout(rows, keyed)
    if (stored !== null) return replay<Given>(stored)
    const answer = await work(rows)
    await storeAnswer(rows, keyed, answer)
    return answer
  })
}

/** How a request ties its workflow to its idempotency key; without a key nothing is stored. */
export interface ProcessKey {
  /** Records the update of a workflow under the key before it starts. */
  bind(workflowId: string, updateId: string): Promise<void>
  /** Like `bind`, but duplicates share the update that was recorded first; returns its id. */
  join(workflowId: string, updateId: string): Promise<string>
  /** The update recorded under the key, or null. */
  findUpdate(): Promise<string | null>
  /** Drops an update that ended without an answer, so that a repeat starts a new one. */
  forget(updateId: string): Promise<void>
}

const NO_KEY: ProcessKey = {
  bind: async () => undefined,
  join: async (_workflowId, updateId) => updateId,
  findUpdate: async () => null,
  forget: async () => undefined,
}

/**
 * Runs work under a key. A refusal releases what this request recorded under it, unless it only asks to wait while a process goes on that may
 * still accept a duplicate: by default, a recorded one.
 */
export const underKey = async <T>(
  rows: Rows,
  request: KeyedRequest | null,
  work: (key: ProcessKey) => Promise<T>,
  goesOn = async (recorded: KeyProcess): Promise<boolean> => recorded.workflowId !== null,
): Promise<T> => {
  if (request === null) return work(NO_KEY)
  let recorded: KeyProcess = { workflowId: null, updateId: null }
  const record = async (process: KeyProcess, joins: boolean): Promise<void> => {
    recorded = await bindKey(rows, request, process, { joins })
  }
  const key: ProcessKey = {
    bind: (workflowId, updateId) => record({ workflowId, updateId }, false),
    join: async (workflowId, updateId) => {
      await record({ workflowId, updateId }, true)
      return recorded.updateId ?? updateId
    },
    findUpdate: async () => (await findKey(rows, request.scope))?.updateId ?? null,
    forget: (updateId) => clearKeyUpdate(rows, request.scope, updateId),
  }
  try {
    return await work(key)
  } catch (error) {
    if (isRefusal(error) && !(ERRORS[error.code].retryable && (await goesOn(recorded)))) await releaseKey(rows, request, recorded)
    throw error
  }
}

/**
 * Runs an operation that is a workflow (a submission, a verdict, a funding) under a caller's key. A finished answer is replayed; other
 * content is refused. A repeat without an answer yet runs again and attaches to the workflow, which `work` records before it starts.
 * Of concurrent duplicates the first stores its answer and all return it. A 202 is never stored.
 */
export const withProcessKey = async <Given extends StoredAnswer>(
  deps: KeyDeps,
  input: KeyedInput,
  work: (key: ProcessKey) => Promise<Given>,
): Replayable<Given> => {
  const { rows } = deps.database
  const keyed = keyedRequest(deps, input)
  const stored = keyed === null ? null : (await bindWithinTimeout(rows, keyed)).answer
  if (stored !== null) return replay<Given>(stored)
  return underKey(rows, keyed, async (key) => {
    const answer = await work(key)
    const earlier = keyed === null || answer.status === 202 ? null : await storeAnswer(rows, keyed, answer)
    return earlier === null ? answer : replay<Given>(earlier)
  })
}
