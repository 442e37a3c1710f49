import { listingContradiction } from '../../../domain/audit/posting-records.ts'
import { isDelistedByOperator } from '../../../domain/catalogue/delisting.ts'
import { specHashOf } from '../../../domain/catalogue/spec-hash.ts'
import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { postedDraftId, postedJobId } from '../../../domain/postings/ids.ts'
import { reservedRaw } from '../../../domain/postings/quote.ts'
import { decidePosting, type PostingDecision } from '../../../domain/postings/status.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import type { ChainJobState } from '../../../schemas/chain/job-state.ts'
import type { PostingRecord } from '../../../schemas/postings/record.ts'
import { createBlockReads, type EscrowJob } from '../../chain/block-reads.ts'
import { readPostingOnChain } from '../../postings/chain-view.ts'
import { recordedOf } from '../../postings/reconcile.ts'
import { AGREEMENT_LIMIT } from '../../postings/records.ts'
import { type AddFinding, type Audit, type Check, type Contradiction, compareMembers, mapPages, SETTLING_MS } from '../context.ts'
import { type AuditedPosting, settledPostings } from './rows.ts'

/** States of the escrow that each status may stand beside; any for the other ones. */
const STATES: Partial<Record<PostingDecision['status'], readonly ChainJobState[]>> = {
  live: ['open', 'claimed', 'submitted', 'rejected', 'disputed'],
  delisted: ['open', 'claimed', 'submitted', 'rejected', 'disputed'],
  cancelled: ['cancelled'],
  settled: ['closed'],
}

/** When a quote runs out: the record may be ahead of the chain, or follow the clock a little later. */
const quoteTime = ({ status }: PostingRecord, now: number, blockTime: number): number =>
  status === 'expired' ? now : Math.min(now, blockTime) - SETTLING_MS

/** What the chain shows at the block of the audit. */
interface OnChain {
  escrow: EscrowJob
  /** Epoch ms. */
  blockTime: number
}

/** Compares the columns of a posting with the decision on what its escrow shows. */
const compareWithChain = async (
  { rows, chain, now }: Audit,
  { escrow, blockTime }: OnChain,
  { posting, job, isClaimed }: AuditedPosting,
): Promise<Contradiction | null> => {
  const reads = { chain, escrowAddress: liveEscrow(chain), escrowJob: async () => escrow }
  const observed = await readPostingOnChain(rows, reads, posting.jobId)
  const decision = decidePosting(recordedOf(posting), observed, {
    now: quoteTime(posting, now(), blockTime),
    isClaimed,
    isDelisted: isDelistedByOperator(job),
    // A posting that has its place keeps it, and so does one that found none.
    agreements: { others: 0, limit: AGREEMENT_LIMIT },
  })
  // Only a draft that was handed out has a process that sees it expire.
  const isDraft = posting.status === 'quoted' && posting.handedOutAt === null && decision.funding === null
  const { status } = isDraft ? posting : decision
  const isFunded = observed.funding !== null
  const states = isFunded ? STATES[status] : (['none'] as const)
  const members = ['reason', 'funding', 'mismatch', 'refund'] as const
  const textsOf = (from: Pick<PostingDecision, (typeof members)[number]>) =>
    Object.fromEntries(members.map((name) => [name, canonicalJson(from[name])]))
  return compareMembers(
    {
      status,
      ...textsOf(decision),
      state: (states ?? [escrow.state]).join(' or '),
      ...(isFunded && { reserved: reservedRaw(escrow, escrow.posterFeeRaw) }),
    },
    {
      status: posting.status,
      ...textsOf(posting),
      state: states === undefined || states.some((one) => one === escrow.state) ? (states ?? [escrow.state]).join(' or ') : escrow.state,
      reserved: posting.funding?.totalReservedRaw,
    },
  )
}

/** Compares the ids of a posting with its content, and its job in the catalogue with both. */
const compareContent = ({ posting, job }: AuditedPosting): Contradiction | null => {
  const { jobId, poster, definition, rewardRaw, isDesignated } = posting
  const specHash = specHashOf(definition)
  const content = { poster, contentHash: specHash }
  const own = compareMembers(
    {
      specHash,
      jobId: postedJobId(content),
      draftId: postedDraftId(content),
      rewardRaw: definition.rewardAmountRaw,
      isDesignated: definition.designatedClaimants !== undefined,
    },
    { ...posting, isDesignated },
  )
  if (own !== null || job === null) return own
  return compareMembers(
    { postingRoute: 'external-direct', posterAddress: poster, specHash, content: specHash, chainJobId: jobId, rewardRaw },
    { ...job, content: specHashOf(job.definition) },
  )
}

/** Jobs of posters without a posting. */
const checkUnposted = async ({ rows }: Audit, add: AddFinding): Promise<void> => {
  const found = await rows
    .selectFrom('job')
    .leftJoin('posting', 'posting.jobId', 'job.id')
    .select('job.id')
    .where('job.postingRoute', '=', 'external-direct')
    .where('posting.jobId', 'is', null)
    .orderBy('job.id')
    .execute()
  for (const { id } of found) add({ subject: `job ${id}`, expected: 'a posting', found: 'none' })
}

/** Compares every posting with the chain, with its content and with its job in the catalogue. */
export const checkPostings: Check = async (audit, add) => {
  const { chain, client, block } = audit
  const { jobAt } = createBlockReads(chain, { reader: client })
  const blockTime = Number((await client.getBlock({ blockNumber: block.number })).timestamp) * 1000
  for await (const page of settledPostings(audit)) {
    const escrows = await mapPages(page, ({ posting }) => jobAt(posting.jobId, block.number))
    // One posting at a time: their events, all at once, would take every connection of the process.
    for (const [index, audited] of page.entries()) {
      const { posting, job } = audited
      const escrow = escrows[index]
      if (escrow === undefined) throw new Error(`the job ${posting.jobId} was not read`)
      const contradictions = [
        await compareWithChain(audit, { escrow, blockTime }, audited),
        compareContent(audited),
        listingContradiction(posting, job),
      ]
      for (const contradiction of contradictions) if (contradiction !== null) add({ subject: `posting ${posting.jobId}`, ...contradiction })
    }
  }
  await checkUnposted(audit, add)
}
