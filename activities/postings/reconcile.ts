import { isDelistedByOperator } from '../../domain/catalogue/delisting.ts'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { iso } from '../../domain/common/instants.ts'
import { amounts } from '../../domain/common/money.ts'
import {
  decidePosting,
  describePosting,
  isIdTaken,
  isPostingOver,
  isToBeFreed,
  type ObservedPosting,
  type PostingDecision,
  type RecordedPosting,
} from '../../domain/postings/status.ts'
import type { PostingActivities, PostingProgress } from '../../schemas/postings/process.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import type { ChainReads } from '../chain/reads.ts'
import { hasOpenSession, hasSessionOfClaim } from '../claims/self-paid/sessions.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit, type NewEvent } from '../events/outbox.ts'
import { type ClaimOnChain, readPostingOnChain } from './chain-view.ts'
import { buildFundingReceipt, type FundingReceiptDeps, isReceiptOf } from './funding-receipt.ts'
import { listPosted, takeBack } from './listing.ts'
import { AGREEMENT_LIMIT, countAgreements, findPosting, lockAgreements, lockPosting } from './records.ts'

export interface ReconcileDeps extends Omit<FundingReceiptDeps, 'reads'> {
  database: Database
  /** Reads no state from before the newest recorded event. */
  reads: ChainReads
  clock: Clock
}

/** A posting as the decision on its status reads it. */
export const recordedOf = ({ definition, ...posting }: PostingRecord): RecordedPosting => ({
  ...posting,
  asset: definition.rewardAsset,
  claimTtlSeconds: BigInt(definition.claimTtlSeconds),
  payoutMode: 'single',
})

/** What operators, sessions and agreements say of a posted job. */
const readSurroundings = async (rows: Rows, { jobId, isDesignated }: PostingRecord, now: number) => {
  if (isDesignated) await lockAgreements(rows)
  const [job, claimed, others] = await Promise.all([
    rows.selectFrom('job').select(['delistedAt', 'delistReason']).where('id', '=', jobId).executeTakeFirst(),
    rows.selectFrom('session').select('sessionId').where('jobId', '=', jobId).where('status', '<>', 'expired').limit(1).executeTakeFirst(),
    isDesignated ? countAgreements(rows, jobId) : 0,
  ])
  return {
    now,
    isClaimed: claimed !== undefined,
    isDelisted: isDelistedByOperator(job),
    agreements: { others, limit: AGREEMENT_LIMIT },
  }
}

/** Topic of the event that the poster gets when the status changes; null for a change that only time or the poster itself made. */
const topicOf = (
  { status: from, refund: before }: Pick<PostingRecord, 'status' | 'refund'>,
  decision: PostingDecision,
): NewEvent['topic'] | null => {
  const { status, funding, listing, refund } = decision
  if (funding === null) return listing === 'taken_back' ? 'posting.funding_removed' : null
  if (refund !== null && before === null && !isIdTaken(decision)) return 'posting.refunded'
  if (status === from) return null
  switch (status) {
    case 'live':
      return from === 'delisted' ? null : 'posting.funded'
    case 'mismatch':
    case 'expired':
      return 'posting.not_listed'
    case 'settled':
      return 'posting.settled'
    default:
      return null
  }
}

/** Time of the block that an event is about, epoch ms; null for one that the service itself decided. */
const instantOf = (topic: NewEvent['topic'], { funding, refund }: PostingDecision): number | null => {
  if (topic === 'posting.funded' && funding !== null) return Date.parse(funding.fundedAt)
  return topic === 'posting.refunded' && refund !== null ? Date.parse(refund.refundedAt) : null
}

const eventData = ({ rewardRaw }: PostingRecord, { status, reason, mismatch, refund, funding }: PostingDecision, decimals: number) => ({
  status,
  ...amounts({ reward: rewardRaw }, decimals),
  ...(funding !== null && amounts({ totalReserved: BigInt(funding.totalReservedRaw) }, decimals)),
  ...(reason !== null && { reason }),
  ...(mismatch !== null && { mismatch }),
  ...(refund !== null && { refund }),
})

