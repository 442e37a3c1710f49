import { randomBytes } from 'node:crypto'
import {
  checksOf,
  judgeAuthBoundary,
  judgeDestructiveSafety,
  judgeErrorShapes,
  judgeRecovery,
  type McpCheckId,
  type Probe,
} from '../../../domain/paid-verification/mcp-failure/judge.ts'
import type { JsonObject, Reply } from '../../../domain/paid-verification/mcp-failure/reply.ts'
import {
  type Decision,
  guardedReadOnlyTool,
  judgeHints,
  judgeStability,
  toolsDigest,
} from '../../../domain/paid-verification/mcp-failure/tools.ts'
import { inconclusive, resultOfChecks } from '../../../domain/paid-verification/result.ts'
import type { JsonValue } from '../../../schemas/catalogue/job-definition.ts'
import type {
  InconclusiveReason,
  ProfileExecution,
  ProfileRequest,
  ProfileResult,
} from '../../../schemas/paid-verification/profiles/execution.ts'
import { MCP_FAILURE_LIMITS, mcpFailureTarget } from '../../../schemas/paid-verification/profiles/mcp-failure.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { withHeartbeat } from './heartbeat.ts'
import { createMcpConnection, type McpConnection, type Session, TargetFault, type Token } from './mcp-connection.ts'

/** Time for one answer of the target, and for all; the rest of the profile's is for the end of the sessions. */
const ANSWER_MS = 5_000
const TOTAL_MS = MCP_FAILURE_LIMITS.timeoutMs - 2_000

export interface McpFailureDeps {
  /** Fetch of addresses that callers name. */
  fetch: GuardedFetch
  answerMs?: number
  totalMs?: number
}

type Decisions = Map<McpCheckId, Decision>

/** The token of a credential, with or without its scheme; null for one that no header can carry. */
const parseToken = (credential: string): Token => /^(?:bearer +)?([\x21-\x7e]{1,4096})$/i.exec(credential)?.[1] ?? null

const newName = (): string => `verification-${randomBytes(6).toString('hex')}`

const probeAuthBoundary = async (connection: McpConnection, session: Session): Promise<Decision> => {
  if (session.token === null) return { passed: true, detail: 'The target demands no credential and answers without one.' }
  const wrong = randomBytes(24).toString('base64url')
  const probes: Probe[] = [
    { name: 'initialize without a credential', reply: (await connection.initialize(null)).reply },
    { name: 'initialize with a wrong credential', reply: (await connection.initialize(wrong)).reply },
    { name: 'tools/list in a session without the credential', reply: await connection.request(session, 'tools/list', {}, null) },
  ]
  return judgeAuthBoundary(probes)
}

const probeErrors = async (connection: McpConnection, session: Session): Promise<Decision> => {
  const unknown = await connection.request(session, `${newName()}/unknown`, {})
  const malformed = await connection.sendMalformed(session)
  const params = session.hasTools
    ? [{ name: 'tools/call without a name', reply: await connection.request(session, 'tools/call', {}), code: -32602 }]
    : []
  return judgeErrorShapes([
    { name: 'An unknown method', reply: unknown, code: -32601 },
    { name: 'Malformed JSON', reply: malformed, code: -32700 },
    ...params,
  ])
}

/** The answer to a ping of a session; null if there is none although a fresh session is answered. */
const pingAfter = async (connection: McpConnection, session: Session): Promise<Reply | null> => {
  try {
    return await connection.request(session, 'ping')
  } catch (error) {
    if (!(error instanceof TargetFault) || error.reason !== 'target_unreachable') throw error
    const fresh = await connection.open(session.token)
    await connection.close(fresh)
    return null
  }
}

const probeRecovery = async (connection: McpConnection, session: Session): Promise<Decision> => {
  const requestId = await connection.abandon(session, session.hasTools ? 'tools/list' : 'ping')
  const next = await pingAfter(connection, session)
  if (next === null) return judgeRecovery({ cancelStatus: 0, next })
  const cancelStatus = await connection.notify(session, 'notifications/cancelled', { requestId, reason: 'given up by the client' })
  return judgeRecovery({ cancelStatus, next: next.kind === 'result' ? await pingAfter(connection, session) : next })
}

