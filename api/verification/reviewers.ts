import { storeCheck } from '../../activities/catalogue/verdict-needs.ts'
import { VERDICT_NEED_PERIOD_SECONDS } from '../../domain/common/constants.ts'
import type { ApiDeps } from '../deps.ts'

/** Stores whether people are configured who may decide: this process checks their tokens. */
export const checkReviewers = ({ database, settings }: Pick<ApiDeps, 'database' | 'settings'>): Promise<void> => {
  const isConfigured = settings.VERIFIER_WALLETS.length + settings.ARBITRATOR_WALLETS.length > 0
  return storeCheck(database.rows, { need: 'reviewers', reason: isConfigured ? null : 'reviewers_missing' })
}

/** Checks the reviewers at once and then periodically. Returns a function that stops it. */
export const startReviewerChecks = (deps: Pick<ApiDeps, 'database' | 'settings' | 'logger'>): (() => void) => {
  const run = () => checkReviewers(deps).catch((error: unknown) => deps.logger.warn({ err: error }, 'the reviewers could not be stored'))
  void run()
  const timer = setInterval(run, VERDICT_NEED_PERIOD_SECONDS * 1_000)
  timer.unref()
  return () => clearInterval(timer)
}
