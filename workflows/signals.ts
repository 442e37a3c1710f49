// Whoever reaches the engine can send a signal, also by hand, and the engine refuses none. A handler that throws stops its process for
// ever, deadlines included: what is not of the declared shape counts as not said.
import { isStorable } from '../domain/text.ts'
import type { SubmitInput } from '../schemas/processes/claim-session.ts'

const membersOf = (said: unknown): Record<string, unknown> => (typeof said === 'object' && said !== null ? { ...said } : {})
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && isStorable(value)

const isStorableWhole = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value)
  return Object.entries(membersOf(value)).every(([name, member]) => isStorable(name) && isStorableWhole(member))
}

/** Whether a signal names the session. */
export const names = (said: unknown, sessionId: string | undefined): boolean =>
  sessionId !== undefined && membersOf(said).sessionId === sessionId

/** Id of the verdict that a signal tells the session's process of; null when it tells of none. */
export const verdictIn = (said: unknown, sessionId: string | undefined): string | null => {
  const { verdictId } = membersOf(said)
  return names(said, sessionId) && isText(verdictId) ? verdictId : null
}

/** A submission that can be admitted or refused; null for anything else. */
export const submissionIn = (said: unknown): SubmitInput | null => {
  const { sessionId, submission, requestId, protocol, acceptedAt } = membersOf(said)
  if (!isText(sessionId) || !isText(requestId) || (protocol !== 'http' && protocol !== 'mcp')) return null
  if (!isStorableWhole(submission)) return null
  return { sessionId, submission, requestId, protocol, ...(isText(acceptedAt) && { acceptedAt }) }
}
