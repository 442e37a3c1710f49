import { allHandlersFinished, condition, currentUpdateInfo, setHandler } from '@temporalio/workflow'
import {
  type DisputeInput,
  type DisputeStatusView,
  disputeProgress,
  overturnUpdate,
  reviewGiven,
  reviewUpdate,
  verdictGiven,
  verdictUpdate,
} from '../../schemas/disputes/process.ts'
import { chainMoved } from '../../schemas/processes.ts'
import { LONGEST_RETRY_MS, retryDelayMs } from '../common/operator-view.ts'
import { clock } from '../common/proxies.ts'
import { handleVerdicts } from '../common/signals.ts'
import { decideArbitration, decideReview, overturn } from './decisions.ts'
import { createDisputeRun, type DisputeRun, showStatus, waitsFor } from './dispute-run.ts'
import { chain, records, siblings } from './proxies.ts'

/** Record and chain are compared at least this often, whether or not an event arrived. */
const RECONCILE_MS = 12 * 60 * 60 * 1000
/**
 * First pause before the comparison is repeated, while the last one may have come too early; each further pause is twice as long, up to the longest
 * pause of a blocked step. While the chain only lacks a later block, a minute is the longest for the first hour.
 */
const RECHECK_MS = 15 * 1000
const RECHECK_BEHIND_MS = 60 * 1000
const RECHECKS_BEHIND = 60

/**
 * Owns a session after a verdict that is not an approval: the dispute window of a rejection, the review by people, the arbitration, and the
 * outcome of a time-out. Each step starts from the record, so a run may start in any stage.
 */
export async function dispute({ sessionId }: DisputeInput): Promise<{ sessionId: string; status: string }> {
  const run = createDisputeRun(sessionId)
  registerHandlers(run)
  const timers: Timers = { appliedTimeout: '', recheckMs: null, rechecks: 0 }
  for (;;) {
    const seen = run.messages
    const status = await readStatus(run)
    if (status.stage === 'final') {
      await siblings.announceEnd({ sessionId, status: status.status })
      await condition(allHandlersFinished)
      return { sessionId, status: status.status }
    }
    await advance(run, status, timers, () => run.messages !== seen)
  }
}

/** What the waits of a dispute remember. */
interface Timers {
  /** Due instant whose time-out outcome was applied last. */
  appliedTimeout: string
  /** Pause before the next comparison with the chain; null for the usual one. */
  recheckMs: number | null
  /** Comparisons in a row that may have come too early. */
  rechecks: number
}

const registerHandlers = (run: DisputeRun): void => {
  const { events } = run
  const requestId = (): string | undefined => currentUpdateInfo()?.id

  setHandler(disputeProgress, () => ({
    stage: run.status?.stage ?? 'starting',
    deadlineAt: run.status?.deadlineAt ?? null,
    next: run.status === null ? 'the record' : waitsFor(run.status),
    refused: run.refusedCode,
  }))
  setHandler(chainMoved, () => {
    events.chainChanged = true
    run.messages += 1
  })
  handleVerdicts(
    () => run.sessionId,
    (verdictId) => {
      events.verdictIds.push(verdictId)
      run.messages += 1
    },
  )
  setHandler(verdictUpdate, (input) => decideArbitration(run, input, requestId()))
  setHandler(reviewUpdate, (input) => decideReview(run, input, requestId()))
  setHandler(overturnUpdate, (input) => overturn(run, input))
  // A signal has no caller to answer; the details show why it was refused.
  setHandler(verdictGiven, async (input) => void (await decideArbitration(run, input).catch(() => undefined)))
  setHandler(reviewGiven, async (input) => void (await decideReview(run, input).catch(() => undefined)))
}

/** Runs a step in its turn until it is accepted. A message ends the pause of a blocked step; each retry raises the alarm of the day. */
const takeStep = <T>(run: DisputeRun, step: () => Promise<T>): Promise<T> => {
  const remindAndStep = async (attempts: number): Promise<T> => {
    if (attempts > 0) await records.remindPeople({ sessionId: run.sessionId })
    return await step()
  }
  return run.view.retryUntilAccepted(
    (attempts) => run.mutex.runExclusive(() => remindAndStep(attempts)),
    () => run.messages,
  )
}

