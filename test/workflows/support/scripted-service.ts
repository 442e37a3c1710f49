import { type ClaimParts, createClaimJob } from '../../../activities/claims/claim-job.ts'
import { acceptanceTime, submissionRefusal } from '../../../domain/claims/submission-refusal.ts'
import { REVIEW_SLA_SECONDS } from '../../../domain/common/constants.ts'
import { iso, isPast, plusSeconds } from '../../../domain/common/instants.ts'
import { isTerminal } from '../../../domain/sessions/state-machine.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import type { IngestProgress } from '../../../schemas/ingestion/process.ts'
import type { LockProgress } from '../../../schemas/locked-deposits/process.ts'
import type { SessionStatus, SessionSubmission } from '../../../schemas/sessions/record.ts'
import type { VerdictToSettle } from '../../../schemas/verification/process.ts'
import { aSession } from '../../domain/builders/session.ts'
import type { Activities } from './activities.ts'
import { createScriptedDispute } from './scripted-dispute.ts'

/** The activities; a claim in its three parts. */
export type Steps = Omit<Activities, 'claimJob'> & ClaimParts
export type Step = keyof Steps

export interface Call {
  step: Step
  /** Service clock, epoch ms. */
  at: number
  input: Record<string, unknown>
}

interface Session {
  status: SessionStatus
  claimExpiresAt: number
  submission: SessionSubmission | null
  evidenceHash: string | null
  submittedAt: number | null
}

const CLAIMS_AT_ONCE = 20

export const TTL_SECONDS = 3_600

const wholeSecond = (epochMs: number): number => Math.floor(epochMs / 1000) * 1000
const HASH = `0x${'a'.repeat(64)}`

const NOT_READ: IngestProgress = { pages: 0, candidates: 0, taken: 0, requestsUsed: 0, isOver: false, isBusy: false, stopped: null }

const RELEASED_LOCK: LockProgress = {
  status: 'released',
  until: '2026-01-01T00:00:00.000Z',
  amount: '0 USDC',
  wallet: '0x',
  tier: 't30',
  releaseReason: 'term_completed',
}

