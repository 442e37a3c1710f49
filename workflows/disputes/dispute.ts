import {
  type ApplicationFailure,
  allHandlersFinished,
  condition,
  currentUpdateInfo,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow'
import { verdictReached } from '../../schemas/claims/process.ts'
import {
  type ArbitrationInput,
  type DecisionAnswer,
  type DisputeInput,
  disputeProgress,
  type OverturnInput,
  overturnUpdate,
  type ReviewInput,
  reviewGiven,
  reviewUpdate,
  type StandingView,
  verdictGiven,
  verdictUpdate,
} from '../../schemas/disputes/process.ts'
import type { Silence } from '../../schemas/disputes/record.ts'
import { chainMoved, SEARCH } from '../../schemas/processes.ts'
import { failureCode, isRefusal, toUpdateFailure } from '../common/failures.ts'
import { disputeChain, disputeRecords, disputeSiblings } from '../common/proxies.ts'
import { describeBlockedStep, LONGEST_HOLD_MS, retryDelayMs } from '../common/retry-hold.ts'
import { parseDecision, verdictIn } from '../common/signals.ts'

/** Records and chain are compared at least this often, whether or not anybody brings news. */
const LOOK_MS = 12 * 60 * 60 * 1000
/**
 * The first look after one that may have come too early; then twice as much, and so on, up to the longest wait of a refused step. While the
 * chain only lacks a later block a minute is the most, for about an hour.
 */
const AGAIN_MS = 15 * 1000
const BEHIND_MS = 60 * 1000
const MOST_BEHIND = 60

const NEXT: Record<StandingView['stage'], string> = {
  verdict: 'the first verdict',
  review: 'a verdict of people',
  window: 'a dispute on chain',
  arbitration: 'the arbitrator',
  final: 'nothing',
}

const SILENCE: Record<Silence, string> = {
  finalize_rejection: 'the rejection is final',
  split_half: 'a split at half',
  open_on_chain: 'the dispute is opened on chain, before the arbitrator',
  contract_timeout: 'the contract’s time-out, half without the bond',
}

/** Silences of the stages, for a standing that does not tell its own, as before there was one. */
const USUAL: Record<StandingView['stage'], string | null> = {
  verdict: null,
  review: SILENCE.split_half,
  window: SILENCE.finalize_rejection,
  arbitration: 'the default outcome',
  final: null,
}

/** Who has to do something, and what happens when nobody does. */
const nextOf = ({ stage, decision, silence }: StandingView): string => {
  const silent = silence === undefined ? USUAL[stage] : SILENCE[silence]
  if (decision === 'decided') return 'the chain'
  if (decision === 'prepared') return `the arbitrator’s signature${silence === undefined ? '' : `; in silence ${silent}`}`
  return silent === null ? NEXT[stage] : `${NEXT[stage]}; in silence ${silent}`
}

/** What somebody decides, and what it came to once the process has dealt with it. */
type Decision = { id?: string | undefined; answer?: { value: DecisionAnswer | { status: string } } | { failure: ApplicationFailure } } & (
  | { kind: 'arbitration'; input: ArbitrationInput }
  | { kind: 'review'; input: ReviewInput }
  | { kind: 'overturn'; input: OverturnInput }
)

const dueOf = ({ stage, round, dueAt }: StandingView): string => `${stage} ${round} ${dueAt}`

/**
 * Owns a session after a verdict that is not an approval: the dispute window of a rejection, the review by people, the arbitration, and
 * the default outcome of each silence. Where the session stands is read from the record before every step, so a run may begin anywhere.
 * Messages only leave word; one loop takes every step, so that no two steps of a session ever run side by side.
 */
export async function dispute({ sessionId }: DisputeInput): Promise<{ sessionId: string; status: string }> {
  let at: StandingView | null = null
  let shown = ''
  let refused: string | null = null
  /** Something may have happened on chain, also before the dispute began. */
  let moved = true
  /** The last round whose decision was applied: one that was only prepared for a signature is not applied again by itself. */
  let applied = 0
  /** The due instant whose silence was applied last. */
  let lastTimeoutApplied = ''
  /** Until the next look, while the last one may have come too early; and how many have in a row. */
  let soonMs: number | null = null
  let early = 0
  let words: Decision[] = []
  let verdicts: string[] = []
  const heard = new Set<string>()

  const show = (state: string, deadlineAt: string | null, story: string): void => {
    const next = `${state} ${deadlineAt} ${story}`
    if (next === shown) return
    shown = next
    upsertSearchAttributes([
      { key: SEARCH.sessionState, value: state },
      { key: SEARCH.deadlineAt, value: deadlineAt === null ? null : new Date(deadlineAt) },
    ])
    setCurrentDetails(story)
  }

  const tell = (standing: StandingView): void => {
    const { stage, deadlineAt, reasonCode } = standing
    const note = refused === null ? '' : ` The last signal was refused: ${refused}.`
    const due = deadlineAt === null ? '' : ` Deadline: ${deadlineAt}.`
    show(
      stage === 'window' ? 'rejected' : stage,
      deadlineAt,
      `“${standing.title}”: ${reasonCode}. Waits for ${nextOf(standing)}.${due}${note}`,
    )
  }

  /** A refusal ends nothing: an operator sees why, and the step is tried again. */
  const retryUntilAccepted = async <T>(step: () => Promise<T>): Promise<T> => {
    for (let since: number | null = null; ; ) {
      try {
        if (since !== null) await disputeRecords.remindPeople({ sessionId })
        return await step()
      } catch (error) {
        if (!isRefusal(error)) throw error
        since ??= Date.now()
        const rest = retryDelayMs(Date.now() - since)
        show('held', at?.deadlineAt ?? null, describeBlockedStep(failureCode(error), rest))
        await sleep(rest)
      }
    }
  }

  const leave = <Kept extends Decision>(word: Kept): Kept => {
    words.push(word)
    return word
  }

  /** Leaves word, and waits until the loop has dealt with it. */
  const answered = async (word: Decision): Promise<DecisionAnswer | { status: string }> => {
    await condition(() => word.answer !== undefined)
    const { answer } = word
    if (answer === undefined || 'failure' in answer) throw toUpdateFailure(answer?.failure)
    return answer.value
  }

  setHandler(disputeProgress, () => ({
    stage: at?.stage ?? 'starting',
    deadlineAt: at?.deadlineAt ?? null,
    next: at === null ? 'reading the record' : nextOf(at),
    refused,
  }))
  setHandler(chainMoved, () => {
    moved = true
  })
  setHandler(verdictReached, (said) => {
    const verdictId = verdictIn(said, sessionId)
    if (verdictId === null || heard.has(verdictId)) return
    heard.add(verdictId)
    verdicts.push(verdictId)
  })
  const requested = () => ({ id: currentUpdateInfo()?.id })
  setHandler(verdictUpdate, async (input) => (await answered(leave({ ...requested(), kind: 'arbitration', input }))) as DecisionAnswer)
  setHandler(reviewUpdate, async (input) => (await answered(leave({ ...requested(), kind: 'review', input }))) as DecisionAnswer)
  setHandler(overturnUpdate, (input) => answered(leave({ kind: 'overturn', input })))
  setHandler(verdictGiven, (input) => void leave({ kind: 'arbitration', input }))
  setHandler(reviewGiven, (input) => void leave({ kind: 'review', input }))

  const apply = async (round: number): Promise<void> => {
    await retryUntilAccepted(() => disputeChain.applyDecision({ sessionId }))
    applied = Math.max(applied, round)
  }

  const resultOf = async (word: Decision): Promise<DecisionAnswer | { status: string }> => {
    // What the chain has decided already comes first.
    await disputeChain.reconcileWithChain({ sessionId })
    if (word.kind === 'overturn') {
      await disputeChain.overturnRejection({ ...parseDecision(word.input), sessionId })
      const { status } = await disputeRecords.disputeStanding({ sessionId })
      return { status }
    }
    const handed = { sessionId, decisionRequestId: word.id }
    const { round } =
      word.kind === 'review'
        ? await disputeRecords.recordHumanVerdict({ ...parseDecision(word.input), ...handed })
        : await disputeRecords.recordArbitration({ ...parseDecision(word.input), ...handed })
    await apply(round)
    return await disputeRecords.decisionAnswer({ sessionId, round })
  }

  /** Takes a round for a word and carries it out; whoever left the word hears how it ended. */
  const processDecision = async (word: Decision): Promise<void> => {
    try {
      word.answer = { value: await resultOf(word) }
      refused = null
    } catch (error) {
      word.answer = { failure: toUpdateFailure(error) }
      refused = failureCode(error)
    }
  }

  const takeVerdict = async (standing: StandingView, verdictId: string): Promise<void> => {
    if (standing.stage === 'verdict') await retryUntilAccepted(() => disputeChain.takeVerdict({ sessionId, verdictId }))
    else if (standing.stage === 'review') await retryUntilAccepted(() => disputeRecords.recordLaterVerdict({ sessionId, verdictId }))
  }

  /** What ended the wait: somebody's news, the due instant, or the time to compare records and chain. */
  const wait = async (standing: StandingView): Promise<'news' | 'look' | 'due'> => {
    const news = () => moved || words.length > 0 || verdicts.length > 0
    const remaining = standing.dueAt === null ? LOOK_MS : await disputeRecords.millisecondsUntil(standing.dueAt)
    if (news()) return 'news'
    if (remaining <= 0) {
      // The step made nothing of it: whatever it waits for is not there at once.
      if (lastTimeoutApplied === dueOf(standing) && (await condition(news, retryDelayMs(-remaining)))) return 'news'
      return 'due'
    }
    return (await condition(news, Math.min(remaining, soonMs ?? LOOK_MS))) ? 'news' : 'look'
  }

  const look = async (): Promise<void> => {
    if (moved) early = 0
    moved = false
    const found = await retryUntilAccepted(() => disputeChain.reconcileWithChain({ sessionId }))
    const most = found?.behind === true && early < MOST_BEHIND ? BEHIND_MS : LONGEST_HOLD_MS
    soonMs = found?.again === true ? Math.min(AGAIN_MS * 2 ** early, most) : null
    early = soonMs === null ? 0 : early + 1
    await retryUntilAccepted(() => disputeRecords.remindPeople({ sessionId }))
  }

  /** One step from where the session stands. */
  const advance = async (standing: StandingView): Promise<void> => {
    const [word, ...otherWords] = words
    if (word !== undefined) {
      words = otherWords
      return await processDecision(word)
    }
    if (standing.decision === 'decided' || (standing.decision === 'prepared' && applied < standing.round))
      return await apply(standing.round)
    const [verdictId, ...otherVerdicts] = verdicts
    if (verdictId !== undefined) {
      verdicts = otherVerdicts
      return await takeVerdict(standing, verdictId)
    }
    if (moved) return await look()
    switch (await wait(standing)) {
      case 'look':
        return await look()
      case 'due':
        if (lastTimeoutApplied === dueOf(standing)) await retryUntilAccepted(() => disputeRecords.remindPeople({ sessionId }))
        lastTimeoutApplied = dueOf(standing)
        return await retryUntilAccepted(() => disputeChain.applyTimeout({ sessionId }))
      case 'news':
    }
  }

  const standing = async (): Promise<StandingView> => {
    at = await retryUntilAccepted(() => disputeRecords.disputeStanding({ sessionId }))
    tell(at)
    return at
  }

  let present = await standing()
  while (present.stage !== 'final') {
    await advance(present)
    present = await standing()
  }
  const { status } = present
  show(status, null, `Ended: ${status}.`)
  await disputeSiblings.announceEnd({ sessionId, status })
  // Whoever leaves word now learns from the record that it is over.
  for (; !allHandlersFinished() || words.length > 0; await condition(() => words.length > 0 || allHandlersFinished())) {
    const left = words
    words = []
    for (const word of left) await processDecision(word)
  }
  return { sessionId, status }
}
