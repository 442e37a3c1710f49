import { Semaphore } from 'async-mutex'
import type { Logger } from 'pino'
import { type CheckedNeed, deleteUnusedChecks, listNeeds, storeCheck } from '../../activities/catalogue/verdict-needs.ts'
import type { Database } from '../../activities/database/database.ts'
import type { VerdictChecks } from '../../activities/verification/need-checks.ts'
import { isSourceNeed } from '../../domain/catalogue/readiness.ts'
import { VERDICT_NEED_PERIOD_SECONDS } from '../../domain/common/constants.ts'
import { brief } from '../observability/error-line.ts'

/** Maximum concurrent checks of sources: servers that do not answer must not delay the others for long. */
const CONCURRENT_SOURCES = 64
/** Maximum time that a worker waits for its first checks. */
const FIRST_MS = 15_000
/** A continuing alarm is logged again at this interval. */
const REPEAT_MS = 60_000

export interface NeedCheckerDeps {
  database: Database
  checks: VerdictChecks
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  periodMs?: number
  firstMs?: number
}

/** Logs an unmet need at once, then once a minute, and when it is met again. */
export const createNeedAlarm = (logger: NeedCheckerDeps['logger'], now: () => number = Date.now) => {
  const logged = new Map<string, { reason: string; at: number }>()
  return ({ need, reason }: CheckedNeed): void => {
    const last = logged.get(need)
    if (reason === null) {
      if (last !== undefined) logger.info({ need }, 'verdicts have what they need again')
      logged.delete(need)
      return
    }
    if (last?.reason === reason && now() - last.at < REPEAT_MS) return
    logged.set(need, { reason, at: now() })
    logger.error({ need, reason }, 'verdicts lack something they need: their jobs cannot be claimed')
  }
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

/**
 * Checks in every worker what verdicts need, and stores the result. A check that fails by itself stores nothing, and the last one ages.
 * Sources have rounds of their own. `first` resolves after the first round of everything, or when a worker has waited long enough for it.
 */
export const startNeedChecker = (deps: NeedCheckerDeps) => {
  const { database, checks, logger, periodMs = VERDICT_NEED_PERIOD_SECONDS * 1_000, firstMs = FIRST_MS } = deps
  const alarm = createNeedAlarm(logger)
  const sourceSlots = new Semaphore(CONCURRENT_SOURCES)
  const latest = { fixed: [] as CheckedNeed[], sources: [] as CheckedNeed[] }
  let stopped = false

  const store = async (check: () => Promise<CheckedNeed>): Promise<CheckedNeed[]> => {
    try {
      const checked = await check()
      await storeCheck(database.rows, checked)
      alarm(checked)
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

  /** Repeats a round until the end; resolves after the first one. */
  const repeat = (round: () => Promise<void>): Promise<void> => {
    const check = () =>
      round().catch((error: unknown) => logger.warn({ reason: brief(error) }, 'the needs of verdicts could not be checked'))
    const first = check()
    const loop = async (): Promise<void> => {
      await first
      for (await wait(periodMs); !stopped; await wait(periodMs)) await check()
    }
    void loop()
    return first
  }

  return {
    first: Promise.race([Promise.all([repeat(checkFixed), repeat(checkSources)]), wait(firstMs)]),
    /** Results of the last rounds, by need. */
    latest: (): ReadonlyMap<string, CheckedNeed> => new Map([...latest.fixed, ...latest.sources].map((checked) => [checked.need, checked])),
    stop: (): void => {
      stopped = true
    },
  }
}
