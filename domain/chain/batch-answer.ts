/** One answer of a JSON-RPC node. */
export interface RpcAnswer {
  result?: unknown
  error?: RpcFailure | undefined
}

interface RpcFailure {
  code: number
  message: string
  /** Bytes of a revert, in the form of the node. */
  data?: unknown
}

/** What a node made of a batch. */
export type BatchOutcome =
  /** One answer for each call, in the order of the calls. */
  | { kind: 'answered'; answers: RpcAnswer[] }
  /** The node refuses this batch; it may accept a smaller one. */
  | { kind: 'refused'; reason: string }
  /** The node limits the rate; a smaller batch does not help. */
  | { kind: 'limited'; error: RpcFailure }

/** Codes with which nodes limit the rate of requests: the HTTP status, and one of a large provider. */
const RATE_CODES: ReadonlySet<number> = new Set([429, -32_007])
/** Code of an invalid request: each call is valid, so a node that answers it means the batch. */
const INVALID_REQUEST = -32_600
/** Code of an exceeded limit: of the rate or of a call, unless its message names the batch. */
const LIMIT_EXCEEDED = -32_005
/** Code of a node's own failure, with which some nodes answer a revert, too. */
const INTERNAL_ERROR = -32_603
/** Code of something that the node does not have at the moment. */
const UNAVAILABLE = -32_002
/** HTTP statuses of a body that is too large or a form that the node does not take. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 405, 413, 415, 422])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const parseError = (value: unknown): RpcFailure | null => {
  if (!(isObject(value) && isObject(value.error))) return null
  const { code, message, data } = value.error
  const text = typeof message === 'string' ? message : 'an error without a message'
  return { code: typeof code === 'number' ? code : 0, message: text, ...(data !== undefined && { data }) }
}

/** The answer to one call. A body without a result and without an error is an error. */
export const parseAnswer = (body: unknown): RpcAnswer => {
  const error = parseError(body)
  if (error !== null) return { error }
  if (isObject(body) && 'result' in body) return { result: body.result }
  return { error: { code: 0, message: 'the node answers with neither a result nor an error' } }
}

const namesBatch = ({ message }: RpcFailure): boolean => /\bbatch\b/i.test(message)
const refusesBatch = ({ error }: RpcAnswer): boolean =>
  error !== undefined && (error.code === INVALID_REQUEST || (error.code === LIMIT_EXCEEDED && namesBatch(error)))
/** Whether the error that answers a whole batch limits the rate. */
const limitsRate = (error: RpcFailure): boolean => RATE_CODES.has(error.code) || (error.code === LIMIT_EXCEEDED && !namesBatch(error))

/** Whether an answer says that the node cannot serve the call, where another node may: a limit or a failure of its own. */
export const isNodeTrouble = ({ error }: RpcAnswer): boolean => {
  if (error === undefined) return false
  if (error.code === INTERNAL_ERROR) return error.data === undefined && !/revert/i.test(error.message)
  return error.code === UNAVAILABLE || limitsRate(error)
}

/** Whether an HTTP status refuses the form or the size of a request. */
export const isRefusingStatus = (status: number | undefined): boolean => status !== undefined && REFUSING_STATUSES.has(status)

/**
 * Matches the body of an answer to the calls of a batch by their ids, in whatever order the node answers. Anything but one answer for each call
 * is a refusal, as is an error of a call that means the batch: answers that are missing must not move to another call.
 */
export const matchBatch = (ids: readonly number[], body: unknown): BatchOutcome => {
  if (!Array.isArray(body)) {
    const error = parseError(body)
    if (error !== null && limitsRate(error)) return { kind: 'limited', error }
    return { kind: 'refused', reason: error?.message ?? 'the answer to a batch is no list' }
  }
  const byId = new Map(body.flatMap((one: unknown) => (isObject(one) && one.id != null ? [[String(one.id), one] as const] : [])))
  const answers = ids.flatMap((id) => (byId.has(String(id)) ? [parseAnswer(byId.get(String(id)))] : []))
  const refused = answers.find(refusesBatch)?.error
  if (refused !== undefined) return { kind: 'refused', reason: refused.message }
  if (answers.length === ids.length) return { kind: 'answered', answers }
  const [unmatched] = body.flatMap((one) => parseError(one) ?? [])
  return { kind: 'refused', reason: unmatched?.message ?? `${answers.length} of ${ids.length} calls are answered` }
}

/** Size of the next batch after a refused one: half of it. */
export const smallerBatch = (refused: number): number => Math.max(1, Math.floor(refused / 2))
