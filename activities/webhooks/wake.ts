import { sql } from 'kysely'
import { NO_FILTER, passes } from '../../domain/events/filter.ts'
import { endpointFilter } from '../../domain/webhooks/filter.ts'
import { eventsRecorded } from '../../schemas/webhooks/process.ts'
import type { SendMessage } from '../common/processes.ts'
import type { RecordDeps } from '../database/database.ts'
import { readEventRange, readEventsAfter } from '../events/feed.ts'
import type { WebhookRow } from './records.ts'
import { webhookStart } from './start.ts'

/** Events per round; the rest follows in the next. */
const BATCH = 500

type Woken = Pick<WebhookRow, 'id' | 'wallet'>

/**
 * Signals the processes of the endpoints that new events are for, or that were resumed, and starts them if needed. An endpoint that is busy
 * gets no signal, because its process reads on by itself. If the engine refuses a signal, the round rejects and its events come again.
 */
export const createWebhookWaker = ({ send, database, clock }: RecordDeps & { send: SendMessage }) => {
  const { rows } = database
  /** Number of the last event whose endpoints were signalled; null at the start of this process. */
  let seen: bigint | null = null

  const wake = ({ id, wallet }: Woken): Promise<void> =>
    send({ workflow: 'webhook', start: webhookStart({ v: 1, id }, wallet), signal: eventsRecorded })

  const active = () => rows.selectFrom('webhook_endpoint').selectAll().where('state', '=', 'active')

  /** Reads in one statement the number of the newest event, and whether an endpoint was resumed. */
  const findPendingWork = async (): Promise<{ newest: bigint; isAnyResumed: boolean }> => {
    const { newest, isAnyResumed } = await rows
      .selectNoFrom((part) => [
        part.selectFrom('event').select(sql<string | null>`max(seq)`.as('seq')).as('newest'),
        part.exists(active().where('wakeRequestedAt', 'is not', null)).as('isAnyResumed'),
      ])
      .executeTakeFirstOrThrow()
    return { newest: BigInt(newest ?? 0), isAnyResumed: isAnyResumed === true }
  }

  const wakeResumed = async (): Promise<void> => {
    for (const endpoint of await active().where('wakeRequestedAt', 'is not', null).limit(BATCH).execute()) {
      await wake(endpoint)
      await rows
        .updateTable('webhook_endpoint')
        .set({ wakeRequestedAt: null })
        .where('id', '=', endpoint.id)
        .where('wakeRequestedAt', '=', endpoint.wakeRequestedAt)
        .execute()
    }
  }

  /** At the start: whatever waits since before. */
  const wakeAll = async (): Promise<bigint> => {
    const { newest } = await readEventRange(rows, clock.now())
    for (const endpoint of await active().execute()) {
      const waiting = await readEventsAfter(rows, endpointFilter(endpoint), endpoint.position, 1)
      if (waiting.length > 0) await wake(endpoint)
    }
    return newest
  }

  const wakeAfter = async (after: bigint): Promise<bigint> => {
    const events = await readEventsAfter(rows, NO_FILTER, after, BATCH)
    const wallets = [...new Set(events.flatMap((event) => event.wallets))]
    if (wallets.length > 0)
      for (const endpoint of await active().where('isWaiting', '=', true).where('wallet', 'in', wallets).execute()) {
        const filter = endpointFilter(endpoint)
        if (events.some((event) => event.seq > endpoint.position && passes(filter, event))) await wake(endpoint)
      }
    return events.at(-1)?.seq ?? after
  }

  return async (): Promise<void> => {
    const { newest, isAnyResumed } = await findPendingWork()
    if (isAnyResumed) await wakeResumed()
    if (seen === null) seen = await wakeAll()
    else if (newest > seen) seen = await wakeAfter(seen)
  }
}
