import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { createClock } from '../../activities/common/clock.ts'
import { readClockOffset, writeClockOffset } from '../../local/time/clock.ts'
import { useDirectory } from './support/directory.ts'

const DAY_MS = 86_400_000
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('service time', () => {
  const directory = useDirectory()

  test('is the wall clock where no time machine is', () => {
    expect(Math.abs(createClock().now() - Date.now())).toBeLessThan(50)
    expect(Math.abs(createClock({ offsetFile: join(directory, 'none') }).now() - Date.now())).toBeLessThan(50)
  })

  test('follows the time machine within milliseconds, in every process that reads the file', async () => {
    const offsetFile = join(directory, 'offset')
    const clocks = [createClock({ offsetFile }), createClock({ offsetFile })]
    for (const clock of clocks) clock.now()
    writeClockOffset(offsetFile, 7 * DAY_MS)
    await pause(5)
    for (const clock of clocks) expect(Math.abs(clock.now() - Date.now() - 7 * DAY_MS)).toBeLessThan(50)
  })

  test('never goes back', () => {
    const offsetFile = join(directory, 'forward')
    writeClockOffset(offsetFile, DAY_MS)
    expect(() => writeClockOffset(offsetFile, DAY_MS - 1)).toThrow('forward only')
    expect(readClockOffset(offsetFile)).toBe(DAY_MS)
  })

  test('is refused rather than guessed when the file holds no number', () => {
    const offsetFile = join(directory, 'damaged')
    writeFileSync(offsetFile, 'soon')
    expect(() => createClock({ offsetFile }).now()).toThrow('does not hold a number')
    expect(() => readClockOffset(offsetFile)).toThrow('does not hold a number')
  })
})
