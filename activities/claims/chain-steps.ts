import type { Hex } from 'viem'
import { foreignTerms } from '../../domain/catalogue/foreign-terms.ts'
import { isAcceptedLate } from '../../domain/claims/submission-refusal.ts'
import { iso, isPast } from '../../domain/common/instants.ts'
import { CHOOSE_ANOTHER } from '../../domain/eligibility/gates/blocker.ts'
import { isClaimedOnChain } from '../../domain/sessions/close.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import {
  type AdmittedClaim,
  type ClaimChainActivities,
  claimWorkflowId,
  type ExpiryResult,
  type LockedBond,
} from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { ChainClients } from '../chain/clients.ts'
import {
  type CallContext,
  claimJobForIntent,
  claimTimeoutIntent,
  createJobIntent,
  setWaiverIntent,
  submitWorkForIntent,
} from '../chain/escrow-calls.ts'
import { findEventTransaction, getEvent } from '../chain/escrow-events.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import type { MinedTransaction, Transactions } from '../chain/journal/send.ts'
import type { ChainReads, EscrowJob } from '../chain/reads.ts'
import { createClaimRefusal, createPauseRefusal, revertInfo } from '../chain/refusals.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { Clock } from '../common/clock.ts'
import type { Database } from '../database/database.ts'
import { getSession } from '../sessions/records.ts'
import type { ClaimParts } from './claim-job.ts'
import { findRequestId, getOpenIntent, setStage } from './intents.ts'

export interface ClaimStepDeps {
  database: Database
  chain: ChainFile
  clients: ChainClients
  reads: ChainReads
  transactions: Transactions
  clock: Clock
}

/** Journal key of a step of one run. A repeated step finds its own transaction; another attempt of the job never does. */
export const stepKey = (jobId: string, runId: string, step: string): string => `${claimWorkflowId(jobId)}/${runId}/${step}`

/** Steps from a job's state on chain to a claim, in nonce order. `create` is sent alone, the others together. */
const BOND_STEPS = ['create', 'free', 'waiver', 'claim'] as const

type BondStep = (typeof BOND_STEPS)[number]

/** Common prefix of the keys of all tries at a bond. A try that was proved dead is followed by the next number. */
const bondPrefix = ({ jobId, runId }: AdmittedClaim): string => stepKey(jobId, runId, 'bond')
const bondKey = (admitted: AdmittedClaim, step: BondStep, tries: number): string => `${bondPrefix(admitted)}/${tries}/${step}`

const lower = (address: Hex): string => address.toLowerCase()

