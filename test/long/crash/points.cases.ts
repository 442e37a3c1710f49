// A sample of the crash points, and what finds a crash that is not survived: every wrong record made by hand must be named.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { disputeId } from '../../../domain/common/ids.ts'
import { type Answers, doTask, prepareTask, type Task } from '../../crash/acts/work.ts'
import type { CrashWorld } from '../../crash/crash-world.ts'
import { draw, SEED } from '../../crash/draw.ts'
import { playPoints } from '../../crash/play.ts'
import type { Point } from '../../crash/points/point.ts'
import { POINTS } from '../../crash/points/points.ts'
import { numberFaults } from '../../crash/prints/numbers.ts'
import { differences, type Print, readPrint } from '../../crash/prints/print.ts'
import { expectedOf, playRound } from '../../crash/round.ts'
import type { Outcome } from '../../crash/run.ts'
import { PASSED_BY } from '../../crash/strike.ts'
import { oneIn } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { deaths, openedWorld } from './one-world.ts'

let world: CrashWorld
let task: Task
let answers: Answers
let expected: Print

/** Names of what differs from the other run. */
const found = async (): Promise<string[]> =>
  differences(expected, await readPrint(world, task, answers)).map((line) => line.split(':')[0] ?? '')

const run = (statement: string) => sql.raw(statement.replaceAll('{job}', `'${task.jobId}'`)).execute(world.database.rows)

/** What is found while something is wrong in the records; afterwards they are as before. */
const whileWrong = async <T>(wrong: string, right: string, look: () => Promise<T>): Promise<T> => {
  await run(wrong)
  try {
    return await look()
  } finally {
    await run(right)
  }
}

const of = (topic: string): string => `job_id = {job} and topic = '${topic}'`
const swapped = `update event set seq = -seq where ${of('session.claimed')} or ${of('session.submitted')};
  update event e set seq = -other.seq from event other where e.job_id = {job} and other.job_id = {job} and e.seq < 0 and other.seq < 0
    and e.id <> other.id`

describe('the comparison', () => {
  beforeAll(async () => {
    world = openedWorld()
    const first = await prepareTask(world, 'waived')
    expected = await readPrint(world, first, await doTask(world, first))
    task = await prepareTask(world, 'waived')
    answers = await doTask(world, task)
  })

  test('finds nothing between two runs that nothing interrupted', async () => expect(await found()).toEqual([]))

  test.each([
    [
      'a deadline that is a second late',
      `update session set claim_expires_at = claim_expires_at + interval '1 second' where job_id = {job}`,
      `update session set claim_expires_at = claim_expires_at - interval '1 second' where job_id = {job}`,
      ['deadlines'],
    ],
    [
      'a claim that was recorded a second beside its block',
      `update session set claimed_at = claimed_at - interval '1 second' where job_id = {job}`,
      `update session set claimed_at = claimed_at + interval '1 second' where job_id = {job}`,
      ['deadlines', 'its instants'],
    ],
    [
      'work that was handed in before it was claimed',
      `update session set submitted_at = submitted_at - interval '1 day' where job_id = {job}`,
      `update session set submitted_at = submitted_at + interval '1 day' where job_id = {job}`,
      ['badge', 'handed in between claim and deadline', 'its instants', 'review times'],
    ],
    [
      'a payout in another block',
      `update session set payout_tx = jsonb_set(payout_tx, '{blockNumber}', to_jsonb('-' || (payout_tx->>'blockNumber'))) where job_id = {job}`,
      `update session set payout_tx = jsonb_set(payout_tx, '{blockNumber}', to_jsonb(substr(payout_tx->>'blockNumber', 2))) where job_id = {job}`,
      ['their blocks'],
    ],
    [
      'a session that was resolved when nothing was paid',
      `update session set resolved_at = resolved_at + interval '7 seconds' where job_id = {job}`,
      `update session set resolved_at = resolved_at - interval '7 seconds' where job_id = {job}`,
      ['badge', 'its instants'],
    ],
    [
      'an amount in what an event says',
      `update event set data = jsonb_set(data, '{totalClaimLock,raw}', to_jsonb('-' || (data->'totalClaimLock'->>'raw')))
        where ${of('funding.claim_lock_recorded')}`,
      `update event set data = jsonb_set(data, '{totalClaimLock,raw}', to_jsonb(substr(data->'totalClaimLock'->>'raw', 2)))
        where ${of('funding.claim_lock_recorded')}`,
      ['events'],
    ],
    [
      'an event that names no block',
      `update event set block_number = -block_number where ${of('session.claimed')}`,
      `update event set block_number = -block_number where ${of('session.claimed')}`,
      ['events'],
    ],
    ['two events in the wrong order', swapped, swapped, ['events', 'events were numbered as they were written']],
  ])('names %s', async (_what, wrong, right, names) => {
    expect(await whileWrong(wrong, right, async () => (await found()).sort())).toEqual([...names].sort())
    expect(await found()).toEqual([])
  })

  test.each([
    ['a gap in the numbers of all events', 'update event set seq = seq + 1 where seq = (select max(seq) from event)'],
    ['numbers that do not begin with one', 'update event set seq = 0 where seq = 1'],
  ])('names %s', async (_what, wrong) => {
    expect(await numberFaults(world)).toEqual([])
    const right = wrong.includes('max') ? wrong.replace('+ 1', '- 1') : 'update event set seq = 1 where seq = 0'
    expect(await whileWrong(wrong, right, () => numberFaults(world))).toEqual([expect.stringContaining('there is a gap')])
    expect(await numberFaults(world)).toEqual([])
  })
})

