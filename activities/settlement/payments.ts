import type { BadgeFacts } from '../../domain/reputation/badge.ts'
import type { Resolution } from '../../domain/sessions/resolution.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import type { Payout, SessionRecord } from '../../schemas/sessions/record.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { SignDocument } from '../identity/signing-keys.ts'
import { issueBadge } from '../reputation/badges.ts'
import type { StoredVerdict } from '../verification/records.ts'
import type { Endings, Settled } from './endings.ts'
import type { FollowInstants } from './instants.ts'
import type { SessionReceipts } from './receipts.ts'
import type { createSettlements, ExtraWrites } from './records.ts'

interface Deps {
  settlements: Pick<ReturnType<typeof createSettlements>, 'recordResolved'>
  endings: Pick<Endings, 'findPayout'>
  receipts: SessionReceipts
  followInstants: FollowInstants
  sign: SignDocument
  publicBaseUrl: string
}

/** Why a session is paid, and who decided it. */
export interface PaymentReason {
  code: string
  resolution: Resolution
  /** Lower-case address that signed the verdict on chain. */
  verifier: string
  /** Content hash of the arbitrator's reasons; null without any. */
  rationaleHash: string | null
  reputation: 'approval_level_1' | 'dispute_won'
}

/** Records a payout with badge, reputation and status in one transaction. */
export const createPayments = ({ settlements, endings, receipts, followInstants, sign, publicBaseUrl }: Deps) => {
  const badgeFacts = (
    session: SessionRecord,
    paid: Payout,
    resolvedAt: number,
    {
      reason,
      verdict,
      judged,
    }: { reason: PaymentReason; verdict: StoredVerdict | null; judged: Pick<BadgeFacts, 'items' | 'replacedVerdict'> },
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
      ...judged,
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
    before: SessionRecord,
    settled: Settled,
    reason: PaymentReason,
    verdict: StoredVerdict | null,
    extra: ExtraWrites = {},
  ): Promise<void> => {
    const session = await followInstants(before, settled.blockTime)
    const paid = endings.findPayout(session, settled)
    if (paid === null)
      throw new BlockedStepError('chain_state_diverged', `${session.sessionId} was closed by ${settled.txHash} without a payout`)
    const decision = { ...reason, outcome: 'approved', reasonCode: reason.code, verdict, payout: paid } as const
    const judged = await receipts.judge(session, decision)
    const badge = await issueBadge(badgeFacts(session, paid, settled.blockTime, { reason, verdict, judged }), sign)
    const receipt = await receipts.issue(session, settled, settled.blockTime, decision)
    await settlements.recordResolved({
      session,
      verdict,
      payout: paid,
      badge,
      receipt,
      reasonCode: reason.code,
      at: settled.blockTime,
      reputation: reason.reputation,
      ...extra,
    })
  }
}
