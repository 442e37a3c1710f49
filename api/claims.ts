import type { EvaluatedJob } from '../activities/eligibility/evaluate.ts'
import { attemptsOf } from '../activities/records/catalogue.ts'
import { findIntentByKey, openIntentOfJob, pendingClaim } from '../activities/records/intents.ts'
import { findSession, latestSessions, sessionsOfWalletOnJob } from '../activities/records/sessions.ts'
import { admissionEvidence } from '../domain/admission-evidence.ts'
import { remainingAttempts } from '../domain/claim-state.ts'
import { knownValue } from '../domain/eligibility/fact.ts'
import { assertClaimable } from '../domain/eligibility.ts'
import { isLapsed, isTerminal } from '../domain/session-graph.ts'
import { ServiceError } from '../schemas/errors.ts'
import type { claimJob } from '../schemas/operations/jobs.ts'
import type { Answer, Handler } from '../schemas/operations/operation.ts'
import type { SessionRecord } from '../schemas/session-record.ts'
import type { WorkDeps } from './deps-work.ts'
import { pendingAnswer, sessionAnswer } from './session-answers.ts'
import type { NewClaim } from './temporal.ts'

type ClaimReply = Answer<typeof claimJob>

const REPLAYED = { 'Idempotent-Replayed': 'true' }

const isLive = (session: SessionRecord, now: number): boolean =>
  !isTerminal(session.status) &&
  !isLapsed({ status: session.status, submissionAccepted: session.submission !== null, claimExpiresAt: session.claimExpiresAt }, now)

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
export const createClaimHandler = (deps: WorkDeps): Handler<typeof claimJob> => {
  const { database, evaluations, engine, clock, baseUrl } = deps

  const served = (session: SessionRecord, replayed: boolean): ClaimReply => ({
    status: 200,
    body: sessionAnswer(session, clock.now(), baseUrl),
    ...(replayed && { headers: REPLAYED }),
  })

  /** A key stands for one job of one wallet; once its session ended, an explicitly sent key is spent. */
  const assertKey = async (wallet: string, jobId: string, key: string | null): Promise<void> => {
    if (key === null) return
    const intent = await findIntentByKey(database.rows, wallet, key)
    if (intent === null) return
    if (intent.jobId !== jobId)
      throw new ServiceError('idempotency_key_reused', { details: { operation: 'jobs_claim', jobId: intent.jobId } })
    const session = await findSession(database.rows, intent.sessionId)
    if (session === null || isLive(session, clock.now())) return
    const attempts = (await attemptsOf(database.rows, [jobId])).get(jobId) ?? 0
    const remaining = remainingAttempts(Number(session.jobSnapshot.specDefinition.retryLimit), attempts)
    throw new ServiceError('idempotency_key_already_used', {
      details: { sessionId: session.sessionId, jobId, status: session.status, remainingClaimAttempts: remaining },
      nextActions: [
        { kind: 'http', method: 'POST', path: '/jobs/claim', description: 'Claim again with a fresh key, if attempts remain.' },
      ],
    })
  }

  const liveSession = async (wallet: string, jobId: string): Promise<SessionRecord | null> => {
    const own = await sessionsOfWalletOnJob(database.rows, wallet, jobId)
    return own.find((session) => isLive(session, clock.now())) ?? null
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

  /** The run of another claim holds the job: its record says whose it is. A lapsed one is asked to end, once. */
  const taken = async (claim: NewClaim): Promise<'retry'> => {
    const latest = (await latestSessions(database.rows, [claim.jobId])).get(claim.jobId)
    const intent = await openIntentOfJob(database.rows, claim.jobId)
    if (intent !== null || latest === undefined) throw inProgress(claim.jobId)
    const now = clock.now()
    const lapsed = isLapsed(
      { status: latest.status, submissionAccepted: latest.submission !== null, claimExpiresAt: latest.claimExpiresAt },
      now,
    )
    if (lapsed || latest.status === 'expired') {
      if (await engine.endLapsedRun(claim.jobId)) return 'retry'
      throw inProgress(claim.jobId)
    }
    throw isTerminal(latest.status) ? inProgress(claim.jobId) : claimedBy(latest)
  }

  /** Gone from the queue of intents before its session shows: the claim's own refusal reached somebody else; say where to look. */
  const pendingOf = async (claim: NewClaim): Promise<ClaimReply> => {
    const intent = await openIntentOfJob(database.rows, claim.jobId)
    const pending = intent === null || intent.wallet !== claim.wallet ? null : await pendingClaim(database.rows, intent.sessionId)
    if (pending !== null) return { status: 202, body: pendingAnswer(pending) }
    const session = await liveSession(claim.wallet, claim.jobId)
    if (session !== null) return served(session, false)
    throw inProgress(claim.jobId)
  }

  const run = async (claim: NewClaim, again: boolean): Promise<ClaimReply> => {
    const answer = await engine.claim(claim)
    if (answer.kind === 'pending') return pendingOf(claim)
    if (answer.kind === 'taken') {
      const next = await taken(claim)
      if (!again) throw inProgress(claim.jobId)
      return next === 'retry' ? run(claim, false) : pendingOf(claim)
    }
    const session = await findSession(database.rows, answer.value.sessionId)
    if (session === null) throw new Error(`session ${answer.value.sessionId} was recorded and is gone`)
    // A run of this wallet that is already over its claim's time stands between two attempts.
    if (
      again &&
      isLapsed(
        { status: session.status, submissionAccepted: session.submission !== null, claimExpiresAt: session.claimExpiresAt },
        clock.now(),
      )
    ) {
      if (await engine.endLapsedRun(claim.jobId)) return run(claim, false)
      throw inProgress(claim.jobId)
    }
    return served(session, false)
  }

  return async ({ body, caller, request }) => {
    const wallet = caller.wallet
    await assertKey(wallet, body.jobId, request.idempotencyKey)
    const own = await liveSession(wallet, body.jobId)
    if (own !== null) return served(own, true)
    const evaluated = await evaluations.one(body.jobId, wallet)
    // A twin was recorded between the two reads: its session is the answer, not a refusal.
    const twin = evaluated.latest?.wallet === wallet ? await liveSession(wallet, body.jobId) : null
    if (twin !== null) return served(twin, true)
    assertClaimable(evaluated.evaluation)
    return run(newClaim(evaluated, wallet, { key: request.idempotencyKey, requestId: request.id, protocol: request.protocol }), true)
  }
}
