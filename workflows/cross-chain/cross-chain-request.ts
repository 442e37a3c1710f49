import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import { SETTLEMENT_TRIES } from '../../domain/cross-chain/settlement.ts'
import {
  type CrossChainActivities,
  type CrossChainInput,
  type CrossChainRecordActivities,
  crossChainProgress,
  observeUpdate,
  requestChanged,
  retryUpdate,
  type SettlementStep,
  type WatchProgress,
} from '../../schemas/cross-chain/process.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { CHAIN_STEPS, clock, RECORD_STEPS } from '../common/proxies.ts'
import { parseDecision } from '../common/signals.ts'

const records = proxyActivities<CrossChainRecordActivities>(RECORD_STEPS)
const chain = proxyActivities<CrossChainActivities>(CHAIN_STEPS)

/** What the handlers and the steps of one run share. */
interface RequestRun {
  requestId: string
  /** Number of messages that arrived; a wait ends when it changes. */
  messages: number
  watch: WatchProgress | null
  /** Messages that arrived before `watch` was read. */
  watchedMessages: number
  settlement: SettlementStep | null
  /** Number of finished tries to settle. */
  finishedTries: number
  view: ReturnType<typeof createOperatorView>
}

const describeWatch = (watch: WatchProgress): string => {
  switch (watch.kind) {
    case 'unknown':
      return 'The wrapper does not know the request.'
    case 'queued':
      return 'Waits until the balance of another request is no longer watched.'
    case 'watched':
      return `Watches the balance at the destination: ${watch.arrived} of ${watch.expected} base units have arrived. Failed at ${watch.endsAt}.`
    case 'adapter_managed':
      return `The request is one of another adapter; the service looks again at ${watch.readAt}.`
    case 'unclear':
      return `The balance cannot decide (${watch.reason}). Waits for an operator's observation.`
    case 'observed':
      return `Outcome: ${watch.status}. Settles it on chain.`
    case 'ended':
      return `Ended on chain: ${watch.status}.`
  }
}

const describeSettlement = (step: SettlementStep, tries: number): string => {
  if (step.kind === 'settled') return `Settled: ${step.status}.`
  if (step.kind === 'adapter_managed') return `The service may not settle the request; it looks again at ${step.retryAt}.`
  if (tries < SETTLEMENT_TRIES) return `Refused by ${step.reason}; next try at ${step.retryAt}.`
  return `Parked after ${tries} tries, the last refused by ${step.reason}. Waits for an operator's retry.`
}

/**
 * Owns one cross-chain request: watches the balance at its destination until the expected amount has arrived or 15 minutes are over, then settles
 * the outcome on chain. After five refused tries it waits for an operator.
 */
export async function crossChainRequest({ v, requestId }: CrossChainInput): Promise<{ requestId: string; status: string }> {
  const view = createOperatorView()
  const run: RequestRun = { requestId, messages: 0, watch: null, watchedMessages: 0, settlement: null, finishedTries: 0, view }
  registerHandlers(run)
  const watch = await observe(run)
  const status = watch?.kind === 'observed' ? await settle(run) : watch && endOf(watch)
  await condition(allHandlersFinished)
  if (status == null) return continueAsNew<typeof crossChainRequest>({ v, requestId })
  return { requestId, status }
}

/** How a request ended that this run does not settle. */
const endOf = (watch: WatchProgress): string => (watch.kind === 'ended' ? watch.status : watch.kind)

const registerHandlers = (run: RequestRun): void => {
  setHandler(crossChainProgress, () => run.settlement ?? run.watch)
  setHandler(requestChanged, () => {
    run.messages += 1
  })
  setHandler(observeUpdate, async (observation) => {
    const result = await records.recordObservation({ requestId: run.requestId, observation: parseDecision(observation) })
    run.messages += 1
    return result
  })
  setHandler(retryUpdate, () => retry(run))
}

/** True when the watch is over, or was read after the last message, which may be the observation of an operator. */
const isWatchCurrent = ({ watch, watchedMessages, messages }: RequestRun): boolean =>
  watch !== null && (!('readAt' in watch) || watchedMessages === messages)

/** Answers with the next try to settle, or with the end of the request. */
const retry = async (run: RequestRun): Promise<SettlementStep> => {
  await condition(() => isWatchCurrent(run))
  const { watch, finishedTries } = run
  if (watch?.kind === 'ended') return { kind: 'settled', status: watch.status }
  if (watch?.kind !== 'observed') {
    const type = watch?.kind === 'unknown' ? 'xcm_request_not_found' : 'xcm_request_not_observed'
    throw ApplicationFailure.create({ type, message: 'there is nothing to settle', nonRetryable: true })
  }
  run.messages += 1
  await condition(() => run.finishedTries > finishedTries || run.settlement?.kind === 'settled')
  if (run.settlement === null) throw ApplicationFailure.create({ type: 'internal_error', message: 'no try was made', nonRetryable: true })
  return run.settlement
}

/** True when the history is long, and no request waits for an answer that only this run can give. */
const isTimeToContinue = (): boolean => workflowInfo().continueAsNewSuggested && allHandlersFinished()

/** Watches the balance until an outcome is recorded; null when the run should continue as a new one. */
const observe = async (run: RequestRun): Promise<WatchProgress | null> => {
  for (;;) {
    const seen = run.messages
    const watch = await chain.advanceWatch({ requestId: run.requestId })
    // An event that arrived meanwhile may have brought the request back.
    if (watch.kind === 'unknown' && run.messages !== seen) continue
    run.watch = watch
    run.watchedMessages = seen
    run.view.show({ state: watch.kind, deadlineAt: watch.kind === 'watched' ? watch.endsAt : null, details: describeWatch(watch) })
    if (!('readAt' in watch)) return watch
    if (isTimeToContinue()) return null
    await waitUntilSettled(watch.readAt, () => run.messages !== seen, clock)
  }
}

/** Settles the outcome; undefined when the run should continue as a new one. */
const settle = async (run: RequestRun): Promise<string | undefined> => {
  for (let tries = 0; ; ) {
    const seen = run.messages
    const step = await chain.settleCrossChainRequest({ requestId: run.requestId, tries: tries + 1 })
    if (step.kind === 'refused') tries += 1
    run.settlement = step
    run.finishedTries += 1
    run.view.show({ state: stateOf(step, tries), deadlineAt: null, details: describeSettlement(step, tries) })
    if (step.kind === 'settled') return step.status
    if (isTimeToContinue()) return undefined
    if (tries < SETTLEMENT_TRIES) {
      await waitUntilSettled(step.retryAt, () => run.messages !== seen, clock)
      continue
    }
    await records.parkCrossChainRequest({ requestId: run.requestId, reason: step.kind === 'refused' ? step.reason : step.kind })
    await condition(() => run.messages !== seen)
    tries = 0
  }
}

const stateOf = (step: SettlementStep, tries: number): string => (tries < SETTLEMENT_TRIES ? step.kind : 'finalize_exhausted')
