// Whoever reaches the engine can send a signal, also by hand, and the engine refuses none. A handler that throws stops its process for
// ever, deadlines included: what is not of the declared shape counts as not said.
import { isStorable } from '../../domain/common/text.ts'
import type { SubmitInput } from '../../schemas/claims/process.ts'

const membersOf = (said: unknown): Record<string, unknown> => (typeof said === 'object' && said !== null ? { ...said } : {})

/**
 * Bytes that may be handed on to a step. More than the API ever sends, and so much less than a payload may have
 * (`workers/temporal/payload-guard.ts`) that the members which a process adds find room: a step that cannot be called stops its process for ever. The API's bodies
 * are smaller (`BODY_LIMIT_BYTES`), so no history of its own has handed on more.
 */
const MOST_HANDED_ON_BYTES = 384 * 1024

const canBeHandedOn = (said: object): boolean => {
  try {
    return new TextEncoder().encode(JSON.stringify(said)).length <= MOST_HANDED_ON_BYTES
  } catch {
    // What lies too deep cannot be written.
    return false
  }
}

/**
 * Members of what was said; none unless it is an object that can be handed on. A text, bytes or a list spread out would give a member for
 * each of their parts, and of a number like 1e20 four bytes become twenty-one.
 */
const parsePayload = (said: unknown): Record<string, unknown> => {
  if (typeof said !== 'object' || said === null || Array.isArray(said) || ArrayBuffer.isView(said)) return {}
  return canBeHandedOn(said) ? { ...said } : {}
}

/** The same of a word that goes to the records as it came: they refuse one that lacks members. */
export const parseDecision = <Decision extends object>(said: Decision): Decision => parsePayload(said) as Decision

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && isStorable(value)

const isStorableWhole = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value)
  return Object.entries(membersOf(value)).every(([name, member]) => isStorable(name) && isStorableWhole(member))
}

/** Whether a signal names the session. */
export const names = (said: unknown, sessionId: string | null): boolean => sessionId !== null && parsePayload(said).sessionId === sessionId

/** Id of the verdict that a signal tells the session's process of; null when it tells of none. */
export const verdictIn = (said: unknown, sessionId: string | null): string | null => {
  const { sessionId: named, verdictId } = parsePayload(said)
  return sessionId !== null && named === sessionId && isText(verdictId) ? verdictId : null
}

/** A submission that can be admitted or refused; null for anything else. */
export const submissionIn = (said: unknown): SubmitInput | null => {
  const { sessionId, submission, requestId, protocol, acceptedAt } = parsePayload(said)
  if (!isText(sessionId) || !isText(requestId) || (protocol !== 'http' && protocol !== 'mcp')) return null
  if (!isStorableWhole(submission)) return null
  return { sessionId, submission, requestId, protocol, ...(isText(acceptedAt) && { acceptedAt }) }
}