describe('the comparison of a dispute', () => {
  const COLUMNS = `source, verdict, reason_code, worker_payout_raw, payout_source, reasoning_hash, verification_id, decided_by, decided_at,
    preparation, observed`
  let disputed: Task
  let disputedAnswers: Answers
  let whole: Print
  const id = () => disputeId(disputedAnswers.claimed.body.sessionId)
  const differing = async (): Promise<string[]> =>
    differences(whole, await readPrint(world, disputed, disputedAnswers)).map((line) => line.split(':')[0] ?? '')
  const alter = (statement: string) => sql.raw(statement.replaceAll('{dispute}', `'${id()}'`)).execute(world.database.rows)

  beforeAll(async () => {
    disputed = await prepareTask(world, 'split')
    disputedAnswers = await doTask(world, disputed)
    whole = await readPrint(world, disputed, disputedAnswers)
  })

  test.each([
    [
      'a second verdict',
      `insert into dispute_verdict (dispute_id, round, ${COLUMNS}) select dispute_id, round + 1, ${COLUMNS} from dispute_verdict
        where dispute_id = {dispute}`,
      'delete from dispute_verdict where dispute_id = {dispute} and round = 2',
      ['verdicts of the dispute'],
    ],
    [
      'an entry of the timeline that came twice',
      'insert into dispute_event select dispute_id, seq + 100, at, actor, action, data from dispute_event where dispute_id = {dispute} and seq = 1',
      'delete from dispute_event where dispute_id = {dispute} and seq > 100',
      ['the dispute as it is shown', 'the timeline is numbered from one', 'timeline'],
    ],
    [
      'people who were reminded twice in one day',
      `insert into dispute_event select dispute_id, (select count(*) from dispute_event where dispute_id = {dispute}) + n, opened_at + interval '1 day' + n * interval '1 second',
        'system:dispute', 'people_reminded', '{}' from dispute, generate_series(1, 2) n where dispute_id = {dispute}`,
      `delete from dispute_event where dispute_id = {dispute} and action = 'people_reminded'`,
      ['people are reminded once a day'],
    ],
    [
      'evidence that its seal does not fit',
      `update dispute set evidence = jsonb_set(evidence, '{before,jobTitle}', '"Another"') where dispute_id = {dispute}`,
      `update dispute set evidence = jsonb_set(evidence, '{before,jobTitle}', '"Retry policy of a client"') where dispute_id = {dispute}`,
      ['the dispute as it is shown', 'the evidence is sealed'],
    ],
    [
      'a dispute that is still open',
      `update dispute set status = 'open' where dispute_id = {dispute}`,
      `update dispute set status = 'resolved' where dispute_id = {dispute}`,
      ['disputes', 'the dispute as it is shown'],
    ],
  ])('names %s', async (_what, wrong, right, names) => {
    expect(await differing()).toEqual([])
    await alter(wrong)
    try {
      expect((await differing()).sort()).toEqual(names)
    } finally {
      await alter(right)
    }
  })
})

describe('a point that no run comes to', () => {
  test('is a fault after its second turn', async () => {
    const [known] = POINTS.filter(({ name }) => name === 'api/claim/before-start')
    if (known === undefined || known.at === 'waiting') throw new Error('the point is gone')
    const point: Point = { ...known, name: 'api/claim/never', at: { ...known.at, call: '^never$' } }
    const outcomes: Outcome[] = []
    const onOutcome = (outcome: Outcome) => void outcomes.push(outcome)
    const retries: string[] = []
    let turns = 0
    const onStart = () => {
      turns += 1
    }
    const whole = await expectedOf(world, [point])
    expect(
      await playRound(world, {
        seed: 'faults',
        number: 1,
        points: [point],
        expected: whole,
        onOutcome,
        onStart,
        onRetry: ({ missed }) => retries.push(`${missed}`),
      }),
    ).toEqual([])
    expect(retries).toEqual([PASSED_BY])
    expect([turns, outcomes.map(({ faults }) => faults)]).toEqual([2, [[PASSED_BY]]])
  })
})

describe('a process that ends by itself', () => {
  test('is a fault in the moment in which it does, of the run that is under way and of the round, and it is brought back', async () => {
    const points = POINTS.filter(({ name }) => name === 'api/claim/before-start')
    const [, second] = world.workers
    const outcomes: Outcome[] = []
    const onOutcome = (outcome: Outcome) => void outcomes.push(outcome)
    const known = await expectedOf(world, points)
    const round = playRound(world, {
      seed: 'faults',
      number: 1,
      points,
      expected: known,
      onOutcome,
      onStart: () => process.kill(second?.pid() ?? 0, 'SIGKILL'),
    })
    await second?.gone()
    expect(deaths).toEqual([expect.stringMatching(/^worker-1 ended by itself \(SIGKILL\); its log ends with:\n.+/s)])
    expect(await round).toEqual(deaths)
    expect(outcomes.map(({ faults }) => faults)).toEqual([deaths])
    await eventually(
      'the worker is back',
      () => second?.isUp() === true,
      (isUp) => isUp,
    )
  })
})

describe(`claims during which a process is killed (CRASH_SEED=${SEED}) end as if nothing had happened`, () => {
  playPoints(oneIn(2, draw(SEED, POINTS)), () => world)
})
