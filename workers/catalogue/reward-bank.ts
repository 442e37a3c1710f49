import type { Logger } from 'pino'
import { type BankDeps, createBankRefresh } from '../../activities/catalogue/reward-bank.ts'
import { type Loop, startLoop } from '../../activities/common/loop.ts'
import type { Metrics, Sample } from '../subjects.ts'

const PERIOD_MS = 5_000

export const BANK_METRICS = {
  reward_bank_read_age_seconds: { help: 'Time since this process last read the reward bank.' },
} satisfies Metrics

/** Before the first read its age is that of the process. */
export const bankSamples = (readAt: number | null): Sample[] => [
  { metric: 'reward_bank_read_age_seconds', value: readAt === null ? process.uptime() : Math.max(0, (Date.now() - readAt) / 1_000) },
]

/** Refreshes the stored balance of the reward bank. After failed reads the stored value ages, and lists show it as unverified. */
export const startRewardBankReader = (
  deps: BankDeps & { logger: Pick<Logger, 'warn'> },
): Loop<void> & { lastReadAt: () => number | null } => {
  const { logger } = deps
  const refresh = createBankRefresh(deps)
  let readAt: number | null = null
  const loop = startLoop({
    round: async () => {
      await refresh()
      readAt = Date.now()
    },
    every: PERIOD_MS,
    onFailure: (error) => logger.warn({ err: error }, 'the reward bank could not be read'),
  })
  /** Time of the last successful read, wall clock of this process in ms; null before the first. */
  return { ...loop, lastReadAt: () => readAt }
}
