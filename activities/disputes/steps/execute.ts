import type { Hex } from 'viem'
import { isAwaitingSignature, verdictLapsesAt } from '../../../domain/disputes/stage.ts'
import type { DisputeChainActivities } from '../../../schemas/disputes/process.ts'
import type { RoundDecision } from '../../../schemas/disputes/record.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import type { ArbitrationVerdict } from '../../../schemas/sessions/verdicts.ts'
import { WouldRevertError } from '../../chain/journal/send.ts'
import type { StoredVerdict } from '../../verification/records.ts'
import type { DisputeContext } from '../context.ts'
import { findDisputeOfSession, updateArbitrator } from '../rows.ts'
import { awaitExternalSignature } from '../signatures.ts'
import type { ResubmitAfterReorg } from './reconcile.ts'
import { type DisputeParts, stepOf } from './step.ts'

type Decided = DisputeContext & { decision: RoundDecision }

/** Executes the decision of a round on chain. */
export const createExecution = (parts: DisputeParts, resubmitAfterReorg: ResubmitAfterReorg) => {
  const { database, clock, arbitrator, prepare, calls, openings, changes, recordEnding, load, getVerdict } = parts

  const recordOther = (other: { session: SessionRecord; verdict: StoredVerdict; at: number }): Promise<void> =>
    changes.recordRejection(other.session, other.verdict, other.at)

  /**
   * Moves a session in review to the arbitrator: rejects it, since only a rejection can be disputed, and opens the dispute for the worker. False if
   * the escrow has other work: its rejection ends the round, and the worker may dispute it.
   */
  const bringToArbitration = async ({ session, dispute }: DisputeContext): Promise<boolean> => {
    if (dispute?.stage !== 'review') return true
    const { reasonCode, verdict } = await getVerdict(session)
    const judgement = { reasonCode, evidenceHash: verdict.verificationInputHash }
    const reject = async (): Promise<boolean> => {
      await calls.reject(session, judgement, stepOf(session.sessionId, 'reject'))
      return true
    }
    const isSameWork = await parts.rejectIfOtherWork(
      session,
      stepOf(session.sessionId, `other/${dispute.round}`),
      reject,
      async (other) => {
        await recordOther(other)
        return false
      },
    )
    if (!isSameWork) return false
    const openedAt = await calls.openFor(session, stepOf(session.sessionId, 'open'))
    if (openedAt !== null) await openings.startArbitration(session, openedAt, 'platform')
    return true
  }

  const executeReview = async ({ session, dispute, decision }: Decided): Promise<void> => {
    const verdict = await getVerdict(session, decision.verificationId)
    const execute = () => executeReviewOf({ session, dispute, decision }, verdict)
    const step = stepOf(session.sessionId, `other/${dispute?.round ?? 0}`)
    return parts.rejectIfOtherWork(session, step, execute, recordOther)
  }

  const executeReviewOf = async ({ session, dispute, decision }: Decided, verdict: StoredVerdict): Promise<void> => {
    const judgement = {
      reasonCode: verdict.reasonCode,
      evidenceHash: verdict.verdict.verificationInputHash,
      reasoningHash: decision.reasoningHash as Hex | null,
    }
    if (decision.verdict === 'rejected') {
      const at = await calls.reject(session, judgement, stepOf(session.sessionId, `reject/${dispute?.round ?? 0}`))
      return at === null ? parts.recordClosing(session) : changes.recordRejection(session, verdict, at)
    }
    const approved = await calls.approve(session, judgement, stepOf(session.sessionId, 'approve'))
    // Another verifier rejected directly on chain meanwhile. The chain decides, and the worker may dispute it.
    if ('rejectedAt' in approved) return changes.recordRejection(session, verdict, approved.rejectedAt)
    await recordEnding(session, approved)
  }

  const executeArbitration = async (context: Decided, verdict: ArbitrationVerdict): Promise<void> => {
    if (!(await bringToArbitration(context))) return
    const { session, decision, dispute } = context
    const { workerPayoutRaw, reasoningHash } = decision
    const step = stepOf(session.sessionId, `resolve/${dispute?.round ?? 0}`)
    const award = { verdict, payoutRaw: workerPayoutRaw ?? 0n, reasoningHash }
    const timeOut = () => calls.timeOut(session, step)
    const settled = await (verdict === 'timeout' ? timeOut() : calls.resolve(session, award, step)).catch((error: unknown) => {
      // The arbitrator lost its role or the contracts are paused. The contract's time-out ends the session.
      if (error instanceof WouldRevertError && dispute !== null && clock.now() >= verdictLapsesAt(dispute)) return timeOut()
      throw error
    })
    // The key was removed after the verdict was recorded.
    if (settled === null) return awaitExternalSignature(database, session, prepare(session, award), clock.now())
    await recordEnding(session, settled)
  }

  /**
   * A worker with the key reported that this verdict needs no signature, but this one has no key. Updates the record and fails, so that a
   * worker with the key retries the step.
   */
  const awaitKeyHolder = async (sessionId: string): Promise<void> => {
    const found = await findDisputeOfSession(database.rows, sessionId)
    if (found === null || (await updateArbitrator(database.rows, found, arbitrator)) === found) return
    throw new Error(`this process has no arbitrator key for ${sessionId}`)
  }

  const applyDecision: DisputeChainActivities['applyDecision'] = async ({ sessionId }) => {
    await resubmitAfterReorg(sessionId)
    const { session, dispute, decision } = await load(sessionId)
    if (session.status !== 'disputed' || decision === null || decision.observed !== null) return
    const context = { session, dispute, decision }
    const { verdict } = decision
    if (verdict === 'approved' || verdict === 'rejected') return executeReview(context)
    // Without the key the service opens the dispute, and the arbitrator sends the last transaction.
    if (!isAwaitingSignature(decision, arbitrator !== null)) return executeArbitration(context, verdict)
    if (await bringToArbitration(context)) await awaitKeyHolder(sessionId)
  }

  return { applyDecision, bringToArbitration }
}
export type Execution = ReturnType<typeof createExecution>
