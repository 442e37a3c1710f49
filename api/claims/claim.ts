import { openIntentOfJob, pendingClaim } from '../../activities/claims/intents.ts'
import type { EvaluatedJob, RecordedJob } from '../../activities/eligibility/evaluate.ts'
import { findSession, latestSessions, runOfSession, sessionsOfWalletOnJob } from '../../activities/sessions/records.ts'
import { admissionEvidence } from '../../domain/claims/admission-evidence.ts'
import { knownValue } from '../../domain/common/fact.ts'
import { assertClaimable, certainRefusal, refusalOf } from '../../domain/eligibility/evaluate.ts'
import { isLapsedSession, isLiveSession, isTerminal } from '../../domain/sessions/state-machine.ts'
import type { claimJob as claimOperation } from '../../schemas/claims/operations.ts'
import { isServiceError, ServiceError } from '../../schemas/errors.ts'
import type { Answer, Handler, Input } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ApiDeps } from '../deps.ts'
import { REPLAYED } from '../http/idempotency.ts'
import { pendingAnswer, sessionAnswer } from '../sessions/answers.ts'
import { queuedClaim } from '../sessions/pending.ts'
import type { NewClaim } from '../temporal/engine.ts'
import { createKeyedLimiter } from './concurrency.ts'
import { createClaimKeys } from './idempotency.ts'

type ClaimRequest = Input<typeof claimOperation>
type ClaimReply = Answer<typeof claimOperation>

/** A claim under way is recorded or refused this much after the wait of its own request, unless its process is gone. */
const BEYOND_WAIT_MS = 5_000
/** Claims of one job whose records are read at a time; the others wait some milliseconds, most of them for a refusal. The chain is read outside. */
const READ_AT_ONCE = 8

/** Refusals by the reading of the reward bank, which grows old when nobody reads. */
const OF_THE_BANK: ReadonlySet<string> = new Set(['reward_funding_unverified', 'reward_funding_pending'])

const claimedBy = (session: SessionRecord): ServiceError =>
  new ServiceError('job_already_claimed', {
    details: {
      sessionId: session.sessionId,
      jobId: session.jobId,
      claimedBy: session.wallet,
      claimedAt: new Date(session.timestamps.claimedAt).toISOString(),
      claimExpiresAt: new Date(session.claimExpiresAt).toISOString(),
      claimTtlSeconds: session.claimTtlSeconds,
    },
    nextActions: [{ kind: 'http', method: 'GET', path: '/jobs/recommendations', description: 'Choose another job.' }],
  })

const inProgress = (jobId: string): ServiceError => new ServiceError('claim_in_progress', { details: { jobId }, retryAfterSeconds: 1 })

