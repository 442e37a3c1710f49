import type { Hex } from 'viem'
import { readNativeGas } from '../../activities/chain/native-gas.ts'
import { accountBalances } from '../../activities/chain/simulation.ts'
import type { TemplateStep } from '../../activities/chain/templates.ts'
import { buildTransactions } from '../../activities/chain/unsigned-transactions.ts'
import { storeClaimOffer, storeSubmissionOffer } from '../../activities/claims/self-paid/offers.ts'
import { claimSteps, submitSteps } from '../../activities/claims/self-paid/templates.ts'
import { isHeldBy } from '../../activities/claims/step.ts'
import { gasRequired, WORKER_GAS } from '../../domain/chain/native-gas.ts'
import { admissionEvidence } from '../../domain/claims/admission-evidence.ts'
import type { AcceptedSubmission } from '../../domain/claims/submission.ts'
import { iso, isoOrNull, isPast } from '../../domain/common/instants.ts'
import { claimantOf } from '../../domain/eligibility/claimant.ts'
import { assertClaimable, certainRefusal, type Evaluation, refusalOf } from '../../domain/eligibility/evaluate.ts'
import type { claimJob, submitWork } from '../../schemas/claims/operations.ts'
import { post } from '../../schemas/common/error-row.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import type { Input } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'

/** When a caller repeats its request: by then a transaction is mined, if it was sent at once. */
const MINED_AFTER_SECONDS = 6

type ReadJob = Awaited<ReturnType<ApiDeps['reads']['escrowJob']>>

const DESCRIPTIONS: Record<string, string> = {
  handleClaimTimeout: 'Time the expired claim of another wallet out.',
  claimJob: 'Claim the job: send this transaction from your wallet.',
  submitWork: 'Submit the hash of the work: send this transaction from your wallet.',
}

