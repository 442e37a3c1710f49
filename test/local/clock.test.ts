import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { createClock } from '../../activities/common/clock.ts'
import { freezeClock, readClockOffset, readServiceTime, writeClockOffset } from '../../local/time/clock.ts'
import { useDirectory } from './support/directory.ts'

const DAY_MS = 86_400_000

afterEach(() => {
  jest.restoreAllMocks()
})

describe('service time', () => {
  const directory = useDirectory()

  test('is the wall clock where no time machine is', () => {
    jest.spyOn(Date, 'now').mockReturnValue(DAY_MS)
    expect(createClock().now()).toBe(DAY_MS)
    expect(createClock({ offsetFile: join(directory, 'none') }).now()).toBe(DAY_MS)
  })

  test('follows the time machine within milliseconds, in every process that reads the file', () => {
    const offsetFile = join(directory, 'offset')
    const clocks = [createClock({ offsetFile }), createClock({ offsetFile })]
    jest.spyOn(Date, 'now').mockReturnValue(DAY_MS)
    const elapsed = jest.spyOn(performance, 'now').mockReturnValue(1_000)
    for (const clock of clocks) expect(clock.now()).toBe(DAY_MS)
    writeClockOffset(offsetFile, 7 * DAY_MS)
    elapsed.mockReturnValue(1_003)
    for (const clock of clocks) expect(clock.now()).toBe(8 * DAY_MS)
  })

  test('never goes back', () => {
    const offsetFile = join(directory, 'forward')
    writeClockOffset(offsetFile, DAY_MS)
    expect(() => writeClockOffset(offsetFile, DAY_MS - 1)).toThrow('forward only')
    expect(readClockOffset(offsetFile)).toBe(DAY_MS)
  })

  test('stands at the instant at which it is held, and runs on from there or later once time is moved', () => {
    const offsetFile = join(directory, 'held')
    const wall = jest.spyOn(Date, 'now').mockReturnValue(DAY_MS)
    writeClockOffset(offsetFile, 1_000)
    freezeClock(offsetFile, DAY_MS + 5_000)
    wall.mockReturnValue(DAY_MS + 60_000)
    expect([createClock({ offsetFile }).now(), readServiceTime(offsetFile)]).toEqual([DAY_MS + 5_000, DAY_MS + 5_000])
    expect(readClockOffset(offsetFile)).toBe(1_000)
    writeClockOffset(offsetFile, 1_000)
    expect([createClock({ offsetFile }).now(), readServiceTime(offsetFile)]).toEqual([DAY_MS + 61_000, DAY_MS + 61_000])
  })

  test('is never held at an instant that is over, and never runs on from before the held one', () => {
    const offsetFile = join(directory, 'held-forward')
    jest.spyOn(Date, 'now').mockReturnValue(DAY_MS)
    expect(() => freezeClock(offsetFile, DAY_MS - 1)).toThrow('forward only')
    freezeClock(offsetFile, DAY_MS + 5_000)
    expect(() => freezeClock(offsetFile, DAY_MS + 4_999)).toThrow('forward only')
    expect(() => writeClockOffset(offsetFile, 4_999)).toThrow('forward only')
    expect(readServiceTime(offsetFile)).toBe(DAY_MS + 5_000)
  })

  test('is refused rather than guessed when the file holds no number', () => {
    const offsetFile = join(directory, 'damaged')
    for (const damaged of ['soon', '1 soon', '1 2 3']) {
      writeFileSync(offsetFile, damaged)
      expect(() => createClock({ offsetFile }).now()).toThrow('does not hold a number')
      expect(() => readClockOffset(offsetFile)).toThrow('does not hold a number')
    }
  })
})
