import { findJob } from '../../activities/catalogue/jobs.ts'
import { openIntentOfJob } from '../../activities/claims/intents.ts'
import { isCapReached } from '../../activities/pull-requests/records.ts'
import { type ClaimRequest, newClaim, usualClaimKey } from '../../domain/claims/new-claim.ts'
import { knownValue } from '../../domain/common/fact.ts'
import { type Claimant, claimantOf } from '../../domain/eligibility/claimant.ts'
import { assertClaimable, certainRefusal, type Evaluation, refusalOf } from '../../domain/eligibility/evaluate.ts'
import { isLiveSession } from '../../domain/sessions/state-machine.ts'
import type { claimJob as claimOperation } from '../../schemas/claims/operations.ts'
import { isServiceError } from '../../schemas/errors.ts'
import type { Handler, Input } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { isClaimUnderWay } from '../sessions/pending.ts'
import { createKeyedLimiter } from './concurrency.ts'
import { createClaimKeys } from './idempotency.ts'
import { type ClaimReply, claimedBy, createClaimReplies, inProgress } from './replies.ts'
import { createSelfPaid } from './self-paid.ts'

type ClaimInput = Input<typeof claimOperation>

/** A pending claim is recorded or refused this long after its request's own wait, unless its process has gone. */
const BEYOND_WAIT_MS = 5_000
/** Maximum concurrent record reads for claims of one job. Chain reads are not limited. */
const CONCURRENT_READS = 8

/** Refusals that depend on what the workers last read or checked, which may be long ago. */
const WORKER_REFUSALS: ReadonlySet<string> = new Set([
  'reward_funding_unverified',
  'reward_funding_pending',
  'verifier_not_ready',
  'blockchain_unavailable',
])

/** What a request says of its claim. */
const requestedClaim = ({ caller, body, request }: ClaimInput, adopted: boolean): ClaimRequest => ({
  ...claimantOf(caller),
  responsiblePerson: body.responsiblePerson ?? null,
  idempotencyKey: request.idempotencyKey ?? usualClaimKey(caller.wallet, body.jobId),
  explicitKey: request.idempotencyKey !== null,
  requestId: request.id,
  protocol: request.protocol,
  adopted,
  wasAdmitted: false,
})

