import { describe, expect, test } from '@jest/globals'
import proto from '@temporalio/proto'
import { followerProgress } from '../../../schemas/chain/process.ts'
import type { ClaimInput } from '../../../schemas/claims/process.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { crossChainProgress, observeUpdate, requestChanged, type WatchProgress } from '../../../schemas/cross-chain/process.ts'
import { depositsMoved, type VestingProgress, vestingProgress } from '../../../schemas/pool/process.ts'
import { type PostingProgress, postingChanged, postingProgress } from '../../../schemas/postings/process.ts'
import { TASK_QUEUE } from '../../../schemas/processes.ts'
import { sampleOf } from '../../support/cases/sample.ts'
import { handledBy, MESSAGES, PROCESSES } from '../../workflows/support/contracts.ts'
import { CANCELLATION, parked, queues, reads, refuses, retry, settle, tries, watch, watches } from '../../workflows/support/cross-chain.ts'
import { DAY, type Engine, gate, shownState, until } from '../../workflows/support/engine.ts'
import {
  answerOf,
  bytes,
  type Outcome,
  signalAndSee,
  signalRaw,
  standOf,
  stepsSince,
  UNREADABLE,
  updateAndSee,
} from '../../workflows/support/outcomes.ts'
import {
  CHAIN_EVENT,
  CLAIM_STATES,
  DECISION,
  DISPUTE_STATES,
  type Reached,
  SIBLING_STEPS,
  STATE_OF,
  VERIFIER_STATES,
} from '../../workflows/support/reach.ts'
import { CLAIM_RESULTS, DISPUTE_RESULTS, VERIFIER_RESULTS } from '../../workflows/support/results.ts'
import { CLAIM_ON_CHAIN, freeingAt, postingIn, readings, VESTED, vestsAt } from '../../workflows/support/savings.ts'
import { useEngine } from '../../workflows/support/use-engine.ts'

const engine = useEngine()

const { EVENT_TYPE_WORKFLOW_TASK_STARTED: TASK_STARTED } = proto.temporal.api.enums.v1.EventType
type TabledWorkflow = keyof typeof STATE_OF
type Reach = (engine: Engine) => Promise<Reached>

interface Table {
  states: Record<string, Reach>
  results: Record<string, Record<string, Outcome>>
}
const TABLES: Record<TabledWorkflow, Table> = {
  claimSession: { states: CLAIM_STATES, results: CLAIM_RESULTS },
  dispute: { states: DISPUTE_STATES, results: DISPUTE_RESULTS },
  verifierRun: { states: VERIFIER_STATES, results: VERIFIER_RESULTS },
}
const PROCESS_NAMES = Object.keys(TABLES) as TabledWorkflow[]

/** Taken in before any of these processes had a deadline behind it. */
const submission = (sessionId: string) => [
  { sessionId, submission: 'work', requestId: 'request-2', protocol: 'http', acceptedAt: new Date().toISOString() },
]
const REVIEW = { verdict: 'approve', rationale: 'It is right.', by: '0xverifier' }

/** What each message carries, about the session of the process. */
const ARGUMENTS: Record<string, (sessionId: string) => unknown[]> = {
  claimedUpdate: () => [],
  submitUpdate: submission,
  submissionOffered: submission,
  verdictReached: (sessionId) => [{ sessionId, verdictId: engine.service.decide(sessionId, 'approved') }],
  expiryDue: () => [],
  sessionFinal: (sessionId) => [{ sessionId, status: 'resolved' }],
  chainMoved: () => [CHAIN_EVENT],
  verdictUpdate: () => [DECISION],
  verdictGiven: () => [DECISION],
  reviewUpdate: () => [REVIEW],
  reviewGiven: () => [REVIEW],
  overturnUpdate: () => [{ by: '0xadmin', note: 'Wrong terms.' }],
  runUpdate: () => [{ requestId: 'request-2', requestedBy: '0x1' }],
  pullRequestChanged: () => [{ deliveryId: 'delivery-1' }],
}

/** Signals whose members are used, and states in which they have an effect. */
const CARRIERS = new Set(['verdictReached', 'sessionFinal', 'submissionOffered'])
const LISTENING = new Set(['claimed', 'submitted', 'contested', 'window', 'review', 'blocked', 'watching'])
/** Arguments that the signal does not declare: an operator may send them. */
const malformedArguments = (sessionId: string): unknown[][] => [
  ...[[], [null], ['text'], [[]], [{}], [{ sessionId }], [{ sessionId: 7, verdictId: 'v' }]],
  ...[[{ sessionId, verdictId: 7 }], [{ sessionId, verdictId: 'a\0b', submission: 'a\0b', requestId: 'request-2', protocol: 'http' }]],
]

