import type { Hex } from 'viem'
import { isSubmissionLost } from '../../domain/chain/escrow-state.ts'
import { iso } from '../../domain/common/instants.ts'
import { detectChainChange } from '../../domain/disputes/chain-alignment.ts'
import { parseDecider, parseNote } from '../../domain/disputes/operator-input.ts'
import { defaultSplitRaw } from '../../domain/disputes/payout.ts'
import {
  disputeStatus,
  isAwaitingSignature,
  isBehind,
  isLostOnChain,
  isSameOverturn,
  isSplitDue,
  overturnRefusal,
  verdictLapsesAt,
} from '../../domain/disputes/stage.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import type { DisputeChainActivities } from '../../schemas/disputes/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { hasEvent } from '../chain/follower/events.ts'
import { WouldRevertError } from '../chain/journal/send.ts'
import { recordMissingSubmission } from '../claims/divergence.ts'
import { BlockedStepError } from '../common/blocked.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { getSession } from '../sessions/records.ts'
import { createSettlementParts, judgementOf, type SettlementDeps } from '../settlement/chain-steps.ts'
import { findVerdict, latestVerdict, type StoredVerdict } from '../verification/records.ts'
import { createDisputeEndings } from './chain-endings.ts'
import { createDisputeOpenings } from './openings.ts'
import { findDecision, findDisputeOfSession, insertDecision, lockDispute, updateArbitrator } from './rows.ts'
import { awaitExternalSignature, type PrepareVerdict } from './signatures.ts'

export interface DisputeDeps extends SettlementDeps {
  /** Address of the arbitrator key this process holds, lower case; null without one. */
  arbitrator: string | null
  prepare: PrepareVerdict
}

/** Journal key of a step of a session's dispute. It has no run id, so that a new run finds the transactions of earlier ones. */
const stepOf = (sessionId: string, step: string): string => `${disputeWorkflowId(sessionId)}/${step}`

interface DisputeContext {
  session: SessionRecord
  dispute: DisputeRecord | null
  decision: RoundDecision | null
}

