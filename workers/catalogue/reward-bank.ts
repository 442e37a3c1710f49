import type { Logger } from 'pino'
import { type BankDeps, createBankRefresh } from '../../activities/catalogue/reward-bank.ts'

const PERIOD_MS = 5_000

/** Refreshes the stored balance of the reward bank. After failed reads the stored value ages, and lists show it as unverified. */
export const startRewardBankReader = (deps: BankDeps & { logger: Logger }): { stop: () => void; lastReadAt: () => number | null } => {
  const { logger } = deps
  const refresh = createBankRefresh(deps)
  let stopped = false
  let readAt: number | null = null
  const read = async (): Promise<void> => {
    await refresh()
    readAt = Date.now()
  }
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await read().catch((error: unknown) => logger.warn({ err: error }, 'the reward bank could not be read'))
      await new Promise((resolve) => setTimeout(resolve, PERIOD_MS).unref())
    }
  }
  void loop()
  return {
    /** Time of the last successful read, wall clock of this process in ms; null before the first. */
    lastReadAt: () => readAt,
    stop: () => {
      stopped = true
    },
  }
}
