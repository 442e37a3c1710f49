import type { Database } from '../../activities/database/database.ts'
import { EVERY_SUBJECT, REVOCATIONS_CHANNEL } from '../../activities/identity/records.ts'
import type { Tokens } from './tokens.ts'

/**
 * Tells requests that last when a token or a grant of their caller ended, in whichever process. A notification says only whose: the request
 * authenticates its caller again, so a lost one delays an end, and a needless one ends nothing.
 */
export const createRevocations = ({ database, tokens }: { database: Pick<Database, 'listen'>; tokens: Pick<Tokens, 'forgetKeys'> }) => {
  const watchers = new Map<string, Set<() => void>>()
  let stopListening: (() => void) | null = null

  const notify = (subject: string | null): void => {
    const isForAll = subject === null || subject === EVERY_SUBJECT
    // A token key may have ended.
    if (isForAll) tokens.forgetKeys()
    const woken = isForAll ? [...watchers.values()] : [watchers.get(subject) ?? []]
    for (const some of woken) for (const wake of some) wake()
  }

  return {
    /** Runs `wake` whenever a token or grant of the subject may have ended; returns a function that stops it. It does not run for an end before the call. */
    watch: (subject: string, wake: () => void): (() => void) => {
      stopListening ??= database.listen(REVOCATIONS_CHANNEL, notify)
      const own = watchers.get(subject) ?? new Set()
      watchers.set(subject, own.add(wake))
      return () => {
        own.delete(wake)
        if (own.size === 0 && watchers.get(subject) === own) watchers.delete(subject)
      }
    },

    stop: (): void => stopListening?.(),
  }
}
export type Revocations = ReturnType<typeof createRevocations>

/**
 * Runs work that may wait, with a signal that is aborted when the caller is refused during it.
 */
export const whileAllowed = async <T>(
  revocations: Revocations,
  subject: string,
  isRefused: () => Promise<boolean>,
  work: (refused: AbortSignal) => Promise<T>,
): Promise<T> => {
  const refused = new AbortController()
  const checkAgain = async (): Promise<void> => {
    if (await isRefused()) refused.abort()
  }
  const stop = revocations.watch(subject, () => void checkAgain())
  try {
    // No notification follows for an end between the caller's authentication and the watch.
    await checkAgain()
    return await work(refused.signal)
  } finally {
    stop()
  }
}
