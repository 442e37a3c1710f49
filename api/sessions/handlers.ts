import { z } from 'zod'
import { waitingFactsOf } from '../../activities/disputes/waiting.ts'
import { nativeAccountMember } from '../../activities/identity/native-accounts.ts'
import { getSession, listSessions, readLog } from '../../activities/sessions/records.ts'
import { sessionTimeline } from '../../activities/sessions/timeline.ts'
import { latestVerdict } from '../../activities/verification/records.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { iso } from '../../domain/common/instants.ts'
import { canReadEveryDispute } from '../../domain/disputes/readers.ts'
import { stateAsOf } from '../../domain/sessions/as-of.ts'
import { effectiveStatus, isTerminal, sessionLifecycle, stateMachine } from '../../domain/sessions/state-machine.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as sessionOperations from '../../schemas/sessions/operations.ts'
import type { PendingClaim, SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { findDelivery, findNativeGas, pendingAnswer, sessionAnswer } from './answers.ts'
import { getOwnSession, isPending } from './pending.ts'
import { sessionRows } from './rows.ts'
import type { WaitRequest } from './waits.ts'

/** Sort key of the list: last updated first. */
const SessionPosition = z.object({ updatedAt: InstantKey, sessionId: TextKey })
const positionOf = ({ updatedAt, sessionId }: SessionRecord) => ({ updatedAt, sessionId })

const ACTIVE = ['claimed', 'submitted', 'disputed'] as const

/** Sessions of a worker. Reads never write: a lapsed claim reads `expired` before its timer fires. */
export const createSessionHandlers = (deps: ApiDeps): HandlersOf<typeof sessionOperations> => {
  const { database, clock, baseUrl, waits } = deps

  /** Waits until the answer would differ. A terminal session is answered at once. */
  const awaitChange = async (found: SessionRecord | PendingClaim, wait: WaitRequest): Promise<void> => {
    if (isPending(found)) {
      await waits(found.sessionId, wait, ({ version, pending }) => {
        if (pending !== null) return pending.stage !== found.stage || pending.txHash !== found.txHash
        return found.stage !== 'admitting' || version !== null
      })
      return
    }
    const statusBefore = effectiveStatus(found, clock.now())
    if (isTerminal(found.status)) return
    await waits(
      found.sessionId,
      wait,
      ({ version }) => version?.version !== found.version || effectiveStatus(found, clock.now()) !== statusBefore,
    )
  }

  return {
    getSessionStateMachine: async () => ({ status: 200, body: stateMachine() }),

    getSession: async ({ query, caller, request }) => {
      const id = query.sessionId ?? query.id ?? ''
      const sessionId = normaliseSessionId(id) ?? id
      let found = await getOwnSession(deps, sessionId, caller.wallet)
      if (query.waitSeconds !== undefined && query.waitSeconds > 0) {
        const holder = { wallet: caller.wallet, ip: request.ip }
        await awaitChange(found, { seconds: query.waitSeconds, signal: request.signal, holder })
        found = await getOwnSession(deps, sessionId, caller.wallet)
      }
      if (isPending(found)) return { status: 200, body: pendingAnswer(found) }
      const [waiting, native, account, delivery] = await Promise.all([
        waitingFactsOf(database.rows, found),
        findNativeGas(deps, found),
        nativeAccountMember(database.rows, found.wallet),
        findDelivery(database.rows, found),
      ])
      return { status: 200, body: sessionAnswer(found, clock.now(), baseUrl, { waiting, native, ...account, ...delivery }) }
    },

    listSessions: async ({ query, caller }) => {
      const { jobId, state } = query
      const statuses = state === undefined ? undefined : state === 'active' ? ACTIVE : [state]
      const page = listPage({
        ...query,
        operationId: 'listSessions',
        filters: { wallet: caller.wallet, jobId, state },
        position: SessionPosition,
      })
      const asked = { wallet: caller.wallet, jobId, statuses, limit: page.readLimit, after: page.after }
      const { rows, ...envelope } = page.cut(await listSessions(database.rows, asked), positionOf)
      return { status: 200, body: { sessions: await sessionRows(database.rows, rows, clock.now()), ...envelope } }
    },

    getSessionTimeline: async ({ query, caller }) => {
      const sessionId = normaliseSessionId(query.sessionId) ?? query.sessionId
      const session = await getSession(database.rows, sessionId)
      if (session.wallet !== caller.wallet && !canReadEveryDispute(caller))
        throw new ServiceError('session_not_owned', { details: { sessionId } })
      const seq = query.at ?? session.statusHistory.length
      const state = stateAsOf(session.statusHistory, seq)
      if (state === null)
        throw new ServiceError('session_entry_not_found', { details: { sessionId, entries: session.statusHistory.length } })
      const verdict = await latestVerdict(database.rows, sessionId)
      const timeline = {
        timelineVersion: 'v2',
        session: sessionAnswer(session, clock.now(), baseUrl, {
          waiting: await waitingFactsOf(database.rows, session),
          ...(await nativeAccountMember(database.rows, session.wallet)),
          ...(await findDelivery(database.rows, session)),
        }),
        lifecycle: sessionLifecycle(session, clock.now()),
        verification: verdict === null ? null : { ...verdict.verdict, decidedAt: iso(verdict.decidedAt) },
        childJobs: [],
        lineage: null,
        stateMachine: stateMachine(),
        timeline: await sessionTimeline(database.rows, session, seq),
        state,
        log: await readLog(database.rows, sessionId, seq),
      }
      return { status: 200, body: timeline }
    },
  }
}
