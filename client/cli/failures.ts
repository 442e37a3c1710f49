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

export const usageError = (detail: string, ...advice: string[]): CliError =>
  new CliError(EXIT.usage, { title: 'Wrong use', code: 'usage', detail, advice })

export const keyError = (detail: string, ...advice: string[]): CliError =>
  new CliError(EXIT.key, { title: 'The key cannot be opened', code: 'key_unavailable', detail, advice })

export const notSignedIn = (detail: string): CliError =>
  new CliError(EXIT.key, { title: 'Not signed in', code: 'not_signed_in', detail, advice: ['agent-work login'] })

export const unreachable = (detail: string, ...advice: string[]): CliError =>
  new CliError(EXIT.unreachable, { title: 'Cannot be reached', code: 'unreachable', detail, advice })

export const refused = (detail: string, ...advice: string[]): CliError =>
  new CliError(EXIT.refused, { title: 'Refused', code: 'refused', detail, advice })

export const unknownOutcome = (detail: string): CliError =>
  new CliError(EXIT.unknown, {
    title: 'The outcome is not yet known',
    code: 'unknown_outcome',
    detail,
    advice: ['Repeat the same command.'],
  })

/** Code of a failed call of the operating system, such as `ENOENT`. */
export const systemCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined
