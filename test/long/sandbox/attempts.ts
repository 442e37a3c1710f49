// Runs the attempts on standard input, as the user who starts it, and prints the result of each.
import { text } from 'node:stream/consumers'
import { type Attempt, attempt, machineProbe } from '../../support/sandbox/runner.ts'

/** What an attempt came to. */
export interface Attempted {
  outcome: string
  exitCode: number | null
  signal: number | null
  stdout: string
  stderr: string
}

const attempts = JSON.parse(await text(process.stdin)) as Attempt[]
const results: Attempted[] = []
if (machineProbe.ok)
  for (const one of attempts) {
    const { outcome, exitCode, signal, stdout, stderr } = await attempt(one)
    results.push({
      outcome,
      exitCode,
      signal,
      stdout: Buffer.from(stdout).toString('latin1'),
      stderr: Buffer.from(stderr).toString('latin1'),
    })
  }
process.stdout.write(JSON.stringify({ probe: machineProbe, results }))
