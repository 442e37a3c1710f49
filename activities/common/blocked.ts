import type { ErrorCode, ErrorInfo } from '../../schemas/errors.ts'

/**
 * Tries of a step, whatever they failed of, before its process shows that it stands still: half a minute by the waits between them
 * (`workflows/common/proxies.ts`). Short of that it is a chain or node that lags.
 */
const TRIES = 7

/**
 * A step that cannot go on as things stand, although every part answers: the chain refuses what has to come next, or shows what nothing
 * explains. Repeating it soon helps as little as giving up, so after some tries its process holds it, visible to operators.
 */
export class BlockedStepError extends Error {
  readonly code: ErrorCode
  /** For whoever waits for the step. */
  readonly info: ErrorInfo
  constructor(code: ErrorCode, message: string, info: ErrorInfo = { detail: message }) {
    super(message)
    this.name = 'BlockedStepError'
    this.code = code
    this.info = info
  }
}

/** Whether a step at its `attempt`th try, counted from 1, stands still for longer than a chain or node may lag. */
export const isBlocked = (error: unknown, attempt: number): error is BlockedStepError =>
  error instanceof BlockedStepError && attempt >= TRIES
