import { deliveryChanged } from '../../schemas/deliveries/process.ts'
import type { SendMessage } from '../common/processes.ts'
import type { RecordDeps } from '../database/database.ts'
import { deliveryStart } from './start.ts'

/** Deliveries per round; the rest follows in the next. */
const BATCH = 100
/** A process that is this late was lost, or the service clock was moved. It gets a message again after the same time. */
const LATE_MS = 60 * 60 * 1000

/**
 * Starts the processes of deliveries that were paid, and of those whose process was lost. If the engine refuses a start, the round rejects and
 * the next one tries again.
 */
export const createDeliveryWaker = ({ send, database, clock }: RecordDeps & { send: SendMessage }) => {
  const { rows } = database

  const findWaiting = (now: number) =>
    rows
      .selectFrom('tracked_delivery')
      .select(['sessionId', 'jobId', 'wallet', 'address'])
      .where(({ eb, and, or }) =>
        or([
          eb('wokenAt', 'is', null),
          and([eb('endedAt', 'is', null), eb('nextReadAt', '<', now - LATE_MS), eb('wokenAt', '<', now - LATE_MS)]),
        ]),
      )
      .orderBy('nextReadAt')
      .limit(BATCH)
      .execute()

  return async (): Promise<void> => {
    const now = clock.now()
    for (const delivery of await findWaiting(now)) {
      await send({
        workflow: 'deliveryTracking',
        start: deliveryStart(delivery),
        signal: deliveryChanged,
        args: [{ deliveryId: 'recovery' }],
      })
      await rows.updateTable('tracked_delivery').set({ wokenAt: now }).where('sessionId', '=', delivery.sessionId).execute()
    }
  }
}
