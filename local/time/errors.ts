/** Why time was not moved: the target is none, or another move is under way. */
export type TimeRefusal = 'invalid_time' | 'move_in_progress'

/** A move of time that changed nothing; its message says why. */
export class TimeRefusedError extends Error {
  readonly code: TimeRefusal
  constructor(code: TimeRefusal, message: string) {
    super(message)
    this.code = code
  }
}
