import { describe, expect, test } from '@jest/globals'
import { createFollowChain, type FollowChainDeps } from '../../../../activities/chain/follower/activity.ts'
import type { FollowerStep } from '../../../../activities/chain/follower/follower.ts'
import type { FollowProgress } from '../../../../schemas/chain/process.ts'
import { createFollowerLog } from '../../../../workers/chain/follower.ts'
import { createFollowerAlarm } from '../../../../workers/chain/follower-alarm.ts'

const NO_GAP = { gapBlock: null, missedEvents: 0, gapFoundAt: null }
const IDLE: FollowerStep = { kind: 'idle' }
const PAGE: FollowerStep = { kind: 'page', added: 1, removed: 0 }

/** A round on a clock that moves by what is waited for; every look is one of the script, the last one for ever. */
const round = async (script: (FollowerStep | Error)[], changes: Partial<FollowChainDeps> = {}) => {
  let now = 0
  const waits: number[] = []
  const beats: FollowProgress[] = []
  const troubles: (string | null)[] = []
  const follow = createFollowChain({
    follower: {
      advance: async () => {
        now += 1
        const next = script.length > 1 ? script.shift() : script[0]
        if (next === undefined || next instanceof Error) throw next
        return next
      },
    },
    notifyWorkflows: async () => 0,
    lag: async () => ({ cursor: 5n, head: 9n, lagSeconds: 1.7, ...NO_GAP }),
    pollMs: 250,
    wait: async (milliseconds, progress) => {
      waits.push(milliseconds)
      beats.push(progress)
      now += milliseconds
      return true
    },
    onStep: () => undefined,
    onFailure: (error) => troubles.push(error === null ? null : (error as Error).message),
    formatError: (error) => (error as Error).message,
    monotonic: () => now,
    roundMs: 3_000,
    ...changes,
  })
  return { progress: await follow.followChain({ chainId: 1 }), waits, beats, troubles }
}

describe('a round of following', () => {
  test('looks again at once while there is more, and rests when there is not', async () => {
    const { waits, progress } = await round([PAGE, PAGE, IDLE])
    expect(waits.slice(0, 4)).toEqual([0, 0, 250, 250])
    expect(progress).toEqual({ cursor: '5', head: '9', lagSeconds: 1, trouble: null })
  })

  test('ends after its time, and shows in every beat where it stands', async () => {
    const { waits, beats } = await round([IDLE])
    expect(waits).toHaveLength(12)
    expect(new Set(beats.map(({ cursor }) => cursor))).toEqual(new Set(['5']))
  })

  test('waits longer after each failure, never fails, and says what went wrong until it goes well', async () => {
    const away = new Error('the node is away')
    const { waits, beats, troubles } = await round([away, away, away, PAGE, away, IDLE], { roundMs: 10_000 })
    expect(waits.slice(0, 5)).toEqual([500, 1_000, 2_000, 0, 500])
    expect(beats[1]?.trouble).toBe('the node is away')
    expect(beats[3]?.trouble).toBeNull()
    expect(troubles.slice(0, 5)).toEqual([away.message, away.message, away.message, null, away.message])
  })

  test('ends as soon as its worker stops, with what it knows', async () => {
    let beats = 0
    const { progress } = await round([PAGE], {
      wait: async () => {
        beats += 1
        return beats < 3
      },
    })
    expect([beats, progress.cursor]).toEqual([3, '5'])
  })

  test('goes on reading when the workflows cannot be notified, and notifies them later', async () => {
    let tries = 0
    const { troubles } = await round([PAGE, PAGE, IDLE], {
      notifyWorkflows: async () => {
        tries += 1
        if (tries === 1) throw new Error('the engine is away')
        return 0
      },
    })
    expect(troubles.slice(0, 2)).toEqual(['the engine is away', null])
  })
})

const collect = () => {
  const lines: string[] = []
  const say = (level: string) => (first: unknown, second?: string) => lines.push(`${level}: ${second ?? String(first)}`)
  return { lines, logger: { info: say('info'), warn: say('warn'), error: say('error') } as never }
}

test('the log says a trouble once, its end, and what is out of the ordinary', () => {
  const { lines, logger } = collect()
  const { onStep, onFailure } = createFollowerLog(logger)
  const away = new Error('away')
  for (const error of [null, away, away, new Error('refused'), null, null]) onFailure(error)
  for (const look of [IDLE, PAGE, { kind: 'rewound', to: 7n }, { kind: 'page', added: 0, removed: 2 }] as FollowerStep[]) onStep(look)
  expect(lines.map((line) => line.split(':')[0])).toEqual(['warn', 'warn', 'info', 'warn', 'warn'])
})

test('the alarm is raised beyond the bound, each minute while it lasts, and taken back once', () => {
  const { lines, logger } = collect()
  let now = 0
  const alarm = createFollowerAlarm({ boundSeconds: 600, logger }, () => now)
  const lag = (lagSeconds: number) => alarm({ cursor: 1n, head: 2n, lagSeconds, ...NO_GAP })
  lag(600)
  expect(lines).toEqual([])
  lag(601)
  now = 59_999
  lag(640)
  now = 60_000
  lag(661)
  lag(3)
  lag(3)
  alarm(null)
  expect(lines.map((line) => line.split(':')[0])).toEqual(['error', 'error', 'info'])
})
