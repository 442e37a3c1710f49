// Every client of the Temporal namespace can send a signal, and the server validates none. A handler that throws would block its process and
// its deadlines, so a payload of another shape is ignored.
import { setHandler } from '@temporalio/workflow'
import { isStorable } from '../../domain/common/text.ts'
import { type SubmitInput, verdictReached } from '../../schemas/claims/process.ts'

const membersOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {})

/**
 * Largest payload that a process passes to an activity, bytes of JSON. The API sends less (`BODY_LIMIT_BYTES`). It stays below the limit of
 * `workers/temporal/payload-guard.ts`, so that a process can add members.
 */
const MAX_PASSED_BYTES = 384 * 1024

const fitsActivityInput = (payload: object): boolean => {
  try {
    return new TextEncoder().encode(JSON.stringify(payload)).length <= MAX_PASSED_BYTES
  } catch {
    // JSON.stringify overflows the stack on deep nesting.
    return false
  }
}

/** Members of a payload; none unless it is a plain object of an accepted size. Spreading a text or a list would give a member per element. */
const parsePayload = (payload: unknown): Record<string, unknown> => {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload) || ArrayBuffer.isView(payload)) return {}
  return fitsActivityInput(payload) ? { ...payload } : {}
}

/** A decision for the records as it arrived, empty when it is malformed: the activity refuses one that lacks members. */
export const parseDecision = <Decision extends object>(payload: Decision): Decision => parsePayload(payload) as Decision

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && isStorable(value)

const isStorableWhole = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value)
  return Object.entries(membersOf(value)).every(([name, member]) => isStorable(name) && isStorableWhole(member))
}

/** Whether a signal is about the session. */
export const isForSession = (payload: unknown, sessionId: string | null): boolean =>
  sessionId !== null && parsePayload(payload).sessionId === sessionId

/** Handles the signals about verdicts on the session; passes the id of each verdict on once. */
export const handleVerdicts = (sessionId: () => string | null, onVerdict: (verdictId: string) => void): void => {
  const seenVerdictIds = new Set<string>()
  setHandler(verdictReached, (payload: unknown) => {
    const { verdictId } = parsePayload(payload)
    if (!isForSession(payload, sessionId()) || !isText(verdictId) || seenVerdictIds.has(verdictId)) return
    seenVerdictIds.add(verdictId)
    onVerdict(verdictId)
  })
}

/** A submission that can be admitted or refused; null for any other payload. */
export const parseSubmission = (payload: unknown): SubmitInput | null => {
  const { sessionId, submission, requestId, protocol, acceptedAt } = parsePayload(payload)
  if (!isText(sessionId) || !isText(requestId) || (protocol !== 'http' && protocol !== 'mcp')) return null
  if (!isStorableWhole(submission)) return null
  return { sessionId, submission, requestId, protocol, ...(isText(acceptedAt) && { acceptedAt }) }
}
