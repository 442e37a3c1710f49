import { setTimeout as sleep } from 'node:timers/promises'
import type { Say } from './download.ts'
import { tail } from './files.ts'
import type { Child, Exit } from './processes.ts'

/** Restarts of a part within the window, at most; the next end ends the stack. */
const MOST_RESTARTS = 5
const WINDOW_MS = 600_000
const FIRST_PAUSE_MS = 250

/** Says how a part is started again after it ended by itself. */
export type Supervise = (name: string, start: () => Promise<Child>) => void

export type SupervisorRequest = {
  say: Say
  /** Aborted when the stack ends. */
  closing: AbortSignal
  /** Gets the reason when a part is not started again. */
  giveUp(reason: string): void
}

const endOf = ({ name, logFile }: Child, { code, signal }: Exit): string =>
  `${name} ended by itself (${signal ?? `code ${code}`}). ${logFile} ends with:\n${tail(logFile)}`

/** Starts parts of the stack again that ended by themselves, at once and then after pauses that double, five times within ten minutes. */
export const createSupervisor = ({ say, closing, giveUp }: SupervisorRequest) => {
  const starts = new Map<string, () => Promise<Child>>()
  const restarts = new Map<string, number[]>()
  const restarting = new Set<string>()

  /** The reason why the part does not run; null once it does. */
  const restart = async (start: () => Promise<Child>): Promise<string | null> => {
    try {
      const child = await start()
      return child.hasExited() ? endOf(child, await child.exited) : null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  const restartUntilRunning = async (name: string, start: () => Promise<Child>, ended: string): Promise<void> => {
    for (let reason: string | null = ended; reason !== null && !closing.aborted; ) {
      const now = performance.now()
      const recent = (restarts.get(name) ?? []).filter((at) => now - at < WINDOW_MS)
      if (recent.length >= MOST_RESTARTS) return giveUp(`${reason}\nIt was started again ${MOST_RESTARTS} times within ten minutes.`)
      restarts.set(name, [...recent, now])
      say(`${reason}\nStarting ${name} again`)
      await sleep(FIRST_PAUSE_MS * (2 ** recent.length - 1), undefined, { signal: closing }).catch(() => undefined)
      reason = closing.aborted ? null : await restart(start)
    }
  }

  const supervise: Supervise = (name, start) => void starts.set(name, start)
  return {
    supervise,
    /** Called when a part ends by itself. One that cannot be started again ends the stack. */
    ended(child: Child, exit: Exit): void {
      const { name } = child
      const start = starts.get(name)
      if (start === undefined) giveUp(endOf(child, exit))
      // The restart under way sees it too.
      else if (!restarting.has(name)) {
        restarting.add(name)
        void restartUntilRunning(name, start, endOf(child, exit)).finally(() => restarting.delete(name))
      }
    },
  }
}
