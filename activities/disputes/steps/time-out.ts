import type { Hex } from 'viem'
import { assetAmount } from '../../../domain/common/money.ts'
import { defaultSplitRaw } from '../../../domain/disputes/payout.ts'
import { unprovenSplitRaw } from '../../../domain/disputes/proof.ts'
import { disputeStatus, isAwaitingSignature, isSplitDue } from '../../../domain/disputes/stage.ts'
import { verdictCode } from '../../../domain/settlement/award.ts'
import type { DisputeChainActivities } from '../../../schemas/disputes/process.ts'
import type { DisputeRecord } from '../../../schemas/disputes/record.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { getSession } from '../../sessions/records.ts'
import { EMPTY_DECISION, lockDispute } from '../rows.ts'
import { submitDecision } from '../writes.ts'
import type { Execution } from './execute.ts'
import type { ResubmitAfterReorg } from './reconcile.ts'
import { type DisputeParts, stepOf } from './step.ts'

/** Applies what happens when a stage passes its deadline without a decision. */
export const createDisputeTimeout = (
  parts: DisputeParts,
  resubmitAfterReorg: ResubmitAfterReorg,
  { applyDecision, bringToArbitration }: Execution,
): DisputeChainActivities['applyTimeout'] => {
  const { database, reads, clock, arbitrator, calls, openings, changes, recordEnding } = parts

  /**
   * Records the default decision (half to the worker; of a job that only a passing result pays, one base unit) if the round has none. Does nothing for a later round than the one it was due for, or if
   * its deadline has moved.
   */
  const splitByDefault = async ({ sessionId, round }: Pick<DisputeRecord, 'sessionId' | 'round'>): Promise<void> => {
    await database.transaction(async (rows) => {
      const dispute = await lockDispute(rows, sessionId)
      if (dispute === null || dispute.status === 'resolved') return
      if (dispute.round !== round || !isSplitDue({ ...dispute, arbitrator }, clock.now())) return
      const { isProofGated, remainingRaw } = dispute
      const workerPayoutRaw = isProofGated ? unprovenSplitRaw(remainingRaw) : defaultSplitRaw(remainingRaw)
      const identity = { round, source: 'timeout', decidedBy: 'system:timeout', decidedAt: clock.now() } as const
      const payout = { workerPayoutRaw, payoutSource: isProofGated ? 'default_base_unit' : 'default_half_remaining' } as const
      const decision = { ...EMPTY_DECISION, ...identity, verdict: 'split', reasonCode: verdictCode('split'), ...payout } as const
      const { economics } = await getSession(rows, sessionId)
      const data = { verdict: 'split', workerPayout: assetAmount(workerPayoutRaw, economics.asset), reasoningHash: null }
      await submitDecision(rows, dispute.disputeId, decision, data)
    })
    await applyDecision({ sessionId })
  }

  const endWindow = async (session: SessionRecord): Promise<void> => {
    const ended = await calls.finalize(session, stepOf(session.sessionId, 'finalize'))
    if (ended !== null) return recordEnding(session, ended)
    const { disputedAt, rewardRaw } = await reads.escrowJob(session.chainJobId as Hex)
    if (disputedAt !== null) await changes.recordDispute(session, rewardRaw)
  }

  return async ({ sessionId }) => {
    await resubmitAfterReorg(sessionId)
    const context = await parts.load(sessionId)
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
      case 'split_unit':
        return dispute === null ? undefined : splitByDefault(dispute)
      case 'open_on_chain':
        await openings.markPlatform(session)
        return void (await bringToArbitration(context))
      case 'contract_timeout':
        return recordEnding(session, await calls.timeOut(session, stepOf(sessionId, `timeout/${dispute?.round ?? 0}`)))
    }
  }
}
