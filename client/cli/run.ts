import { parseCommandLine, textOption, wantsJson } from './arguments.ts'
import { createContext, openOutput, type Surroundings } from './context.ts'
import { CliError, EXIT, unknownOutcome } from './failures.ts'
import { timeLimitOf } from './help.ts'
import { findProblem, reportFailure } from './output/problem.ts'

const GRACE_MS = 2_000

/** Rejects when the signal aborts and the command itself has not ended shortly after. */
const abandoned = (signal: AbortSignal): { promise: Promise<never>; stop: () => void } => {
  let stop = (): void => {}
  const promise = new Promise<never>((_, reject) => {
    let timer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    stop = () => {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(timer)
    }
  })
  return { promise, stop }
}

/** What to report of an aborted command: an error that says what is known, such as a hash, else why it was aborted. */
const failureOf = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted && !(error instanceof CliError) && findProblem(error) === undefined ? signal.reason : error

/** Runs one command line. Returns the exit code; never throws. `interruption` aborts with a `CliError`. */
export const run = async (
  args: readonly string[],
  surroundings: Omit<Surroundings, 'signal'> & { interruption: AbortSignal },
): Promise<number> => {
  const limit = new AbortController()
  const signal = AbortSignal.any([limit.signal, surroundings.interruption])
  const output = openOutput({ ...surroundings, signal }, wantsJson(args))
  const waiting = abandoned(signal)
  let timer: NodeJS.Timeout | undefined
  try {
    const parsed = parseCommandLine(args)
    const seconds = Number(textOption(parsed.options, 'timeout') ?? timeLimitOf(parsed.command))
    if (Number.isFinite(seconds))
      timer = setTimeout(() => limit.abort(unknownOutcome(`The command did not end within ${seconds} seconds.`)), seconds * 1000)
    const context = createContext(parsed, output, { env: surroundings.env, signal })
    const report = await Promise.race([parsed.command.run(context), waiting.promise])
    output.report(report)
    return report.exit ?? EXIT.done
  } catch (error) {
    return reportFailure(output, failureOf(error, signal))
  } finally {
    clearTimeout(timer)
    waiting.stop()
  }
}

/** Failure of a command that a signal of the system ended. */
export const interruptedBy = (signal: 'SIGINT' | 'SIGTERM'): CliError =>
  new CliError(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated, {
    title: 'Interrupted',
    code: 'interrupted',
    detail: 'Interrupted. Claims, submissions, deposits and disputes are safe to repeat: the same command continues where it stopped.',
  })