/** Calls nothing that could run: a tool that does not exist, and one that only reads without the arguments that it demands. */
const probeDestructive = async (connection: McpConnection, session: Session, tools: JsonObject[]): Promise<Decision> => {
  const hints = judgeHints(tools)
  if (hints.passed !== true) return hints
  const call = (name: string): Promise<Reply> => connection.request(session, 'tools/call', { name, arguments: {} })
  const calls: Probe[] = [{ name: 'A call of a tool that is not listed', reply: await call(newName()) }]
  const readOnly = guardedReadOnlyTool(tools)
  if (readOnly !== null) calls.push({ name: 'A call without the arguments that a tool demands', reply: await call(readOnly) })
  return judgeDestructiveSafety(hints, calls)
}

interface Judged {
  reason: InconclusiveReason
  undecided: string
  evidence: Record<string, JsonValue>
}

/** Judges a target. A fault of the connection leaves the rest undecided. */
const judgeTarget = async (connection: McpConnection, token: Token, decisions: Decisions): Promise<Judged> => {
  const sessions: Session[] = []
  const evidence: Record<string, JsonValue> = {}
  const open = async (): Promise<Session> => {
    const session = await connection.open(token)
    sessions.push(session)
    return session
  }
  try {
    const first = await open()
    evidence.revision = first.revision
    decisions.set('auth-boundary', await probeAuthBoundary(connection, first))
    const tools = await connection.listTools(first)
    evidence.tools = tools.length
    evidence.toolsDigest = toolsDigest(tools)
    decisions.set('error-shape-conformance', await probeErrors(connection, first))
    decisions.set('destructive-action-safety', await probeDestructive(connection, first, tools))
    decisions.set('tool-schema-stability', judgeStability(tools, await connection.listTools(await open())))
    decisions.set('timeout-recovery', await probeRecovery(connection, first))
    return { reason: 'ambiguous_evidence', undecided: 'Not judged.', evidence }
  } catch (error) {
    if (!(error instanceof TargetFault)) throw error
    return { reason: error.reason, undecided: error.message, evidence }
  } finally {
    await Promise.allSettled(sessions.map(connection.close))
  }
}

/** Creates the profile `mcp-failure-semantics-v1`, version 1. */
export const createMcpFailureProfile = ({ fetch, answerMs = ANSWER_MS, totalMs = TOTAL_MS }: McpFailureDeps): ProfileExecution => {
  const undecided = (reason: InconclusiveReason, detail: string): ProfileResult => inconclusive(reason, checksOf(new Map(), detail))

  const execute = async ({ target, targetAuthorization }: ProfileRequest, signal: AbortSignal): Promise<ProfileResult> => {
    const parsed = mcpFailureTarget.safeParse(target)
    if (!parsed.success) return undecided('runner_fault', 'The target does not have the form of the profile.')
    const { endpoint, auth } = parsed.data
    const token = auth === undefined || targetAuthorization === null ? null : parseToken(targetAuthorization)
    if (auth !== undefined && token === null)
      return undecided('ambiguous_evidence', 'The target demands a credential; the request carries none that a header can hold.')
    const connection = createMcpConnection({ fetch, endpoint, signal, answerMs, totalMs, totalBytes: MCP_FAILURE_LIMITS.outputBytes })
    const decisions: Decisions = new Map()
    const { reason, undecided: detail, evidence } = await judgeTarget(connection, token, decisions)
    signal.throwIfAborted()
    // A target may call a tool by the credential that it was sent.
    const checks = checksOf(decisions, detail).map((check) => ({
      ...check,
      detail: token === null ? check.detail : check.detail.replaceAll(token, '[credential]'),
    }))
    return resultOfChecks(checks, reason, { evidence: { ...evidence, bytesRead: connection.bytesRead() } })
  }

  return (request, signal, heartbeat) => withHeartbeat(heartbeat, () => execute(request, signal))
}
