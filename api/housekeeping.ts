import { deleteEndedSignIns } from '../activities/records/auth.ts'
import { deleteCompletedKeys, deleteUnfinishedKeys } from '../activities/records/idempotency.ts'
import { deleteRateWindows } from '../activities/records/rate-windows.ts'
import type { ApiDeps } from './deps.ts'

const EVERY_MS = 600_000
const HOUR_MS = 3_600_000
const KEY_RETENTION_MS = 24 * HOUR_MS
const UNFINISHED_KEY_RETENTION_MS = 48 * HOUR_MS

/** Forgets what the door no longer needs: old rate windows, ended sign-ins, answers kept for a day, keys that had none for two. */
export const tidy = async ({ database, clock }: Pick<ApiDeps, 'database' | 'clock'>): Promise<void> => {
  const now = clock.now()
  await deleteRateWindows(database.rows, now - HOUR_MS)
  await deleteEndedSignIns(database.rows, now)
  await deleteCompletedKeys(database.rows, now - KEY_RETENTION_MS)
  await deleteUnfinishedKeys(database.rows, now - UNFINISHED_KEY_RETENTION_MS)
}

/** Tidies every ten minutes; any number of processes may do it. Gives the way to stop. */
export const startHousekeeping = (deps: Pick<ApiDeps, 'database' | 'clock' | 'logger'>): (() => void) => {
  const run = () => tidy(deps).catch((error: unknown) => deps.logger.warn({ err: error }, 'housekeeping failed'))
  const timer = setInterval(run, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
