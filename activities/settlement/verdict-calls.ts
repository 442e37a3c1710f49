import type { Hex } from 'viem'
import { isSubmissionLost } from '../../domain/chain/escrow-state.ts'
import { isPast } from '../../domain/common/instants.ts'
import { badgeUrl } from '../../domain/reputation/badge.ts'
import { isOfOtherClaim } from '../../domain/sessions/close.ts'
import { disputeWindowEndsAt } from '../../domain/sessions/state-machine.ts'
import { verdictCodeBytes } from '../../domain/settlement/award.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ArbitrationVerdict } from '../../schemas/sessions/verdicts.ts'
import { type CallContext, escrowIntent, resolveIntent } from '../chain/escrow-calls.ts'
import type { ChainReads } from '../chain/reads.ts'
import { findRequestId } from '../claims/intents.ts'
import type { ClaimStepDeps } from '../claims/step.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { Endings, Settled } from './endings.ts'
import { OtherWorkError } from './other-work.ts'

type Deps = Pick<ClaimStepDeps, 'database' | 'reads' | 'transactions' | 'clock'> & { endings: Endings; publicBaseUrl: string }

/** A verifier's verdict as the escrow takes it. */
export interface Judgement {
  reasonCode: string
  /** Hash of the work that was judged. */
  evidenceHash: string | null
  reasoningHash?: Hex | null
  /** True if another key gave the verdict on chain. */
  isObserved?: boolean
}

/** Another verifier rejected directly on chain what the service was to approve. Epoch ms. */
export interface RejectedElsewhere {
  rejectedAt: number
}

/** What an arbitrator awards to the worker, base units. */
export interface Award {
  verdict: ArbitrationVerdict
  payoutRaw: bigint
  reasoningHash: string | null
}

/**
 * Arguments of the escrow's call for an award. A paid award carries the badge's URL, since the escrow passes it to the badge; an unpaid one
 * the rationale's.
 */
export const resolutionOf = (session: SessionRecord, award: Award, publicBaseUrl: string) => {
  const { payoutRaw, reasoningHash } = award
  const rationaleUrl = reasoningHash === null ? '' : `${publicBaseUrl}/content/${reasoningHash}`
  const metadataURI = payoutRaw > 0n ? badgeUrl(publicBaseUrl, session.sessionId) : rationaleUrl
  return [session.chainJobId as Hex, payoutRaw, verdictCodeBytes(award.verdict), metadataURI] as const
}

type ReadJob = Awaited<ReturnType<ChainReads['escrowJob']>>

/** Whether a job that was read has another claim than a session. */
export const hasOtherClaim = (session: SessionRecord, { worker, claimExpiresAt }: Pick<ReadJob, 'worker' | 'claimExpiresAt'>): boolean =>
  isOfOtherClaim(session, { worker: worker?.toLowerCase() ?? null, claimExpiresAt })

/** Throws `chain_state_diverged` if the submission is lost for good. */
const assertNotLost = (session: SessionRecord, job: ReadJob): void => {
  const { state, claimExpiresAt, block } = job
  if (!hasOtherClaim(session, job) && !isSubmissionLost(session, { state, claimExpiresAt }, block.time)) return
  throw new ServiceError('chain_state_diverged', { details: { sessionId: session.sessionId, expected: 'submitted', observed: state } })
}

/** Error for a state on chain that no event explains; an operator must check it. */
const createUnexplainedError = (message: string): BlockedStepError => new BlockedStepError('chain_state_diverged', message)

/** Throws if the verdict is an observed one: a reorganisation may remove it and bring it back. */
const assertOurs = ({ sessionId }: SessionRecord, { isObserved = false }: Judgement): void => {
  if (isObserved) throw createUnexplainedError(`the verdict on ${sessionId} is not on chain any more`)
}

/**
 * One function per transition of the escrow after a submission. Each waits for its own begun transaction, reads the job, sends only if the
 * transition is missing and accepts one by another caller. `step` is its journal key.
 */
