import type { Hex } from 'viem'
import { isDecided } from '../../../domain/chain/escrow-state.ts'
import { checkPinnedSubmission } from '../../../domain/claims/pinned-submission.ts'
import type { AcceptedSubmission } from '../../../domain/claims/submission.ts'
import { iso, isPast } from '../../../domain/common/instants.ts'
import { escrowHoldsMoney, isClaimOf } from '../../../domain/sessions/close.ts'
import type { ClaimChainActivities, ExpiryResult, ObservedSubmission } from '../../../schemas/claims/process.ts'
import { isRefusal, ServiceError } from '../../../schemas/errors.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import type { Settings } from '../../../schemas/settings.ts'
import type { EscrowJob } from '../../chain/block-reads.ts'
import { getEvent } from '../../chain/escrow-events.ts'
import { recordedBlock } from '../../chain/follower/cursor.ts'
import { hasEvent } from '../../chain/follower/events.ts'
import type { BlockRef } from '../../chain/node/answers.ts'
import type { Rows } from '../../database/database.ts'
import { storeDelivery } from '../../pull-requests/records.ts'
import { getSession } from '../../sessions/records.ts'
import { storeSubmissionContent } from '../../sessions/submission-content.ts'
import { type ClaimStepDeps, findJobTransaction } from '../step.ts'
import { recordLanded, submissionColumn } from '../submission-records.ts'
import { deleteSubmissionOffers, findSubmissionOffer, type SubmissionOffer } from './offers.ts'

interface BringDeps extends Omit<ClaimStepDeps, 'transactions'> {
  settings: Pick<Settings, 'CODEHOST_PR_REVIEW_SLA_HOURS'>
}

type ReadJob = EscrowJob & { block: BlockRef }

/** How much earlier a claim may be mined again than before a fork, ms. */
const FORK_MS = 60_000

const AWAITED: ObservedSubmission = { kind: 'awaited' }

const removedClaim = ({ state, worker, block }: ReadJob): ObservedSubmission => {
  const expiry: ExpiryResult = {
    result: 'removed',
    observedState: state,
    observedWorker: worker?.toLowerCase() ?? null,
    blockNumber: block.number.toString(),
    txHash: null,
  }
  return { kind: 'removed', expiry }
}

/** The work of an offer, checked again against the pinned terms; null where they no longer verify. */
const acceptOffer = (session: SessionRecord, { work }: SubmissionOffer): AcceptedSubmission | null => {
  try {
    return checkPinnedSubmission(session, work.submission)
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** Follows the submission that a worker sends itself. */
export const createSubmissionBringer = (deps: BringDeps): Pick<ClaimChainActivities, 'bringSubmissionHome'> => {
  const { database, reads, clock } = deps
  const escrow = reads.escrowAddress

  /** Whether a fork removed the claim: the follower has read past its block, and holds no claim of its worker any more. */
  const isRemoved = async ({ chainJobId, wallet, claimBlock, timestamps }: SessionRecord, { block }: ReadJob): Promise<boolean> => {
    const { chainId } = reads.chain
    const claimedIn = claimBlock ?? 0n
    if (block.number < claimedIn || (await recordedBlock(database.rows, chainId)) < claimedIn) return false
    return !(await hasEvent(database.rows, {
      chainId,
      chainJobId,
      event: 'JobClaimed',
      worker: wallet,
      since: timestamps.claimedAt - FORK_MS,
    }))
  }

  /** Stores what a submission brings with it. The work is on chain, so no cap of a repository refuses it. */
  const storeWork = async (session: SessionRecord, accepted: AcceptedSubmission, rows: Rows) => {
    await storeDelivery(rows, session, accepted.normalized, clock.now())
    await storeSubmissionContent(rows, session.wallet, accepted.submission, clock.now())
  }

  const recordFound = async (session: SessionRecord, isOver: boolean): Promise<ObservedSubmission> => {
    const { sessionId } = session
    const chainJobId = session.chainJobId as Hex
    const found = await findJobTransaction(deps, 'Submitted', chainJobId)
    if (found === null || found.blockTime < session.timestamps.claimedAt - FORK_MS)
      throw new ServiceError('blockchain_unavailable', { detail: 'The submission is on chain but its event cannot be found yet.' })
    const evidenceHash: string = getEvent(found.receipt.logs, escrow, 'Submitted', chainJobId).args.payloadHash
    // The service accepted this work before its process was lost.
    if (session.submission !== null && session.evidenceHash === evidenceHash) {
      const [protocol = 'http'] = session.protocolHistory.slice(-1)
      const { status, reviewEndsAt } = await recordLanded(deps, session, {
        txHash: found.txHash,
        submittedAt: iso(found.blockTime),
        protocol,
      })
      return { kind: 'recorded', status, reviewEndsAt }
    }
    const isAdmitted = session.admission.refusedBy === undefined
    const offer = isAdmitted ? await findSubmissionOffer(database.rows, sessionId, evidenceHash) : null
    const accepted = offer === null ? null : acceptOffer(session, offer)
    if (accepted === null && isAdmitted && !isOver) return AWAITED
    const landed = { txHash: found.txHash, submittedAt: iso(found.blockTime), protocol: offer?.protocol ?? 'http' } as const
    const submission = accepted === null ? null : submissionColumn(accepted.submission, accepted.normalizedFrom)
    const { status, reviewEndsAt } = await recordLanded(deps, session, landed, { submission, evidenceHash }, async (rows) => {
      if (accepted !== null) await storeWork(session, accepted, rows)
      await deleteSubmissionOffers(rows, sessionId)
    })
    return { kind: 'recorded', status, reviewEndsAt }
  }

  return {
    bringSubmissionHome: async ({ sessionId, isOver }) => {
      const session = await getSession(database.rows, sessionId)
      if (session.status !== 'claimed')
        return session.reviewEndsAt === null
          ? AWAITED
          : { kind: 'recorded', status: session.status, reviewEndsAt: iso(session.reviewEndsAt) }
      const job = await reads.escrowJob(session.chainJobId as Hex)
      const observed = { ...job, worker: job.worker?.toLowerCase() ?? null }
      // A verdict on the work was given without us. No other copy of the work comes in time for it.
      if (isDecided(job.state) && isClaimOf(session, observed)) return recordFound(session, true)
      if (escrowHoldsMoney(session, observed)) return job.state === 'submitted' ? recordFound(session, isOver) : AWAITED
      // After its last second another caller may have timed the claim out.
      if (isPast(session.claimExpiresAt, job.block.time) || !(await isRemoved(session, job))) return AWAITED
      return removedClaim(job)
    },
  }
}