/** `POST /jobs/claim`: refuses claims that cannot succeed before they reach the job's workflow; the workflow decides the rest. */
export const createClaimJob = (deps: ApiDeps): Handler<typeof claimOperation> => {
  const { database, evaluations, engine, clock, settings, refreshBank, maintainers, deliveries } = deps
  const freshIntentMs = settings.CHAIN_WAIT_SECONDS * 1_000 + BEYOND_WAIT_MS
  const keyOf = createClaimKeys({ database, engine, clock, pendingMs: freshIntentMs })
  const { served, liveSession, findPendingReply, acceptedReply, findHolder, run } = createClaimReplies(deps)
  const limitReads = createKeyedLimiter(CONCURRENT_READS)
  const selfPaid = createSelfPaid(deps)
  /** Job → wallet of the claim that this process is passing to the engine. */
  const starting = new Map<string, string>()

  /** Refuses while this process passes another wallet's claim to the engine. */
  const assertNotStarting = (jobId: string, wallet: string): void => {
    const by = starting.get(jobId)
    if (by !== undefined && by !== wallet) throw inProgress(jobId)
  }

  /**
   * Refuses while another wallet's recent claim locks its bond on chain. An older intent may be left over from a run that an operator
   * ended; then the engine decides.
   */
  const assertNoPendingClaim = async (jobId: string, wallet: string): Promise<void> => {
    const intent = await openIntentOfJob(database.rows, jobId)
    if (intent !== null && intent.wallet !== wallet && clock.now() - intent.createdAt < freshIntentMs) throw inProgress(jobId)
  }

  /** Refuses a claim that cannot succeed. A claim that the chain shows before our records do is reported as such. */
  const assertCanWin = async (jobId: string, evaluation: Evaluation): Promise<void> => {
    const [first] = evaluation.blockers
    if (first?.gate === 'chain_state' && first.details.chainState === 'claimed') {
      const holder = await findHolder(jobId)
      if (holder === 'pending') throw inProgress(jobId)
      if (holder !== null && isLiveSession(holder, clock.now())) throw claimedBy(holder)
    }
    assertClaimable(evaluation)
  }

  /** Evaluates by the records. An old reading of the reward bank decides nothing: it is read again. Throws 502 if it cannot be read. */
  const evaluateFunded = async (jobId: string, claimant: Claimant): Promise<Evaluation> => {
    const recorded = await evaluations.evaluateRecords(jobId, claimant)
    if (certainRefusal(recorded)?.code !== 'reward_funding_unverified') return recorded
    await refreshBank()
    return evaluations.evaluateRecords(jobId, claimant)
  }

  /** Evaluates by the records, with what the maintainers say just now. A full repository is refused only after its pull requests were read again. */
  const evaluateMaintained = async (jobId: string, claimant: Claimant): Promise<Evaluation> => {
    const recorded = await evaluateFunded(jobId, claimant)
    const { job, maintainers: known } = recorded.assessment.facts
    const maintained = knownValue(known) ?? null
    if (maintained === null || certainRefusal(recorded) !== null) return recorded
    // Their policy at the listing does not decide this claim.
    await maintainers.refreshJob(job, 0)
    if (isCapReached(maintained.capacity)) await deliveries.refresh(maintained.capacity.repo)
    return evaluations.evaluateRecords(jobId, claimant)
  }

  /** Evaluates by the records alone, and refuses what they exclude; or the session this wallet already has. */
  const evaluateRecords = async (jobId: string, claimant: Claimant): Promise<Evaluation | SessionRecord> => {
    const { wallet } = claimant
    assertNotStarting(jobId, wallet)
    const recorded = await evaluateMaintained(jobId, claimant)
    // A duplicate was recorded between the two reads: its session is the answer.
    const duplicate = recorded.assessment.facts.latestSession?.wallet === wallet ? await liveSession(wallet, jobId) : null
    if (duplicate !== null) return duplicate
    const refused = certainRefusal(recorded)
    if (refused !== null) throw refusalOf(refused)
    await assertNoPendingClaim(jobId, wallet)
    return recorded
  }

  /** Evaluates with every fact, the chain's included. */
  const evaluateFully = async (jobId: string, recorded: Evaluation, claimant: Claimant): Promise<Evaluation> => {
    const { wallet } = claimant
    assertNotStarting(jobId, wallet)
    const evaluated = await evaluations.addChainFacts(recorded, claimant)
    assertNotStarting(jobId, wallet)
    await assertCanWin(jobId, evaluated)
    return evaluated
  }

  /** Marks the job as claimed by the wallet while `work` passes the claim to the engine. */
  const whileStarting = async <T>(jobId: string, wallet: string, work: () => Promise<T>): Promise<T> => {
    const first = !starting.has(jobId)
    if (first) starting.set(jobId, wallet)
    try {
      return await work()
    } finally {
      if (first) starting.delete(jobId)
    }
  }

  /** Claim of a posted job: recorded where the escrow holds it, else refused with the transaction that makes it. */
  const claimSelfPaid = async (input: ClaimInput, key: ReturnType<typeof keyOf>, outage: AbortSignal): Promise<ClaimReply> => {
    const { jobId } = input.body
    const evaluation = await limitReads(jobId, () => selfPaid.findClaim(input))
    const claim = newClaim(evaluation, requestedClaim(input, true))
    const reply = await key
      .run(() => run(claim, outage))
      .catch(async (refusal: unknown) => {
        // The worker process read no claim: a fork removed it, or its node is behind.
        if (!isServiceError(refusal) || refusal.code !== 'external_self_paid_claim_required') throw refusal
        await selfPaid.findClaim(input)
        throw inProgress(jobId)
      })
    if (reply.status === 200) await key.attachSession(reply.body.sessionId)
    return reply
  }

  const claimJob = async (input: ClaimInput, outage: AbortSignal): Promise<ClaimReply> => {
    const { jobId } = input.body
    const claimant = { ...claimantOf(input.caller), responsiblePerson: input.body.responsiblePerson ?? null }
    const { wallet } = claimant
    const key = keyOf(input)
    const underKey = await key.findSessionId()
    const replyWithOwn = async (session: SessionRecord): Promise<ClaimReply> => {
      await key.attachSession(session.sessionId)
      return served(session, true)
    }
    const own = await liveSession(wallet, jobId)
    if (own !== null) return replyWithOwn(own)
    if (underKey !== null) await key.assertUnspent(underKey)
    if ((await findJob(database.rows, jobId))?.postingRoute === 'external-direct') return claimSelfPaid(input, key, outage)
    const found = await limitReads(jobId, () => evaluateRecords(jobId, claimant)).catch(async (refusal: unknown) => {
      // Without a worker nothing is read or checked; a claim that the engine already has is not refused for that.
      if (!isServiceError(refusal) || !WORKER_REFUSALS.has(refusal.code) || !(await isClaimUnderWay(deps, { jobId, wallet }))) throw refusal
      return acceptedReply({ jobId, wallet })
    })
    if ('body' in found) return found
    if ('sessionId' in found) return replyWithOwn(found)
    /** The wallet's own claim may have progressed during the evaluation (bond locked, waiver used): then it is the answer. */
    const orOwnClaim = async (refusal: unknown): Promise<SessionRecord | ClaimReply> => {
      const own = isServiceError(refusal) ? ((await findPendingReply({ jobId, wallet })) ?? (await liveSession(wallet, jobId))) : null
      if (own === null) throw refusal
      return own
    }
    const evaluated = await evaluateFully(jobId, found, claimant).catch(orOwnClaim)
    if ('body' in evaluated) return evaluated
    if ('sessionId' in evaluated) return replyWithOwn(evaluated)
    const claim = newClaim(evaluated, requestedClaim(input, false))
    const reply = await whileStarting(jobId, wallet, () => key.run(() => run(claim, outage)))
    if (reply.status === 200) await key.attachSession(reply.body.sessionId)
    return reply
  }

  return (input) => engine.watchOutages((outage) => claimJob(input, outage))
}
