import { ARBITRATOR_SLA_SECONDS } from '../../domain/common/constants.ts'
import { disputeId } from '../../domain/common/ids.ts'
import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { evidenceBundle } from '../../domain/disputes/evidence.ts'
import { finalVerdict, isOverruled } from '../../domain/disputes/outcome.ts'
import { isProofGated } from '../../domain/disputes/proof.ts'
import { arbitrationEndsAt, decisionDeadline } from '../../domain/disputes/stage.ts'
import { releaseActionOf } from '../../domain/settlement/award.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import type { DisputeOrigin, DisputeStage, ObservedVerdict } from '../../schemas/disputes/stages.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { RoundVerdict } from '../../schemas/sessions/verdicts.ts'
import { BlockedStepError } from '../common/blocked.ts'
import { publishRationale } from '../content/records.ts'
import type { Rows } from '../database/database.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { announceRelease } from '../settlement/release-event.ts'
import { latestVerdict } from '../verification/records.ts'
import { EMPTY_DECISION, findDecision, insertDecision, lockDispute, updateDecision } from './rows.ts'

interface Opening {
  session: SessionRecord
  stage: DisputeStage
  origin: DisputeOrigin
  reasonCode: string
  /** Epoch ms; the arbitrator's deadline counts from here. */
  at: number
  /** Service time, epoch ms, where `at` is the time of a block. */
  recordedAt?: number
  actor: string
  /** Reward in the escrow, base units; it may differ from the session's terms. */
  rewardRaw: bigint
  /** Address of this process's arbitrator key; null without one. */
  arbitrator: string | null
}

/**
 * Opens or reopens the dispute of a session with its current evidence, and emits that. Runs in the transaction that changes the session and
 * has locked its row. Throws `BlockedStepError` if the escrow holds no reward.
 */
export const openDispute = async (rows: Rows, opening: Opening): Promise<void> => {
  const { session, stage, origin, reasonCode, at, recordedAt, actor, rewardRaw, arbitrator } = opening
  // The node lags or the chain was reorganised. A verdict about an empty job would cost the worker its bond.
  if (rewardRaw === 0n) throw new BlockedStepError('chain_state_diverged', `the escrow holds no reward for ${session.sessionId}`)
  const id = disputeId(session.sessionId)
  const earlier = await lockDispute(rows, session.sessionId)
  const verdict = await latestVerdict(rows, session.sessionId)
  const opened = {
    stage,
    origin,
    round: (earlier?.round ?? 0) + 1,
    status: 'open',
    reasonCode,
    openedAt: at,
    deadlineAt: arbitrationEndsAt(at),
    isProofGated: isProofGated(session),
    proof: null,
    remainingRaw: rewardRaw,
    arbitrator,
    ...evidenceBundle(session, verdict?.verdict ?? null),
    lastAlarmAt: null,
    updatedAt: at,
  } as const
  const { sessionId, jobId, chainJobId, wallet, poster } = session
  await rows
    .insertInto('dispute')
    .values({ disputeId: id, sessionId, jobId, chainJobId, claimant: wallet, respondent: poster, ...opened })
    .onConflict((conflict) => conflict.column('disputeId').doUpdateSet(opened))
    .execute()
  const action = stage === 'review' ? 'review_opened' : 'dispute_opened'
  const deadline = iso(decisionDeadline(opened, null))
  const entry = { at, actor, action, data: { reasonCode, origin, deadline, evidenceHash: opened.evidenceHash } }
  await appendEntry(rows, id, entry)
  const data = { reasonCode, chainStatus: stage === 'review' ? 'submitted' : 'confirmed' }
  await emit(rows, { ...sessionSubject(session), topic: 'dispute.opened', at, recordedAt, data })
}

/** Moves a review to arbitration because its escrow job is disputed. The round stays, and the arbitrator's time starts. */
export const moveToArbitration = async (
  rows: Rows,
  session: SessionRecord,
  { at, origin, arbitrator }: { at: number; origin: DisputeOrigin; arbitrator: string | null },
): Promise<void> => {
  const dispute = await lockDispute(rows, session.sessionId)
  if (dispute === null || dispute.stage === 'arbitration') return
  const opened = { stage: 'arbitration', origin, deadlineAt: arbitrationEndsAt(at), arbitrator } as const
  const columns = { ...opened, openedAt: at, lastAlarmAt: null, updatedAt: at }
  await rows.updateTable('dispute').set(columns).where('disputeId', '=', dispute.disputeId).execute()
  await rows.updateTable('session').set({ chainState: 'disputed' }).where('sessionId', '=', session.sessionId).execute()
  const data = { origin, deadline: iso(decisionDeadline({ ...dispute, ...columns }, await findDecision(rows, dispute))) }
  await appendEntry(rows, dispute.disputeId, { at, actor: 'system:dispute', action: 'opened_on_chain', data })
}

/**
 * Updates the opening time (epoch ms) of a dispute that a reorganisation moved to another block; the arbitrator's time counts from there. Runs
 * in the transaction that has locked the session's row.
 */
export const updateOpening = async (
  rows: Rows,
  session: SessionRecord,
  { openedAt, at }: { openedAt: number; at: number },
): Promise<void> => {
  const dispute = await lockDispute(rows, session.sessionId)
  if (dispute === null) return
  const deadlineAt = arbitrationEndsAt(openedAt)
  await rows.updateTable('dispute').set({ openedAt, deadlineAt, updatedAt: at }).where('disputeId', '=', dispute.disputeId).execute()
  const deadline = iso(decisionDeadline({ ...dispute, openedAt, deadlineAt }, await findDecision(rows, dispute)))
  const data = { openedAt: iso(openedAt), deadline }
  await appendEntry(rows, dispute.disputeId, { at, actor: 'system:dispute', action: 'opening_moved', data })
}

