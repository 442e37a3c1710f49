import { sleep } from '../src/timing.ts'
import { parseCommandLine, textOption, wantsJson } from './arguments.ts'
import { createContext, openOutput, type Surroundings } from './context.ts'
import { CliError, EXIT, interrupted, terminated, unknownOutcome } from './failures.ts'
import { HANDLERS } from './handlers.ts'
import { timeLimitOf } from './help.ts'
import { findProblem, reportFailure } from './output/problem.ts'

const GRACE_MS = 2_000

/** Rejects when the signal aborts and the command itself has not ended shortly after. */
const abandon = (signal: AbortSignal, ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const onAbort = (): void =>
      void sleep(GRACE_MS, ended).then(
        () => reject(signal.reason),
        () => undefined,
      )
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true, signal: ended })
  })

/** What to report of an aborted command: an error that says what is known, such as a hash, else why it was aborted. */
const failureOf = (error: unknown, signal: AbortSignal): unknown =>
  signal.aborted && !(error instanceof CliError) && findProblem(error) === undefined ? signal.reason : error

/** Runs one command line. Returns the exit code; never throws. */
export const run = async (args: readonly string[], surroundings: Surroundings): Promise<number> => {
  const limit = new AbortController()
  const signal = AbortSignal.any([limit.signal, surroundings.interruption])
  const output = openOutput(surroundings, wantsJson(args))
  const ended = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    const parsed = parseCommandLine(args)
    const seconds = Number(textOption(parsed.options, 'timeout') ?? timeLimitOf(parsed.command))
    if (Number.isFinite(seconds))
      timer = setTimeout(
        () => limit.abort(unknownOutcome(`The command did not end within ${seconds} seconds.`, 'Repeat the same command.')),
        seconds * 1000,
      )
    const context = createContext(parsed, output, surroundings.env, signal)
    const report = await Promise.race([HANDLERS[parsed.command.name](context), abandon(signal, ended.signal)])
    output.report(report)
    return report.exit ?? EXIT.done
  } catch (error) {
    return reportFailure(output, failureOf(error, signal))
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}

/** Failure of a command that a signal of the system ended. */
export const interruptedBy = (signal: 'SIGINT' | 'SIGTERM'): CliError =>
  (signal === 'SIGINT' ? interrupted : terminated)(
    'Interrupted. Claims, submissions, deposits and disputes are safe to repeat: the same command continues where it stopped.',
  )