/** The chain steps of a dispute. Each reads record and chain, sends what is missing and records the result. */
export const createDisputeSteps = (deps: DisputeDeps): DisputeChainActivities => {
  const { database, reads, transactions, clock, arbitrator, prepare } = deps
  const parts = createSettlementParts(deps)
  const { calls, settlements } = parts
  const openings = createDisputeOpenings({ database, arbitrator })
  const ends = createDisputeEndings({ database, reads, arbitrator, ...parts })

  const load = async (sessionId: string): Promise<DisputeContext> => {
    const [session, found] = await Promise.all([getSession(database.rows, sessionId), findDisputeOfSession(database.rows, sessionId)])
    const dispute = found === null ? null : { ...found, arbitrator }
    return { session, dispute, decision: dispute === null ? null : await findDecision(database.rows, dispute) }
  }

  const verdictFor = async (session: SessionRecord, id: string | null): Promise<StoredVerdict> => {
    const verdict = id === null ? await latestVerdict(database.rows, session.sessionId) : await findVerdict(database.rows, id)
    if (verdict === null) throw new Error(`${session.sessionId} has no such verdict`)
    return verdict
  }

  /** Records how the job was closed, whichever caller closed it. */
  const recordEnd = async (session: SessionRecord): Promise<void> => {
    const settled = await parts.endings.findClosing(session)
    if (settled === null)
      throw new BlockedStepError('chain_state_diverged', `${session.sessionId} is closed on chain, but no event explains it yet`)
    return ends.record(session, settled)
  }

  /** Moves a session in review to the arbitrator: rejects it, since only a rejection can be disputed, and opens the dispute for the worker. */
  const bringToArbitration = async ({ session, dispute }: DisputeContext): Promise<void> => {
    if (dispute?.stage !== 'review') return
    const verdict = await verdictFor(session, null)
    await calls.reject(session, { reasonCode: verdict.reasonCode }, stepOf(session.sessionId, 'reject'))
    const openedAt = await calls.openFor(session, stepOf(session.sessionId, 'open'))
    if (openedAt !== null) await openings.startArbitration(session, openedAt, 'platform')
  }

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
    const retryKey = (move: string): string => stepOf(session.sessionId, `${move}/again/${session.version}`)
    const verdict = await verdictFor(session, null)
    const rejectedAt = job.rejectedAt ?? (await calls.reject(session, { reasonCode: verdict.reasonCode }, retryKey('reject')))
    if (rejectedAt === null) return
    if (stage === 'window') return follow({ rejectedAt, disputedAt: null })
    if (dispute?.origin === 'participant') return ends.recordRevertedDispute(session, rejectedAt, job.block.time)
    await follow({ rejectedAt, disputedAt: await calls.openFor(session, retryKey('open')) })
  }

  /** Whether a later reorganisation could go unnoticed, so that the workflow must read the chain again. */
  const needsRecheck = async (sessionId: string): Promise<{ again: boolean; behind: boolean }> => {
    const { session, dispute } = await load(sessionId)
    const { stage } = disputeStatus(session, dispute, null)
    if (stage !== 'window' && stage !== 'arbitration') return { again: false, behind: false }
    const job = await reads.escrowJob(session.chainJobId as Hex)
    if (isBehind(stage, job.state)) return { again: true, behind: true }
    const [event, since] = stage === 'window' ? ['JobRejected', session.timestamps.rejectedAt] : ['DisputeOpened', dispute?.openedAt]
    const held = await hasEvent(database.rows, { chainId: reads.chain.chainId, chainJobId: session.chainJobId, event, since: since ?? 0 })
    return { again: !held, behind: false }
  }

  /** Records a rejection made directly on chain during a review, by another holder of the verifier's key. */
  const recordRejectionElsewhere = async ({ session, dispute, decision }: DisputeContext, rejectedAt: number): Promise<void> => {
    if (decision !== null || dispute?.origin === 'platform') return
    await ends.recordRejection(session, await verdictFor(session, null), rejectedAt)
  }

  /** Compares record and chain and records the difference. */
  const reconcile = async (sessionId: string): Promise<void> => {
    const context = await load(sessionId)
    const { session, dispute, decision } = context
    const { stage } = disputeStatus(session, dispute, decision)
    if (stage === 'final') return
    const job = await reads.escrowJob(session.chainJobId as Hex)
    const found = detectChainChange(stage, job.state)
    if (found === 'end') return recordEnd(session)
    if (found === 'dispute') await ends.recordDispute(session, job.rewardRaw)
    if (found === 'arbitration' && job.disputedAt !== null) await ends.recordArbitrationOfReview(session, job.disputedAt)
    if (found === 'rejection' && job.rejectedAt !== null) await recordRejectionElsewhere(context, job.rejectedAt)
    await resubmitAfterReorg(sessionId)
  }

  const approve = async ({ session, decision }: DisputeContext & { decision: RoundDecision }): Promise<void> => {
    const verdict = await verdictFor(session, decision.verificationId)
    const judgement = { reasonCode: verdict.reasonCode, reasoningHash: decision.reasoningHash as Hex | null }
    const approved = await calls.approve(session, judgement, stepOf(session.sessionId, 'approve'))
    // Another verifier rejected directly on chain meanwhile. The chain decides, and the worker may dispute it.
    if ('rejectedAt' in approved) return ends.recordRejection(session, verdict, approved.rejectedAt)
    await ends.record(session, approved)
  }

  const reject = async ({ session, dispute, decision }: DisputeContext & { decision: RoundDecision }): Promise<void> => {
    const verdict = await verdictFor(session, decision.verificationId)
    const judgement = { reasonCode: verdict.reasonCode, reasoningHash: decision.reasoningHash as Hex | null }
    const at = await calls.reject(session, judgement, stepOf(session.sessionId, `reject/${dispute?.round ?? 0}`))
    return at === null ? recordEnd(session) : ends.recordRejection(session, verdict, at)
  }

  const arbitrate = async (context: DisputeContext & { decision: RoundDecision }): Promise<void> => {
    await bringToArbitration(context)
    const { session, decision, dispute } = context
    const { verdict, workerPayoutRaw, reasoningHash } = decision
    if (verdict === 'approved' || verdict === 'rejected') throw new Error(`${verdict} is not an arbitration verdict`)
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
    await ends.record(session, settled)
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
    if (decision.verdict === 'approved') return approve(context)
    if (decision.verdict === 'rejected') return reject(context)
    // Without the key the service opens the dispute, and the arbitrator sends the last transaction.
    if (!isAwaitingSignature(decision, arbitrator !== null)) return arbitrate(context)
    await bringToArbitration(context)
    await awaitKeyHolder(sessionId)
  }

  /**
   * Records the default decision (half to the worker) if the round has none. Does nothing for a later round than the one it was due for, or if
   * its deadline has moved.
   */
  const splitHalf = async ({ sessionId, round: seen }: Pick<DisputeRecord, 'sessionId' | 'round'>): Promise<void> => {
    await database.transaction(async (rows) => {
      const dispute = await lockDispute(rows, sessionId)
      if (dispute === null || dispute.status === 'resolved') return
      const { disputeId, round } = dispute
      if (round !== seen || !isSplitDue({ ...dispute, arbitrator }, clock.now())) return
      const [at, actor, verdict] = [clock.now(), 'system:silence', 'split'] as const
      const payoutRaw = defaultSplitRaw(dispute.remainingRaw)
      const taken = await insertDecision(rows, disputeId, {
        round,
        source: 'silence',
        verdict,
        reasonCode: verdictCode(verdict),
        workerPayoutRaw: payoutRaw,
        payoutSource: 'default_half_remaining',
        reasoningHash: null,
        verificationId: null,
        decidedBy: actor,
        decisionRequestId: null,
        decidedAt: at,
        preparation: null,
        observed: null,
      })
      const data = { verdict, workerPayout: payoutRaw.toString(), reasoningHash: null }
      if (taken) await appendEntry(rows, disputeId, { at, actor, action: 'verdict_submitted', data })
    })
    await applyDecision({ sessionId })
  }

  const endWindow = async (session: SessionRecord): Promise<void> => {
    const ended = await calls.finalize(session, stepOf(session.sessionId, 'finalize'))
    if (ended !== null) return ends.record(session, ended)
    const { disputedAt, rewardRaw } = await reads.escrowJob(session.chainJobId as Hex)
    if (disputedAt !== null) await ends.recordDispute(session, rewardRaw)
  }

  const applyTimeout: DisputeChainActivities['applyTimeout'] = async ({ sessionId }) => {
    await resubmitAfterReorg(sessionId)
    const context = await load(sessionId)
    const { session, dispute, decision } = context
    const standing = disputeStatus(session, dispute, decision)
    if (!('timeoutOutcome' in standing)) return
    const decided = standing.stage !== 'window' && decision !== null && !isAwaitingSignature(decision, arbitrator !== null)
    if (decided) return applyDecision({ sessionId })
    if (clock.now() < standing.dueAt) return
    switch (standing.timeoutOutcome) {
      case 'finalize_rejection':
        return endWindow(session)
      case 'split_half':
        return dispute === null ? undefined : splitHalf(dispute)
      case 'open_on_chain':
        await openings.markPlatform(session)
        return bringToArbitration(context)
      case 'contract_timeout': {
        const settled = await calls.timeOut(session, stepOf(sessionId, `timeout/${dispute?.round ?? 0}`))
        return ends.record(session, settled)
      }
    }
  }

  /** Applies the first machine verdict on a submission. */
  const applyFirstVerdict = async (session: SessionRecord, verdict: StoredVerdict): Promise<void> => {
    const { sessionId } = session
    if (verdict.outcome === 'approved') return void (await parts.approve(session, verdict, stepOf(sessionId, 'approve')))
    if (verdict.outcome !== 'rejected') {
      const { state, rewardRaw } = await reads.escrowJob(session.chainJobId as Hex)
      // Another verifier closed the job, so no review is needed.
      return state === 'closed' ? recordEnd(session) : openings.openReview(session, verdict, clock.now(), rewardRaw)
    }
    const at = await calls.reject(session, judgementOf(verdict), stepOf(sessionId, 'reject/0'))
    return at === null ? recordEnd(session) : settlements.recordRejected({ session, verdict, at })
  }

  /** Removes the overturn mark if the step is blocked before it sent a transaction. Otherwise a later dispute would count as the operator's. */
  const removeUnusedMark =
    (session: SessionRecord, step: string) =>
    async (error: unknown): Promise<never> => {
      if (error instanceof BlockedStepError && (await transactions.resumeStep(step)) === null) await openings.markOverturned(session, null)
      throw error
    }

  return {
    applyDecision,
    applyTimeout,

    reconcileWithChain: async ({ sessionId }) => {
      await reconcile(sessionId)
      return needsRecheck(sessionId)
    },

    takeVerdict: async ({ sessionId, verdictId }) => {
      const session = await getSession(database.rows, sessionId)
      if (session.status !== 'submitted') return
      const verdict = await findVerdict(database.rows, verdictId)
      // Ignores a signal with an unknown verdict: verdicts are stored before they are announced.
      if (verdict?.sessionId !== sessionId) return
      await parts.endIfLost(session, () => applyFirstVerdict(session, verdict))
    },

    overturnRejection: async ({ sessionId, ...request }) => {
      const [by, note] = [parseDecider(request.by), parseNote(request.note)]
      const session = await getSession(database.rows, sessionId)
      if (session.status === 'disputed' && isSameOverturn(session.operatorOverturn, { by, note })) return
      // A session that was marked in time follows the chain: the step may have been interrupted after its transaction.
      const { rejectionFinalizedAt } = session.timestamps
      const marked = session.status === 'rejected' && rejectionFinalizedAt === null && session.operatorOverturn !== null
      const refusal = marked ? null : overturnRefusal(session, clock.now())
      if (refusal !== null) throw refusal
      const overturned = await openings.markOverturned(session, { by, note, at: clock.now() })
      const job = await reads.escrowJob(session.chainJobId as Hex)
      const late = job.state === 'rejected' && overturnRefusal(session, job.block.time) !== null
      const step = stepOf(sessionId, 'overturn')
      const openedAt = late ? null : await calls.openFor(overturned, step).catch(removeUnusedMark(session, step))
      if (openedAt === null) {
        await openings.markOverturned(session, null)
        throw new ServiceError('overturn_window_closed', { details: { sessionId, at: iso(job.block.time) } })
      }
      await ends.recordDispute(overturned, job.rewardRaw)
    },
  }
}
