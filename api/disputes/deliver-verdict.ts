import { randomUUID } from 'node:crypto'
import type { UpdateDefinition } from '@temporalio/common'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ProcessKey } from '../http/idempotency.ts'
import type { Engine, Outcome } from '../temporal/engine.ts'

/** A word of somebody who decides: for which update of the dispute, and why the record refuses it, if it does. */
export interface Decision<Value, Input> {
  session: SessionRecord
  update: UpdateDefinition<Value, [Input]>
  input: Input
  refusal: ServiceError | null
}

/**
 * Hands a word to the dispute of a session. What the record refuses is refused at once, unless an earlier request under the same key was
 * the one that decided: then its outcome is everybody's. `decisionRequestId` is what the record knows the word by.
 */
export const deliverDecision = async <Value, Input>(
  engine: Engine,
  { session, update, input, refusal }: Decision<Value, Input>,
  key: ProcessKey,
  requestId: string,
): Promise<{ outcome: Outcome<Value>; decisionRequestId: string }> => {
  const { sessionId } = session
  if (refusal !== null) {
    const decisionRequestId = (await key.named())?.updateId
    const outcome = decisionRequestId === undefined ? null : await engine.contested<Value>(sessionId, decisionRequestId)
    if (decisionRequestId === undefined || outcome === null) throw refusal
    return { outcome, decisionRequestId }
  }
  const decisionRequestId = await key.join({ subject: sessionId, workflowId: disputeWorkflowId(sessionId), updateId: randomUUID() })
  const { title } = pinnedDefinition(session.jobSnapshot)
  return { outcome: await engine.openDispute({ ...session, title }, requestId, update, input, decisionRequestId), decisionRequestId }
}

/** For a word whose fate is not known when the wait is over and of which the record knows nothing: a repeat under the same key converges. */
export const stillUnderWay = (): ServiceError =>
  new ServiceError('upstream_failure', { detail: 'The verdict is still on its way; repeat it under the same key.', retryAfterSeconds: 5 })