/** Replaces database and chain: every step succeeds unless the script says otherwise, and every call is recorded. */
export const createScriptedService = (now: () => number, siblings: Pick<Activities, 'startDispute' | 'announceEnd'>) => {
  let script: Partial<Steps> = {}
  let calls: Call[] = []
  let inHand = 0
  const sessions = new Map<string, Session>()
  const verdicts = new Map<string, VerdictToSettle & { sessionId: string }>()

  const sessionOf = (sessionId: string): Session => {
    const session = sessions.get(sessionId)
    if (session === undefined) throw new Error(`no session ${sessionId}`)
    return session
  }

  const decide = (sessionId: string, outcome: VerdictToSettle['outcome'], reasonCode: string = outcome.toUpperCase()): string => {
    const verdictId = `verdict-${verdicts.size + 1}`
    verdicts.set(verdictId, { sessionId, verdictId, outcome, reasonCode })
    return verdictId
  }

  const disputes = createScriptedDispute({
    now,
    statusOf: (sessionId) => sessionOf(sessionId).status,
    setStatus: (sessionId, status) => sessions.set(sessionId, { ...sessionOf(sessionId), status }),
    verdictOf: (verdictId) => verdicts.get(verdictId),
  })

  const usual: Steps = {
    ...disputes.records,
    ...disputes.chain,
    ...siblings,
    advanceWatch: async () => ({ kind: 'unknown' }),
    settleCrossChainRequest: async () => ({ kind: 'settled', status: 'succeeded' }),
    recordObservation: async () => ({ recorded: true }),
    parkCrossChainRequest: async () => undefined,
    closeLogDay: async () => ({ day: iso(now() - 86_400_000).slice(0, 10), entryCount: 0, nextAt: iso(now() + 86_400_000) }),
    millisecondsUntil: async (instant) => Math.max(0, Date.parse(instant) - now()),
    admitClaim: async ({ runId, jobId, wallet, adopted }) => ({
      runId,
      jobId,
      wallet,
      sessionId: `${jobId}:${wallet}`,
      chainJobId: HASH,
      adopted,
      title: 'Retry policy for a client',
      verifierMode: 'benchmark',
    }),
    lockBond: async () => {
      const claimedAt = wholeSecond(now())
      return {
        txHash: HASH,
        blockNumber: '7',
        claimedAt: iso(claimedAt),
        claimExpiresAt: iso(plusSeconds(claimedAt, TTL_SECONDS)),
        stakeRaw: '200000',
        feeRaw: '50000',
        waived: false,
        claimNumber: 1,
        brokered: true,
        poster: `0x${'b'.repeat(40)}`,
      }
    },
    recordClaim: async ({ admitted, bond }) => {
      const claimExpiresAt = Date.parse(bond.claimExpiresAt)
      const { sessionId } = admitted
      sessions.set(sessionId, { status: 'claimed', claimExpiresAt, submission: null, evidenceHash: null, submittedAt: null })
      return {
        sessionId,
        claimedAt: bond.claimedAt,
        claimExpiresAt: bond.claimExpiresAt,
        lapsesInMs: Math.max(0, claimExpiresAt + 1_000 - now()),
      }
    },
    releaseClaim: async () => undefined,
    resumeClaim: async ({ sessionId }) => ({ kind: 'ended', outcome: { sessionId, status: sessionOf(sessionId).status } }),
    admitSubmission: async ({ sessionId, submission, acceptedAt }) => {
      const session = sessionOf(sessionId)
      const evidenceHash = JSON.stringify(submission)
      const record = aSession({ sessionId, ...session })
      const refusal = submissionRefusal(record, evidenceHash, acceptanceTime(acceptedAt, now()))
      if (refusal !== null) throw refusal
      if (session.status !== 'claimed') return { alreadySubmitted: true, status: session.status }
      sessions.set(sessionId, { ...session, submission: { kind: 'text', rawText: evidenceHash, evidenceText: evidenceHash }, evidenceHash })
      return { alreadySubmitted: false, status: 'claimed' }
    },
    submitOnChain: async ({ sessionId }) => {
      const at = now()
      if (isPast(sessionOf(sessionId).claimExpiresAt, at)) throw new ServiceError('claim_expired', { details: { sessionId } })
      return { txHash: HASH, submittedAt: iso(wholeSecond(at)) }
    },
    recordSubmission: async ({ sessionId, submittedAt }) => {
      const at = Date.parse(submittedAt)
      sessions.set(sessionId, { ...sessionOf(sessionId), status: 'submitted', submittedAt: at })
      return { sessionId, status: 'submitted', reviewEndsAt: iso(plusSeconds(at, REVIEW_SLA_SECONDS)) }
    },
    dropSubmission: async ({ sessionId }) => {
      sessions.set(sessionId, { ...sessionOf(sessionId), submission: null, evidenceHash: null })
    },
    recordLateSubmission: async ({ sessionId }) => {
      sessions.set(sessionId, { ...sessionOf(sessionId), status: 'chain_state_diverged' })
      return { sessionId, status: 'chain_state_diverged' }
    },
    timeoutClaim: async () => ({ result: 'expired', observedState: 'open', observedWorker: null, blockNumber: '9', txHash: HASH }),
    bringSubmissionHome: async () => ({ kind: 'awaited' }),
    recordExpiry: async ({ sessionId }) => {
      const { status } = sessionOf(sessionId)
      if (isTerminal(status)) return { sessionId, status }
      sessions.set(sessionId, { ...sessionOf(sessionId), status: 'expired' })
      return { sessionId, status: 'expired' }
    },
    startVerifier: async () => undefined,
    observeVerdict: async () => null,
    readVerdict: async ({ sessionId, verdictId }) => {
      const verdict = verdicts.get(verdictId)
      if (verdict === undefined || verdict.sessionId !== sessionId) return null
      return { verdictId, outcome: verdict.outcome, reasonCode: verdict.reasonCode }
    },
    settleApproval: async ({ sessionId }) => {
      sessions.set(sessionId, { ...sessionOf(sessionId), status: 'resolved' })
      return { status: 'resolved' }
    },
    loadSubject: async ({ sessionId }) => ({
      sessionId,
      jobId: 'job-1',
      wallet: `0x${'c'.repeat(40)}`,
      chainJobId: HASH,
      verifierMode: 'benchmark',
      title: 'Retry policy for a client',
      slaDeadline: iso(plusSeconds(sessions.get(sessionId)?.submittedAt ?? now(), REVIEW_SLA_SECONDS)),
    }),
    evaluateSubmission: async ({ sessionId }) => {
      const verdictId = decide(sessionId, 'approved', 'BENCHMARK_THRESHOLD_MET')
      return { kind: 'verdict', verdictId, outcome: 'approved', reasonCode: 'BENCHMARK_THRESHOLD_MET' }
    },
    readPullRequest: async ({ sessionId }) => {
      const verdictId = decide(sessionId, 'approved', 'CODEHOST_PR_EVIDENCE_ACCEPTED')
      return { kind: 'verdict', verdictId, outcome: 'approved', reasonCode: 'CODEHOST_PR_EVIDENCE_ACCEPTED' }
    },
    recordReviewRequired: async ({ sessionId }) => ({ verdictId: decide(sessionId, 'disputed', 'HUMAN_REVIEW_REQUIRED') }),
    announceVerdict: async () => undefined,
    reserveGasGrant: async () => ({ kind: 'reserved' }),
    sendGasGrant: async () => ({ txHash: HASH }),
    publishContent: async () => undefined,
    discloseContent: async () => ({ details: `Published. Event: ${HASH}.` }),
    recordIdleConsent: async () => undefined,
    revokeIdleConsent: async () => undefined,
    readIdleConsent: async () => ({ expiresAt: null, details: 'Consent: missing.' }),
    moveIdleBalance: async () => ({ againAt: null }),
    deliverEvents: async () => ({ state: 'waiting', dueAt: null, details: 'Every event is delivered.' }),
    deliverTestEvent: async () => ({ number: 1 }),
    openLock: async () => undefined,
    exitUncoveredLock: async () => undefined,
    exitLock: async () => undefined,
    advanceLock: async () => ({ ...RELEASED_LOCK }),
    advanceVesting: async () => ({ kind: 'vesting', waiting: 0, principal: '0 USDC', vested: '0 USDC', next: null }),
    reconcilePosting: async () => ({
      status: 'cancelled',
      until: null,
      details: 'The poster took the money back.',
      unrecordedClaim: null,
      unlistedClaim: null,
      isOver: true,
    }),
    readDelivery: async () => ({ state: 'merged', nextReadAt: null, details: 'The pull request was merged.', isOver: true }),
    executeRun: async () => ({ state: 'executed', nextAt: null, details: 'It has run. Its payment is next.', isOver: false }),
    billRun: async () => ({ state: 'captured', nextAt: null, details: 'Paid by transaction 0x1.', isOver: true }),
    runProfile: async () => ({ kind: 'executed', result: { verdict: 'approved', reason: null, checks: [], artefacts: [], evidence: {} } }),
    bringClaimHome: async () => true,
    freeEscrow: async () => null,
    beginIngestion: async () => NOT_READ,
    ingestPage: async ({ page }) => ({ ...NOT_READ, pages: page + 1, candidates: 3, taken: 3, requestsUsed: 1, isOver: true }),
    endIngestion: async ({ runId }) => ({ runId, status: 'done', fault: null, details: 'All candidates were read.' }),
    advanceTemplate: async () => ({ state: 'ended', until: null, runs: 0, details: 'Ended. 0 jobs listed.' }),
    sweepStaleJobs: async () => ({ status: 'off' }),
    sweepDefinitions: async () => ({
      ...{ kind: 'integrity', total: 2, matching: 2, drifted: 0, markedUnclaimable: 0, guardTriggered: false, action: 'none' },
      ...{ driftedJobs: [], errors: [] },
    }),
    runAudit: async () => ({ block: '7', results: [] }),
    followChain: async () => ({ cursor: '7', head: '7', lagSeconds: 0, trouble: null }),
  }

  const kept = (step: Step) => async (input: Record<string, unknown>) => {
    calls.push({ step, at: now(), input })
    inHand += 1
    try {
      const play = (script[step] ?? usual[step]) as (input: unknown) => Promise<unknown>
      return await play(input)
    } finally {
      inHand -= 1
    }
  }

  const steps = Object.fromEntries((Object.keys(usual) as Step[]).map((step) => [step, kept(step)])) as unknown as Steps
  const { admitClaim, lockBond, recordClaim, ...others } = steps

  return {
    activities: { ...others, ...createClaimJob({ admitClaim, lockBond, recordClaim }, CLAIMS_AT_ONCE) },
    usual,
    disputes,
    sessionOf,
    /** Stores a verdict to announce to a claim; returns its id. */
    decide,
    /** Forgets what was called, and plays these steps from now on. */
    play: (next: Partial<Steps>): void => {
      script = next
      calls = []
    },
    /** Changes single steps, the rest stays as it is. */
    replay: (changes: Partial<Steps>): void => {
      script = { ...script, ...changes }
    },
    /** Number of calls that have begun and not ended. */
    callsInHand: (): number => inHand,
    steps: (): Step[] => calls.map(({ step }) => step),
    callsOf: (step: Step): Call[] => calls.filter((call) => call.step === step),
  }
}
