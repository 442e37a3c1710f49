import type { BadgeFacts } from '../../domain/reputation/badge.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { SigningKey } from '../common/document-signing.ts'
import { issueBadge } from '../reputation/issue-badge.ts'
import type { StoredVerdict } from '../verification/records.ts'
import type { Endings, Settled } from './endings.ts'
import type { createSettlements, ExtraWrites, Payout } from './records.ts'

interface Deps {
  settlements: ReturnType<typeof createSettlements>
  endings: Endings
  receiptKey: SigningKey
  publicBaseUrl: string
  appUrl: string
}

/** Why a session is paid, and who decided it. */
export interface PaymentReason {
  code: string
  decidedBy: BadgeFacts['decidedBy']
  /** Lower-case address that signed the verdict on chain. */
  verifier: string
  reputation: 'approval_level_1' | 'dispute_won'
}

/** Records a payout with badge, reputation and status in one transaction. */
export const createPayments = ({ settlements, endings, receiptKey, publicBaseUrl, appUrl }: Deps) => {
  const badgeFacts = (session: SessionRecord, paid: Payout, resolvedAt: number, reason: PaymentReason): BadgeFacts => {
    const definition = pinnedDefinition(session.jobSnapshot)
    return {
      jobId: session.jobId,
      jobTitle: definition.title,
      chainJobId: session.chainJobId,
      sessionId: session.sessionId,
      category: definition.category,
      level: 1,
      verifierMode: definition.verifierMode,
      decidedBy: reason.decidedBy,
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
      appUrl,
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
    const badge = await issueBadge(badgeFacts(session, paid, settled.blockTime, reason), receiptKey)
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
