import { ConnectionError, PendingError, type ProblemDocument, ServiceProblem, UnexpectedAnswer } from '../../src/problems.ts'
import { CliError, defect, EXIT, pendingRequest, unreachable } from '../failures.ts'
import { describeActions } from './next-actions.ts'
import type { Output } from './output.ts'
import { oneLine, wrap } from './text.ts'

/** Problem document that an error of the client carries. */
export const findProblem = (error: unknown): ProblemDocument | undefined => (error instanceof ServiceProblem ? error.problem : undefined)

/** Statuses by which the service, or a proxy before it, says that it does not serve for the moment. */
const OUTAGES = [500, 502, 503, 504]
const TOKEN_STATUS = 401
/** A request with an outcome that only the repeated request tells. */
const UNKNOWN_CODES = ['claim_in_progress', 'submit_in_progress', 'idempotency_key_in_flight']

/** Exit code of a refusal. */
export const exitOf = ({ status, code }: ProblemDocument): number => {
  if (UNKNOWN_CODES.includes(code)) return EXIT.unknown
  if (status === TOKEN_STATUS) return EXIT.key
  return OUTAGES.includes(status) ? EXIT.unreachable : EXIT.refused
}

/** A problem document for people: what happened, which input is wrong, what to do. */
export const describeProblem = (problem: ProblemDocument): string[] => {
  const { title, detail, errors = [], nextActions = [], details = {}, requestId, code } = problem
  return [
    `${oneLine(title)} (${oneLine(code)})`,
    ...wrap(oneLine(detail)),
    ...errors.flatMap(({ pointer, message }) => wrap(oneLine(`${pointer}: ${message}`), { indent: '  ' })),
    ...(nextActions.length === 0 ? [] : ['What to do:', ...describeActions(nextActions, details, '  ')]),
    ...(requestId === undefined ? [] : [`Request ${oneLine(requestId)}`]),
  ]
}

const ADDRESS = 'Its address comes from --base-url, AGENT_WORK_URL or the stack of this checkout.'

const SAFE_TO_REPEAT = ['claimJob', 'submitWork']
const ARRIVED = 'The request may have arrived. Repeat the same command: it has no second effect.'

/** A failure without a problem document, as one of this program. */
export const toCliError = (error: unknown): CliError => {
  if (error instanceof CliError) return error
  if (error instanceof ConnectionError)
    return unreachable(
      `The service cannot be reached. ${error.message}.`,
      ADDRESS,
      ...(SAFE_TO_REPEAT.includes(error.operation) ? [ARRIVED] : []),
    )
  if (error instanceof PendingError) return pendingRequest(error.message, ARRIVED)
  if (error instanceof UnexpectedAnswer)
    return unreachable(
      `What answers is not the service, or one that this program does not know. ${error.message}.`,
      ADDRESS,
      ...(SAFE_TO_REPEAT.includes(error.operation) ? [ARRIVED] : []),
    )
  return defect(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

/** Writes a failure to standard error. Returns its exit code. */
export const reportFailure = (output: Output, error: unknown): number => {
  const problem = findProblem(error)
  if (problem !== undefined) {
    output.fail({ document: problem, lines: describeProblem(problem) })
    return exitOf(problem)
  }
  const { exit, problem: local } = toCliError(error)
  const { title, detail, advice = [] } = local
  const lines = [...wrap(`${title}: ${oneLine(detail)}`), ...advice.map((line) => `  ${oneLine(line)}`)]
  output.fail({ document: { type: 'about:blank', ...local, advice, exitCode: exit }, lines })
  return exit
}
