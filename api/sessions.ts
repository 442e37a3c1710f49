import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { pendingClaim } from '../activities/records/intents.ts'
import { findSession, listSessions, needSession } from '../activities/records/sessions.ts'
import { sessionTimeline } from '../activities/records/timeline.ts'
import { latestVerdict } from '../activities/records/verifications.ts'
import { normaliseSessionId } from '../domain/ids.ts'
import { iso } from '../domain/instants.ts'
import { isTerminal, sessionLifecycle, stateMachine } from '../domain/session-graph.ts'
import { ServiceError } from '../schemas/errors.ts'
import type { HandlersOf } from '../schemas/operations/operation.ts'
import type * as sessionOperations from '../schemas/operations/sessions.ts'
import type { SessionRecord } from '../schemas/session-record.ts'
import type { WorkDeps } from './deps-work.ts'
import { InstantKey, listPage, TextKey } from './lists.ts'
import { pendingAnswer, sessionAnswer } from './session-answers.ts'

const POLL_MS = 250
/** Sort key of session lists: last moved first. */
export const SessionPosition = z.object({ updatedAt: InstantKey, sessionId: TextKey })
export const sessionPosition = ({ updatedAt, sessionId }: SessionRecord): z.infer<typeof SessionPosition> => ({ updatedAt, sessionId })

const ACTIVE = ['claimed', 'submitted', 'disputed']

/** Waits until `changed` or the time is over; gives up early when the client has gone. */
export const waitFor = async (seconds: number, signal: AbortSignal, changed: () => Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + seconds * 1000; performance.now() < end && !signal.aborted; ) {
    await sleep(POLL_MS)
    if (await changed()) return
  }
}

/** Reads of one's own sessions. They never write; a lapsed claim reads expired before its timer has moved it. */
export const createSessionHandlers = (deps: WorkDeps): HandlersOf<typeof sessionOperations> => {
  const { database, clock, baseUrl } = deps

  const read = async (sessionId: string, wallet: string) => {
    const session = await findSession(database.rows, sessionId)
    if (session !== null) {
      if (session.wallet !== wallet) throw new ServiceError('session_not_owned', { details: { sessionId } })
      const body = sessionAnswer(session, clock.now(), baseUrl)
      return { mark: `session ${session.version} ${session.status}`, ended: isTerminal(session.status), body }
    }
    const pending = await pendingClaim(database.rows, sessionId)
    if (pending === null) throw new ServiceError('session_not_found', { details: { sessionId } })
    if (pending.wallet !== wallet) throw new ServiceError('session_not_owned', { details: { sessionId } })
    return { mark: `pending ${pending.stage} ${pending.txHash}`, ended: false, body: pendingAnswer(pending) }
  }

  return {
    getSessionStateMachine: async () => ({ status: 200, body: stateMachine() }),

    getSession: async ({ query, caller, request }) => {
      const id = query.sessionId ?? query.id ?? ''
      const sessionId = normaliseSessionId(id) ?? id
      let answer = await read(sessionId, caller.wallet)
      // Whoever comes after the end has nothing to wait for.
      if (query.waitSeconds !== undefined && query.waitSeconds > 0 && !answer.ended) {
        const { mark } = answer
        await waitFor(query.waitSeconds, request.signal, async () => {
          answer = await read(sessionId, caller.wallet)
          return answer.mark !== mark
        })
      }
      return { status: 200, body: answer.body }
    },

    listSessions: async ({ query, caller }) => {
      const page = listPage({
        operationId: 'listSessions',
        filters: { wallet: caller.wallet, jobId: query.jobId, state: query.state },
        limit: query.limit,
        cursor: query.cursor,
        position: SessionPosition,
      })
      const statuses = query.state === undefined ? undefined : query.state === 'active' ? ACTIVE : [query.state]
      const found = await listSessions(database.rows, {
        wallet: caller.wallet,
        jobId: query.jobId,
        statuses,
        limit: page.readLimit,
        after: page.after,
      })
      const { rows, ...envelope } = page.cut(found, sessionPosition)
      return { status: 200, body: { sessions: rows.map((session) => sessionAnswer(session, clock.now(), baseUrl)), ...envelope } }
    },

    getSessionTimeline: async ({ query, caller }) => {
      const sessionId = normaliseSessionId(query.sessionId) ?? query.sessionId
      const session = await needSession(database.rows, sessionId)
      const privileged = caller.roles.includes('admin') || caller.roles.includes('verifier')
      if (session.wallet !== caller.wallet && !privileged) throw new ServiceError('session_not_owned', { details: { sessionId } })
      const verdict = await latestVerdict(database.rows, sessionId)
      return {
        status: 200,
        body: {
          timelineVersion: 'v2',
          session: sessionAnswer(session, clock.now(), baseUrl),
          lifecycle: sessionLifecycle(session, clock.now()),
          verification: verdict === null ? null : { ...verdict.verdict, decidedAt: iso(verdict.decidedAt) },
          childJobs: [],
          lineage: null,
          stateMachine: stateMachine(),
          timeline: await sessionTimeline(database.rows, session),
        },
      }
    },
  }
}