/** Emits the event of a decided round. Source: http, "GET /events". */
const announceVerdict = async (
  rows: Rows,
  session: SessionRecord,
  dispute: DisputeRecord,
  { decision, observed, recordedAt }: { decision: RoundDecision; observed: ObservedVerdict; recordedAt: number },
): Promise<void> => {
  // The rationale of an overruled decision does not explain the outcome.
  const reasoningHash = observed.mismatch ? null : decision.reasoningHash
  const at = Date.parse(observed.at)
  const { txHash } = observed
  await emit(rows, {
    ...sessionSubject(session),
    txHash,
    at,
    recordedAt,
    topic: 'dispute.verdict_recorded',
    severity: observed.verdict === 'dismissed' || observed.verdict === 'approved' ? 'info' : 'warn',
    data: {
      disputeId: dispute.disputeId,
      jobId: session.jobId,
      chainJobId: session.chainJobId,
      openedAt: iso(dispute.openedAt),
      windowEndsAt: iso(dispute.deadlineAt),
      slaSeconds: ARBITRATOR_SLA_SECONDS,
      chainStatus: 'confirmed',
      verdict: observed.verdict,
      workerPayout: assetAmount(BigInt(observed.workerPayoutRaw), session.economics.asset),
      reasonCode: decision.reasonCode,
      reasoningHash,
      metadataURI: reasoningHash === null ? null : `/content/${reasoningHash}`,
    },
  })
  // The payout announces a bond that is returned.
  if (observed.verdict !== 'upheld' && observed.verdict !== 'timeout') return
  await announceRelease(rows, session, { action: releaseActionOf(observed.verdict), txHash, at, recordedAt }, dispute)
}

/** How a round ended, as read from the chain or decided. */
export interface RoundEnd {
  observed: Omit<ObservedVerdict, 'mismatch'>
  /** Reason code if the round had no decision. */
  reasonCode: string
}

/** The end of a round by a transaction. `blockTime` in epoch ms. */
export const createRoundEnd = (
  { txHash, blockTime }: { txHash: string; blockTime: number },
  verdict: RoundVerdict,
  payoutRaw: bigint,
  by: string,
  reasonCode: string,
): RoundEnd => ({ observed: { verdict, workerPayoutRaw: payoutRaw.toString(), by, txHash, at: iso(blockTime) }, reasonCode })

/** Decision of a round that the chain ended without one. */
const createChainDecision = (round: number, { observed, reasonCode }: RoundEnd): RoundDecision => ({
  ...EMPTY_DECISION,
  round,
  source: 'chain',
  verdict: observed.verdict,
  reasonCode,
  workerPayoutRaw: BigInt(observed.workerPayoutRaw),
  decidedBy: observed.by,
  decidedAt: Date.parse(observed.at),
})

/** Stores the first decision of the present round, with its entry in the timeline. Does nothing if the round has one. */
export const submitDecision = async (
  rows: Rows,
  disputeId: string,
  decision: RoundDecision,
  data: Record<string, unknown>,
): Promise<void> => {
  if (!(await insertDecision(rows, disputeId, decision))) return
  await appendEntry(rows, disputeId, { at: decision.decidedAt, actor: decision.decidedBy, action: 'verdict_submitted', data })
}

/**
 * Closes the present round with the outcome on chain, which overrides a recorded or prepared decision. Runs in the transaction that changes
 * the session. `recordedAt`: service time, epoch ms.
 */
export const endRound = async (rows: Rows, session: SessionRecord, end: RoundEnd, recordedAt: number): Promise<void> => {
  const dispute = await lockDispute(rows, session.sessionId)
  if (dispute === null) return
  const at = Date.parse(end.observed.at)
  const sum = (raw: bigint) => assetAmount(raw, session.economics.asset)
  const workerPayout = sum(BigInt(end.observed.workerPayoutRaw))
  const before = await findDecision(rows, dispute)
  const mismatch = before !== null && isOverruled(before, end.observed)
  const verdict = finalVerdict(before, end.observed)
  const observed = { ...end.observed, verdict, mismatch }
  const known = before ?? createChainDecision(dispute.round, end)
  const decision = { ...known, observed, ...(mismatch && { reasonCode: end.reasonCode }) }
  if (before === null) await insertDecision(rows, dispute.disputeId, decision)
  else await updateDecision(rows, dispute, { observed, reasonCode: decision.reasonCode })
  // The verdict on chain names the address of its rationale.
  if (!mismatch && known.reasoningHash !== null) await publishRationale(rows, known.reasoningHash, at)
  await rows.updateTable('dispute').set({ status: 'resolved', updatedAt: at }).where('disputeId', '=', dispute.disputeId).execute()
  const { by, txHash } = observed
  if (mismatch) {
    const recorded = before.workerPayoutRaw === null ? before.verdict : sum(before.workerPayoutRaw)
    const data = { recorded, observed: workerPayout, txHash }
    await appendEntry(rows, dispute.disputeId, { at, actor: 'system:dispute', action: 'arbitration_prepared_payout_mismatch', data })
  }
  await appendEntry(rows, dispute.disputeId, { at, actor: by, action: 'verdict_settled', data: { verdict, workerPayout, txHash } })
  await announceVerdict(rows, session, dispute, { decision, observed, recordedAt })
}
