/** A run that ended before its plan: the message says why and what to do. What was sent is in the journal. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}
