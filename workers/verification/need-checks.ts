import { Semaphore } from 'async-mutex'
import type { Logger } from 'pino'
import { type CheckedNeed, deleteUnusedChecks, listNeeds, storeCheck } from '../../activities/catalogue/verdict-needs.ts'
import type { Database } from '../../activities/database/database.ts'
import type { VerdictChecks } from '../../activities/verification/need-checks.ts'
import { isSourceNeed } from '../../domain/catalogue/readiness.ts'
import { VERDICT_NEED_PERIOD_SECONDS } from '../../domain/common/constants.ts'
import { brief } from '../observability/error-line.ts'

/** Maximum concurrent checks of sources: servers that do not answer must not delay the others for long. */
const CONCURRENT_SOURCES = 16
/** A continuing alarm is logged again at this interval. */
const REPEAT_MS = 60_000

export interface NeedCheckerDeps {
  database: Database
  checks: VerdictChecks
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  periodMs?: number
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

/**
 * Checks in every worker what verdicts need, and stores the result. A check that fails by itself stores nothing, and the last one ages.
 * `first` resolves after the first round.
 */
export const startNeedChecker = ({ database, checks, logger, periodMs = VERDICT_NEED_PERIOD_SECONDS * 1_000 }: NeedCheckerDeps) => {
  const alarm = createNeedAlarm(logger)
  const sourceSlots = new Semaphore(CONCURRENT_SOURCES)
  let latest: ReadonlyMap<string, CheckedNeed> = new Map()
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

  const checkSources = async (): Promise<CheckedNeed[]> => {
    const used = await listNeeds(database.rows)
    await deleteUnusedChecks(database.rows, used)
    const sources = used.filter(isSourceNeed)
    return (await Promise.all(sources.map((need) => sourceSlots.runExclusive(() => store(() => checks.source(need)))))).flat()
  }

  const round = async (): Promise<void> => {
    const found = await Promise.all([...checks.fixed.map(store), checkSources()])
    latest = new Map(found.flat().map((checked) => [checked.need, checked]))
  }

  const check = () =>
    round().catch((error: unknown) => logger.warn({ reason: brief(error) }, 'the sources of verdicts could not be checked'))
  const loop = async (first: Promise<void>): Promise<void> => {
    await first
    while (!stopped) {
      await new Promise((resolve) => setTimeout(resolve, periodMs).unref())
      await check()
    }
  }
  const first = check()
  void loop(first)

  return {
    first,
    /** Results of the last round, by need. */
    latest: () => latest,
    stop: (): void => {
      stopped = true
    },
  }
}