const sent = (key: string, sessionId: string) => {
  const message = MESSAGES.get(key)
  const args = ARGUMENTS[key]?.(sessionId)
  if (message === undefined || args === undefined) throw new Error(`unknown message ${key}`)
  return { message, args }
}

const happens = async (process: TabledWorkflow, reach: Reach, key: string): Promise<Outcome> => {
  const { handle, sessionId, release } = await reach(engine)
  const { message, args } = sent(key, sessionId)
  const before = engine.service.steps().length
  const answer =
    message.type === 'update'
      ? await updateAndSee(engine, handle, { update: message.name, args }, release)
      : await signalAndSee(engine, handle, { signal: message.name, args }, release)
  return [answer, stepsSince(engine, before, SIBLING_STEPS[process]), await standOf(handle, STATE_OF[process])]
}

/** The message is there before the process takes its first step. */
const happensFirst = async (key: string): Promise<Outcome> => {
  const { workflow } = engine.client
  const begin = async (input: ClaimInput, sessionId: string): Promise<string> => {
    const { message, args } = sent(key, sessionId)
    if (message.type === 'signal') {
      const start = { taskQueue: TASK_QUEUE, workflowId: claimWorkflowId(input.jobId), args: [input] }
      await workflow.signalWithStart('claimSession', { ...start, signal: message.name, signalArgs: args })
      return '–'
    }
    return answerOf(workflow.executeUpdateWithStart(message.name, { args, startWorkflowOperation: engine.startOf(input) }))
  }
  const { handle, answer } = await engine.beginClaimWith(begin)
  await engine.untilIdle()
  return [answer, stepsSince(engine, 0, SIBLING_STEPS.claimSession), await standOf(handle, STATE_OF.claimSession)]
}

