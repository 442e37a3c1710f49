import { storeCheck } from '../../activities/catalogue/verdict-needs.ts'
import { VERDICT_NEED_PERIOD_SECONDS } from '../../domain/common/constants.ts'
import type { ApiDeps } from '../deps.ts'

/**
 * Stores at once and then periodically whether people are configured who may decide: this process checks their tokens. Returns a function
 * that stops it.
 */
export const startReviewerChecks = ({ database, settings, logger }: Pick<ApiDeps, 'database' | 'settings' | 'logger'>): (() => void) => {
  const isConfigured = settings.VERIFIER_WALLETS.length + settings.ARBITRATOR_WALLETS.length > 0
  const check = { need: 'reviewers', reason: isConfigured ? null : 'reviewers_missing' } as const
  const run = () =>
    storeCheck(database.rows, check).catch((error: unknown) => logger.warn({ err: error }, 'the reviewers could not be stored'))
  void run()
  const timer = setInterval(run, VERDICT_NEED_PERIOD_SECONDS * 1_000)
  timer.unref()
  return () => clearInterval(timer)
}
