import type { Hex, TransactionReceipt } from 'viem'
import type { BadgeFacts } from '../../domain/badge.ts'
import { badgeUrl } from '../../domain/badge.ts'
import { iso, isPast } from '../../domain/instants.ts'
import { disputeWindowEndsAt } from '../../domain/session-graph.ts'
import { pinnedDefinition } from '../../domain/snapshot.ts'
import type { ClaimChainActivities } from '../../schemas/processes/claim-session.ts'
import type { SessionRecord } from '../../schemas/session-record.ts'
import { issueBadge } from '../documents/badge.ts'
import type { SigningKey } from '../documents/signing.ts'
import { requestOfRun } from '../records/intents.ts'
import { needSession } from '../records/sessions.ts'
import { createSettlements, type Payout } from '../records/settlements.ts'
import { findVerdict, type StoredVerdict } from '../records/verifications.ts'
import { type ClaimStepDeps, stepKey } from './claim-steps.ts'
import { type CallContext, finalizeRejectedIntent, resolveIntent } from './escrow-calls.ts'
import { eventsOf, findEventTransaction, payoutOf } from './escrow-events.ts'

export interface SettlementDeps extends ClaimStepDeps {
  receiptKey: SigningKey
  publicBaseUrl: string
  appUrl: string
}

type Steps = Pick<ClaimChainActivities, 'settleApproval' | 'rejectOnChain' | 'endRejection' | 'observeDispute'>

interface Settled {
  txHash: Hex
  receipt: TransactionReceipt
  blockNumber: bigint
  blockTime: number
}

