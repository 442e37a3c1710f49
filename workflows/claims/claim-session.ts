import type { SearchAttributePair } from '@temporalio/common'
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import {
  type AdmittedClaim,
  type ClaimedSession,
  type ClaimInput,
  claimedUpdate,
  claimProgress,
  type ExpiryResult,
  expiryDue,
  type LockedBond,
  type SessionOutcome,
  type SubmitInput,
  type SubmittedSession,
  sessionFinal,
  submissionOffered,
  submitUpdate,
  type VerdictToSettle,
  verdictReached,
} from '../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { chainMoved, SEARCH } from '../../schemas/processes.ts'
import { settledBefore } from '../common/deadline.ts'
import { applicationFailureOf, failureCode, isRefusal, toUpdateFailure } from '../common/failures.ts'
import { chain, records } from '../common/proxies.ts'
import { describeBlockedStep, retryDelayMs } from '../common/retry-hold.ts'
import { names, submissionIn, verdictIn } from '../common/signals.ts'
import { waitsFor } from './waits-for.ts'

/** A verifier that stays silent is started again (and alarmed) after this long. */
const VERIFIER_WATCH_MS = 24 * 60 * 60 * 1000
/** A dispute is made sure of this often, and the record asked whether the session is final. */
const DISPUTE_WATCH_MS = 24 * 60 * 60 * 1000

/** Owns one claim of one job, from bond to a final state. Running means the job is taken. */
export async function claimSession(claim: ClaimInput): Promise<SessionOutcome> {
  const session = openSession(claim)
  try {
    const admitted = await session.admit()
    await session.record(admitted, await session.lockBond(admitted))
    while (!(await session.submittedInTime())) {
      const end = await session.expire()
      if (end !== null) return end
    }
    const verdict = await session.verdict()
    return verdict.outcome === 'approved' ? await session.settle(verdict) : await session.openDispute(verdict)
  } catch (error) {
    // The refusal itself reached the caller through the update; the run ends with the same code for the operator.
    if (!isRefusal(error)) throw error
    return session.refused(error)
  } finally {
    await condition(allHandlersFinished)
  }
}

