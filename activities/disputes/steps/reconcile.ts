import type { Hex } from 'viem'
import { isSubmissionLost } from '../../../domain/chain/escrow-state.ts'
import { detectChainChange } from '../../../domain/disputes/chain-alignment.ts'
import { disputeStatus, isBehind, isLostOnChain } from '../../../domain/disputes/stage.ts'
import type { DisputeChainActivities } from '../../../schemas/disputes/process.ts'
import { hasEvent } from '../../chain/follower/events.ts'
import { recordMissingSubmission } from '../../claims/divergence.ts'
import { type DisputeParts, stepOf } from './step.ts'

/** Events that end a stage. One that the follower holds while a read shows the stage still: the node of the read lags behind. */
const ENDS = { window: ['DisputeOpened', 'JobClosed'], arbitration: ['JobClosed'] } as const

/** Compares record and chain. */
export const createReconciliation = (parts: DisputeParts) => {
  const { database, reads, clock, calls, openings, changes, load, getVerdict } = parts

  /**
   * Restores what a reorganisation removed. A recorded rejection is sent again, and so is a dispute that the service had opened. The
   * participants may reopen their own dispute while the window lasts. A submission that is lost for good ends its session. Restored steps
   * count from their new block's time, as in the contract.
   */
  const resubmitAfterReorg = async (sessionId: string): Promise<void> => {
    const { session, dispute } = await load(sessionId)
    const { stage } = disputeStatus(session, dispute, null)
    if (stage === 'final' || stage === 'verdict') return
    const job = await reads.escrowJob(session.chainJobId as Hex)
    if (isSubmissionLost(session, job, job.block.time))
      return void (await recordMissingSubmission(database, session, job.state, clock.now()))
    if (stage === 'review') return
    const recordedAt = (stage === 'window' ? session.timestamps.rejectedAt : dispute?.openedAt) ?? 0
    const follow = (onChain: { rejectedAt: number | null; disputedAt: number | null }): Promise<void> =>
      openings.updateInstants({ session, dispute }, onChain, job.block.time)
    if (!isLostOnChain(stage, job.state, { blockTime: job.block.time, recordedAt })) return follow(job)
    const retryKey = (move: string): string => stepOf(sessionId, `${move}/again/${session.version}`)
    const { reasonCode, verdict } = await getVerdict(session)
    const judgement = { reasonCode, evidenceHash: verdict.verificationInputHash }
    const rejectedAt = job.rejectedAt ?? (await calls.reject(session, judgement, retryKey('reject')))
    if (rejectedAt === null) return
    if (stage === 'window') return follow({ rejectedAt, disputedAt: null })
    if (dispute?.origin === 'participant') return changes.recordRevertedDispute(session, rejectedAt, job.block.time)
    await follow({ rejectedAt, disputedAt: await calls.openFor(session, retryKey('open')) })
  }

  /** Records how the chain differs from the record. */
  const recordChange = async (sessionId: string): Promise<void> => {
    const { session, dispute, decision } = await load(sessionId)
    const { stage } = disputeStatus(session, dispute, decision)
    if (stage === 'final') return
    const job = await reads.escrowJob(session.chainJobId as Hex)
    const found = detectChainChange(stage, job.state)
    if (found === 'end') return parts.recordClosing(session)
    if (found === 'dispute') await changes.recordDispute(session, job.rewardRaw)
    if (found === 'arbitration' && job.disputedAt !== null) await changes.recordArbitrationOfReview(session, job.disputedAt)
    // A rejection made directly on chain during a review, by another holder of the verifier's key.
    if (found === 'rejection' && job.rejectedAt !== null && decision === null && dispute?.origin !== 'platform')
      await changes.recordRejection(session, await getVerdict(session), job.rejectedAt)
    await resubmitAfterReorg(sessionId)
  }

  const reconcileWithChain: DisputeChainActivities['reconcileWithChain'] = async ({ sessionId }) => {
    await recordChange(sessionId)
    const { session, dispute } = await load(sessionId)
    const { stage } = disputeStatus(session, dispute, null)
    if (stage !== 'window' && stage !== 'arbitration') return { again: false, behind: false }
    const { chainJobId, timestamps } = session
    const job = await reads.escrowJob(chainJobId as Hex)
    if (isBehind(stage, job.state)) return { again: true, behind: true }
    const [event, since] = stage === 'window' ? ['JobRejected', timestamps.rejectedAt] : ['DisputeOpened', dispute?.openedAt]
    const isRecorded = (name: string) =>
      hasEvent(database.rows, { chainId: reads.chain.chainId, chainJobId, event: name, since: since ?? 0 })
    const isEnded = (await Promise.all(ENDS[stage].map(isRecorded))).includes(true)
    return { again: isEnded || !(await isRecorded(event)), behind: isEnded }
  }

  return { resubmitAfterReorg, reconcileWithChain }
}
export type ResubmitAfterReorg = ReturnType<typeof createReconciliation>['resubmitAfterReorg']
