import { randomUUID } from 'node:crypto'
import type { UpdateDefinition } from '@temporalio/common'
import { disputeStart } from '../../activities/disputes/start.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ProcessKey } from '../http/idempotency.ts'
import type { Engine, Outcome } from '../temporal/engine.ts'

/** A decision to deliver: the update of the dispute it belongs to, and the refusal by the records, if any. */
interface Decision<Value, Input> {
  session: SessionRecord
  update: UpdateDefinition<Value, [Input]>
  input: Input
  refusal: ServiceError | null
  key: ProcessKey
  requestId: string
}

/**
 * Delivers a decision to the dispute of a session. A refusal by the records is thrown, unless an earlier request under the same key made
 * that decision: then its outcome is returned. The records store the decision under `decisionRequestId`.
 */
export const deliverDecision = async <Value, Input>(
  engine: Engine,
  { session, update, input, refusal, key, requestId }: Decision<Value, Input>,
): Promise<{ outcome: Outcome<Value>; decisionRequestId: string }> => {
  const { sessionId } = session
  const workflowId = disputeWorkflowId(sessionId)
  if (refusal !== null) {
    const decisionRequestId = await key.findUpdate()
    const outcome = decisionRequestId === null ? null : await engine.readResult<Value>(workflowId, decisionRequestId)
    if (decisionRequestId === null || outcome === null) throw refusal
    return { outcome, decisionRequestId }
  }
  const decisionRequestId = await key.join(workflowId, randomUUID())
  const { title } = pinnedDefinition(session.jobSnapshot)
  // A new run continues from the record.
  const start = disputeStart({ ...session, title }, { v: 1, sessionId, requestId })
  return { outcome: await engine.updateOrStart(update, { updateId: decisionRequestId, input }, 'dispute', start), decisionRequestId }
}

/** The outcome is unknown after the wait and nothing is recorded; a repeat under the same key gets it. */
export const decisionPending = (): ServiceError =>
  new ServiceError('upstream_failure', {
    detail: 'The verdict is still being processed; repeat it under the same key.',
    retryAfterSeconds: 5,
  })
