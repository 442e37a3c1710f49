import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { createLogSink, lostLogLines } from '../../../activities/observability/log-sink.ts'

test('a line that the disk does not take is dropped and counted', () => {
  const full = openSync('/dev/full', 'w')
  const before = lostLogLines()
  const sink = createLogSink(full)
  for (const line of ['one\n', 'two\n']) sink.write(line)
  closeSync(full)
  sink.write('three\n')
  expect(lostLogLines() - before).toBe(3)
})

test('a line that is taken is written whole', () => {
  const directory = mkdtempSync(join(tmpdir(), 'log-sink-'))
  const path = join(directory, 'log')
  const file = openSync(path, 'a')
  const before = lostLogLines()
  const sink = createLogSink(file)
  for (const line of ['one\n', `${'x'.repeat(100_000)}\n`]) sink.write(line)
  closeSync(file)
  expect([readFileSync(path, 'utf8').length, lostLogLines() - before]).toEqual([100_005, 0])
  rmSync(directory, { recursive: true })
})

const MODULE = new URL('../../../activities/observability/log-sink.ts', import.meta.url).href
/** Writes lines to its standard output and states on standard error how many were lost. */
const SCRIPT = `
  const { createLogSink, lostLogLines } = await import(${JSON.stringify(MODULE)})
  const sink = createLogSink(1)
  for (let sent = 0; sent < 2000; sent += 1) {
    sink.write('x'.repeat(999) + '\\n')
    if (sent % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
  process.stderr.write(String(lostLogLines()))
  process.exit(0)`

test.each([
  ['reads', 0, 0],
  ['does not read', 500, 1_999],
  ['has gone', 1_999, 2_000],
] as const)('a pipe whose reader %s costs at most its lines', async (reader, least, most) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], { stdio: ['ignore', 'pipe', 'pipe'] })
  if (reader === 'has gone') child.stdout.destroy()
  if (reader === 'reads') child.stdout.resume()
  let lost = ''
  child.stderr.on('data', (chunk) => {
    lost += chunk
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  child.stdout.destroy()
  expect([code, Number(lost)]).toEqual([0, expect.any(Number)])
  expect(Number(lost)).toBeGreaterThanOrEqual(least)
  expect(Number(lost)).toBeLessThanOrEqual(most)
})
