import { iso } from '../../domain/common/instants.ts'
import type { BadgeFacts } from '../../domain/reputation/badge.ts'
import type { Resolution } from '../../domain/sessions/resolution.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { decisionItems } from '../../domain/sessions/verdict-items.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { SigningKey } from '../common/document-signing.ts'
import type { Database } from '../database/database.ts'
import { issueBadge } from '../reputation/issue-badge.ts'
import { itemsOf, latestVerdict, type StoredVerdict } from '../verification/records.ts'
import type { Endings, Settled } from './endings.ts'
import type { createSettlements, ExtraWrites, Payout } from './records.ts'

interface Deps {
  database: Database
  settlements: ReturnType<typeof createSettlements>
  endings: Endings
  receiptKey: SigningKey
  publicBaseUrl: string
}

/** Why a session is paid, and who decided it. */
export interface PaymentReason {
  code: string
  resolution: Resolution
  /** Lower-case address that signed the verdict on chain. */
  verifier: string
  reputation: 'approval_level_1' | 'dispute_won'
}

/** Records a payout with badge, reputation and status in one transaction. */
export const createPayments = ({ database, settlements, endings, receiptKey, publicBaseUrl }: Deps) => {
  /** The verdict that the payment contradicts; null when the verifier approved from the start. */
  const findReplaced = async ({ sessionId }: SessionRecord, verdict: StoredVerdict | null): Promise<BadgeFacts['replacedVerdict']> => {
    const before = await latestVerdict(database.rows, sessionId, verdict)
    if (before === null || before.outcome === 'approved') return null
    return { outcome: before.outcome, reasonCode: before.reasonCode, resolvedAt: iso(before.decidedAt), items: itemsOf(before) }
  }

  const badgeFacts = (
    session: SessionRecord,
    paid: Payout,
    resolvedAt: number,
    { reason, verdict, replacedVerdict }: { reason: PaymentReason; verdict: StoredVerdict | null } & Pick<BadgeFacts, 'replacedVerdict'>,
  ): BadgeFacts => {
    const definition = pinnedDefinition(session.jobSnapshot)
    return {
      jobId: session.jobId,
      jobTitle: definition.title,
      chainJobId: session.chainJobId,
      sessionId: session.sessionId,
      category: definition.category,
      level: 1,
      verifierMode: definition.verifierMode,
      handler: verdict?.handler ?? null,
      resolution: reason.resolution,
      replacedVerdict,
      items: verdict === null ? decisionItems(reason.resolution) : itemsOf(verdict),
      asset: session.economics.asset,
      rewardRaw: BigInt(paid.settlement.workerAmountRaw),
      claimStakeRaw: session.economics.claimStakeRaw,
      evidenceHash: session.evidenceHash ?? '',
      worker: session.wallet,
      poster: session.poster,
      verifier: reason.verifier,
      listedAt: Date.parse(String(session.jobSnapshot.definition.listedAt)),
      submittedAt: session.timestamps.submittedAt ?? resolvedAt,
      resolvedAt,
      publicBaseUrl,
    }
  }

  return async (
    session: SessionRecord,
    settled: Settled,
    reason: PaymentReason,
    verdict: StoredVerdict | null,
    extra: ExtraWrites = {},
  ): Promise<void> => {
    const paid = endings.findPayout(session, settled)
    if (paid === null)
      throw new BlockedStepError('chain_state_diverged', `${session.sessionId} was closed by ${settled.txHash} without a payout`)
    const replacedVerdict = await findReplaced(session, verdict)
    const badge = await issueBadge(badgeFacts(session, paid, settled.blockTime, { reason, verdict, replacedVerdict }), receiptKey)
    await settlements.recordResolved({
      session,
      verdict,
      payout: paid,
      badge,
      reasonCode: reason.code,
      at: settled.blockTime,
      reputation: reason.reputation,
      ...extra,
    })
  }
}
export type RecordPaid = ReturnType<typeof createPayments>
