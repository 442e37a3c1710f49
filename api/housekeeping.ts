import { type Loop, startLoop } from '../activities/common/loop.ts'
import { deleteQuotes } from '../activities/consents/records.ts'
import { deleteCompletedKeys, deleteUnfinishedKeys } from '../activities/http/idempotency.ts'
import { deleteRateWindows } from '../activities/http/rate-windows.ts'
import { deleteEndedSignIns } from '../activities/identity/records.ts'
import { deleteEndedRecords } from '../activities/oauth/records.ts'
import { deleteRuns } from '../activities/paid-verification/records.ts'
import { deleteUnusedContracts } from '../activities/postings/contracts.ts'
import { deleteUnfunded } from '../activities/postings/drafts.ts'
import { deleteDeliveries } from '../activities/pull-requests/webhook-deliveries.ts'
import { deleteShares } from '../activities/shares/records.ts'
import type { ServiceDeps } from './deps.ts'

const EVERY_MS = 600_000
const HOUR_MS = 3_600_000
const KEY_RETENTION_MS = 24 * HOUR_MS
const UNFINISHED_KEY_RETENTION_MS = 48 * HOUR_MS
/** A quote that has expired is answered so for a day, and as unknown after that. */
const QUOTE_RETENTION_MS = 24 * HOUR_MS
const DELIVERY_RETENTION_MS = 7 * 24 * HOUR_MS
/** A share that has expired is answered so for a month, and as unknown after that. */
const SHARE_RETENTION_MS = 30 * 24 * HOUR_MS
/**
 * A draft whose transactions were handed out is kept so long after its end; a funding that comes later is of an unknown job. Without them it is kept
 * as long as a quote.
 */
const DRAFT_RETENTION_MS = 90 * 24 * HOUR_MS
/** A test contract that no draft and no job names holds places of private checks. */
const CONTRACT_RETENTION_MS = 30 * 24 * HOUR_MS

/** A window that still runs must not lose its count, however long it was set. */
const longestWindowMs = ({ RATE_LIMITS }: ServiceDeps['settings']): number =>
  Math.max(HOUR_MS, ...Object.values(RATE_LIMITS).map(({ windowSeconds }) => windowSeconds * 1_000))

/** Deletes old rate windows, ended sign-ins and records of OAuth, stored answers after a day, keys without an answer after two, expired quotes, webhook deliveries after a week, shares a month after their end, paid runs that are over at their expiry, drafts without a funding a day after theirs, three months if their transactions were handed out, and test contracts that no draft or job names after a month. */
export const deleteExpired = async ({ database, clock, settings }: ServiceDeps): Promise<void> => {
  const now = clock.now()
  await deleteRateWindows(database.rows, now - longestWindowMs(settings))
  await deleteEndedSignIns(database.rows, now)
  await deleteEndedRecords(database.rows, now)
  await deleteCompletedKeys(database.rows, now - KEY_RETENTION_MS)
  await deleteUnfinishedKeys(database.rows, now - UNFINISHED_KEY_RETENTION_MS)
  await deleteQuotes(database.rows, now - QUOTE_RETENTION_MS)
  await deleteDeliveries(database.rows, now - DELIVERY_RETENTION_MS)
  await deleteShares(database.rows, now - SHARE_RETENTION_MS)
  await deleteRuns(database.rows, now)
  await deleteUnfunded(database.rows, { handedOut: now - DRAFT_RETENTION_MS, quoted: now - QUOTE_RETENTION_MS })
  await deleteUnusedContracts(database.rows, now - CONTRACT_RETENTION_MS)
}

/** Writes the last uses of sign-ins and deletes expired rows, every ten minutes; any number of processes may do so. */
export const startHousekeeping = (deps: ServiceDeps): Loop<void> =>
  startLoop({
    round: async () => {
      await deps.sessionUses.write()
      await deleteExpired(deps)
    },
    every: EVERY_MS,
    firstMs: EVERY_MS,
    onFailure: (error) => deps.logger.warn({ err: error }, 'housekeeping failed'),
  })