/** What a worker sends itself: claims and submissions of posted jobs. */
export const createSelfPaid = (deps: ApiDeps) => {
  const { database, evaluations, reads, clients, chain, clock } = deps

  /** Members of a refusal that asks the worker to send transactions. They are run on the state of the block first. */
  const askToSend = async (wallet: Hex, steps: TemplateStep[], block: ReadJob['block'], repeat: NextAction) => {
    const watched = accountBalances(chain, wallet)
    const [{ templates, simulation, expected, broadcast }, native] = await Promise.all([
      buildTransactions(deps, wallet, block, { steps, watched, instructions: [], statusPath: '/account' }),
      readNativeGas(clients, chain, wallet),
    ])
    const transactions = templates.map(({ to, chainId, value, data, decoded, gasEstimate, ...template }) => ({
      to,
      chainId,
      value,
      function: decoded.function,
      args: Object.values(decoded.args),
      data,
      gasEstimate,
      ...('revive' in template && { revive: template.revive }),
    }))
    const actions = steps.map(
      ({ step }, index): NextAction => ({
        kind: 'transaction',
        description: DESCRIPTIONS[step] ?? step,
        transaction: transactions[index] ?? {},
        gasRequired: gasRequired(WORKER_GAS[step as keyof typeof WORKER_GAS], native),
      }),
    )
    return {
      details: {
        worker: wallet,
        requiresSponsoredGas: false,
        transaction: transactions.at(-1),
        transactions,
        broadcast,
        simulation,
        expected,
      },
      nextActions: [...actions, repeat],
      retryAfterSeconds: MINED_AFTER_SECONDS,
    }
  }

  /** Whether the escrow holds a claim of the wallet that still counts. */
  const holdsClaim = (job: ReadJob, wallet: string): boolean =>
    isHeldBy(job, wallet) && !(job.state === 'claimed' && job.claimExpiresAt !== null && isPast(job.claimExpiresAt, clock.now()))

  /** Throws 409 `job_already_claimed` while another claim counts by the time of the block. */
  const assertFree = (jobId: string, { state, worker, claimExpiresAt, block }: ReadJob): void => {
    if (state !== 'claimed' || (claimExpiresAt !== null && isPast(claimExpiresAt, block.time))) return
    throw new ServiceError('job_already_claimed', {
      details: { jobId, claimedBy: worker?.toLowerCase() ?? null, claimExpiresAt: isoOrNull(claimExpiresAt) },
    })
  }

  const handOutClaim = async ({ caller, request }: Input<typeof claimJob>, evaluation: Evaluation, onChain: ReadJob): Promise<never> => {
    const { wallet, grantId } = claimantOf(caller)
    const { id: jobId, chainJobId } = evaluation.assessment.facts.job
    const steps = claimSteps(reads.escrowAddress, chainJobId as Hex, onChain.state === 'claimed')
    const again = post('/jobs/claim', 'Repeat the claim once the transaction is mined; it answers with the session.')
    const { details, ...asked } = await askToSend(wallet as Hex, steps, onChain.block, again)
    await storeClaimOffer(database.rows, {
      jobId,
      wallet,
      grantId,
      requestId: request.id,
      protocol: request.protocol,
      admission: admissionEvidence(evaluation),
      createdAt: clock.now(),
    })
    throw new ServiceError('external_self_paid_claim_required', { ...asked, details: { jobId, ...details } })
  }

  return {
    /**
     * Evaluation of a posted job whose escrow holds the caller's claim. Throws the refusal of a claim that cannot succeed, and 409
     * `external_self_paid_claim_required` with the transactions of one that can.
     */
    findClaim: async (input: Input<typeof claimJob>): Promise<Evaluation> => {
      const { jobId } = input.body
      const claimant = { ...claimantOf(input.caller), responsiblePerson: input.body.responsiblePerson ?? null }
      const recorded = await evaluations.evaluateRecords(jobId, claimant)
      const onChain = await reads.escrowJob(recorded.assessment.facts.job.chainJobId as Hex)
      const isOwn = holdsClaim(onChain, claimant.wallet)
      const refused = isOwn ? null : certainRefusal(recorded)
      if (refused !== null) throw refusalOf(refused)
      const evaluation = await evaluations.addChainFacts(recorded, claimant)
      if (isOwn) return evaluation
      assertFree(jobId, onChain)
      assertClaimable(evaluation)
      return handOutClaim(input, evaluation, onChain)
    },

    /**
     * Returns where the escrow has the hash of the work. Throws 409 `external_self_paid_submit_required` with the transaction that submits it, and a
     * refusal in every other state. The work is stored first, so that it counts once its hash is on chain.
     */
    assertSubmitted: async (
      { body, request }: Pick<Input<typeof submitWork>, 'body' | 'request'>,
      session: SessionRecord,
      { evidenceHash }: AcceptedSubmission,
      assertCapacity: () => Promise<void>,
    ): Promise<void> => {
      const { sessionId, jobId, wallet, chainJobId, claimExpiresAt, admission } = session
      if (admission.refusedBy !== undefined)
        throw new ServiceError('claim_not_admitted', { details: { sessionId, jobId, refusedBy: admission.refusedBy } })
      const work = { submission: body.submission ?? body.evidence }
      const offer = { sessionId, evidenceHash, work, protocol: request.protocol, createdAt: clock.now() }
      await database.transaction((rows) => storeSubmissionOffer(rows, offer))
      const job = await reads.escrowSubmission(chainJobId as Hex)
      if (!isHeldBy(job, wallet))
        throw new ServiceError('external_direct_submit_state_mismatch', {
          details: { sessionId, jobId, chainState: job.state, worker: job.worker?.toLowerCase() ?? null },
        })
      if (job.state === 'submitted') {
        if (job.evidenceHash === evidenceHash) return
        throw new ServiceError('external_direct_submit_evidence_mismatch', {
          details: { sessionId, jobId, evidenceHash, chainEvidenceHash: job.evidenceHash },
        })
      }
      await assertCapacity()
      const steps = submitSteps(reads.escrowAddress, chainJobId as Hex, evidenceHash as Hex)
      const again = post('/jobs/submit', 'Send the same submission again once the transaction is mined.')
      const { details, ...asked } = await askToSend(wallet as Hex, steps, job.block, again)
      throw new ServiceError('external_self_paid_submit_required', {
        ...asked,
        details: { sessionId, jobId, ...details, evidenceHash, claimExpiresAt: iso(claimExpiresAt) },
      })
    },
  }
}
