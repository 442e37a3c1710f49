import type { ProfileCheck } from '../../../schemas/paid-verification/profiles/execution.ts'
import { MCP_FAILURE_CHECKS } from '../../../schemas/paid-verification/profiles/mcp-failure.ts'
import { describeReply, type Reply } from './reply.ts'
import type { Decision } from './tools.ts'

export type McpCheckId = (typeof MCP_FAILURE_CHECKS)[number]

/** The checks in their order; those without a decision are undecided with one detail. */
export const checksOf = (decisions: ReadonlyMap<McpCheckId, Decision>, undecided: string): ProfileCheck[] =>
  MCP_FAILURE_CHECKS.map((id) => ({ id, passed: null, detail: undecided, ...decisions.get(id) }))

/** What a request showed, named for the detail, e.g. "initialize without a credential". */
export interface Probe {
  name: string
  reply: Reply
}

const failed = (detail: string): Decision => ({ passed: false, detail })
const passed = (detail: string): Decision => ({ passed: true, detail })

/** Whether requests without a valid credential were refused with 401 or 403. An answer of another kind decides nothing. */
export const judgeAuthBoundary = (probes: readonly Probe[]): Decision => {
  const served = probes.find(({ reply }) => reply.kind === 'result' || (reply.status >= 200 && reply.status < 300))
  if (served) return failed(`The target answers ${served.name} with ${describeReply(served.reply)}.`)
  const unclear = probes.find(({ reply }) => reply.status !== 401 && reply.status !== 403)
  if (unclear)
    return { passed: null, detail: `The target answers ${unclear.name} with ${describeReply(unclear.reply)}: neither served nor refused.` }
  return passed(`The target refuses ${probes.length} requests without a valid credential.`)
}

export interface ErrorProbe extends Probe {
  /** Code of JSON-RPC that the request must get. */
  code: number
}

/** Whether faulty requests get the errors of JSON-RPC 2.0: the code of the fault, a message, and the id of the request. */
export const judgeErrorShapes = (probes: readonly ErrorProbe[]): Decision => {
  for (const { name, reply, code } of probes) {
    if (reply.kind !== 'error' || reply.code !== code) return failed(`${name}: ${describeReply(reply)} instead of error ${code}.`)
    if (reply.message === null) return failed(`${name}: the error has no message.`)
    if (!reply.idMatches) return failed(`${name}: the error names another request.`)
  }
  return passed(`${probes.length} faulty requests get their codes.`)
}

/** Whether calls that must not run are refused, by an error or a result with `isError`, on top of what the tools state. */
export const judgeDestructiveSafety = (hints: Decision, calls: readonly Probe[]): Decision => {
  if (hints.passed !== true) return hints
  for (const { name, reply } of calls) {
    if (reply.kind === 'none') return { passed: null, detail: `${name}: ${describeReply(reply)}.` }
    if (reply.kind === 'result' && reply.result.isError !== true) return failed(`${name} is answered as if it had run.`)
  }
  return passed(`${hints.detail} ${calls.length} invalid calls are refused.`)
}

/** What followed a request that the client gave up. */
export interface Recovery {
  /** Status of the answer to its cancellation. */
  cancelStatus: number
  /** Answer to the next request of the session; null if there is none although a fresh session is answered. */
  next: Reply | null
}

/** Whether a session goes on after a request that was given up and cancelled. */
export const judgeRecovery = ({ cancelStatus, next }: Recovery): Decision => {
  if (next === null) return failed('After a request that was given up the session answers no more; a fresh session is answered.')
  if (next.kind !== 'result') return failed(`After a request that was given up a ping gets ${describeReply(next)}.`)
  if (cancelStatus < 200 || cancelStatus > 299) return failed(`The cancellation of a request gets status ${cancelStatus}.`)
  return passed('After a request that was given up and cancelled the session goes on.')
}