/** `POST /jobs/claim`: what cannot win is refused here, before it touches the job's mutex; the rest is the claim's own process. */
export const createClaimJob = (deps: ApiDeps): Handler<typeof claimOperation> => {
  const { database, evaluations, engine, clock, baseUrl, settings } = deps
  const freshIntentMs = settings.CHAIN_WAIT_SECONDS * 1_000 + BEYOND_WAIT_MS
  const keys = createClaimKeys({ database, engine, clock, heldMs: freshIntentMs })
  const lane = createKeyedLimiter(READ_AT_ONCE)
  /** Jobs whose claim this process is handing to the engine, and whose it is. */
  const starting = new Map<string, string>()

  const served = (session: SessionRecord, replayed: boolean): ClaimReply => ({
    status: 200,
    body: sessionAnswer(session, clock.now(), baseUrl),
    ...(replayed && { headers: REPLAYED }),
  })

  const liveSession = async (wallet: string, jobId: string): Promise<SessionRecord | null> => {
    const own = await sessionsOfWalletOnJob(database.rows, wallet, jobId)
    return own.find((session) => isLiveSession(session, clock.now())) ?? null
  }

  const newClaim = (
    { job, evaluation, chainFacts }: EvaluatedJob,
    wallet: string,
    input: { key: string | null; requestId: string; protocol: 'http' | 'mcp' },
  ): NewClaim => {
    const economics = knownValue(evaluation.assessment.facts.economics)
    if (economics === undefined) throw new ServiceError('claim_economics_unavailable', { details: { jobId: job.id } })
    return {
      jobId: job.id,
      wallet,
      idempotencyKey: input.key ?? `${wallet}:${job.id}`,
      explicitKey: input.key !== null,
      requestId: input.requestId,
      protocol: input.protocol,
      economics: {
        waived: economics.waived,
        claimNumber: economics.claimNumber,
        waiverClaimsPerWallet: economics.waiverClaimsPerWallet,
        stakeRaw: economics.stakeRaw.toString(),
        stakeBps: economics.stakeBps,
        feeRaw: economics.feeRaw.toString(),
        feeBps: economics.feeBps,
        retainedRaw: economics.gasRetainedRaw.toString(),
        unwaivedStakeRaw: economics.unwaivedStakeRaw.toString(),
        gasRetentionSupported: economics.gasRetentionSupported,
        claimFeeRetainedOnSuccess: economics.claimFeeRetainedOnSuccess,
        source: economics.source,
      },
      admission: { ...admissionEvidence(evaluation) },
      specSource: chainFacts === null ? 'chain_unavailable_fail_open' : 'chain_verified',
      title: job.definition.title,
      chainJobId: job.chainJobId,
      verifierMode: job.definition.verifierMode,
    }
  }

  /** Whose claim holds the job, by the records: one that is under way first, else the latest session. */
  const holderOf = async (jobId: string): Promise<'under way' | SessionRecord | null> => {
    if ((await openIntentOfJob(database.rows, jobId)) !== null) return 'under way'
    return (await latestSessions(database.rows, [jobId])).get(jobId) ?? null
  }

  /** Asks the run of a lapsed session to end. True when it has; false when it takes longer, or another run has the job by now. */
  const endLapsed = async ({ sessionId, jobId }: SessionRecord): Promise<boolean> => {
    const runId = await runOfSession(database.rows, sessionId)
    return runId !== null && engine.endLapsedRun(jobId, runId)
  }

  /** The run of another claim holds the job: its record says whose it is. A lapsed one is asked to end, once. */
  const endHolder = async (claim: NewClaim, again: boolean): Promise<void> => {
    const holder = await holderOf(claim.jobId)
    if (holder === null || holder === 'under way') throw inProgress(claim.jobId)
    if (isLapsedSession(holder, clock.now()) || holder.status === 'expired') {
      if (again && (await endLapsed(holder))) return
      throw inProgress(claim.jobId)
    }
    throw isTerminal(holder.status) ? inProgress(claim.jobId) : claimedBy(holder)
  }

  /** A claim of somebody else that passed every gate is on its way to the engine in this very process. */
  const assertNotStarting = (jobId: string, wallet: string): void => {
    const by = starting.get(jobId)
    if (by !== undefined && by !== wallet) throw inProgress(jobId)
  }

  /**
   * Somebody else's claim is being locked on chain right now: no use in asking chain and engine. An intent that is older may be
   * left over from a run that an operator ended; then the engine says whether anybody holds the job.
   */
  const assertNotUnderWay = async (jobId: string, wallet: string): Promise<void> => {
    const intent = await openIntentOfJob(database.rows, jobId)
    if (intent !== null && intent.wallet !== wallet && clock.now() - intent.createdAt < freshIntentMs) throw inProgress(jobId)
  }

  /** Refuses what cannot win. A claim of ours that the chain knew before the records did is named as what it is. */
  const assertCanWin = async ({ job, evaluation }: RecordedJob): Promise<void> => {
    const [first] = evaluation.blockers
    if (first?.gate === 'chain_state' && first.details.chainState === 'claimed') {
      const holder = await holderOf(job.id)
      if (holder === 'under way') throw inProgress(job.id)
      if (holder !== null && isLiveSession(holder, clock.now())) throw claimedBy(holder)
    }
    assertClaimable(evaluation)
  }

  const convergingOf = async ({ jobId, wallet }: Pick<NewClaim, 'jobId' | 'wallet'>): Promise<ClaimReply | null> => {
    const intent = await openIntentOfJob(database.rows, jobId)
    const pending = intent === null || intent.wallet !== wallet ? null : await pendingClaim(database.rows, intent.sessionId)
    return pending === null ? null : { status: 202, body: pendingAnswer(pending) }
  }

  /** What the records have of a claim of this wallet: still converging, or its session. */
  const recordOf = async (claim: Pick<NewClaim, 'jobId' | 'wallet'>): Promise<ClaimReply | null> => {
    const converging = await convergingOf(claim)
    if (converging !== null) return converging
    const session = await liveSession(claim.wallet, claim.jobId)
    return session === null ? null : served(session, false)
  }

  /** The engine holds the claim; before a worker has admitted it there is no record that could be shown. */
  const acceptedReply = async (claim: Pick<NewClaim, 'jobId' | 'wallet'>): Promise<ClaimReply> =>
    (await recordOf(claim)) ?? { status: 202, body: pendingAnswer(await queuedClaim(deps, claim)) }

  /** Gone from the queue of intents before its session shows: the claim's own refusal reached somebody else; say where to look. */
  const recordedReply = async (claim: NewClaim): Promise<ClaimReply> => {
    const reply = await recordOf(claim)
    if (reply === null) throw inProgress(claim.jobId)
    return reply
  }

  const run = async (claim: NewClaim, gone: AbortSignal, again = true): Promise<ClaimReply> => {
    gone.throwIfAborted()
    const answer = await engine.claim(claim, gone)
    if (answer.kind === 'pending') return acceptedReply(claim)
    if (answer.kind === 'over') return recordedReply(claim)
    if (answer.kind === 'taken') {
      await endHolder(claim, again)
      return run(claim, gone, false)
    }
    const session = await findSession(database.rows, answer.value.sessionId)
    if (session === null) throw new Error(`session ${answer.value.sessionId} was recorded and is gone`)
    // A run of this wallet that is already over its claim's time stands between two attempts.
    if (again && isLapsedSession(session, clock.now())) {
      if (await endLapsed(session)) return run(claim, gone, false)
      throw inProgress(claim.jobId)
    }
    return served(session, false)
  }

  /** What the job's own records leave to be judged, or the session this wallet has already; they refuse what they can. */
  const recordedFor = async (jobId: string, wallet: string): Promise<RecordedJob | SessionRecord> => {
    assertNotStarting(jobId, wallet)
    const recorded = await evaluations.ofJob(jobId, wallet)
    // A twin was recorded between the two reads: its session is the answer, not a refusal.
    const twin = recorded.latest?.wallet === wallet ? await liveSession(wallet, jobId) : null
    if (twin !== null) return twin
    const refused = certainRefusal(recorded.evaluation)
    if (refused !== null) throw refusalOf(refused)
    await assertNotUnderWay(jobId, wallet)
    return recorded
  }

  /** Every fact of a wallet that the records let pass. */
  const evaluatedFor = async (recorded: RecordedJob, wallet: string): Promise<EvaluatedJob> => {
    assertNotStarting(recorded.job.id, wallet)
    const evaluated = await evaluations.completed(recorded, wallet)
    assertNotStarting(recorded.job.id, wallet)
    await assertCanWin(evaluated)
    return evaluated
  }

  /** Marks the job as being claimed by the wallet while `work` hands the claim to the engine. */
  const whileStarting = async <T>(jobId: string, wallet: string, work: () => Promise<T>): Promise<T> => {
    const first = !starting.has(jobId)
    if (first) starting.set(jobId, wallet)
    try {
      return await work()
    } finally {
      if (first) starting.delete(jobId)
    }
  }

  const claimJob = async ({ body: { jobId }, caller: { wallet }, request }: ClaimRequest, gone: AbortSignal): Promise<ClaimReply> => {
    const underKey = await keys.sessionOf(wallet, jobId, request)
    const foundOwn = async (session: SessionRecord): Promise<ClaimReply> => {
      await keys.keep(session, request)
      return served(session, true)
    }
    const own = await liveSession(wallet, jobId)
    if (own !== null) return foundOwn(own)
    if (underKey !== null) await keys.assertUnspent(jobId, underKey)
    const found = await lane(jobId, () => recordedFor(jobId, wallet)).catch(async (refusal: unknown) => {
      // No worker, no fresh reading of the bank: of a claim that the engine holds already it is not asked again.
      if (!isServiceError(refusal) || !OF_THE_BANK.has(refusal.code) || (await engine.claimant(jobId)) !== wallet) throw refusal
      return acceptedReply({ jobId, wallet })
    })
    if ('body' in found) return found
    if ('sessionId' in found) return foundOwn(found)
    /** A claim of one's own that went on while it was judged is no reason to refuse it: its bond is locked, its waiver is spent. */
    const orOwn = async (refusal: unknown): Promise<SessionRecord | ClaimReply> => {
      const own = isServiceError(refusal) ? ((await convergingOf({ jobId, wallet })) ?? (await liveSession(wallet, jobId))) : null
      if (own === null) throw refusal
      return own
    }
    const judged = await evaluatedFor(found, wallet).catch(orOwn)
    if ('body' in judged) return judged
    if ('sessionId' in judged) return foundOwn(judged)
    const claim = newClaim(judged, wallet, { key: request.idempotencyKey, requestId: request.id, protocol: request.protocol })
    const reply = await whileStarting(jobId, wallet, () => keys.during(claim, request, () => run(claim, gone)))
    if (reply.status === 200) await keys.keep(reply.body, request)
    return reply
  }

  return (input) => engine.watched((gone) => claimJob(input, gone))
}
