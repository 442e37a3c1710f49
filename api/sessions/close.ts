import type { Hex } from 'viem'
import { type CloseObservation, recordOperatorClose } from '../../activities/sessions/close.ts'
import { getSession } from '../../activities/sessions/records.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { escrowHoldsMoney, isPaidUnrecorded, type ObservedJob, settlementActions } from '../../domain/sessions/close.ts'
import { assertMove, hasDiverged } from '../../domain/sessions/state-machine.ts'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import type { Answer, Handler } from '../../schemas/operations/operation.ts'
import type { closeSession } from '../../schemas/sessions/admin-operations.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'
import { sessionAnswer } from './answers.ts'

const WAIT: { kind: 'wait'; description: string } = {
  kind: 'wait',
  description: 'Wait until its process has ended, or end it in the workflow engine first.',
}

const RECORD_VERDICT: NextAction = {
  kind: 'http',
  method: 'POST',
  path: '/verifier/run',
  description: 'Run a verification to record what the chain has decided; nothing is paid twice.',
}

/** `POST /admin/sessions/close`: ends a session that can no longer progress. Source: lifecycle, "Who writes which edge". */
export const createCloseSession = (deps: ApiDeps): Handler<typeof closeSession> => {
  const { chain, clock, baseUrl, reads, engine } = deps

  /** The running workflow that writes the session: its claim, or its dispute. */
  const findOwner = async ({ sessionId, jobId, runId }: SessionRecord): Promise<{ workflowId: string; runId: string } | null> => {
    const [claimId, disputeId] = [claimWorkflowId(jobId), disputeWorkflowId(sessionId)]
    if ((await engine.findRunningRun(claimId)) === runId) return { workflowId: claimId, runId }
    const disputeRun = await engine.findRunningRun(disputeId)
    return disputeRun === null ? null : { workflowId: disputeId, runId: disputeRun }
  }

  const assertNoOwner = async (session: SessionRecord): Promise<void> => {
    const owner = await findOwner(session)
    if (owner === null) return
    const { sessionId, jobId } = session
    throw new ServiceError('session_process_running', { details: { sessionId, jobId, ...owner }, nextActions: [WAIT] })
  }

  const observe = async (session: SessionRecord): Promise<CloseObservation> => {
    const { block, ...read } = await reads.escrowJob(session.chainJobId as Hex)
    const job: ObservedJob = { ...read, worker: read.worker?.toLowerCase() ?? null }
    const observed: CloseObservation = {
      observedState: job.state,
      observedWorker: job.worker,
      blockNumber: block.number.toString(),
      blockHash: block.hash,
      reward: assetAmount(job.rewardRaw, chain.asset),
      released: assetAmount(job.releasedRaw, chain.asset),
    }
    if (isPaidUnrecorded(session, job))
      throw new ServiceError('invalid_session_transition', {
        detail: 'The chain has approved and paid this work. If the session were closed, its worker would get neither badge nor reputation.',
        details: { currentStatus: session.status, reason: 'paid_on_chain', ...observed },
        nextActions: [RECORD_VERDICT],
      })
    if (!escrowHoldsMoney(session, job)) return observed
    const location = { escrow: reads.escrowAddress, chainJobId: session.chainJobId, chainId: chain.chainId }
    throw new ServiceError('session_money_unsettled', {
      details: { sessionId: session.sessionId, chainJobId: session.chainJobId, ...observed },
      nextActions: settlementActions(job, location, clock.now()),
    })
  }

  return async (input) =>
    withIdempotentTransaction<Answer<typeof closeSession>>(deps, input, async (rows) => {
      const { body, caller } = input
      const { outcome, note } = body
      const sessionId = normaliseSessionId(body.sessionId) ?? body.sessionId
      const session = await getSession(rows, sessionId)
      if (session.operatorClose === null && !hasDiverged(session))
        assertMove(session.status, outcome, session.timestamps.rejectionFinalizedAt)
      if (session.operatorClose === null) await assertNoOwner(session)
      // Engine and chain are read while only the caller's key is locked.
      const observed = await observe(session)
      const closed = await recordOperatorClose(rows, { sessionId, outcome, note, by: caller.wallet, at: clock.now(), observed })
      return { status: 200, body: sessionAnswer(closed, clock.now(), baseUrl) }
    })
}
