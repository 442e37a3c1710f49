import type { Hex } from 'viem'
import { isSubmissionLost } from '../../domain/chain/escrow-state.ts'
import { iso } from '../../domain/common/instants.ts'
import { foundOnChain } from '../../domain/disputes/chain-alignment.ts'
import { nameOf, noteOf } from '../../domain/disputes/operator-input.ts'
import { halfOf } from '../../domain/disputes/payout.ts'
import {
  hasLost,
  isBehind,
  isOwnOverturn,
  isSplitDue,
  overturnRefusal,
  standingOf,
  verdictLapsesAt,
  waitsForSigner,
} from '../../domain/disputes/stage.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import type { DisputeChainActivities } from '../../schemas/disputes/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { holdsEvent } from '../chain/follower/events.ts'
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

/** Keys of a session's dispute in the journal: a run that begins again finds the transactions of the one before it. */
const stepOf = (sessionId: string, step: string): string => `${disputeWorkflowId(sessionId)}/${step}`

interface DisputeContext {
  session: SessionRecord
  dispute: DisputeRecord | null
  decision: RoundDecision | null
}

/** The chain's half of a dispute: every step reads records and chain first, makes what is missing, and records what it finds. */
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
    if (verdict === null) throw new Error(`the verdict of ${session.sessionId} is gone`)
    return verdict
  }

  /** Brings the records to how the job was closed, by whoever closed it. */
  const recordEnd = async (session: SessionRecord): Promise<void> => {
    const settled = await parts.endings.findClosing(session)
    if (settled === null)
      throw new BlockedStepError('chain_state_diverged', `${session.sessionId} is closed on chain, and nothing explains it yet`)
    return ends.record(session, settled)
  }

  /** Who decides goes on in the escrow: rejected first, since only a rejection can be disputed, and the dispute opened for the worker. */
  const bringToArbitration = async ({ session, dispute }: DisputeContext): Promise<void> => {
    if (dispute?.stage !== 'review') return
    const verdict = await verdictFor(session, null)
    await calls.reject(session, { reasonCode: verdict.reasonCode }, stepOf(session.sessionId, 'reject'))
    const openedAt = await calls.openFor(session, stepOf(session.sessionId, 'open'))
    if (openedAt !== null) await openings.startArbitration(session, openedAt, 'platform')
  }

  /**
   * A fork took a submission, a rejection or a dispute away. A rejection that is recorded is sent again, whoever made it; so is a dispute that
   * the service had opened. A dispute of the parties is theirs to open again while the window of the rejection lasts. A submission that nothing
   * brings back ends its session. What came again, or only into another block, counts from the chain's instant: the contract counts from it, too.
   */
  const resubmitAfterReorg = async (sessionId: string): Promise<void> => {
    const { session, dispute } = await load(sessionId)
    const { stage } = standingOf(session, dispute, null)
    if (stage === 'final' || stage === 'verdict') return
    const job = await reads.escrowJob(session.chainJobId as Hex)
    if (isSubmissionLost(session, job, job.block.time))
      return void (await recordMissingSubmission(database, session, job.state, clock.now()))
    if (stage === 'review') return
    const heldSince = (stage === 'window' ? session.timestamps.rejectedAt : dispute?.openedAt) ?? 0
    const follow = (shown: { rejectedAt: number | null; disputedAt: number | null }): Promise<void> =>
      openings.updateInstants({ session, dispute }, shown, job.block.time)
    if (!hasLost(stage, job.state, { blockTime: job.block.time, heldSince })) return follow(job)
    const again = (move: string): string => stepOf(session.sessionId, `${move}/again/${session.version}`)
    const verdict = await verdictFor(session, null)
    const rejectedAt = job.rejectedAt ?? (await calls.reject(session, { reasonCode: verdict.reasonCode }, again('reject')))
    if (rejectedAt === null) return
    if (stage === 'window') return follow({ rejectedAt, disputedAt: null })
    if (dispute?.origin === 'participant') return ends.recordRevertedDispute(session, rejectedAt, job.block.time)
    await follow({ rejectedAt, disputedAt: await calls.openFor(session, again('open')) })
  }

  /** Whether what the record holds may still be lost unnoticed, and so is to be looked at again. */
  const needsRecheck = async (sessionId: string): Promise<{ again: boolean; behind: boolean }> => {
    const { session, dispute } = await load(sessionId)
    const { stage } = standingOf(session, dispute, null)
    if (stage !== 'window' && stage !== 'arbitration') return { again: false, behind: false }
    const job = await reads.escrowJob(session.chainJobId as Hex)
    if (isBehind(stage, job.state)) return { again: true, behind: true }
    const [event, since] = stage === 'window' ? ['JobRejected', session.timestamps.rejectedAt] : ['DisputeOpened', dispute?.openedAt]
    const held = await holdsEvent(database.rows, { chainId: reads.chain.chainId, chainJobId: session.chainJobId, event, since: since ?? 0 })
    return { again: !held, behind: false }
  }

  /** Rejected directly on chain during a review, by another holder of the verifier's key. */
  const rejectedElsewhere = async ({ session, dispute, decision }: DisputeContext, rejectedAt: number): Promise<void> => {
    if (decision !== null || dispute?.origin === 'platform') return
    await ends.recordRejection(session, await verdictFor(session, null), rejectedAt)
  }

  /** Records what the chain shows. */
  const reconcile = async (sessionId: string): Promise<void> => {
    const context = await load(sessionId)
    const { session, dispute, decision } = context
    const { stage } = standingOf(session, dispute, decision)
    if (stage === 'final') return
    const job = await reads.escrowJob(session.chainJobId as Hex)
    const found = foundOnChain(stage, job.state)
    if (found === 'end') return recordEnd(session)
    if (found === 'dispute') await ends.recordDispute(session, job.rewardRaw)
    if (found === 'arbitration' && job.disputedAt !== null) await ends.recordArbitrationOfReview(session, job.disputedAt)
    if (found === 'rejection' && job.rejectedAt !== null) await rejectedElsewhere(context, job.rejectedAt)
    await resubmitAfterReorg(sessionId)
  }

  const approve = async ({ session, decision }: DisputeContext & { decision: RoundDecision }): Promise<void> => {
    const verdict = await verdictFor(session, decision.verificationId)
    const judgement = { reasonCode: verdict.reasonCode, reasoningHash: decision.reasoningHash as Hex | null }
    const approved = await calls.approve(session, judgement, stepOf(session.sessionId, 'approve'))
    // Rejected past the service meanwhile: the chain counts, and the worker may dispute that.
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
    if (verdict === 'approved' || verdict === 'rejected') throw new Error(`${verdict} is no verdict of an arbitration`)
    const step = stepOf(session.sessionId, `resolve/${dispute?.round ?? 0}`)
    const award = { verdict, payoutRaw: workerPayoutRaw ?? 0n, reasoningHash }
    const timeOut = () => calls.timeOut(session, step)
    const settled = await (verdict === 'timeout' ? timeOut() : calls.resolve(session, award, step)).catch((error: unknown) => {
      // The arbitrator lost its role, or the protocol stands still: no verdict keeps a session open for ever.
      if (error instanceof WouldRevertError && dispute !== null && clock.now() >= verdictLapsesAt(dispute)) return timeOut()
      throw error
    })
    // The key is gone since the verdict was recorded.
    if (settled === null) return awaitExternalSignature(database, session, prepare(session, award), clock.now())
    await ends.record(session, settled)
  }

  /**
   * Somebody who holds the key has told that this verdict needs no signature, and would ask for it again at once: the record follows what is
   * held here, and the step is tried again after a while, by whoever takes it then.
   */
  const awaitKeyHolder = async (sessionId: string): Promise<void> => {
    const found = await findDisputeOfSession(database.rows, sessionId)
    if (found === null || (await updateArbitrator(database.rows, found, arbitrator)) === found) return
    throw new Error(`the arbitrator’s key for ${sessionId} is not held here`)
  }

  const applyDecision: DisputeChainActivities['applyDecision'] = async ({ sessionId }) => {
    await resubmitAfterReorg(sessionId)
    const { session, dispute, decision } = await load(sessionId)
    if (session.status !== 'disputed' || decision === null || decision.observed !== null) return
    const context = { session, dispute, decision }
    if (decision.verdict === 'approved') return approve(context)
    if (decision.verdict === 'rejected') return reject(context)
    // Without the key the way to the arbitrator is the service's, the last step the arbitrator's own.
    if (!waitsForSigner(decision, arbitrator !== null)) return arbitrate(context)
    await bringToArbitration(context)
    await awaitKeyHolder(sessionId)
  }

  /**
   * The default of decision 24 takes the round like any other word: who was faster has it. A late attempt splits nothing of a `round` that came
   * after the one it saw, or that waits longer since.
   */
  const splitHalf = async ({ sessionId, round: seen }: Pick<DisputeRecord, 'sessionId' | 'round'>): Promise<void> => {
    await database.transaction(async (rows) => {
      const dispute = await lockDispute(rows, sessionId)
      if (dispute === null || dispute.status === 'resolved') return
      const { disputeId, round } = dispute
      if (round !== seen || !isSplitDue({ ...dispute, arbitrator }, clock.now())) return
      const [at, actor, verdict] = [clock.now(), 'system:silence', 'split'] as const
      const payoutRaw = halfOf(dispute.remainingRaw)
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
    const standing = standingOf(session, dispute, decision)
    if (!('silence' in standing)) return
    const decided = standing.stage !== 'window' && decision !== null && !waitsForSigner(decision, arbitrator !== null)
    if (decided) return applyDecision({ sessionId })
    if (clock.now() < standing.dueAt) return
    switch (standing.silence) {
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

  /** The first verdict of a machine about a submission. */
  const applyFirstVerdict = async (session: SessionRecord, verdict: StoredVerdict): Promise<void> => {
    const { sessionId } = session
    if (verdict.outcome === 'approved') return void (await parts.approve(session, verdict, stepOf(sessionId, 'approve')))
    if (verdict.outcome !== 'rejected') {
      const { state, rewardRaw } = await reads.escrowJob(session.chainJobId as Hex)
      // Another verifier was faster, and nothing is left for people to decide.
      return state === 'closed' ? recordEnd(session) : openings.openReview(session, verdict, clock.now(), rewardRaw)
    }
    const at = await calls.reject(session, judgementOf(verdict), stepOf(sessionId, 'reject/0'))
    return at === null ? recordEnd(session) : settlements.recordRejected({ session, verdict, at })
  }

  /** A dispute that stands still before anything was sent for it is refused in the end: its mark must not make a later one the operator's. */
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
      // News of a verdict that nobody gave: a true one is stored before anybody hears of it.
      if (verdict?.sessionId !== sessionId) return
      await parts.endIfLost(session, () => applyFirstVerdict(session, verdict))
    },

    overturnRejection: async ({ sessionId, ...request }) => {
      const [by, note] = [nameOf(request.by), noteOf(request.note)]
      const session = await getSession(database.rows, sessionId)
      if (session.status === 'disputed' && isOwnOverturn(session.operatorOverturn, { by, note })) return
      // Who was marked in time goes by the chain: the step may have been cut short after its transaction.
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