/** The chain steps of a claim: bond, submission, time-out. Each step reads the chain before it repeats and accepts what it finds. */
export const createClaimSteps = (
  deps: ClaimStepDeps,
): Pick<ClaimParts, 'lockBond'> & Pick<ClaimChainActivities, 'submitOnChain' | 'timeoutClaim'> => {
  const { database, chain, clients, reads, transactions, clock } = deps
  const escrow = reads.escrowAddress
  const genesis = BigInt(
    chain.contracts.escrow.generations.find((generation) => generation.address.toLowerCase() === escrow.toLowerCase())?.deployBlock ?? 0,
  )

  const receiptOf = async (txHash: Hex) => {
    const receipt = await clients.reader.getTransactionReceipt({ hash: txHash })
    const block = await clients.reader.getBlock({ blockNumber: receipt.blockNumber })
    return { receipt, txHash, blockTime: Number(block.timestamp) * 1000, blockNumber: receipt.blockNumber }
  }

  const parseBond = (
    chainJobId: Hex,
    mined: Pick<MinedTransaction, 'receipt' | 'txHash' | 'blockTime' | 'blockNumber'>,
    poster: Hex | null,
  ): LockedBond => {
    const { logs } = mined.receipt
    const { claimExpiry } = getEvent(logs, escrow, 'JobClaimed', chainJobId).args
    const economics = getEvent(logs, escrow, 'ClaimEconomicsLocked', chainJobId).args
    const retention = getEvent(logs, escrow, 'ClaimRetentionSnapshot', chainJobId).args
    return {
      txHash: mined.txHash,
      blockNumber: mined.blockNumber.toString(),
      claimedAt: iso(mined.blockTime),
      claimExpiresAt: iso(Number(claimExpiry) * 1000),
      stakeRaw: economics.claimStake.toString(),
      feeRaw: economics.claimFee.toString(),
      waived: economics.waived,
      claimNumber: Number(economics.claimNumber),
      brokered: retention.brokered,
      poster: lower(poster ?? reads.operator),
    }
  }

  /** Adopts an on-chain claim of the worker for which the service has no session. */
  const adopt = async (chainJobId: Hex, job: EscrowJob): Promise<LockedBond> => {
    const txHash = await findEventTransaction(clients.reader, escrow, 'JobClaimed', chainJobId, genesis)
    if (txHash === null)
      throw new ServiceError('blockchain_unavailable', { detail: 'The claim is on chain but its event cannot be found yet.' })
    return parseBond(chainJobId, await receiptOf(txHash), job.poster)
  }

  /** Throws `job_definition_chain_mismatch` if the escrow's job differs from the admitted one. Nothing is locked on it. */
  const assertAdmitted = (job: EscrowJob, { jobId }: AdmittedClaim, definition: JobDefinition, specHash: Hex): void => {
    const details = job.state === 'none' ? null : foreignTerms({ jobId, specHash, definition }, job)
    if (details !== null) throw new ServiceError('job_definition_chain_mismatch', { details, nextActions: [CHOOSE_ANOTHER] })
  }

  /**
   * Transactions from the job's state to a claim by `wallet`; throws the refusal that the state means. A missing job is only created. Until
   * that is mined anyone can create it with other terms, and an immediate claim would lock a bond on them.
   */
  const plan = (
    job: EscrowJob & { block: { time: number } },
    admitted: AdmittedClaim,
    context: CallContext,
    definition: JobDefinition,
    specHash: Hex,
    tries: number,
  ): TransactionIntent[] => {
    const key = (step: BondStep) => bondKey(admitted, step, tries)
    const chainJobId = admitted.chainJobId as Hex
    const claim = claimJobForIntent(context, key('claim'), chainJobId, admitted.wallet as Hex)
    const waiver =
      job.waiverEligible === definition.onboardingWaiverEligible
        ? []
        : [setWaiverIntent(context, key('waiver'), chainJobId, definition.onboardingWaiverEligible)]
    switch (job.state) {
      case 'none':
        return [createJobIntent(context, key('create'), { chainJobId, definition, specHash, asset: chain.asset.address as Hex })]
      case 'open':
        return [...waiver, claim]
      case 'claimed':
        if (job.claimExpiresAt === null || !isPast(job.claimExpiresAt, clock.now()))
          throw new ServiceError('job_already_claimed', { details: { jobId: admitted.jobId, claimedBy: job.worker } })
        return [claimTimeoutIntent(context, key('free'), chainJobId), ...waiver, claim]
      default:
        throw new ServiceError('job_not_claimable', { details: { jobId: admitted.jobId, chainState: job.state } })
    }
  }

  const claimOutcome = async (admitted: AdmittedClaim, sent: TransactionIntent[], mined: MinedTransaction[]): Promise<LockedBond> => {
    const chainJobId = admitted.chainJobId as Hex
    const claim = mined.at(-1)
    if (claim === undefined) throw new Error('nothing was sent')
    const job = await reads.escrowJob(chainJobId)
    if (claim.status === 'mined') return parseBond(chainJobId, claim, job.poster)
    if (job.state === 'claimed' && job.worker !== null && lower(job.worker) === admitted.wallet) return adopt(chainJobId, job)
    const first = mined.findIndex((transaction) => transaction.status === 'reverted')
    throw createClaimRefusal(sent[first]?.functionName ?? 'claimJobFor', mined[first]?.revertReason ?? null, {
      jobId: admitted.jobId,
      wallet: admitted.wallet,
    })
  }

  /** Error for a job that is missing on chain although its creation has an outcome. */
  const notCreated = ({ jobId, wallet }: AdmittedClaim, { functionName }: TransactionIntent, mined: MinedTransaction): Error =>
    mined.status === 'mined'
      ? new BlockedStepError('blockchain_unavailable', `the job ${jobId} is created by ${mined.txHash}, but the chain does not show it`)
      : createClaimRefusal(functionName, mined.revertReason, { jobId, wallet })

  const lockBond: ClaimParts['lockBond'] = async (admitted) => {
    const chainJobId = admitted.chainJobId as Hex
    const intent = await getOpenIntent(database.rows, admitted.runId)
    const context: CallContext = { escrow, jobId: admitted.jobId, sessionId: admitted.sessionId, requestId: admitted.requestId }
    const tries = await transactions.countDeadTries(bondPrefix(admitted))
    const keyOf = (step: BondStep) => bondKey(admitted, step, tries)
    const begun = await transactions.resume(BOND_STEPS.map(keyOf))
    const ended = begun.length === 0 ? [] : await transactions.send('operator', begun)
    if (begun.some(({ key }) => key === keyOf('claim'))) return claimOutcome(admitted, begun, ended)
    const [job, isPaused] = await Promise.all([reads.escrowJob(chainJobId), reads.isPaused()])
    const { snapshot } = intent.terms
    const definition = pinnedDefinition(snapshot)
    const specHash = snapshot.specHash as Hex
    assertAdmitted(job, admitted, definition, specHash)
    if (
      job.state === 'claimed' &&
      job.worker !== null &&
      lower(job.worker) === admitted.wallet &&
      job.claimExpiresAt !== null &&
      !isPast(job.claimExpiresAt, clock.now())
    ) {
      return adopt(chainJobId, job)
    }
    const [create] = begun
    const [creation] = ended
    if (job.state === 'none' && create !== undefined && creation !== undefined) throw notCreated(admitted, create, creation)
    const planned = plan(job, admitted, context, definition, specHash, tries)
    if (isPaused) throw createPauseRefusal('claimJobFor', { jobId: admitted.jobId })
    await setStage(database.rows, admitted.runId, job.state === 'none' ? 'creating_escrow_job' : 'locking_bond')
    const sent = await transactions.send('operator', planned)
    return job.state === 'none' ? lockBond(admitted) : claimOutcome(admitted, planned, sent)
  }

  const submitOnChain: ClaimChainActivities['submitOnChain'] = async ({ runId, sessionId, requestId, submitNumber, acceptedAt }) => {
    const session = await getSession(database.rows, sessionId)
    const chainJobId = session.chainJobId as Hex
    const evidenceHash = session.evidenceHash as Hex
    const context: CallContext = { escrow, jobId: session.jobId, sessionId, requestId }
    // A transaction that was proved dead may still be on chain if a node learned of its receipt late. The step then finds it.
    const key = await transactions.openKey(stepKey(session.jobId, runId, `submit/${submitNumber}`))
    const known = (await transactions.resume([key])).length > 0
    const [job, isPaused] = await Promise.all([reads.escrowJob(chainJobId), reads.isPaused()])
    if (!known && job.state === 'claimed' && job.claimExpiresAt !== null && isPast(job.claimExpiresAt, clock.now()))
      throw createLapsedError(session, acceptedAt)
    if (!known && job.state === 'claimed' && isPaused)
      throw createPauseRefusal('submitWorkFor', { sessionId }, Math.floor((session.claimExpiresAt - clock.now()) / 1000))
    if (known || job.state === 'claimed') {
      const [mined] = await transactions.send('operator', [
        submitWorkForIntent(context, key, chainJobId, session.wallet as Hex, evidenceHash),
      ])
      if (mined?.status === 'mined') return { txHash: mined.txHash, submittedAt: iso(mined.blockTime) }
      return findDirectSubmission({ ...session, acceptedAt }, chainJobId, evidenceHash, mined?.revertReason ?? null)
    }
    return findDirectSubmission({ ...session, acceptedAt }, chainJobId, evidenceHash, null)
  }

  /** Finds the evidence on chain if the worker sent it directly; throws the refusal otherwise. */
  const findDirectSubmission = async (
    session: Lapsing & { acceptedAt: string | undefined },
    chainJobId: Hex,
    evidenceHash: Hex,
    revertReason: string | null,
  ) => {
    const job = await reads.escrowJob(chainJobId)
    const txHash = job.state === 'submitted' ? await findEventTransaction(clients.reader, escrow, 'Submitted', chainJobId, genesis) : null
    if (txHash !== null) {
      const found = await receiptOf(txHash)
      if (getEvent(found.receipt.logs, escrow, 'Submitted', chainJobId).args.payloadHash === evidenceHash)
        return { txHash, submittedAt: iso(found.blockTime) }
      throw new ServiceError('external_direct_submit_evidence_mismatch', { details: { sessionId: session.sessionId } })
    }
    if (
      job.state === 'claimed' &&
      job.worker !== null &&
      lower(job.worker) === session.wallet &&
      !isPast(session.claimExpiresAt, job.block.time)
    ) {
      throw new ServiceError('blockchain_revert', revertInfo('submitWorkFor', revertReason, { sessionId: session.sessionId }))
    }
    throw createLapsedError(session, session.acceptedAt)
  }

  const timeoutClaim: ClaimChainActivities['timeoutClaim'] = async ({ runId, sessionId }) => {
    const session = await getSession(database.rows, sessionId)
    const chainJobId = session.chainJobId as Hex
    const step = stepKey(session.jobId, runId, 'timeout')
    const begun = await transactions.resumeStep(step)
    const isItsClaim = ({ state, worker, claimExpiresAt }: EscrowJob): boolean =>
      isClaimedOnChain(session, { state, worker: worker === null ? null : lower(worker), claimExpiresAt })
    const job = await reads.escrowJob(chainJobId)
    // A newer claim, also one of the same worker, proves that this one was timed out by another caller.
    if (!isItsClaim(job)) return createExpiryResult(job, begun?.status === 'mined' ? begun.txHash : null)
    const requestId = await findRequestId(database.rows, runId)
    const context: CallContext = { escrow, jobId: session.jobId, sessionId, requestId }
    const mined = await transactions.sendStep('operator', step, (key) => claimTimeoutIntent(context, key, chainJobId))
    const after = await reads.escrowJob(chainJobId)
    if (isItsClaim(after)) {
      // The block's clock may lag a second behind ours, so the step is retried.
      throw new BlockedStepError('blockchain_revert', `${sessionId} was not reopened by ${mined.txHash}: ${mined.revertReason}`)
    }
    return createExpiryResult(after, mined.status === 'mined' ? mined.txHash : null)
  }

  const createExpiryResult = (job: EscrowJob & { block: { number: bigint } }, txHash: string | null): ExpiryResult => {
    const base = {
      observedState: job.state,
      observedWorker: job.worker === null ? null : lower(job.worker),
      blockNumber: job.block.number.toString(),
      txHash,
    }
    switch (job.state) {
      case 'closed':
      case 'cancelled':
        return { result: 'chain_closed', ...base }
      case 'open':
      case 'none':
      case 'claimed':
        return { result: 'expired', ...base }
      default:
        // The worker submitted directly on chain. Record and chain disagree, so an operator decides.
        return { result: 'diverged', ...base }
    }
  }

  return { lockBond, submitOnChain, timeoutClaim }
}

interface Lapsing {
  jobId: string
  sessionId: string
  wallet: string
  claimExpiresAt: number
}

/**
 * Error for a claim that expired before its accepted submission was on chain. The platform is at fault, unless the submission arrived in the
 * last moments; it is then refused and the claim expires.
 */
const createLapsedError = ({ sessionId, jobId, wallet, claimExpiresAt }: Lapsing, acceptedAt: string | undefined): ServiceError =>
  new ServiceError(isAcceptedLate(acceptedAt, claimExpiresAt) ? 'brokered_submit_expired' : 'claim_expired', {
    details: { sessionId, jobId, claimedBy: wallet, claimExpiresAt: iso(claimExpiresAt) },
  })
