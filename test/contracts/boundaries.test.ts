import { beforeAll, describe, expect, test } from '@jest/globals'
import { zeroHash } from 'viem'
import { create, DAY, dispute, fund, JOB, reject, submit, TTL } from './support/jobs.ts'
import { startWorld, type World, who } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.poster, 10_000_000n)
  await fund(world, who.worker, 10_000_000n)
})

interface Boundary {
  readonly what: string
  readonly prepare: (world: World) => Promise<unknown>
  /** Seconds from the last block of the preparation to the boundary. */
  readonly after: number
  readonly call: readonly [from: keyof typeof who, name: string, ...args: unknown[]]
  /** One second before, at the boundary, one second later. */
  readonly answers: readonly [string, string, string]
}

const PASSED = 'it passed'

const claimed = async (): Promise<void> => {
  await create(world)
  await world.run(who.worker, 'escrow', 'claimJob', JOB)
}

const rejected = async (): Promise<void> => {
  await create(world)
  await submit(world)
  await reject(world)
}

const disputed = async (): Promise<void> => {
  await create(world)
  await submit(world)
  await dispute(world)
}

const BOUNDARIES: readonly Boundary[] = [
  {
    what: 'a submission counts up to the expiry',
    prepare: claimed,
    after: TTL,
    call: ['worker', 'submitWork', JOB, zeroHash],
    answers: [PASSED, PASSED, 'InvalidState()'],
  },
  {
    what: 'a claim times out after the expiry',
    prepare: claimed,
    after: TTL,
    call: ['stranger', 'handleClaimTimeout', JOB],
    answers: ['"NOT_EXPIRED"', '"NOT_EXPIRED"', PASSED],
  },
  {
    what: 'a job can be cancelled from one hour on',
    prepare: () => create(world),
    after: 3_600,
    call: ['poster', 'cancelOpenJob', JOB],
    answers: ['"OPEN_FLOOR_ACTIVE"', PASSED, PASSED],
  },
  {
    what: 'a rejection can be disputed up to seven days',
    prepare: rejected,
    after: 7 * DAY,
    call: ['worker', 'openDispute', JOB],
    answers: [PASSED, PASSED, '"DISPUTE_WINDOW_CLOSED"'],
  },
  {
    what: 'the broker has the same seven days',
    prepare: rejected,
    after: 7 * DAY,
    call: ['operator', 'openDisputeFor', JOB, who.worker],
    answers: [PASSED, PASSED, '"DISPUTE_WINDOW_CLOSED"'],
  },
  {
    what: 'a rejection becomes final after seven days',
    prepare: rejected,
    after: 7 * DAY,
    call: ['stranger', 'finalizeRejectedJob', JOB],
    answers: ['"DISPUTE_WINDOW_ACTIVE"', '"DISPUTE_WINDOW_ACTIVE"', PASSED],
  },
  {
    what: 'the arbiter times out from fourteen days on',
    prepare: disputed,
    after: 14 * DAY,
    call: ['stranger', 'autoResolveOnTimeout', JOB],
    answers: ['"ARBITRATOR_SLA_ACTIVE"', PASSED, PASSED],
  },
]

describe('time boundaries', () => {
  test.each(BOUNDARIES)('$what', async ({ prepare, after, call: [from, name, ...args], answers }) => {
    await world.undone(async () => {
      await prepare(world)
      const boundary = (await world.now()) + after
      const found: string[] = []
      for (const shift of [-1, 0, 1]) {
        const answer = await world.undone(async () => {
          await world.nextBlockAt(boundary + shift)
          const reason = await world.refusal(who[from], 'escrow', name, ...args)
          expect(await world.now()).toBe(boundary + shift)
          return reason
        })
        found.push(answer)
      }
      expect(found).toEqual(answers)
    })
  })

  test('the arbitrator may still decide after its time, until somebody ends the dispute', async () => {
    await world.undone(async () => {
      await disputed()
      await world.pass(14 * DAY + 1)
      expect(await world.refusal(who.arbitrator, 'escrow', 'resolveDispute', JOB, 1n, zeroHash, '')).toBe(PASSED)
    })
  })

  test('a reopened job can be cancelled at once when its first hour is over', async () => {
    await world.undone(async () => {
      await claimed()
      await world.pass(TTL + 1)
      await world.run(who.stranger, 'escrow', 'handleClaimTimeout', JOB)
      expect(await world.refusal(who.poster, 'escrow', 'cancelOpenJob', JOB)).toBe(PASSED)
    })
  })
})

describe('the published constants', () => {
  test.each([
    ['DISPUTE_WINDOW', 604_800n],
    ['ARBITRATOR_SLA', 1_209_600n],
    ['MIN_OPEN_FOR_CANCEL', 3_600n],
    ['MAX_MILESTONES', 32n],
    ['MAX_PROTOCOL_FEE_BPS', 1_000],
    ['MAX_RETENTION_FLAT_RAW', 500_000n],
    ['MAX_RETENTION_CAP_BPS', 2_500],
    ['MAX_POSTER_FEE_FLOOR_RAW', 500_000n],
    ['retainsClaimFeeOnSuccess', false],
    ['supportsGasRetention', true],
  ])('%s is %s', async (name, value) => {
    expect(await world.read('escrow', name)).toBe(value)
  })
})