/** Follows postings on the chain. Each step reads first, is one transaction and safe to repeat. */
export const createReconciliation = (deps: ReconcileDeps): Pick<PostingActivities, 'reconcilePosting'> => {
  const { database, reads, clock } = deps
  const { asset } = reads.chain

  const progressOf = (posting: PostingRecord, decision: PostingDecision, claim: ClaimOnChain | null): PostingProgress => {
    const { status } = decision
    const unlistedClaim = isToBeFreed(decision) ? claim : null
    return {
      status,
      until: status === 'awaiting_funding' ? iso(posting.expiresAt) : null,
      details: describePosting(decision, { ...posting, expiresAt: iso(posting.expiresAt) }, asset),
      unrecordedClaim: status === 'live' || status === 'delisted' ? claim : null,
      unlistedClaim,
      isOver: isPostingOver(status) && unlistedClaim === null,
    }
  }

  /** The receipt of a funding from the listing of its job on, also after the listing; none once the job is taken back. */
  const receiptOf = async (rows: Rows, posting: PostingRecord, { listing, funding }: PostingDecision) => {
    const { fundingReceipt: known } = posting
    if (funding === null || listing === 'taken_back') return null
    if (known === null ? listing !== 'listed' : isReceiptOf(known, funding)) return known
    return buildFundingReceipt(deps, posting, funding, rows)
  }

  /** Keeps the id of a receipt that a fork made void. */
  const insertFormerReceipt = async (
    rows: Rows,
    { jobId, fundingReceipt: known }: PostingRecord,
    receiptId: string | undefined,
    now: number,
  ) => {
    if (known === null || known.receiptId === receiptId) return
    const former = { receiptId: known.receiptId as `0x${string}`, jobId, replacedAt: now }
    await rows
      .insertInto('former_funding_receipt')
      .values(former)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  const store = async (rows: Rows, posting: PostingRecord, decision: PostingDecision, now: number): Promise<void> => {
    const { jobId, poster, version } = posting
    const { listing, ...columns } = decision
    if (listing === 'listed') await listPosted(rows, posting, now)
    if (listing === 'taken_back') await takeBack(rows, jobId, now)
    const topic = topicOf(posting, decision)
    if (topic !== null)
      await emit(rows, {
        topic,
        wallets: [poster],
        jobId,
        at: instantOf(topic, decision) ?? now,
        recordedAt: now,
        ...(decision.funding !== null && { txHash: decision.refund?.txHash ?? decision.funding.txHash }),
        data: eventData(posting, decision, asset.decimals),
      })
    const { status, reason, funding, mismatch, refund } = columns
    const fundingReceipt = await receiptOf(rows, posting, decision)
    await insertFormerReceipt(rows, posting, fundingReceipt?.receiptId, now)
    // A fork opens the draft again, whatever its wallet has drafted since.
    const opened = posting.funding !== null && funding === null ? { openedAt: now, openDraftLimit: null } : {}
    await rows
      .updateTable('posting')
      .set({ status, reason, funding, mismatch, refund, fundingReceipt, ...opened, version: version + 1 })
      .where('jobId', '=', jobId)
      .execute()
  }

  /**
   * The claim of the escrow, if no session and no claim under way has its transaction. A claim that a fork moved to another transaction is still that of
   * the open session of its wallet, so it frees no escrow.
   */
  const withoutSession = async (
    rows: Rows,
    { jobId }: PostingRecord,
    claim: ClaimOnChain | null,
    decision: PostingDecision,
  ): Promise<ClaimOnChain | null> => {
    if (claim === null || (await hasSessionOfClaim(rows, { jobId, txHash: claim.txHash }))) return null
    return isToBeFreed(decision) && (await hasOpenSession(rows, { jobId, wallet: claim.wallet })) ? null : claim
  }

  const isSame = (posting: PostingRecord, { listing: _listing, ...decision }: PostingDecision): boolean =>
    (Object.keys(decision) as (keyof typeof decision)[]).every((name) => canonicalJson(posting[name]) === canonicalJson(decision[name]))

  const reconcile = (jobId: string, { claim, ...observed }: ObservedPosting & { claim: ClaimOnChain | null }): Promise<PostingProgress> =>
    database.transaction(async (rows) => {
      const posting = await lockPosting(rows, jobId)
      const now = clock.now()
      const decision = decidePosting(recordedOf(posting), observed, await readSurroundings(rows, posting, now))
      if (!isSame(posting, decision)) await store(rows, posting, decision, now)
      return progressOf(posting, decision, await withoutSession(rows, posting, claim, decision))
    })

  return {
    reconcilePosting: async ({ jobId }) => {
      if ((await findPosting(database.rows, jobId)) === null) throw new Error(`no posting of the job ${jobId}`)
      return reconcile(jobId, await readPostingOnChain(database.rows, reads, jobId))
    },
  }
}
