import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from '@jest/globals'

const MODULE = new URL('../../schemas/run-process.ts', import.meta.url).href
/** Asks the process to end, and keeps it busy until the signal waits. */
const signalled = (signal: string): string =>
  `process.kill(process.pid, '${signal}'); for (const end = Date.now() + 100; Date.now() < end; );`

/** Exit code of a process that runs these lines; 9 if no signal ended it. */
const exitCodeOf = async (...lines: string[]): Promise<number> => {
  const script = [
    `import { handleStopSignals } from ${JSON.stringify(MODULE)}`,
    'const turn = () => new Promise((resolve) => setTimeout(resolve, 50))',
    'setTimeout(() => process.exit(9), 2_000)',
    'const replaceStop = handleStopSignals(() => process.exit(1))',
    ...lines,
  ].join('\n')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number]
  return code
}

describe.each(['SIGTERM', 'SIGINT'])('%s', (signal) => {
  test.each([
    ['before the stop is replaced', [signalled(signal), 'await turn()', 'replaceStop(() => process.exit(2))'], 1],
    ['while the stop is replaced', ['await turn()', signalled(signal), 'replaceStop(() => process.exit(2))'], 2],
    ['after the stop is replaced', ['replaceStop(() => process.exit(2))', 'await turn()', signalled(signal)], 2],
  ])('%s ends the process', async (_name, lines, code) => {
    expect(await exitCodeOf(...lines)).toBe(code)
  })
})
