import { settlementObserved } from '../../schemas/paid-verification/process.ts'
import type { SendMessage } from '../common/processes.ts'
import type { RecordDeps } from '../database/database.ts'
import { verificationStart } from './start.ts'

/** Runs per round; the rest follows in the next. */
const BATCH = 100
/** A run that has not ended within this time after its last message gets another: its process may be lost. */
const LATE_MS = 15 * 60 * 1000

/**
 * Starts the processes of runs that were admitted, and of those whose process was lost. If the engine refuses a start, the round rejects and the
 * next one tries again.
 */
export const createRunWaker = ({ send, database, clock }: RecordDeps & { send: SendMessage }) => {
  const { rows } = database

  const findWaiting = (now: number) =>
    rows
      .selectFrom('verification_run')
      .select(['runKey', 'profileRef', 'payer'])
      .where('endedAt', 'is', null)
      .where(({ eb, or }) => or([eb('wokenAt', 'is', null), eb('wokenAt', '<', now - LATE_MS)]))
      .orderBy('submittedAt')
      .limit(BATCH)
      .execute()

  return async (): Promise<void> => {
    const now = clock.now()
    for (const run of await findWaiting(now)) {
      await send({ workflow: 'verificationRun', start: verificationStart(run), signal: settlementObserved, args: [] })
      await rows.updateTable('verification_run').set({ wokenAt: now }).where('runKey', '=', run.runKey).execute()
    }
  }
}
