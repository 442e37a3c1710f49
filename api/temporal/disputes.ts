import type { UpdateDefinition } from '@temporalio/common'
import { disputeStart } from '../../activities/disputes/start.ts'
import type { EngineCalls, Outcome } from './calls.ts'

/** Calls of the API to the dispute of a session. */
export const createDisputeCalls = ({ updateOrStart }: EngineCalls) => ({
  /** Sends a decision to the running dispute of a session, or to a new run, which continues from the record. */
  openDispute: <Value, Decision>(
    session: Parameters<typeof disputeStart>[0],
    requestId: string,
    update: UpdateDefinition<Value, [Decision]>,
    input: Decision,
    updateId: string,
  ): Promise<Outcome<Value>> =>
    updateOrStart(update, { updateId, input }, 'dispute', disputeStart(session, { v: 1, sessionId: session.sessionId, requestId })),
})