const readStatus = async (run: DisputeRun): Promise<DisputeStatusView> => {
  const status = await takeStep(run, () => records.disputeStanding({ sessionId: run.sessionId }))
  run.status = status
  showStatus(run, status)
  return status
}

/** One step from where the session stands. `hasMessage`: a message arrived since that was read. */
const advance = async (run: DisputeRun, status: DisputeStatusView, timers: Timers, hasMessage: () => boolean): Promise<void> => {
  const { sessionId, events } = run
  const isPrepared = status.decision === 'prepared' && run.appliedRound < status.round
  if (status.decision === 'decided' || isPrepared) {
    await takeStep(run, () => chain.applyDecision({ sessionId }))
    run.appliedRound = Math.max(run.appliedRound, status.round)
    return
  }
  const verdictId = events.verdictIds.shift()
  if (verdictId !== undefined) return takeVerdict(run, status, verdictId)
  if (events.chainChanged) return reconcile(run, timers)
  switch (await wait(run, status, timers, hasMessage)) {
    case 'reconcile':
      return reconcile(run, timers)
    case 'due':
      return applyTimeout(run, status, timers)
    case 'message':
  }
}

const takeVerdict = async (run: DisputeRun, { stage }: DisputeStatusView, verdictId: string): Promise<void> => {
  const { sessionId } = run
  if (stage === 'verdict') await takeStep(run, () => chain.takeVerdict({ sessionId, verdictId }))
  else if (stage === 'review') await takeStep(run, () => records.recordLaterVerdict({ sessionId, verdictId }))
}

/** Identifies a due instant of a session. */
const dueOf = ({ stage, round, dueAt }: DisputeStatusView): string => `${stage} ${round} ${dueAt}`

/** What ended the wait: a message, the due instant, or the time to compare record and chain. */
const wait = async (
  { mutex }: DisputeRun,
  status: DisputeStatusView,
  timers: Timers,
  hasMessage: () => boolean,
): Promise<'message' | 'reconcile' | 'due'> => {
  const { dueAt } = status
  const remaining = dueAt === null ? RECONCILE_MS : await mutex.runExclusive(() => clock.millisecondsUntil(dueAt))
  if (hasMessage()) return 'message'
  if (remaining > 0) return (await condition(hasMessage, Math.min(remaining, timers.recheckMs ?? RECONCILE_MS))) ? 'message' : 'reconcile'
  // The outcome was applied and changed nothing: what it waits for is not there yet.
  if (timers.appliedTimeout === dueOf(status) && (await condition(hasMessage, retryDelayMs(-remaining)))) return 'message'
  return 'due'
}

/** Brings the record to what the chain shows. */
const reconcile = async (run: DisputeRun, timers: Timers): Promise<void> => {
  const { sessionId, events } = run
  if (events.chainChanged) timers.rechecks = 0
  events.chainChanged = false
  const found = await takeStep(run, () => chain.reconcileWithChain({ sessionId }))
  const longest = found.behind && timers.rechecks < RECHECKS_BEHIND ? RECHECK_BEHIND_MS : LONGEST_RETRY_MS
  timers.recheckMs = found.again ? Math.min(RECHECK_MS * 2 ** timers.rechecks, longest) : null
  timers.rechecks = found.again ? timers.rechecks + 1 : 0
  await takeStep(run, () => records.remindPeople({ sessionId }))
}

/** Applies the outcome of a time-out. */
const applyTimeout = async (run: DisputeRun, status: DisputeStatusView, timers: Timers): Promise<void> => {
  const { sessionId } = run
  if (timers.appliedTimeout === dueOf(status)) await takeStep(run, () => records.remindPeople({ sessionId }))
  timers.appliedTimeout = dueOf(status)
  await takeStep(run, () => chain.applyTimeout({ sessionId }))
}