/** A decision that cannot be decoded has no content here: the records refuse it, and the scripted service takes it. */
const DECISIONS: ReadonlySet<string> = new Set(['verdictGiven', 'reviewGiven'])
describe.each(PROCESS_NAMES)('%s', (process) => {
  const { states, results } = TABLES[process]
  const rows = Object.entries(results).flatMap(([state, messages]) =>
    Object.entries(messages).map(([key, outcome]) => ({ state, key, outcome })),
  )

  /** Every state, message, answer and row of steps occurs. */
  const played = sampleOf(rows, ({ state, key, outcome: [answer, steps] }) => [state, key, answer, steps])

  test.each(played)('$state: $key', async ({ state, key, outcome }) => {
    const reach = states[state]
    expect(reach === undefined ? await happensFirst(key) : await happens(process, reach, key)).toEqual(outcome)
  })

  test.each(Object.keys(states).filter((state) => LISTENING.has(state)))(
    '%s: a malformed signal has no effect, and no workflow task fails',
    async (state) => {
      const { handle, sessionId, release } = await (states[state] as Reach)(engine)
      const before = await standOf(handle, STATE_OF[process])
      for (const key of handledBy(process).filter((key) => CARRIERS.has(key)))
        for (const args of malformedArguments(sessionId)) await handle.signal(MESSAGES.get(key)?.name ?? '', ...args)
      for (const key of handledBy(process).filter((key) => MESSAGES.get(key)?.type === 'signal' && !DECISIONS.has(key)))
        for (const payload of UNREADABLE) await signalRaw(engine, handle, { signal: MESSAGES.get(key)?.name ?? '', payload })
      await release()
      await engine.untilIdle()
      expect(((await handle.fetchHistory()).events ?? []).filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([])
      expect(await standOf(handle, STATE_OF[process])).toBe(before)
    },
  )

  test('has a row for every message that it has a handler for, in every state', () => {
    const handled = handledBy(process).filter((key) => MESSAGES.get(key)?.type !== 'query')
    for (const messages of Object.values(results)) expect(Object.keys(messages).sort()).toEqual(handled.sort())
    const reached = Object.keys(results).filter((state) => state !== 'admitting')
    expect(reached.sort()).toEqual(Object.keys(states).sort())
  })
})

/** The largest signals that Temporal takes in a payload of half a megabyte; passed on, some are larger. */
const MOST = 512 * 1024
const offeredOf = (size: number) => (sessionId: string) => {
  const offer = { sessionId, requestId: 'request-2', protocol: 'http', submission: '' }
  return JSON.stringify({ ...offer, submission: 'a'.repeat(size - JSON.stringify(offer).length) })
}
const LARGE: [string, TabledWorkflow, string, string, (sessionId: string) => string][] = [
  ['a submission', 'claimSession', 'claimed', 'submissionOffered', offeredOf(MOST)],
  ['the largest submission that is accepted', 'claimSession', 'claimed', 'submissionOffered', offeredOf(384 * 1024)],
  ['a submission', 'claimSession', 'submitted', 'submissionOffered', offeredOf(MOST)],
  [
    'a submission of large numbers',
    'claimSession',
    'claimed',
    'submissionOffered',
    (sessionId) =>
      `{"sessionId":"${sessionId}","requestId":"request-2","protocol":"http","submission":[${Array(100_000).fill('1e20').join()}]}`,
  ],
  ['a bare text', 'dispute', 'review', 'reviewGiven', () => JSON.stringify('a'.repeat(MOST - 2))],
  [
    'a bare array',
    'dispute',
    'review',
    'verdictGiven',
    () =>
      `[${Array(MOST / 2 - 1)
        .fill('0')
        .join()}]`,
  ],
  ['a rationale', 'dispute', 'review', 'reviewGiven', () => JSON.stringify({ verdict: 'approve', rationale: 'a'.repeat(MOST - 40) })],
]

test.each(LARGE)('%s of half a megabyte or nearly fails no workflow task: %s, %s, %s', async (_what, process, state, key, data) => {
  const { handle, sessionId, release } = await (TABLES[process].states[state] as Reach)(engine)
  const payload = { metadata: { encoding: bytes('json/plain') }, data: bytes(data(sessionId)) }
  expect(payload.data.length).toBeLessThanOrEqual(MOST)
  await signalRaw(engine, handle, { signal: MESSAGES.get(key)?.name ?? '', payload })
  await engine.untilIdle()
  const { pendingWorkflowTask } = (await handle.describe()).raw
  expect(Number(pendingWorkflowTask?.attempt ?? 1)).toBe(1)
  await release()
  await engine.untilIdle()
})

describe('chainFollower', () => {
  test('takes only the query for its progress, and answers it while its step is under way', async () => {
    expect(handledBy('chainFollower')).toEqual(['followerProgress'])
    const held = gate()
    engine.service.play({ followChain: () => held.passed.then(() => ({ cursor: '1', head: '1', lagSeconds: 0, trouble: null })) })
    const handle = await engine.beginFollower(31)
    await until(() => engine.service.callsOf('followChain').length > 0)
    expect(await handle.query(followerProgress)).toBeNull()
    const { pendingActivities } = (await handle.describe()).raw
    expect(pendingActivities?.map(({ maximumAttempts }) => maximumAttempts)).toEqual([0])
    await handle.terminate()
    held.open()
  })
})

describe('principalVesting', () => {
  const WAITS: [string, () => VestingProgress][] = [
    ['a tranche', () => vestsAt(engine.now() + 2 * DAY)],
    ['a loan', () => vestsAt(null)],
    ['the records', () => ({ kind: 'unread', reason: 'chain_events_behind' })],
  ]

  test.each(WAITS)('waits for %s, says so, and reads again after each message', async (_what, progress) => {
    expect(handledBy('principalVesting')).toEqual(['vestingProgress', 'depositsMoved'])
    const stands = progress()
    let isVested = false
    engine.service.replay({ advanceVesting: async () => (isVested ? VESTED : stands) })
    const handle = await engine.beginVesting('0x3')
    await until(() => readings(engine) === 1)
    await until(async () => (await handle.query(vestingProgress)) !== null)
    expect(await handle.query(vestingProgress)).toEqual(stands)
    await handle.signal(depositsMoved)
    await until(() => readings(engine) === 2)
    await handle.signal(depositsMoved.name, { what: 'is undeclared' })
    await until(() => readings(engine) === 3)
    for (const payload of UNREADABLE) await signalRaw(engine, handle, { signal: depositsMoved.name, payload })
    await until(() => readings(engine) > 3)
    isVested = true
    await handle.signal(depositsMoved)
    expect(await handle.result()).toEqual({ principal: '10 USDC' })
  })

  test('reads again after a message that came while it read for the last time', async () => {
    let reads = 0
    const held = gate()
    const slow = async () => {
      reads += 1
      if (reads === 1) await held.passed
      return reads === 1 ? VESTED : { ...VESTED, principal: '11 USDC' }
    }
    engine.service.play({ advanceVesting: slow })
    const handle = await engine.beginVesting('0x4')
    await until(() => reads === 1)
    await handle.signal(depositsMoved)
    // After some eight seconds the process gets the message in another task, while its local step goes on.
    const tasks = async () => (await handle.fetchHistory()).events?.filter(({ eventType }) => eventType === TASK_STARTED).length ?? 0
    await until(async () => (await tasks()) > 1)
    held.open()
    expect(await handle.result()).toEqual({ principal: '11 USDC' })
  })
})

describe('externalPosting', () => {
  const WAITS: [string, () => PostingProgress][] = [
    ['its funding', () => postingIn('awaiting_funding', engine.now() + 2 * DAY)],
    ['its escrow', () => postingIn('live')],
    ['a claim that has no session', () => postingIn('live', null, { unrecordedClaim: CLAIM_ON_CHAIN })],
    [
      'the end of a claim that holds an unlisted escrow',
      () => postingIn('mismatch', null, { unlistedClaim: CLAIM_ON_CHAIN, isOver: false }),
    ],
  ]

  test.each(WAITS)('waits for %s, says so, and reads again after each message', async (_what, progress) => {
    expect(handledBy('externalPosting')).toEqual(['postingProgress', 'postingChanged'])
    const stands = progress()
    let isSettled = false
    const readings = () => engine.service.callsOf('reconcilePosting').length
    const freeEscrow = async () => freeingAt(engine.now() + 7 * DAY)
    const steps = {
      freeEscrow,
      bringClaimHome: async () => false,
      reconcilePosting: async () => (isSettled ? postingIn('settled') : stands),
    }
    engine.service.replay(steps)
    const handle = await engine.beginPosting(`0x${'5'.repeat(64)}`)
    await until(async () => (await handle.query(postingProgress)) !== null)
    expect(await handle.query(postingProgress)).toEqual(stands)
    const read = readings()
    await handle.signal(postingChanged)
    await until(() => readings() > read)
    await engine.untilIdle()
    const again = readings()
    await handle.signal(postingChanged.name, { what: 'is undeclared' })
    await until(() => readings() > again)
    for (const payload of UNREADABLE) await signalRaw(engine, handle, { signal: postingChanged.name, payload })
    isSettled = true
    await handle.signal(postingChanged)
    expect(await handle.result()).toEqual({ status: 'settled' })
  })
})

describe('crossChainRequest', () => {
  const refused = (work: Promise<unknown>) => work.then(() => 'answered').catch((error) => error.cause?.type)
  const waiting: [string, () => WatchProgress][] = [
    ['another request', () => queues(engine)],
    ['the balance', () => watches(engine)],
  ]

  test.each(waiting)('waits for %s, says so, refuses to settle, and reads again after each message', async (_what, progress) => {
    expect(handledBy('crossChainRequest')).toEqual(['crossChainProgress', 'requestChanged', 'observeUpdate', 'retryUpdate'])
    const stands = progress()
    watch(engine, stands, stands, stands, stands, { kind: 'ended', status: 'failed' })
    const handle = await engine.beginRequest('0x11')
    await until(async () => (await handle.query(crossChainProgress)) !== null)
    expect(await handle.query(crossChainProgress)).toEqual(stands)
    expect(await refused(retry(handle))).toBe('xcm_request_not_observed')
    expect(await handle.executeUpdate(observeUpdate, { args: [CANCELLATION] })).toEqual({ recorded: true })
    await until(() => reads(engine) === 2)
    await handle.signal(requestChanged)
    await until(() => reads(engine) === 3)
    await handle.signal(requestChanged.name, { what: 'is undeclared' })
    await until(() => reads(engine) === 4)
    for (const payload of UNREADABLE) await signalRaw(engine, handle, { signal: requestChanged.name, payload })
    expect(await handle.result()).toEqual({ requestId: '0x11', status: 'failed' })
  })

  test('parked, says so for a year, takes a new observation or a retry, and makes five tries again', async () => {
    const handle = await parked(engine, '0x12')
    await until(async () => (await shownState(handle)) === 'finalize_exhausted')
    const before = tries(engine)
    await engine.move(365 * DAY)
    expect(tries(engine)).toBe(before)
    settle(engine, ...Array.from({ length: 5 }, () => refuses(engine, 0)))
    expect(await handle.executeUpdate(observeUpdate, { args: [CANCELLATION] })).toEqual({ recorded: true })
    await until(() => engine.service.callsOf('parkCrossChainRequest').length === 2)
    expect(tries(engine)).toBe(before + 5)
    const retried = await retry(handle)
    expect(retried).toEqual({ kind: 'settled', status: 'succeeded' })
    expect(await handle.result()).toEqual({ requestId: '0x12', status: 'succeeded' })
  })
})

describe('the tables', () => {
  test('leave out no message of a contract', () => {
    const handled = PROCESSES.flatMap(handledBy)
    expect(new Set(handled)).toEqual(new Set(MESSAGES.keys()))
  })
})
