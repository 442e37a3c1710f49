import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from '@jest/globals'

const MODULE = new URL('../../schemas/run-process.ts', import.meta.url).href
/** Sends the process a signal, and keeps it busy until the signal waits. */
const signalled = (signal: string): string =>
  `process.kill(process.pid, '${signal}'); for (const end = Date.now() + 100; Date.now() < end; );`

/** Longest run of a process that no signal ends. */
const KILL_MS = 30_000

/** Exit code of a process that runs these lines; null if no signal ended it. */
const exitCodeOf = async (...lines: string[]): Promise<number | null> => {
  const script = [
    `import { handleStopSignals } from ${JSON.stringify(MODULE)}`,
    // A turn of the event loop reads the signals that wait.
    "import { setImmediate as turn } from 'node:timers/promises'",
    'setInterval(() => undefined, 1_000)',
    'const replaceStop = handleStopSignals(() => process.exit(1))',
    ...lines,
  ].join('\n')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: 'ignore',
    timeout: KILL_MS,
    killSignal: 'SIGKILL',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

describe.each(['SIGTERM', 'SIGINT'])('%s', (signal) => {
  test.each([
    ['before the stop is replaced', [signalled(signal), 'await turn()', 'await turn()', 'replaceStop(() => process.exit(2))'], 1],
    ['while the stop is replaced', ['await turn()', 'await turn()', signalled(signal), 'replaceStop(() => process.exit(2))'], 2],
    ['after the stop is replaced', ['replaceStop(() => process.exit(2))', 'await turn()', 'await turn()', signalled(signal)], 2],
  ])('%s ends the process', async (_name, lines, code) => {
    expect(await exitCodeOf(...lines)).toBe(code)
  })
})