export const createVerdictCalls = ({ database, reads, transactions, clock, endings, publicBaseUrl }: Deps) => {
  const contextOf = async ({ jobId, sessionId, runId }: SessionRecord): Promise<CallContext> => ({
    escrow: reads.escrowAddress,
    jobId,
    sessionId,
    requestId: await findRequestId(database.rows, runId),
  })

  /** Throws `OtherWorkError` if the worker has submitted other work than the verdict is about. */
  const assertSameWork = async (session: SessionRecord, { evidenceHash: judged }: Judgement): Promise<void> => {
    const { evidenceHash } = await reads.escrowSubmission(session.chainJobId as Hex)
    if (evidenceHash !== judged) throw new OtherWorkError(session, evidenceHash)
    // A second fork brought back what the record does not hold any more.
    if (evidenceHash !== session.evidenceHash)
      throw createUnexplainedError(`${session.sessionId} records other work than the escrow has: ${evidenceHash}`)
  }

  /** The job, if the escrow shows the claim and the work that were judged: what is signed for them is sent for no others. */
  const assertJudged = async (session: SessionRecord, judgement: Judgement): Promise<ReadJob> => {
    const job = await reads.escrowJob(session.chainJobId as Hex)
    assertNotLost(session, job)
    if (job.state === 'submitted') await assertSameWork(session, judgement)
    return job
  }

  /** Throws if a fork made an approval that was sent pay for another claim or other work: an operator must check it. */
  const assertPaidFor = async (session: SessionRecord, { evidenceHash: judged }: Judgement): Promise<void> => {
    const job = await reads.escrowSubmission(session.chainJobId as Hex)
    if (hasOtherClaim(session, job) || job.evidenceHash !== judged)
      throw createUnexplainedError(`the approval of ${session.sessionId} has paid ${job.worker} for the work ${job.evidenceHash}`)
  }

  /** The transaction of another caller that closed the job; throws if there is none. */
  const getClosing = async (session: SessionRecord, wanted: string, state: string): Promise<Settled> => {
    const ended = await endings.findClosing(session)
    if (ended !== null) return ended
    throw createUnexplainedError(`${session.sessionId} cannot be ${wanted}: the escrow job is ${state}`)
  }

  return {
    /** Approves the submission. Returns the closing transaction, or that another verifier rejected it. */
    approve: async (session: SessionRecord, judgement: Judgement, step: string): Promise<Settled | RejectedElsewhere> => {
      const chainJobId = session.chainJobId as Hex
      await assertJudged(session, judgement)
      const begun = await transactions.resumeStep(step)
      if (begun?.status === 'mined') {
        await assertPaidFor(session, judgement)
        return begun
      }
      const job = await assertJudged(session, judgement)
      if (job.state === 'submitted') {
        assertOurs(session, judgement)
        const approved = { ...judgement, chainJobId, approved: true, metadataURI: badgeUrl(publicBaseUrl, session.sessionId) }
        const context = await contextOf(session)
        const mined = await transactions.sendStep('verifier', step, (key) => resolveIntent(context, key, approved))
        if (mined.status === 'mined') return mined
      }
      const after = await reads.escrowJob(chainJobId)
      if (after.rejectedAt !== null && after.state !== 'closed') return { rejectedAt: after.rejectedAt }
      assertNotLost(session, after)
      return getClosing(session, 'approved', after.state)
    },

    /** Rejects the submission. Returns the time of the rejection on chain, epoch ms; null if the job was closed instead. */
    reject: async (session: SessionRecord, judgement: Judgement, step: string): Promise<number | null> => {
      const chainJobId = session.chainJobId as Hex
      await assertJudged(session, judgement)
      await transactions.resumeStep(step)
      const before = await assertJudged(session, judgement)
      if (before.state === 'submitted') {
        assertOurs(session, judgement)
        const rejected = { ...judgement, chainJobId, approved: false, metadataURI: '' }
        const context = await contextOf(session)
        await transactions.sendStep('verifier', step, (key) => resolveIntent(context, key, rejected))
      }
      const job = await reads.escrowJob(chainJobId)
      assertNotLost(session, job)
      if (job.rejectedAt === null && job.state !== 'closed')
        throw createUnexplainedError(`${session.sessionId} is not rejected on chain: the escrow job is ${job.state}`)
      return job.rejectedAt
    },

    /** Makes a rejection final after its window. Returns the closing transaction; null if it is disputed instead. */
    finalize: async (session: SessionRecord, step: string): Promise<Settled | null> => {
      const chainJobId = session.chainJobId as Hex
      await transactions.resumeStep(step)
      const job = await reads.escrowJob(chainJobId)
      if (job.state === 'disputed') return null
      if (job.state !== 'rejected') return getClosing(session, 'made final', job.state)
      if (job.rejectedAt !== null && !isPast(disputeWindowEndsAt(job.rejectedAt), clock.now()))
        throw createUnexplainedError(`the dispute window of ${session.sessionId} is still open on chain`)
      const context = await contextOf(session)
      const mined = await transactions.sendStep('operator', step, (key) => escrowIntent(context, key, 'finalizeRejectedJob', [chainJobId]))
      if (mined.status === 'mined') return mined
      throw new BlockedStepError('blockchain_revert', `finalizing ${session.sessionId} was reverted: ${mined.revertReason}`)
    },

    /** Opens the dispute of a rejection for the worker. Returns its time, epoch ms; null if the job is closed. */
    openFor: async (session: SessionRecord, step: string): Promise<number | null> => {
      const chainJobId = session.chainJobId as Hex
      await transactions.resumeStep(step)
      const before = await reads.escrowJob(chainJobId)
      if (before.state === 'rejected') {
        const context = await contextOf(session)
        const args = [chainJobId, session.wallet as Hex] as const
        await transactions.sendStep('operator', step, (key) => escrowIntent(context, key, 'openDisputeFor', args))
      }
      const job = await reads.escrowJob(chainJobId)
      if (job.state === 'disputed' && job.disputedAt !== null) return job.disputedAt
      if (job.state === 'closed') return null
      throw createUnexplainedError(`the dispute of ${session.sessionId} is not open on chain: the escrow job is ${job.state}`)
    },

    /** Executes an arbitrator's verdict. Returns the closing transaction, whichever caller sent it; null if this process lacks the key. */
    resolve: async (session: SessionRecord, award: Award, step: string): Promise<Settled | null> => {
      const begun = await transactions.resumeStep(step)
      if (begun?.status === 'mined') return begun
      const job = await reads.escrowJob(session.chainJobId as Hex)
      if (job.state === 'disputed') {
        if (!transactions.hasKey('arbitrator')) return null
        const resolution = resolutionOf(session, award, publicBaseUrl)
        const context = await contextOf(session)
        const mined = await transactions.sendStep('arbitrator', step, (key) => escrowIntent(context, key, 'resolveDispute', resolution))
        if (mined.status === 'mined') return mined
      }
      return getClosing(session, 'decided', job.state)
    },

    /** Ends a dispute by the contract's time-out, which any address may call. Returns the closing transaction. */
    timeOut: async (session: SessionRecord, step: string): Promise<Settled> => {
      const begun = await transactions.resumeStep(step)
      if (begun?.status === 'mined') return begun
      const chainJobId = session.chainJobId as Hex
      const job = await reads.escrowJob(chainJobId)
      if (job.state === 'disputed') {
        const context = await contextOf(session)
        const mined = await transactions.sendStep('operator', step, (key) =>
          escrowIntent(context, key, 'autoResolveOnTimeout', [chainJobId]),
        )
        if (mined.status === 'mined') return mined
      }
      return getClosing(session, 'timed out', job.state)
    },
  }
}