/** The chain's half of a verdict: the terminal event first, a transaction only when there is none, then one record. */
export const createSettlementSteps = (deps: SettlementDeps): Steps => {
  const { database, chain, clients, reads, transactions, clock, receiptKey, publicBaseUrl, appUrl } = deps
  const escrow = reads.escrowAddress
  const settlements = createSettlements({ database, chain, clock })

  const contextOf = async ({ jobId, sessionId }: SessionRecord, runId: string): Promise<CallContext> => ({
    escrow,
    jobId,
    sessionId,
    requestId: await requestOfRun(database.rows, runId),
  })

  const read = async (txHash: Hex): Promise<Settled> => {
    const receipt = await clients.reader.getTransactionReceipt({ hash: txHash })
    const block = await clients.reader.getBlock({ blockNumber: receipt.blockNumber })
    return { txHash, receipt, blockNumber: receipt.blockNumber, blockTime: Number(block.timestamp) * 1000 }
  }

  /** Transaction that ended this session's job; null when none did. */
  const closing = async (session: SessionRecord): Promise<Settled | null> => {
    const from = await settlements.claimBlock(session.sessionId)
    const txHash = await findEventTransaction(clients.reader, escrow, 'JobClosed', session.chainJobId as Hex, from)
    return txHash === null ? null : read(txHash)
  }

  const load = async (sessionId: string, verdictId: string): Promise<{ session: SessionRecord; verdict: StoredVerdict }> => {
    const [session, verdict] = await Promise.all([needSession(database.rows, sessionId), findVerdict(database.rows, verdictId)])
    if (verdict === null) throw new Error(`verdict ${verdictId} is gone`)
    return { session, verdict }
  }

  const payout = (session: SessionRecord, settled: Settled): Payout | null => {
    const paid = payoutOf(settled.receipt.logs, escrow, session.chainJobId as Hex, chain.asset.symbol)
    if (paid === null) return null
    return {
      txHash: settled.txHash,
      blockNumber: settled.blockNumber.toString(),
      status: 1,
      settlement: { ...paid, brokered: session.economics.brokered, waived: session.economics.waived },
    }
  }

  const badgeFacts = async (
    session: SessionRecord,
    paid: Payout,
    resolvedAt: number,
    decidedBy: BadgeFacts['decidedBy'],
    verifier: string,
  ): Promise<BadgeFacts> => {
    const definition = pinnedDefinition(session.jobSnapshot)
    return {
      jobId: session.jobId,
      jobTitle: definition.title,
      chainJobId: session.chainJobId,
      sessionId: session.sessionId,
      category: definition.category,
      level: 1,
      verifierMode: definition.verifierMode,
      decidedBy,
      asset: session.economics.asset,
      rewardRaw: BigInt(paid.settlement.workerAmountRaw),
      claimStakeRaw: session.economics.claimStakeRaw,
      evidenceHash: session.evidenceHash ?? '',
      worker: session.wallet,
      poster: await settlements.posterOf(session.sessionId),
      verifier,
      listedAt: Date.parse(String(session.jobSnapshot.definition.listedAt)),
      submittedAt: session.timestamps.submittedAt ?? resolvedAt,
      resolvedAt,
      publicBaseUrl,
      appUrl,
    }
  }

  const recordPaid = async (
    session: SessionRecord,
    settled: Settled,
    reason: { code: string; decidedBy: BadgeFacts['decidedBy']; verifier: string; reputation: 'approval_level_1' | 'dispute_won' },
    verdict: StoredVerdict | null,
  ): Promise<void> => {
    const paid = payout(session, settled)
    if (paid === null) throw new Error(`${session.sessionId} was closed by ${settled.txHash} without a payout`)
    const badge = await issueBadge(await badgeFacts(session, paid, settled.blockTime, reason.decidedBy, reason.verifier), receiptKey)
    await settlements.recordResolved({
      session,
      verdict,
      payout: paid,
      badge,
      reasonCode: reason.code,
      at: settled.blockTime,
      reputation: reason.reputation,
    })
  }

  const settleApproval: Steps['settleApproval'] = async ({ runId, sessionId, verdictId }) => {
    const { session, verdict } = await load(sessionId, verdictId)
    if (session.status === 'resolved') return
    const settled = await approve(session, verdict, runId)
    await recordPaid(
      session,
      settled,
      {
        code: verdict.reasonCode,
        decidedBy: 'machine',
        verifier: transactions.addressOf('verifier').toLowerCase(),
        reputation: 'approval_level_1',
      },
      verdict,
    )
  }

  const approve = async (session: SessionRecord, verdict: StoredVerdict, runId: string): Promise<Settled> => {
    const step = stepKey(session.jobId, runId, 'approve')
    const begun = await transactions.resumeStep('verifier', step)
    if (begun?.status === 'mined') return begun
    const job = await reads.escrowJob(session.chainJobId as Hex)
    if (job.state === 'submitted') {
      const resolved = {
        chainJobId: session.chainJobId as Hex,
        approved: true,
        reasonCode: verdict.reasonCode,
        metadataURI: badgeUrl(publicBaseUrl, session.sessionId),
      }
      const context = await contextOf(session, runId)
      const mined = await transactions.sendStep('verifier', step, (key) => resolveIntent(context, key, resolved))
      if (mined.status === 'mined') return mined
    }
    const ended = await closing(session)
    if (ended !== null) return ended
    // Not ours and not explained by a terminal event: people must look; the step stays visible and is tried again.
    throw new Error(`${session.sessionId} cannot be approved: the escrow job is ${job.state}`)
  }

  const rejectOnChain: Steps['rejectOnChain'] = async ({ runId, sessionId, verdictId }) => {
    const { session, verdict } = await load(sessionId, verdictId)
    const chainJobId = session.chainJobId as Hex
    const step = stepKey(session.jobId, runId, 'reject')
    await transactions.resumeStep('verifier', step)
    const before = await reads.escrowJob(chainJobId)
    if (before.state === 'submitted') {
      const rejected = { chainJobId, approved: false, reasonCode: verdict.reasonCode, metadataURI: '' }
      const context = await contextOf(session, runId)
      await transactions.sendStep('verifier', step, (key) => resolveIntent(context, key, rejected))
    }
    const job = await reads.escrowJob(chainJobId)
    if (job.rejectedAt === null) throw new Error(`${sessionId} is not rejected on chain: the escrow job is ${job.state}`)
    await settlements.recordRejected({ session, verdict, at: job.rejectedAt })
    return { rejectedAt: iso(job.rejectedAt), windowEndsAt: iso(disputeWindowEndsAt(job.rejectedAt)) }
  }

  const endRejection: Steps['endRejection'] = async ({ runId, sessionId }) => {
    const session = await needSession(database.rows, sessionId)
    const chainJobId = session.chainJobId as Hex
    const step = stepKey(session.jobId, runId, 'finalize')
    await transactions.resumeStep('operator', step)
    const job = await reads.escrowJob(chainJobId)
    if (job.state === 'disputed') return { state: 'disputed', disputedAt: iso(job.disputedAt ?? clock.now()) }
    if (job.state === 'rejected') {
      if (job.rejectedAt !== null && !isPast(disputeWindowEndsAt(job.rejectedAt), clock.now()))
        throw new Error(`the dispute window of ${sessionId} is still open`)
      const context = await contextOf(session, runId)
      const mined = await transactions.sendStep('operator', step, (key) => finalizeRejectedIntent(context, key, chainJobId))
      if (mined.status === 'mined')
        return { state: 'finalized', txHash: mined.txHash, blockNumber: mined.blockNumber.toString(), finalizedAt: iso(mined.blockTime) }
      throw new Error(`finalizing ${sessionId} was reverted: ${mined.revertReason}`)
    }
    const ended = await closing(session)
    if (ended === null) throw new Error(`${sessionId} left its rejection unexplained: the escrow job is ${job.state}`)
    const decided = disputeVerdict(ended.receipt, chainJobId)
    if (decided !== null) return { state: 'disputed', disputedAt: iso(job.disputedAt ?? ended.blockTime) }
    return { state: 'finalized', txHash: ended.txHash, blockNumber: ended.blockNumber.toString(), finalizedAt: iso(ended.blockTime) }
  }

  const disputeVerdict = (receipt: TransactionReceipt, chainJobId: Hex) => {
    const timedOut = eventsOf(receipt.logs, escrow, 'AutoResolvedOnTimeout', chainJobId).at(-1)
    if (timedOut !== undefined) return { kind: 'timeout' as const, arbitrator: timedOut.args.caller.toLowerCase() }
    const resolved = eventsOf(receipt.logs, escrow, 'DisputeResolved', chainJobId).at(-1)
    if (resolved === undefined) return null
    const arbitrator = resolved.args.arbitrator.toLowerCase()
    return resolved.args.workerPayout > 0n
      ? { kind: 'paid' as const, arbitrator, full: resolved.args.workerPayout }
      : { kind: 'upheld' as const, arbitrator }
  }

  const observeDispute: Steps['observeDispute'] = async ({ sessionId }) => {
    const session = await needSession(database.rows, sessionId)
    if (session.status !== 'disputed') return { status: session.status }
    const ended = await closing(session)
    const decided = ended === null ? null : disputeVerdict(ended.receipt, session.chainJobId as Hex)
    if (ended === null || decided === null) return { status: 'disputed' }
    switch (decided.kind) {
      case 'paid': {
        const code = decided.full >= session.economics.rewardRaw ? 'DISPUTE_OVERTURNED' : 'DISPUTE_PARTIAL'
        await recordPaid(session, ended, { code, decidedBy: 'person', verifier: decided.arbitrator, reputation: 'dispute_won' }, null)
        return { status: 'resolved' }
      }
      case 'upheld':
        await settlements.recordDisputeLost({ session, txHash: ended.txHash, at: ended.blockTime })
        return { status: 'rejected' }
      case 'timeout':
        await settlements.recordArbiterTimeout({ session, payout: payout(session, ended), txHash: ended.txHash, at: ended.blockTime })
        return { status: 'closed' }
    }
  }

  return { settleApproval, rejectOnChain, endRejection, observeDispute }
}
