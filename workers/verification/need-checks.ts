import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from 'async-mutex'
import type { Logger } from 'pino'
import { type CheckedNeed, deleteUnusedChecks, listNeeds, storeCheck } from '../../activities/catalogue/verdict-needs.ts'
import { startLoop } from '../../activities/common/loop.ts'
import type { Database } from '../../activities/database/database.ts'
import type { VerdictChecks } from '../../activities/verification/need-checks.ts'
import { isSourceNeed } from '../../domain/catalogue/readiness.ts'
import { VERDICT_NEED_PERIOD_SECONDS } from '../../domain/common/constants.ts'
import { createAlarm } from '../observability/alarm.ts'
import { brief } from '../observability/error-line.ts'
import type { Metrics, Sample } from '../subjects.ts'

/** Maximum concurrent checks of sources: servers that do not answer must not delay the others for long. */
const CONCURRENT_SOURCES = 64
/** Maximum time that a worker waits for its first checks. */
const FIRST_MS = 15_000

export const NEED_METRICS = {
  verdict_need_met: { help: '1 when verdicts have what they need, 0 when their jobs cannot be claimed.', labels: ['need'] },
} satisfies Metrics

export const needSamples = (checked: ReadonlyMap<string, CheckedNeed>): Sample[] =>
  [...checked.values()].map(({ need, reason }) => ({ metric: 'verdict_need_met', labels: { need }, value: reason === null ? 1 : 0 }))

export interface NeedCheckerDeps {
  database: Database
  checks: VerdictChecks
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  firstMs?: number
}

/**
 * Checks in every worker what verdicts need, and stores the result. A check that fails by itself stores nothing, and the last one ages.
 * Sources have rounds of their own. `first` resolves after the first round of everything, or when a worker has waited long enough for it.
 */
export const startNeedChecker = (deps: NeedCheckerDeps) => {
  const { database, checks, logger, firstMs = FIRST_MS } = deps
  const alarm = createAlarm()
  const sourceSlots = new Semaphore(CONCURRENT_SOURCES)
  const latest = { fixed: [] as CheckedNeed[], sources: [] as CheckedNeed[] }

  const store = async (check: () => Promise<CheckedNeed>): Promise<CheckedNeed[]> => {
    try {
      const checked = await check()
      await storeCheck(database.rows, checked)
      const { need, reason } = checked
      alarm({
        subject: need,
        cause: reason,
        raise: () => logger.error({ need, reason }, 'verdicts lack something they need: their jobs cannot be claimed'),
        end: () => logger.info({ need }, 'verdicts have what they need again'),
      })
      return [checked]
    } catch (error) {
      logger.warn({ reason: brief(error) }, 'something that verdicts need could not be checked')
      return []
    }
  }

  const checkFixed = async (): Promise<void> => {
    latest.fixed = (await Promise.all(checks.fixed.map(store))).flat()
  }

  const checkSources = async (): Promise<void> => {
    const used = await listNeeds(database.rows)
    await deleteUnusedChecks(database.rows, used)
    const sources = used.filter(isSourceNeed)
    const found = await Promise.all(sources.map((need) => sourceSlots.runExclusive(() => store(() => checks.source(need)))))
    latest.sources = found.flat()
  }

  const onFailure = (error: unknown): void => logger.warn({ reason: brief(error) }, 'the needs of verdicts could not be checked')
  const every = VERDICT_NEED_PERIOD_SECONDS * 1_000
  const fixed = startLoop({ round: checkFixed, every, onFailure })
  const sources = startLoop({ round: checkSources, every, onFailure })

  return {
    first: Promise.race([Promise.all([fixed.first, sources.first]), sleep(firstMs, undefined, { ref: false })]),
    roundOfFixed: fixed.round,
    roundOfSources: sources.round,
    /** Results of the last rounds, by need. */
    latest: (): ReadonlyMap<string, CheckedNeed> => new Map([...latest.fixed, ...latest.sources].map((checked) => [checked.need, checked])),
    stop: async (): Promise<void> => {
      await Promise.all([fixed.stop(), sources.stop()])
    },
  }
}