const openSession = (claim: ClaimInput) => {
  const { runId } = workflowInfo()
  let state = 'admitting'
  let admitted: AdmittedClaim | null = null
  let claimed: ClaimedSession | null = null
  /** Until the claim's last second is over, as its record said. */
  let lapsesInMs: number | undefined
  let refusal: unknown = null
  let submitting = false
  let submitted: SubmittedSession | null = null
  let submitNumber = 0
  /** When people are called, as kept with the submission. */
  let reviewEndsAt: string | null = null
  /** An approval is being paid. */
  let paying = false
  /** Set when the platform missed the deadline of a submission it had accepted in time. */
  let late: SessionOutcome | null = null
  /** The time-out of the claim is under way on chain. */
  let timingOut = false
  let ended = false
  let nudged = false
  let deadlineAt: string | null = null
  let statusText = ''
  let news: string[] = []
  /** Somebody else did something to the job on chain. */
  let moved = false
  const heard = new Set<string>()
  /** The dispute said that the session is final; the record tells how. */
  let final = false

  const show = (shown: string, story: string, more: SearchAttributePair[] = []): void => {
    upsertSearchAttributes([
      ...more,
      { key: SEARCH.sessionState, value: shown },
      { key: SEARCH.deadlineAt, value: deadlineAt === null ? null : new Date(deadlineAt) },
    ])
    setCurrentDetails(story)
  }

  const moveTo = (next: string, deadline: string | null, story: string, more: SearchAttributePair[] = []): void => {
    state = next
    deadlineAt = deadline
    statusText = story
    show(next, story, more)
  }

  /** Once the bond is locked a refusal ends nothing: the job stays taken, an operator sees why, and the step is tried again. */
  const retryUntilAccepted = async <T>(step: () => Promise<T>): Promise<T> => {
    for (let since: number | null = null; ; ) {
      try {
        const done = await step()
        if (since !== null) show(state, statusText)
        return done
      } catch (error) {
        if (!isRefusal(error)) throw error
        since ??= Date.now()
        const rest = retryDelayMs(Date.now() - since)
        show('held', `${statusText} ${describeBlockedStep(failureCode(error), rest)}`)
        await sleep(rest)
      }
    }
  }

  setHandler(claimProgress, () => ({
    state,
    sessionId: admitted?.sessionId ?? null,
    deadlineAt,
    next: waitsFor(state, { sessionId: admitted?.sessionId ?? '', deadlineAt, submitting, paying }),
  }))

  setHandler(claimedUpdate, async () => {
    await condition(() => claimed !== null || refusal !== null)
    if (claimed !== null) return claimed
    throw toUpdateFailure(refusal)
  })

  setHandler(expiryDue, () => {
    nudged = true
  })

  setHandler(verdictReached, (said) => {
    const verdictId = verdictIn(said, admitted?.sessionId)
    if (verdictId === null || heard.has(verdictId)) return
    heard.add(verdictId)
    news.push(verdictId)
  })

  setHandler(chainMoved, () => {
    moved = true
  })

  setHandler(sessionFinal, (said) => {
    if (names(said, admitted?.sessionId)) final = true
  })

  const nextVerdict = (): string | undefined => {
    const [verdictId, ...later] = news
    news = later
    return verdictId
  }

  /** The next verdict, also one that was given on chain past the service; none when a day passes without. */
  const awaitVerdict = async (sessionId: string): Promise<string | undefined> => {
    for (;;) {
      const heard = await condition(() => news.length > 0 || moved, VERIFIER_WATCH_MS)
      if (news.length > 0) return nextVerdict()
      moved = false
      const observed = await retryUntilAccepted(() => chain.observeVerdict({ sessionId }))
      if (observed !== null) return observed.verdictId
      if (!heard) return undefined
    }
  }

  const submitInTurn = async (said: unknown): Promise<SubmittedSession> => {
    const input = submissionIn(said)
    if (input === null) throw ApplicationFailure.nonRetryable('this is no submission', 'invalid_request')
    await condition(() => claimed !== null || refusal !== null || ended)
    // Asked again: of all that wait here, only one may go on.
    while (submitting) await condition(() => !submitting)
    submitting = true
    try {
      return await submit(input)
    } catch (error) {
      throw toUpdateFailure(error)
    } finally {
      submitting = false
    }
  }

  setHandler(submitUpdate, submitInTurn)

  setHandler(submissionOffered, async (input) => {
    // Nobody waits for a refusal here: whoever asks again gets it from the record.
    await submitInTurn(input).catch(() => undefined)
  })

  const submit = async (input: SubmitInput): Promise<SubmittedSession> => {
    if (input.sessionId !== admitted?.sessionId) throw ApplicationFailure.nonRetryable('the session is over', 'job_session_completed')
    const { alreadySubmitted, status } = await records.admitSubmission({ ...input, runId, ...(timingOut && { timingOut }) })
    if (alreadySubmitted) return { sessionId: input.sessionId, status }
    submitNumber += 1
    try {
      const { sessionId, requestId, acceptedAt } = input
      const landed = await chain.submitOnChain({ runId, sessionId, requestId, submitNumber, acceptedAt })
      const recorded = await records.recordSubmission({ runId, sessionId: input.sessionId, protocol: input.protocol, ...landed })
      reviewEndsAt = recorded.reviewEndsAt
      submitted = { sessionId: recorded.sessionId, status: recorded.status }
      return submitted
    } catch (error) {
      if (submitted === null && isRefusal(error)) await submissionRefused(input.sessionId, failureCode(error))
      throw error
    }
  }

  /** Refused on chain: the session is claimed as before, unless the claim lapsed there while the accepted submission was on its way. */
  const submissionRefused = async (sessionId: string, code: string): Promise<void> => {
    if (code === 'claim_expired') late = await records.recordLateSubmission({ sessionId })
    else await records.dropSubmission({ sessionId, code })
  }

  return {
    /** One transaction admits exactly one session, or refuses with its code. */
    admit: async (): Promise<AdmittedClaim> => {
      try {
        admitted = await records.admitClaim({ ...claim, runId })
      } catch (error) {
        refusal = error
        throw error
      }
      // In one go with the state: each change of attributes costs the engine a write.
      moveTo('pending', null, `Locking the bond of ${admitted.wallet} for “${admitted.title}”.`, [
        { key: SEARCH.sessionId, value: admitted.sessionId },
        { key: SEARCH.chainJobId, value: admitted.chainJobId },
        { key: SEARCH.verifierMode, value: admitted.verifierMode },
      ])
      return admitted
    },

    /** A proved refusal releases the intent; an unknown outcome stays pending (the activity retries). */
    lockBond: async (ready: AdmittedClaim): Promise<LockedBond> => {
      try {
        return await chain.lockBond({ ...ready, requestId: claim.requestId })
      } catch (error) {
        if (!isRefusal(error)) throw error
        await records.releaseClaim({ runId, code: failureCode(error) })
        refusal = error
        throw error
      }
    },

    /** The session row of a locked bond. */
    record: async (ready: AdmittedClaim, bond: LockedBond): Promise<void> => {
      const { lapsesInMs: left, ...recorded } = await retryUntilAccepted(() => records.recordClaim({ claim, admitted: ready, bond }))
      claimed = recorded
      lapsesInMs = left
      moveTo('claimed', claimed.claimExpiresAt, `Claimed by ${ready.wallet}; the submission is due by ${claimed.claimExpiresAt}.`)
    },

    /** True once the submission is recorded; false when the claim's last second passed without one. */
    submittedInTime: async (): Promise<boolean> => {
      if (claimed === null) throw ApplicationFailure.nonRetryable('no claim was recorded', 'internal_error')
      const lastSecondOver = new Date(Date.parse(claimed.claimExpiresAt) + 1000).toISOString()
      const nudge = {
        pending: () => nudged,
        clear: () => {
          nudged = false
        },
      }
      for (;;) {
        if (await settledBefore(lastSecondOver, () => submitted !== null || late !== null, records, nudge, lapsesInMs)) return late === null
        lapsesInMs = undefined
        // A submission in flight at the deadline decides itself on chain; only then is the claim over.
        if (!submitting) return false
        await condition(() => !submitting)
      }
    },

    /** How the claim ended without a submission; null when one that was on its way landed after all. */
    expire: async (): Promise<SessionOutcome | null> => {
      if (admitted === null || claimed === null) throw ApplicationFailure.nonRetryable('no claim was recorded', 'internal_error')
      if (late !== null) return endLate(late)
      moveTo('expiring', claimed.claimExpiresAt, 'The claim ran out; returning the job to the catalogue.')
      const { sessionId } = admitted
      const expiry = await retryUntilAccepted(() => timeOut(sessionId))
      if (expiry === null) return late === null ? null : endLate(late)
      const outcome = await retryUntilAccepted(() => records.recordExpiry({ runId, sessionId, expiry }))
      ended = true
      moveTo(outcome.status, null, `Ended: ${outcome.status}.`)
      return outcome
    },

    /** Starts the verifier and waits for its word; asks again each day, so a lost verifier is not a stuck session. */
    verdict: async (): Promise<VerdictToSettle> => {
      if (admitted === null) throw ApplicationFailure.nonRetryable('nothing was admitted', 'internal_error')
      const { sessionId } = admitted
      moveTo('submitted', reviewEndsAt, 'Submitted; the verifier decides.')
      for (;;) {
        await retryUntilAccepted(() => chain.startVerifier({ sessionId, requestId: claim.requestId }))
        const verdictId = await awaitVerdict(sessionId)
        if (verdictId === undefined) continue
        const verdict = await records.readVerdict({ sessionId, verdictId })
        if (verdict !== null) return verdict
      }
    },

    /** Pays on chain, then records payout, badge, reputation and state in one transaction. */
    settle: async (verdict: VerdictToSettle): Promise<SessionOutcome> => {
      if (admitted === null) throw ApplicationFailure.nonRetryable('nothing was admitted', 'internal_error')
      return await settle(admitted.sessionId, verdict)
    },

    /** Everything after a verdict that is not an approval is its dispute's; the job stays taken until the session is final. */
    openDispute: async (verdict: VerdictToSettle): Promise<SessionOutcome> => {
      if (admitted === null) throw ApplicationFailure.nonRetryable('nothing was admitted', 'internal_error')
      const { sessionId } = admitted
      return await followDispute(sessionId, verdict)
    },

    refused: (error: unknown): SessionOutcome => {
      ended = true
      const code = applicationFailureOf(error)?.type ?? 'internal_error'
      moveTo('refused', null, `Refused: ${code}.`)
      return { sessionId: null, status: `refused:${code}` }
    },
  }

  /** Times the claim out on chain, unless a submission that waited before that has ended it otherwise: then null. */
  async function timeOut(sessionId: string): Promise<ExpiryResult | null> {
    while (submitting) await condition(() => !submitting)
    if (submitted !== null || late !== null) return null
    timingOut = true
    try {
      return await chain.timeoutClaim({ runId, sessionId })
    } catch (error) {
      // Until it is tried again whoever was in time is heard.
      timingOut = false
      throw error
    }
  }

  function endLate(end: SessionOutcome): SessionOutcome {
    ended = true
    moveTo(end.status, null, 'The platform missed the deadline of an accepted submission; an operator closes the session with the chain.')
    return end
  }

  /** Hands the verdict to the dispute of the session, and every later one; asks the record each day, so a lost dispute is begun again. */
  async function followDispute(sessionId: string, verdict: VerdictToSettle): Promise<SessionOutcome> {
    moveTo('contested', null, `Not approved (${verdict.reasonCode}); ${disputeWorkflowId(sessionId)} owns the session until it is final.`)
    for (let { verdictId } = verdict; ; verdictId = nextVerdict() ?? verdict.verdictId) {
      await retryUntilAccepted(() => chain.startDispute({ sessionId, verdictId, requestId: claim.requestId }))
      await condition(() => news.length > 0 || final, DISPUTE_WATCH_MS)
      final = false
      const end = await records.readEnd({ sessionId })
      if (end === null) continue
      moveTo(end.status, null, `Ended: ${end.status}.`)
      return end
    }
  }

  async function settle(sessionId: string, verdict: VerdictToSettle): Promise<SessionOutcome> {
    paying = true
    const settled = await retryUntilAccepted(() => chain.settleApproval({ runId, sessionId, verdictId: verdict.verdictId }))
    const { status } = settled
    // Rejected past the service: the dispute window runs.
    if (status === 'rejected') return await followDispute(sessionId, verdict)
    if (status === 'resolved') moveTo('resolved', null, 'Approved, paid and badged.')
    else moveTo(status, null, `Ended: ${status}.`)
    return { sessionId, status }
  }
}
