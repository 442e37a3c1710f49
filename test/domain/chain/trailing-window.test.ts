import { describe, expect, test } from '@jest/globals'
import { dueSpans, moveWindow, openWindow, settleSpan, type TrailingWindow } from '../../../domain/chain/trailing-window.ts'

/** Reads all that is due and returns the spans. */
const read = (window: TrailingWindow, now: number): { window: TrailingWindow; spans: string[] } => {
  const due = dueSpans(window, now)
  const after = due.reduce((left, { age, span }) => settleSpan(left, age, span.to), window)
  return { window: after, spans: due.map(({ span }) => `${span.from}-${span.to}`) }
}

describe('the trailing window', () => {
  test('of a follower that begins holds the 64 blocks below its cursor', () => {
    const window = openWindow(1_000n, 0)
    expect(read(window, 4_999).spans).toEqual([])
    expect(read(window, 5_000).spans).toEqual(['937-1000'])
    expect(read(window, 60_000).spans).toEqual(['937-1000', '937-1000'])
  })

  test('is read again at five seconds and at a minute, and then rests until the cursor moves', () => {
    let { window, spans } = read(moveWindow(openWindow(1_000n, 0), 1_001n, 10_000), 15_000)
    expect(spans).toEqual(['937-1001'])
    ;({ window, spans } = read(window, 20_000))
    expect(spans).toEqual([])
    ;({ window, spans } = read(window, 60_000))
    expect(spans).toEqual(['937-1000'])
    ;({ window, spans } = read(window, 70_000))
    expect(spans).toEqual(['938-1001'])
    ;({ window, spans } = read(window, 1_000_000))
    expect(spans).toEqual([])
    expect(read(moveWindow(window, 1_002n, 1_000_000), 1_005_000).spans).toEqual(['939-1002'])
  })

  test('of a fast chain holds every block of the last minute', () => {
    let window = openWindow(0n, 0)
    const spans: string[] = []
    for (let second = 1; second <= 120; second += 1) {
      window = moveWindow(window, BigInt(second * 10), second * 1_000)
      const again = read(window, second * 1_000)
      window = again.window
      spans.push(...again.spans)
    }
    const covered = new Map<number, number>()
    for (const span of spans) {
      const [from = 0, to = 0] = span.split('-').map(Number)
      for (let block = from; block <= to; block += 1) covered.set(block, (covered.get(block) ?? 0) + 1)
    }
    expect(Array.from({ length: 600 }, (_, index) => index + 1).filter((block) => (covered.get(block) ?? 0) < 2)).toEqual([])
    expect(window.cursors.length).toBeLessThan(65)
  })

  test('follows the cursor back below a fork and reads the blocks of the new branch again', () => {
    const { window } = read(moveWindow(openWindow(1_000n, 0), 1_100n, 1_000), 61_000)
    const forked = moveWindow(window, 1_050n, 62_000)
    expect(read(forked, 67_000).spans).toEqual([])
    expect(read(moveWindow(forked, 1_090n, 63_000), 68_000).spans).toEqual(['1027-1090'])
  })

  test('of a chain that is read from its first block is bounded, and never begins below block 0', () => {
    expect(read(moveWindow(openWindow(3n, 0), 1_000_000n, 0), 5_000).spans).toEqual(['990001-1000000'])
    expect(read(openWindow(3n, 0), 5_000).spans).toEqual(['0-3'])
  })
})
