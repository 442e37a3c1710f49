import { iso } from '../../domain/common/instants.ts'
import type { ReceiptFacts, ReceiptPayment } from '../../domain/receipts/work-receipt.ts'
import { type Resolution, resolutionOfVerdict } from '../../domain/sessions/resolution.ts'
import { decisionItems } from '../../domain/sessions/verdict-items.ts'
import { WorkReceiptShape } from '../../schemas/receipts/shapes.ts'
import type { Payout, SessionRecord } from '../../schemas/sessions/record.ts'
import type { VerdictItem, VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { Database } from '../database/database.ts'
import type { SignDocument } from '../identity/signing-keys.ts'
import type { ReceiptRow } from '../receipts/records.ts'
import { issueReceipt } from '../receipts/records.ts'
import { findVerdict, itemsOf, latestVerdict, type StoredVerdict } from '../verification/records.ts'
import type { Endings, Settled } from './endings.ts'
import type { FollowInstants } from './instants.ts'

interface Deps {
  database: Database
  endings: Pick<Endings, 'proveEnding' | 'findVerdictOnChain'>
  followInstants: FollowInstants
  sign: SignDocument
  publicBaseUrl: string
}

/** Decision that ended a session. */
export interface FinalDecision {
  outcome: ReceiptFacts['outcome']
  reasonCode: string
  resolution: Resolution
  /** The verdict that counts; null when a dispute decided. */
  verdict: StoredVerdict | null
  /** Wallet that signed the verdict on chain, lower case; null when none did. */
  verifier: string | null
  /** Content hash of the arbitrator's reasons; null without any. */
  rationaleHash: string | null
  payout: Payout | null
}

const Environment = WorkReceiptShape.shape.execution.shape.environment
const RationaleHash = WorkReceiptShape.shape.verdict.shape.rationaleHash

const paymentOf = ({ txHash, settlement }: Payout): ReceiptPayment => ({
  txHash,
  worker: settlement.worker,
  treasuryAccount: settlement.treasuryAccount,
  asset: settlement.asset,
  workerRaw: BigInt(settlement.workerAmountRaw),
  protocolFeeRaw: BigInt(settlement.protocolFeeAmountRaw),
  protocolFeeBps: Number(settlement.protocolFeeBps),
  gasRetentionRaw: BigInt(settlement.gasRetentionAmountRaw),
  gasRetentionBps: settlement.gasRetentionBps,
})

/** Outcome of a verdict that a time-out leaves standing. */
const standingOutcome = (outcome: VerdictOutcome | undefined): ReceiptFacts['outcome'] =>
  outcome === undefined || outcome === 'disputed' ? 'inconclusive' : outcome

/** Signs the receipts of sessions that end. */
export const createSessionReceipts = ({ database, endings, followInstants, sign, publicBaseUrl }: Deps) => {
  const issue = async (before: SessionRecord, settled: Settled, verifiedAt: number, decision: FinalDecision): Promise<ReceiptRow> => {
    const { outcome, reasonCode, resolution, verdict, verifier, rationaleHash, payout } = decision
    const session = await followInstants(before, verifiedAt)
    const { items, replacedVerdict } = await judge(session, decision)
    const facts = {
      session,
      outcome,
      reasonCode,
      items,
      resolution,
      replacedVerdict,
      verifier,
      verifiedAt,
      publicBaseUrl,
      settledAt: settled.blockTime,
      handler: verdict?.handler ?? null,
      handlerVersion: verdict?.handlerVersion ?? 1,
      environment: Environment.parse(verdict?.verdict.environment ?? null),
      rationaleHash: verdict === null ? rationaleHash : (RationaleHash.parse(verdict.verdict.reasoningHash) ?? null),
      payment: payout === null ? null : paymentOf(payout),
      proof: await endings.proveEnding(session, settled),
    }
    return issueReceipt(facts, sign)
  }

  /** Checks of a decision, and the verdict that it replaced: the newest of another outcome. */
  const judge = async (
    session: SessionRecord,
    { outcome, resolution, verdict }: Pick<FinalDecision, 'outcome' | 'resolution' | 'verdict'>,
  ): Promise<{ items: VerdictItem[]; replacedVerdict: ReceiptFacts['replacedVerdict'] }> => {
    const before = await latestVerdict(database.rows, session.sessionId, verdict)
    const isReplaced = before !== null && before.outcome !== outcome
    const confirmed = before === null || isReplaced ? [] : itemsOf(before)
    return {
      items: verdict === null ? [...confirmed, ...decisionItems(resolution)] : itemsOf(verdict),
      replacedVerdict: isReplaced
        ? { outcome: before.outcome, reasonCode: before.reasonCode, resolvedAt: iso(before.decidedAt), items: itemsOf(before) }
        : null,
    }
  }

  return {
    issue,
    judge,

    /** Receipt of a rejection whose dispute window is over. */
    issueRejection: async (session: SessionRecord, settled: Settled): Promise<ReceiptRow> => {
      const { sessionId, verificationId } = session
      const verdict = verificationId === null ? null : await findVerdict(database.rows, verificationId)
      if (verdict?.outcome !== 'rejected')
        throw new BlockedStepError('chain_state_diverged', `${sessionId} is finally rejected, but its verdict is no rejection`)
      const given = await endings.findVerdictOnChain(session)
      return issue(session, settled, session.timestamps.rejectedAt ?? settled.blockTime, {
        outcome: 'rejected',
        reasonCode: verdict.reasonCode,
        resolution: resolutionOfVerdict(verdict, 'rejected'),
        verdict,
        verifier: given?.by ?? null,
        rationaleHash: null,
        payout: null,
      })
    },

    /** Receipt of a dispute that ended by the contract's time-out: the verdict before it stays. */
    issueTimeout: async (
      session: SessionRecord,
      settled: Settled,
      decision: Pick<FinalDecision, 'reasonCode' | 'resolution' | 'payout'>,
    ): Promise<ReceiptRow> => {
      const verdict = await latestVerdict(database.rows, session.sessionId)
      const outcome = standingOutcome(verdict?.outcome)
      return issue(session, settled, settled.blockTime, { ...decision, outcome, verdict, verifier: null, rationaleHash: null })
    },
  }
}
export type SessionReceipts = ReturnType<typeof createSessionReceipts>
