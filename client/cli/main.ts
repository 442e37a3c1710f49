#!/usr/bin/env node
import { interruptedBy, run } from './run.ts'

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // A second signal ends the program at once.
    if (interruption.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
    interruption.abort(interruptedBy(signal))
  })

// A reader that closes the pipe early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  error: process.stderr,
  interruption: interruption.signal,
})
// Connections that are kept open would delay the end.
process.stdout.write('', () => process.exit())
