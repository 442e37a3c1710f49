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

/** A pending claim is recorded or refused this long after its request's own wait, unless its process has gone. */
const BEYOND_WAIT_MS = 5_000
/** Maximum concurrent record reads for claims of one job. Chain reads are not limited. */
const CONCURRENT_READS = 8

/** Refusals that depend on the last reading of the reward bank, which may be old. */
const REWARD_BANK_REFUSALS: ReadonlySet<string> = new Set(['reward_funding_unverified', 'reward_funding_pending'])

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

/** `POST /jobs/claim`: refuses claims that cannot succeed before they reach the job's workflow; the workflow decides the rest. */
export const createClaimJob = (deps: ApiDeps): Handler<typeof claimOperation> => {
  const { database, evaluations, engine, clock, baseUrl, settings } = deps
  const freshIntentMs = settings.CHAIN_WAIT_SECONDS * 1_000 + BEYOND_WAIT_MS
  const keys = createClaimKeys({ database, engine, clock, pendingMs: freshIntentMs })
  const limitReads = createKeyedLimiter(CONCURRENT_READS)
  /** Job → wallet of the claim that this process is passing to the engine. */
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

  /** What holds the job by the records: a pending claim, else the latest session. */
  const findHolder = async (jobId: string): Promise<'pending' | SessionRecord | null> => {
    if ((await openIntentOfJob(database.rows, jobId)) !== null) return 'pending'
    return (await latestSessions(database.rows, [jobId])).get(jobId) ?? null
  }

  /** Asks the run of a lapsed session to end. False when that takes longer, or another run has the job by now. */
  const endLapsed = async ({ sessionId, jobId }: SessionRecord): Promise<boolean> => {
    const runId = await runOfSession(database.rows, sessionId)
    return runId !== null && engine.endLapsedRun(jobId, runId)
  }

  /** Another claim's run holds the job: ends it once if it has lapsed, else throws the refusal. */
  const endLapsedHolder = async (claim: NewClaim, again: boolean): Promise<void> => {
    const holder = await findHolder(claim.jobId)
    if (holder === null || holder === 'pending') throw inProgress(claim.jobId)
    if (isLapsedSession(holder, clock.now()) || holder.status === 'expired') {
      if (again && (await endLapsed(holder))) return
      throw inProgress(claim.jobId)
    }
    throw isTerminal(holder.status) ? inProgress(claim.jobId) : claimedBy(holder)
  }

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
  const assertCanWin = async ({ job, evaluation }: RecordedJob): Promise<void> => {
    const [first] = evaluation.blockers
    if (first?.gate === 'chain_state' && first.details.chainState === 'claimed') {
      const holder = await findHolder(job.id)
      if (holder === 'pending') throw inProgress(job.id)
      if (holder !== null && isLiveSession(holder, clock.now())) throw claimedBy(holder)
    }
    assertClaimable(evaluation)
  }

  const findPendingReply = async ({ jobId, wallet }: Pick<NewClaim, 'jobId' | 'wallet'>): Promise<ClaimReply | null> => {
    const intent = await openIntentOfJob(database.rows, jobId)
    const pending = intent === null || intent.wallet !== wallet ? null : await pendingClaim(database.rows, intent.sessionId)
    return pending === null ? null : { status: 202, body: pendingAnswer(pending) }
  }

  /** The answer by the records: the wallet's pending claim, or its session. */
  const findReply = async (claim: Pick<NewClaim, 'jobId' | 'wallet'>): Promise<ClaimReply | null> => {
    const pending = await findPendingReply(claim)
    if (pending !== null) return pending
    const session = await liveSession(claim.wallet, claim.jobId)
    return session === null ? null : served(session, false)
  }

  /** The engine has the claim; there is no record of it until a worker has admitted it. */
  const acceptedReply = async (claim: Pick<NewClaim, 'jobId' | 'wallet'>): Promise<ClaimReply> =>
    (await findReply(claim)) ?? { status: 202, body: pendingAnswer(await queuedClaim(deps, claim)) }

  /** The claim ended and its refusal went to another request: answers by the records, or 409 `claim_in_progress`. */
  const recordedReply = async (claim: NewClaim): Promise<ClaimReply> => {
    const reply = await findReply(claim)
    if (reply === null) throw inProgress(claim.jobId)
    return reply
  }

  const run = async (claim: NewClaim, gone: AbortSignal, again = true): Promise<ClaimReply> => {
    gone.throwIfAborted()
    const answer = await engine.claim(claim, gone)
    if (answer.kind === 'pending') return acceptedReply(claim)
    if (answer.kind === 'over') return recordedReply(claim)
    if (answer.kind === 'taken') {
      await endLapsedHolder(claim, again)
      return run(claim, gone, false)
    }
    const session = await findSession(database.rows, answer.value.sessionId)
    if (session === null) throw new Error(`session ${answer.value.sessionId} was recorded and is gone`)
    // The wallet's own earlier claim has lapsed and its run has not ended yet.
    if (again && isLapsedSession(session, clock.now())) {
      if (await endLapsed(session)) return run(claim, gone, false)
      throw inProgress(claim.jobId)
    }
    return served(session, false)
  }

  /** Evaluates by the records alone, and refuses what they exclude; or the session this wallet already has. */
  const evaluateRecords = async (jobId: string, wallet: string): Promise<RecordedJob | SessionRecord> => {
    assertNotStarting(jobId, wallet)
    const recorded = await evaluations.evaluateRecords(jobId, wallet)
    // A duplicate was recorded between the two reads: its session is the answer.
    const duplicate = recorded.latest?.wallet === wallet ? await liveSession(wallet, jobId) : null
    if (duplicate !== null) return duplicate
    const refused = certainRefusal(recorded.evaluation)
    if (refused !== null) throw refusalOf(refused)
    await assertNoPendingClaim(jobId, wallet)
    return recorded
  }

  /** Evaluates with every fact, the chain's included. */
  const evaluateFully = async (recorded: RecordedJob, wallet: string): Promise<EvaluatedJob> => {
    assertNotStarting(recorded.job.id, wallet)
    const evaluated = await evaluations.addChainFacts(recorded, wallet)
    assertNotStarting(recorded.job.id, wallet)
    await assertCanWin(evaluated)
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

  const claimJob = async ({ body: { jobId }, caller: { wallet }, request }: ClaimRequest, gone: AbortSignal): Promise<ClaimReply> => {
    const underKey = await keys.sessionOf(wallet, jobId, request)
    const replyWithOwn = async (session: SessionRecord): Promise<ClaimReply> => {
      await keys.attachSession(session, request)
      return served(session, true)
    }
    const own = await liveSession(wallet, jobId)
    if (own !== null) return replyWithOwn(own)
    if (underKey !== null) await keys.assertUnspent(jobId, underKey)
    const found = await limitReads(jobId, () => evaluateRecords(jobId, wallet)).catch(async (refusal: unknown) => {
      // Without a worker the reward bank is not read; a claim that the engine already has is not refused for that.
      if (!isServiceError(refusal) || !REWARD_BANK_REFUSALS.has(refusal.code) || (await engine.claimant(jobId)) !== wallet) throw refusal
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
    const evaluated = await evaluateFully(found, wallet).catch(orOwnClaim)
    if ('body' in evaluated) return evaluated
    if ('sessionId' in evaluated) return replyWithOwn(evaluated)
    const claim = newClaim(evaluated, wallet, { key: request.idempotencyKey, requestId: request.id, protocol: request.protocol })
    const reply = await whileStarting(jobId, wallet, () => keys.runUnderKey(claim, request, () => run(claim, gone)))
    if (reply.status === 200) await keys.attachSession(reply.body, request)
    return reply
  }

  return (input) => engine.watchOutages((gone) => claimJob(input, gone))
}
