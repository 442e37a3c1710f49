import { isRecord } from '../src/json.ts'

/** What an exit code of the command line means. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  key: 3,
  unreachable: 4,
  unknown: 5,
  defect: 70,
  interrupted: 130,
  terminated: 143,
} as const

/** Every exit code with its meaning, as `help` prints them. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, 'done; for watch also when the verdict is a rejection'],
  [EXIT.refused, 'refused, by the service, the chain or you; for validate: the work would be refused'],
  [EXIT.usage, 'wrong use: an argument, an option or a file'],
  [EXIT.key, 'not signed in, or the key cannot be opened'],
  [EXIT.unreachable, 'the service or the chain cannot be reached, or fails'],
  [EXIT.unknown, 'the outcome is not yet known: repeat the command'],
  [EXIT.defect, 'a defect of this program'],
  [EXIT.interrupted, 'interrupted by Ctrl-C (143: by SIGTERM)'],
]

/** A failure that this program reports itself, in the members of a problem document. */
export interface LocalProblem {
  title: string
  detail: string
  code: string
  /** Commands or steps that help. */
  advice?: readonly string[]
  /** Transaction whose outcome is not known. */
  transactionHash?: string
}

/** A failure with its exit code. No text of it may hold a secret. */
export class CliError extends Error {
  readonly exit: number
  readonly problem: LocalProblem
  constructor(exit: number, problem: LocalProblem, options?: ErrorOptions) {
    super(problem.detail, options)
    this.exit = exit
    this.problem = problem
  }
}

/** A kind of failure: a function from what happened, and what helps, to the failure. */
const failureOf =
  (exit: number, code: string, title: string) =>
  (detail: string, ...advice: string[]): CliError =>
    new CliError(exit, { title, code, detail, advice })

export const usageError = failureOf(EXIT.usage, 'usage', 'Wrong use')
export const keyError = failureOf(EXIT.key, 'key_unavailable', 'The key cannot be opened')
export const notSignedIn = failureOf(EXIT.key, 'not_signed_in', 'Not signed in')
export const unreachable = failureOf(EXIT.unreachable, 'unreachable', 'Cannot be reached')
export const refused = failureOf(EXIT.refused, 'refused', 'Refused')
export const refusedByUser = failureOf(EXIT.refused, 'refused_by_user', 'Refused')
export const noSession = failureOf(EXIT.refused, 'session_not_found', 'No session')
export const unknownOutcome = failureOf(EXIT.unknown, 'unknown_outcome', 'The outcome is not yet known')
export const pendingRequest = failureOf(EXIT.unknown, 'pending', 'Not finished yet')
export const transactionNotTaken = failureOf(EXIT.unknown, 'transaction_not_taken', 'The node does not take the transaction')
export const interrupted = failureOf(EXIT.interrupted, 'interrupted', 'Interrupted')
export const terminated = failureOf(EXIT.terminated, 'interrupted', 'Interrupted')
export const defect = failureOf(EXIT.defect, 'defect', 'A defect of this program')

/** Code of a failed call of the operating system, such as `ENOENT`. */
export const systemCode = (error: unknown): string | undefined =>
  isRecord(error) && typeof error.code === 'string' ? error.code : undefined
