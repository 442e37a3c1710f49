import type { Hex } from 'viem'
import { isDecided } from '../../domain/chain/escrow-state.ts'
import { ON_CHAIN } from '../../domain/sessions/deciders.ts'
import { resolutionOfVerdict } from '../../domain/sessions/resolution.ts'
import { isTerminal } from '../../domain/sessions/state-machine.ts'
import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { ClaimSettlementActivities } from '../../schemas/claims/process.ts'
import { isServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { recordMissingSubmission } from '../claims/divergence.ts'
import { type ClaimStepDeps, stepKey } from '../claims/step.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { SignDocument } from '../identity/signing-keys.ts'
import { getSession } from '../sessions/records.ts'
import { findVerdict, type StoredVerdict } from '../verification/records.ts'
import { createEndings } from './endings.ts'
import { createInstants } from './instants.ts'
import { storeObservedVerdict } from './observed-verdict.ts'
import { createOtherWork, OtherWorkError } from './other-work.ts'
import { createPayments } from './payments.ts'
import { createSessionReceipts } from './receipts.ts'
import { createSettlements, type SessionEnd } from './records.ts'
import { createVerdictCalls, hasOtherClaim, type Judgement } from './verdict-calls.ts'

export interface SettlementDeps extends ClaimStepDeps, SessionEnd {
  /** Signs badges and receipts. */
  sign: SignDocument
  publicBaseUrl: string
}

/** Status of a session after its verdict. */
type SettledStatus = Pick<SessionRecord, 'status'>

/** The service never sends an observed verdict itself: after a reorganisation it waits until the verdict returns. */
export const judgementOf = ({ reasonCode, handler, verdict }: StoredVerdict): Judgement => ({
  reasonCode,
  evidenceHash: verdict.verificationInputHash,
  isObserved: handler === ON_CHAIN,
})

/** Parts of every step after a submission. */
export const createSettlementParts = (deps: SettlementDeps) => {
  const { database, reads, clock } = deps
  const settlements = createSettlements(deps)
  const endings = createEndings(deps)
  const calls = createVerdictCalls({ ...deps, endings })
  const followInstants = createInstants(deps)
  const receipts = createSessionReceipts({ ...deps, endings, followInstants })
  const takeOtherWork = createOtherWork(deps)
  const recordPaid = createPayments({ ...deps, settlements, endings, receipts, followInstants })

  /**
   * Finds the verdict that was executed on chain: the service's own if it has the same outcome, otherwise the one of another holder of the
   * verifier's role, which is stored. Throws `BlockedStepError` while the chain shows neither.
   */
  const findExecutedVerdict = async (
    session: SessionRecord,
    outcome: 'approved' | 'rejected',
    ours: StoredVerdict | null,
  ): Promise<StoredVerdict> => {
    if (ours?.outcome === outcome) return ours
    const given = await endings.findVerdictOnChain(session)
    if (given === null || given.approved !== (outcome === 'approved'))
      throw new BlockedStepError('chain_state_diverged', `${session.sessionId} is ${outcome} on chain, but no verdict explains it yet`)
    return storeObservedVerdict(database, session, given, deps.publicBaseUrl)
  }

  /** Records a rejection by another holder of the verifier's key. The chain decides, whatever our verdict is. */
  const recordRejectionElsewhere = async (session: SessionRecord, ours: StoredVerdict, at: number): Promise<SettledStatus> => {
    await settlements.recordRejected({ session, verdict: await findExecutedVerdict(session, 'rejected', ours), at })
    return { status: 'rejected' }
  }

  const recordApproval = async (session: SessionRecord, verdict: StoredVerdict, step: string): Promise<SettledStatus> => {
    const chainJobId = session.chainJobId as Hex
    const approved = await calls.approve(session, judgementOf(verdict), step)
    if ('rejectedAt' in approved) return recordRejectionElsewhere(session, verdict, approved.rejectedAt)
    const ending = endings.parseEnding(approved.receipt, chainJobId)
    if (ending.kind !== 'approved') {
      const { rejectedAt } = await reads.escrowJob(chainJobId)
      if (rejectedAt !== null) return recordRejectionElsewhere(session, verdict, rejectedAt)
    }
    if (ending.kind === 'finalized')
      throw new BlockedStepError('chain_state_diverged', `${session.sessionId} was closed by ${approved.txHash} without a verdict`)
    const reason = {
      code: verdict.reasonCode,
      resolution: resolutionOfVerdict(verdict, 'approved'),
      verifier: ending.by,
      rationaleHash: null,
      reputation: 'approval_level_1',
    } as const
    await recordPaid(session, approved, reason, verdict)
    return { status: 'resolved' }
  }

  /**
   * Runs `execute`, which sends a verdict on the recorded work. If the escrow has other work of the worker, records that work, rejects it on chain
   * by a step named after `step`, and calls `record` with its session, its verdict and the time of the rejection, epoch ms. Throws
   * `BlockedStepError` while no event explains the other work, or if another caller closed the job first.
   */
  const rejectIfOtherWork = async <T>(
    session: SessionRecord,
    step: string,
    execute: () => Promise<T>,
    record: (rejected: { session: SessionRecord; verdict: StoredVerdict; at: number }) => Promise<T>,
  ): Promise<T> => {
    try {
      return await execute()
    } catch (error) {
      if (!(error instanceof OtherWorkError)) throw error
      const other = await takeOtherWork(session, error)
      const at = await calls.reject(other.session, judgementOf(other.verdict), `${step}/${error.evidenceHash}`)
      if (at === null)
        throw new BlockedStepError('chain_state_diverged', `${session.sessionId} was closed before its other work was rejected`)
      return record({ ...other, at })
    }
  }

  return {
    settlements,
    endings,
    receipts,
    calls,
    recordPaid,
    findExecutedVerdict,
    rejectIfOtherWork,

    /** Executes a machine's approval, or records what other callers did with the submission. */
    approve: (session: SessionRecord, verdict: StoredVerdict, step: string): Promise<SettledStatus> =>
      rejectIfOtherWork(
        session,
        step,
        () => recordApproval(session, verdict, step),
        async (rejected) => {
          await settlements.recordRejected(rejected)
          return { status: 'rejected' }
        },
      ),

    /** Runs a step. If the chain has lost the submission for good, the session ends as diverged. */
    endIfLost: async <T>(session: SessionRecord, step: () => Promise<T>): Promise<T | SettledStatus> => {
      try {
        return await step()
      } catch (error) {
        if (!isServiceError(error) || error.code !== 'chain_state_diverged') throw error
        const status = await recordMissingSubmission(database, session, error.info.details?.observed as ChainJobState, clock.now())
        return { status }
      }
    },
  }
}

/** The claim's steps after a verdict: read the terminal event, send a transaction if there is none, store one record. */
export const createSettlementSteps = (deps: SettlementDeps): ClaimSettlementActivities => {
  const { database, reads } = deps
  const { endings, approve, endIfLost } = createSettlementParts(deps)

  const load = async (sessionId: string, verdictId: string): Promise<{ session: SessionRecord; verdict: StoredVerdict }> => {
    const [session, verdict] = await Promise.all([getSession(database.rows, sessionId), findVerdict(database.rows, verdictId)])
    if (verdict === null) throw new Error(`verdict ${verdictId} does not exist`)
    return { session, verdict }
  }

  const settleApproval: ClaimSettlementActivities['settleApproval'] = async ({ runId, sessionId, verdictId }) => {
    const { session, verdict } = await load(sessionId, verdictId)
    if (isTerminal(session.status)) return { status: session.status }
    return endIfLost(session, () => approve(session, verdict, stepKey(session.jobId, runId, 'approve')))
  }

  const observeVerdict: ClaimSettlementActivities['observeVerdict'] = async ({ sessionId }) => {
    const session = await getSession(database.rows, sessionId)
    if (session.status !== 'submitted') return null
    const job = await reads.escrowJob(session.chainJobId as Hex)
    const { state } = job
    if (!isDecided(state) || hasOtherClaim(session, job)) return null
    const given = await endings.findVerdictOnChain(session)
    if (given === null)
      throw new BlockedStepError('chain_state_diverged', `${sessionId} is ${state} on chain, but no verdict explains it yet`)
    const { id } = await storeObservedVerdict(database, session, given, deps.publicBaseUrl)
    return { verdictId: id }
  }

  return { settleApproval, observeVerdict }
}
