import { storeCheck } from '../../activities/catalogue/verdict-needs.ts'
import { type Loop, startLoop } from '../../activities/common/loop.ts'
import { VERDICT_NEED_PERIOD_SECONDS } from '../../domain/common/constants.ts'
import type { ServiceDeps } from '../deps.ts'

/** Stores at once and then periodically whether people are configured who may decide: this process checks their tokens. */
export const startReviewerChecks = ({ database, settings, logger }: ServiceDeps): Loop<void> => {
  const isConfigured = settings.VERIFIER_WALLETS.length + settings.ARBITRATOR_WALLETS.length > 0
  const check = { need: 'reviewers', reason: isConfigured ? null : 'reviewers_missing' } as const
  return startLoop({
    round: () => storeCheck(database.rows, check),
    every: VERDICT_NEED_PERIOD_SECONDS * 1_000,
    onFailure: (error) => logger.warn({ err: error }, 'the reviewers could not be stored'),
  })
}
