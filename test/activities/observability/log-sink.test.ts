import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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
const PART_BYTES = 500_000
/**
 * Writes four parts of 500 lines to its standard output, then states on standard error how many were lost. As long as none is lost, it waits
 * after each part for a line on its standard input, or for the end of it.
 */
const SCRIPT = `
  const { createInterface } = await import('node:readline')
  const { createLogSink, lostLogLines } = await import(${JSON.stringify(MODULE)})
  const received = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const sink = createLogSink(1)
  for (let part = 0; part < 4; part += 1) {
    for (let line = 0; line < 500; line += 1) sink.write('x'.repeat(999) + '\\n')
    if (lostLogLines() === 0) await received.next()
  }
  process.stderr.write(String(lostLogLines()))
  process.exit(0)`

test.each([
  ['reads', 0, 0],
  ['does not read', 500, 1_999],
  ['has gone', 1_999, 2_000],
] as const)('a pipe whose reader %s costs at most its lines', async (reader, least, most) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], { stdio: 'pipe' })
  if (reader === 'has gone') child.stdout.destroy()
  if (reader === 'reads') {
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes % PART_BYTES === 0) child.stdin.write('\n')
    })
  } else child.stdin.end()
  const [lost, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  child.stdout.destroy()
  expect([code, Number(lost)]).toEqual([0, expect.any(Number)])
  expect(Number(lost)).toBeGreaterThanOrEqual(least)
  expect(Number(lost)).toBeLessThanOrEqual(most)
})
