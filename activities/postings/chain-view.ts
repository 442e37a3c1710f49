import type { Hex } from 'viem'
import { iso } from '../../domain/common/instants.ts'
import type { ObservedPosting } from '../../domain/postings/status.ts'
import { CLAIM_HELD_STATES } from '../../domain/sessions/close.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { PostingRefund } from '../../schemas/postings/terms.ts'
import type { EscrowJob } from '../chain/block-reads.ts'
import type { ChainReads } from '../chain/reads.ts'
import type { Rows } from '../database/database.ts'

/** Chain, escrow and the reading of a job of it. */
interface PostingReads extends Pick<ChainReads, 'chain' | 'escrowAddress'> {
  escrowJob: (jobId: Hex) => Promise<EscrowJob>
}

const EVENTS = ['JobCreated', 'JobCancelled', 'JobClosed', 'JobClaimed'] as const

/** The confirmed events of a posted job that a fork has not removed, in the order of the chain. */
const listEvents = (rows: Rows, { chain, escrowAddress }: PostingReads, jobId: string) =>
  rows
    .selectFrom('chain_event')
    .select(['event', 'txHash', 'blockNumber', 'blockHash', 'blockTime', 'args'])
    .where('chainId', '=', chain.chainId)
    .where('address', '=', escrowAddress.toLowerCase())
    .where('chainJobId', '=', jobId)
    .where('event', 'in', EVENTS)
    .where('removedAt', 'is', null)
    .orderBy('blockNumber')
    .orderBy('logIndex')
    .execute()
type Found = Awaited<ReturnType<typeof listEvents>>[number]

const refundOf = ({ txHash, blockTime }: Found, refundedRaw: string): PostingRefund => ({ txHash, refundedAt: iso(blockTime), refundedRaw })

/** What an escrow that has closed gave back to its poster: all that it neither paid to a worker nor took as its fee. */
const leftOver = ({ args }: Found, { releasedRaw, feeReleasedRaw }: EscrowJob): string =>
  String(BigInt(String(args.totalReserved)) - releasedRaw - feeReleasedRaw)

const fundingOf = ({ txHash, blockNumber, blockHash, blockTime, args }: Found, job: EscrowJob): ObservedPosting['funding'] => ({
  txHash,
  blockNumber: blockNumber.toString(),
  blockHash,
  fundedAt: iso(blockTime),
  totalReservedRaw: String(args.totalReserved),
  terms: {
    poster: String(args.poster),
    specHash: String(args.specHash),
    asset: job.asset,
    rewardRaw: job.rewardRaw,
    opsReserveRaw: job.opsReserveRaw,
    contingencyReserveRaw: job.contingencyReserveRaw,
    claimTtlSeconds: job.claimTtlSeconds,
    payoutMode: job.payoutMode,
  },
})

/** A claim that the escrow shows, by its event. */
export interface ClaimOnChain {
  /** Lower case. */
  wallet: string
  txHash: string
}

/** The newest claim of a job that the escrow holds now; null without one, or before its event is confirmed. */
const claimOf = ({ state, worker }: EscrowJob, claims: readonly Found[]): ClaimOnChain | null => {
  const newest = claims.at(-1)
  if (!CLAIM_HELD_STATES.has(state) || worker === null || newest === undefined) return null
  const wallet = worker.toLowerCase()
  return newest.args.worker === wallet ? { wallet, txHash: newest.txHash } : null
}

/**
 * What the chain shows of a posting. The terms of a job never change, so they are read at the newest block. Throws 502 while a node shows no job
 * whose creation is confirmed.
 */
export const readPostingOnChain = async (
  rows: Rows,
  reads: PostingReads,
  jobId: string,
): Promise<ObservedPosting & { claim: ClaimOnChain | null }> => {
  const events = await listEvents(rows, reads, jobId)
  const of = (name: (typeof EVENTS)[number]) => events.filter(({ event }) => event === name)
  const [created] = of('JobCreated')
  if (created === undefined) return { funding: null, refund: null, closing: null, claim: null }
  const job = await reads.escrowJob(jobId as Hex)
  if (job.state === 'none')
    throw new ServiceError('blockchain_unavailable', { detail: `The node does not show the job ${jobId} that the chain has created.` })
  const [cancelled] = of('JobCancelled')
  const [closed] = of('JobClosed')
  return {
    funding: fundingOf(created, job),
    refund: cancelled === undefined ? null : refundOf(cancelled, String(cancelled.args.refundedRaw)),
    closing: closed === undefined ? null : { ...refundOf(closed, leftOver(created, job)), paidRaw: job.releasedRaw.toString() },
    claim: claimOf(job, of('JobClaimed')),
  }
}
