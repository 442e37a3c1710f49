import type { Hex } from 'viem'
import { pauseRefusal } from '../../domain/chain/contract-refusals.ts'
import { isPast } from '../../domain/common/instants.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import type { AdmittedClaim, LockedBond } from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { JobSnapshot } from '../../schemas/sessions/record.ts'
import type { EscrowJob } from '../chain/block-reads.ts'
import { createJobIntent, escrowIntent } from '../chain/escrow-calls.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import { createClaimRefusal } from '../chain/refusals.ts'
import { BlockedStepError } from '../common/blocked.ts'
import type { ClaimParts } from './claim-job.ts'
import { getOpenIntent, lockOpenIntent, setStage } from './intents.ts'
import { assertAdmitted, type BondClaim, type BondStrategy, parseBond } from './locked-bond.ts'
import { minedBond } from './self-paid/mined-bond.ts'
import { type ClaimStepDeps, findJobTransaction, isClaimedBy, stepKey } from './step.ts'

/** Steps from a job's state on chain to a claim, in nonce order. `create` is sent alone, the others together. */
const BOND_STEPS = ['create', 'free', 'waiver', 'claim'] as const

type KeyOf = (step: (typeof BOND_STEPS)[number]) => string

/** Error for a job that is missing on chain although its creation has an outcome. */
const notCreated = ({ jobId, wallet }: AdmittedClaim, { functionName }: TransactionIntent, mined: MinedTransaction): Error =>
  mined.status === 'mined'
    ? new BlockedStepError('blockchain_unavailable', `the job ${jobId} is created by ${mined.txHash}, but the chain does not show it`)
    : createClaimRefusal(functionName, mined.revertReason, { jobId, wallet })

/** The operator sends: creates the job if the escrow has none, ends an expired claim, claims for the worker. */
const operatorsBond = (deps: ClaimStepDeps): BondStrategy => {
  const { database, chain, reads, transactions, clock } = deps
  const escrow = reads.escrowAddress

  /** Adopts an on-chain claim of the worker for which the service has no session. */
  const adopt = async (chainJobId: Hex, job: EscrowJob): Promise<LockedBond> => {
    const found = await findJobTransaction(deps, 'JobClaimed', chainJobId)
    if (found === null)
      throw new ServiceError('blockchain_unavailable', { detail: 'The claim is on chain but its event cannot be found yet.' })
    return parseBond(escrow, chainJobId, found, job.poster ?? transactions.addressOf('operator'))
  }

  /**
   * Transactions from the job's state to a claim by `wallet`; throws the refusal that the state means. A missing job is only created. Until
   * that is mined anyone can create it with other terms, and an immediate claim would lock a bond on them.
   */
  const plan = (job: EscrowJob, admitted: BondClaim, snapshot: JobSnapshot, keyOf: KeyOf): TransactionIntent[] => {
    const { jobId, sessionId, requestId, wallet } = admitted
    const context = { escrow, jobId, sessionId, requestId }
    const chainJobId = admitted.chainJobId as Hex
    const definition = pinnedDefinition(snapshot)
    const eligible = definition.onboardingWaiverEligible
    const claim = escrowIntent(context, keyOf('claim'), 'claimJobFor', [chainJobId, wallet as Hex])
    const setWaiver = escrowIntent(context, keyOf('waiver'), 'setOnboardingWaiverEligible', [chainJobId, eligible])
    const waiver = job.waiverEligible === eligible ? [] : [setWaiver]
    switch (job.state) {
      case 'none': {
        const terms = { chainJobId, definition, specHash: snapshot.specHash as Hex, asset: chain.asset.address as Hex }
        return [createJobIntent(context, keyOf('create'), terms)]
      }
      case 'open':
        return [...waiver, claim]
      case 'claimed':
        if (job.claimExpiresAt === null || !isPast(job.claimExpiresAt, clock.now()))
          throw new ServiceError('job_already_claimed', { details: { jobId, claimedBy: job.worker } })
        return [escrowIntent(context, keyOf('free'), 'handleClaimTimeout', [chainJobId]), ...waiver, claim]
      default:
        throw new ServiceError('job_not_claimable', { details: { jobId, chainState: job.state } })
    }
  }

  const claimOutcome = async (admitted: AdmittedClaim, sent: TransactionIntent[], mined: MinedTransaction[]): Promise<LockedBond> => {
    const { jobId, wallet } = admitted
    const chainJobId = admitted.chainJobId as Hex
    const claim = mined.at(-1)
    if (claim === undefined) throw new Error('nothing was sent')
    const job = await reads.escrowJob(chainJobId)
    if (claim.status === 'mined') return parseBond(escrow, chainJobId, claim, job.poster ?? transactions.addressOf('operator'))
    if (isClaimedBy(job, wallet)) return adopt(chainJobId, job)
    const first = mined.findIndex((transaction) => transaction.status === 'reverted')
    throw createClaimRefusal(sent[first]?.functionName ?? 'claimJobFor', mined[first]?.revertReason ?? null, { jobId, wallet })
  }

  const lockBond: BondStrategy = async (admitted) => {
    const { jobId, runId } = admitted
    const chainJobId = admitted.chainJobId as Hex
    const { snapshot } = (await getOpenIntent(database.rows, runId)).terms
    // A try that was proved dead is followed by the next number.
    const prefix = stepKey(jobId, runId, 'bond')
    const tries = await transactions.countDeadTries(prefix)
    const keyOf: KeyOf = (step) => `${prefix}/${tries}/${step}`
    const begun = await transactions.resume(BOND_STEPS.map(keyOf))
    const ended = begun.length === 0 ? [] : await transactions.send('operator', begun)
    if (begun.some(({ key }) => key === keyOf('claim'))) return claimOutcome(admitted, begun, ended)
    const [job, isPaused] = await Promise.all([reads.escrowJob(chainJobId), reads.isPaused()])
    assertAdmitted(job, jobId, snapshot)
    if (isClaimedBy(job, admitted.wallet) && job.claimExpiresAt !== null && !isPast(job.claimExpiresAt, clock.now()))
      return adopt(chainJobId, job)
    const [create] = begun
    const [creation] = ended
    if (job.state === 'none' && create !== undefined && creation !== undefined) throw notCreated(admitted, create, creation)
    const planned = plan(job, admitted, snapshot, keyOf)
    if (isPaused) throw new ServiceError('blockchain_revert', pauseRefusal('claimJobFor', { jobId }))
    await setStage(database.rows, runId, job.state === 'none' ? 'creating_escrow_job' : 'locking_bond')
    // A process that was frozen for longer than its heartbeat must not lock a bond for a claim that was refused meanwhile.
    const sent = await transactions.send('operator', planned, (rows) => lockOpenIntent(rows, runId))
    return job.state === 'none' ? lockBond(admitted) : claimOutcome(admitted, planned, sent)
  }

  return lockBond
}

/** Locks the bond of an admitted claim, or reads that of a claim which is on chain. */
export const createBond = (deps: ClaimStepDeps): Pick<ClaimParts, 'lockBond'> => {
  const [lock, read] = [operatorsBond(deps), minedBond(deps)]
  return { lockBond: (admitted) => (admitted.adopted ? read : lock)(admitted) }
}
