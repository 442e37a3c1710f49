import { ApplicationFailure, allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow'
import {
  type ClaimedSession,
  type ClaimInput,
  type ClaimResult,
  claimedUpdate,
  claimProgress,
  type ExpiryResult,
  expiryDue,
  type ResumedClaim,
  type SessionOutcome,
  sessionFinal,
  submissionOffered,
  submitUpdate,
} from '../../schemas/claims/process.ts'
import { type ClockActivities, chainMoved } from '../../schemas/processes.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { failureCode, isRefusal, toUpdateFailure } from '../common/failures.ts'
import { clock } from '../common/proxies.ts'
import { handleVerdicts, isForSession } from '../common/signals.ts'
import { type ClaimRun, createClaimRun, sessionIdOf } from './claim-run.ts'
import { describePhase, type Phase } from './phase.ts'
import { chain, records } from './proxies.ts'
import { RECHECK_MS, recordIfChanged, recordOnChain } from './self-paid.ts'
import { landAccepted, submitWork } from './submissions.ts'

/** Without a verdict for this long the verifier is started again. */
const VERIFIER_WATCH_MS = 24 * 60 * 60 * 1000
/** The dispute process is started again and the record read at least this often. */
const DISPUTE_WATCH_MS = 24 * 60 * 60 * 1000
/** A claim without a submission publishes its deadline after this long; most claims submit sooner and save the write. */
const DEADLINE_PUBLISHED_MS = 60 * 1000

/** Owns one claim of one job, from bond to a final state. While it runs the job is taken. */
export async function claimSession(claim: ClaimInput | ResumedClaim): Promise<SessionOutcome> {
  const run = createClaimRun(claim, workflowInfo().runId)
  registerHandlers(run)
  for (;;) {
    const { phase } = run
    switch (phase.name) {
      case 'claiming':
        await ('sessionId' in claim ? resume(run, claim) : claimJob(run, claim))
        break
      case 'claimed':
        await awaitSubmission(run, phase)
        break
      case 'expiring':
        await expire(run)
        break
      case 'submitted':
        await awaitVerdict(run, phase)
        break
      case 'paying':
        await pay(run, phase)
        break
      case 'contested':
        await followDispute(run, phase)
        break
      case 'ended':
        await condition(allHandlersFinished)
        return phase.outcome
    }
  }
}

type PhaseOf<Name extends Phase['name']> = Extract<Phase, { name: Name }>

const registerHandlers = (run: ClaimRun): void => {
  const { events } = run

  setHandler(claimProgress, () => {
    const { state, deadlineAt, next } = describePhase(run.phase, run.claim.wallet, run.mutex.isLocked())
    return { state, sessionId: sessionIdOf(run), deadlineAt, next }
  })

  setHandler(claimedUpdate, async (): Promise<ClaimedSession> => {
    await condition(() => run.answer !== null)
    if (run.answer !== null && 'session' in run.answer) return run.answer.session
    throw toUpdateFailure(run.answer?.refusal)
  })

  setHandler(submitUpdate, (payload) => submitWork(run, payload))
  // A signal has no caller to answer; a repeated request reads the refusal from the record.
  setHandler(submissionOffered, async (payload) => {
    await submitWork(run, payload).catch(() => undefined)
  })

  setHandler(expiryDue, () => {
    events.expiryDue = true
  })
  setHandler(chainMoved, () => {
    events.chainChanged = true
  })
  setHandler(sessionFinal, (payload) => {
    if (isForSession(payload, sessionIdOf(run))) events.isFinal = true
  })
  handleVerdicts(
    () => sessionIdOf(run),
    (verdictId) => void events.verdictIds.push(verdictId),
  )
}

/** Admits the claim, locks the bond and records the session; a refusal releases the reservation and ends the run. */
const claimJob = async (run: ClaimRun, claim: ClaimInput): Promise<void> => {
  const input = { ...claim, runId: run.runId }
  try {
    let result: ClaimResult | null = await chain.claimJob(input)
    const session = await run.view.retryUntilAccepted(async () => {
      const latest = result ?? (await chain.claimJob(input))
      result = null
      if ('blockedBy' in latest) throw ApplicationFailure.nonRetryable('the record refused a locked bond', latest.blockedBy)
      return latest
    })
    const { sessionId, claimExpiresAt } = session
    run.answer = { session: { sessionId, claimExpiresAt } }
    run.enter({ name: 'claimed', session })
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal
    const code = failureCode(refusal)
    await records.releaseClaim({ runId: run.runId, code })
    run.answer = { refusal }
    run.enter({ name: 'ended', outcome: { sessionId: null, status: `refused:${code}` }, details: `Refused: ${code}.` })
  }
}

/** Takes over a recorded session whose process is lost, where it stands. */
const resume = async (run: ClaimRun, { sessionId }: ResumedClaim): Promise<void> => {
  const found = await run.view.retryUntilAccepted(() => records.resumeClaim({ runId: run.runId, sessionId }))
  if (found.kind === 'ended') {
    const { outcome } = found
    run.answer = { refusal: ApplicationFailure.nonRetryable('the session is over', 'job_session_completed') }
    return run.enter({ name: 'ended', outcome, details: `Ended: ${outcome.status}.` })
  }
  const { session } = found
  run.answer = { session: { sessionId, claimExpiresAt: session.claimExpiresAt } }
  switch (found.kind) {
    case 'claimed':
      run.enter({ name: 'claimed', session })
      if (found.accepted !== null) await landAccepted(run, session, found.accepted)
      return
    case 'submitted':
      return run.enter({ name: 'submitted', session, reviewEndsAt: found.reviewEndsAt })
    case 'contested':
      return run.enter({ name: 'contested', session, verdict: found.verdict })
  }
}

/** Waits for a submission until the last second of the claim is over. */
const awaitSubmission = async (run: ClaimRun, { session }: PhaseOf<'claimed'>): Promise<void> => {
  const { events } = run
  const isOver = (): boolean => run.phase.name !== 'claimed'
  const isDue = (): boolean => events.expiryDue || (run.followsChain && events.chainChanged)
  const isNudged = await condition(() => isOver() || isDue(), Math.min(session.lapsesInMs, DEADLINE_PUBLISHED_MS))
  if (isOver()) return
  run.view.publish()
  const lastSecondOver = new Date(Date.parse(session.claimExpiresAt) + 1000).toISOString()
  const nudge = {
    pending: isDue,
    clear: () => {
      events.expiryDue = false
    },
  }
  const remaining = session.lapsesInMs - DEADLINE_PUBLISHED_MS
  // A submission that is on its way to the chain decides first.
  const inTurn: ClockActivities = {
    millisecondsUntil: (instant) =>
      run.mutex.runExclusive(async () => {
        await recordIfChanged(run, session)
        if (isOver()) return 0
        const remaining = await clock.millisecondsUntil(instant)
        return run.removedSince === null ? remaining : Math.min(remaining, RECHECK_MS)
      }),
  }
  if (await waitUntilSettled(lastSecondOver, isOver, inTurn, nudge, isNudged || remaining <= 0 ? undefined : remaining)) return
  await run.mutex.runExclusive(() => {
    if (!isOver()) run.enter({ name: 'expiring', session, expiry: 'due' })
  })
}

const timeOutOnChain = async (run: ClaimRun, phase: PhaseOf<'expiring'>): Promise<ExpiryResult> => {
  run.enter({ ...phase, expiry: 'sent' })
  try {
    return await chain.timeoutClaim({ runId: run.runId, sessionId: phase.session.sessionId })
  } catch (error) {
    run.enter({ ...phase, expiry: 'due' })
    throw error
  }
}

/** Times the claim out on chain and records it, unless a submission that was tried in a pause has ended the phase. */
const expire = (run: ClaimRun): Promise<void> => {
  const timeOut = async (): Promise<void> => {
    const { phase, runId } = run
    if (phase.name !== 'expiring') return
    const { sessionId } = phase.session
    // What a worker has submitted itself counts, also without its content.
    if (run.followsChain && typeof phase.expiry !== 'object' && (await recordOnChain(run, phase.session, true)) !== null) return
    const expiry = typeof phase.expiry === 'object' ? phase.expiry : await timeOutOnChain(run, phase)
    // A submission that was mined in between, in the last second of the claim.
    if (run.followsChain && expiry.result === 'diverged' && expiry.observedState === 'submitted') {
      run.enter({ ...phase, expiry: 'due' })
      if ((await recordOnChain(run, phase.session, true)) !== null) return
      throw ApplicationFailure.nonRetryable('the chain does not show the submission yet', 'blockchain_unavailable')
    }
    run.enter({ ...phase, expiry })
    const outcome = await records.recordExpiry({ runId, sessionId, expiry })
    run.enter({ name: 'ended', outcome, details: `Ended: ${outcome.status}.` })
  }
  const isLeft = (): number => Number(run.phase.name !== 'expiring')
  return run.view.retryUntilAccepted(() => run.mutex.runExclusive(timeOut), isLeft)
}

/** Starts the verifier, unless the chain has a verdict, and waits for it; starts it again each day without one. */
const awaitVerdict = async (run: ClaimRun, { session, reviewEndsAt }: PhaseOf<'submitted'>): Promise<void> => {
  const { sessionId } = session
  const verdictId = (await knownVerdict(run, sessionId)) ?? (await verdictOfVerifier(run, sessionId))
  const verdict = verdictId === null ? null : await records.readVerdict({ sessionId, verdictId })
  if (verdict === null) return
  if (verdict.outcome === 'approved') run.enter({ name: 'paying', session, reviewEndsAt, verdict })
  else run.enter({ name: 'contested', session, verdict })
}

/** Id of the verdict that the chain may have before the verifier is asked; null without one. */
const knownVerdict = async ({ followsChain, view }: ClaimRun, sessionId: string): Promise<string | null> =>
  followsChain ? ((await view.retryUntilAccepted(() => chain.observeVerdict({ sessionId })))?.verdictId ?? null) : null

const verdictOfVerifier = async (run: ClaimRun, sessionId: string): Promise<string | null> => {
  await run.view.retryUntilAccepted(() => chain.startVerifier({ sessionId, requestId: run.claim.requestId }))
  return nextVerdict(run, sessionId)
}

/** Id of the next verdict, from the verifier or given directly on chain; null when a day passes without one. */
const nextVerdict = async ({ events, view }: ClaimRun, sessionId: string): Promise<string | null> => {
  for (;;) {
    const isNotified = await condition(() => events.verdictIds.length > 0 || events.chainChanged, VERIFIER_WATCH_MS)
    const verdictId = events.verdictIds.shift()
    if (verdictId !== undefined) return verdictId
    events.chainChanged = false
    const observed = await view.retryUntilAccepted(() => chain.observeVerdict({ sessionId }))
    if (observed !== null || !isNotified) return observed?.verdictId ?? null
  }
}

/** Pays on chain, then records payout, badge, reputation and state in one transaction. */
const pay = async (run: ClaimRun, { session, verdict }: PhaseOf<'paying'>): Promise<void> => {
  const { sessionId } = session
  const { events } = run
  // A fork may have removed a submission that its worker sends again: then the chain changes before the pause is over.
  const changes = (): number => Number(run.followsChain && events.chainChanged)
  const { status } = await run.view.retryUntilAccepted(() => {
    events.chainChanged = false
    return chain.settleApproval({ runId: run.runId, sessionId, verdictId: verdict.verdictId })
  }, changes)
  // Another verifier rejected it on chain: the dispute window runs.
  if (status === 'rejected') return run.enter({ name: 'contested', session, verdict })
  const details = status === 'resolved' ? 'Approved, paid and badged.' : `Ended: ${status}.`
  run.enter({ name: 'ended', outcome: { sessionId, status }, details })
}

/** Passes every verdict to the dispute process and waits until the session is final; the job stays taken until then. */
const followDispute = async (run: ClaimRun, { session, verdict }: PhaseOf<'contested'>): Promise<void> => {
  const { events, view } = run
  const { sessionId } = session
  for (let { verdictId } = verdict; ; verdictId = events.verdictIds.shift() ?? verdict.verdictId) {
    await view.retryUntilAccepted(() => chain.startDispute({ sessionId, verdictId, requestId: run.claim.requestId }))
    await condition(() => events.verdictIds.length > 0 || events.isFinal, DISPUTE_WATCH_MS)
    events.isFinal = false
    const end = await records.readEnd({ sessionId })
    if (end !== null) return run.enter({ name: 'ended', outcome: end, details: `Ended: ${end.status}.` })
  }
}
