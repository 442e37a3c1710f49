import { expect, test } from '@jest/globals'
import { type ClockEvent, settlementTimes, stepTimes, submissionsOf } from '../../../domain/settlement/clock.ts'

type Step = [event: ClockEvent['event'], at: number]
const WORK: Step = ['WorkSubmitted', 0]
const VERDICT: Step = ['Verified', 5]
const REJECTION: Step = ['JobRejected', 5]
const DISPUTE: Step = ['DisputeOpened', 9]
const DECISION: Step = ['DisputeResolved', 20]

const HISTORIES: [name: string, events: Step[], end: [verdict: number | null, paid: number | null, isUnpaid: boolean]][] = [
  ['submitted', [WORK], [null, null, true]],
  ['approved, payment still to come', [WORK, VERDICT], [5, null, true]],
  ['approved and paid', [WORK, VERDICT, ['SettlementSplit', 5], ['JobClosed', 5]], [5, 5, false]],
  ['rejected', [WORK, VERDICT, REJECTION], [5, null, false]],
  ['rejected and disputed', [WORK, VERDICT, REJECTION, DISPUTE], [5, null, true]],
  ['dispute won', [WORK, VERDICT, REJECTION, DISPUTE, ['SettlementSplit', 20], DECISION], [5, 20, false]],
  ['dispute lost', [WORK, VERDICT, REJECTION, DISPUTE, ['JobRejected', 20], DECISION], [5, null, false]],
  [
    'milestones keep the first verdict and payment',
    [WORK, VERDICT, ['SettlementSplit', 6], ['Verified', 8], ['SettlementSplit', 9]],
    [5, 6, false],
  ],
]

test.each(HISTORIES)('%s', (_name, events, [verdictAt, paidAt, isUnpaid]) => {
  const history = events.map(([event, at]) => ({ event, at, chainJobId: 'job', worker: event === 'WorkSubmitted' ? 'w' : null }))
  expect(submissionsOf(history)).toEqual([{ chainJobId: 'job', worker: 'w', submittedAt: 0, verdictAt, paidAt, isUnpaid }])
})

test('each submission of a job has its own verdict', () => {
  const event = (name: ClockEvent['event'], at: number, worker: string | null = null) => ({ event: name, at, chainJobId: 'job', worker })
  const found = submissionsOf([
    ...[event('JobClosed', 0), event('WorkSubmitted', 1, 'a'), event('Verified', 3), event('JobReopened', 3)],
    ...[event('WorkSubmitted', 10, 'b'), event('Verified', 14), event('SettlementSplit', 15)],
  ])
  expect(found.map(({ worker, verdictAt, paidAt, isUnpaid }) => [worker, verdictAt, paidAt, isUnpaid])).toEqual([
    ['a', 3, null, false],
    ['b', 14, 15, false],
  ])
  expect(settlementTimes(found)).toMatchObject({
    submittedToVerdict: { count: 2, maxSeconds: 4 },
    submittedToPaid: { count: 1, maxSeconds: 5 },
  })
})

test.each([
  [[], { count: 0, medianSeconds: null, p90Seconds: null, maxSeconds: null }],
  [[7], { count: 1, medianSeconds: 7, p90Seconds: 7, maxSeconds: 7 }],
  [[4, 1, 3, 2], { count: 4, medianSeconds: 2, p90Seconds: 4, maxSeconds: 4 }],
  [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], { count: 10, medianSeconds: 5, p90Seconds: 9, maxSeconds: 10 }],
])('times of %j', (seconds, times) => {
  expect(stepTimes(seconds)).toEqual(times)
})
