import type { ErrorCode, ErrorInfo } from '../../schemas/errors.ts'

/**
 * Failed tries after which a step counts as blocked: about half a minute with the retry intervals of `workflows/common/proxies.ts`. Fewer
 * failures may come from a lagging chain or node.
 */
const TRIES = 7

/**
 * A step that cannot continue although every dependency answers: the contract refuses the next call, or the state on chain is unexplained.
 * After some tries its workflow blocks the step and shows it to operators.
 */
export class BlockedStepError extends Error {
  readonly code: ErrorCode
  /** Error for the caller that waits for the step. */
  readonly info: ErrorInfo
  constructor(code: ErrorCode, message: string, info: ErrorInfo = { detail: message }) {
    super(message)
    this.name = 'BlockedStepError'
    this.code = code
    this.info = info
  }
}

/** Whether a step at its `attempt`th try (from 1) fails for longer than a chain or node may lag. */
export const isBlocked = (error: unknown, attempt: number): error is BlockedStepError =>
  error instanceof BlockedStepError && attempt >= TRIES
