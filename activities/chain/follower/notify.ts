import { sql } from 'kysely'
import type { SendMessage } from '../../common/processes.ts'
import type { Database } from '../../database/database.ts'
import { type FollowedEvent, type Subscriber, type Wake, wants } from './subscriber.ts'

/** Events per round; the rest follows in the next. */
const BATCH = 100

export interface NotifierDeps {
  send: SendMessage
  database: Database
  chainId: number
  /** Asked in this order. */
  subscribers: readonly Subscriber[]
}

/**
 * Sends the signals that subjects want for events of the chain. An event is marked after its signals, so a process gets each at least once.
 */
export const createWorkflowNotifier = ({ send, database, chainId, subscribers }: NotifierDeps) => {
  const { rows } = database

  const listPending = async (): Promise<FollowedEvent[]> => {
    const found = await sql<FollowedEvent>`
      select e.contract, e.event, e.args, e.chain_job_id as "chainJobId", e.tx_hash as "txHash", e.block_number::text as "blockNumber",
        e.log_index as "logIndex", e.revision, (
          exists (select 1 from chain_transaction t where t.tx_hash = e.tx_hash)
          or exists (select 1 from chain_signature g where g.tx_hash = e.tx_hash)
        ) as own
      from chain_event e
      where e.chain_id = ${chainId} and e.moves_process and e.notified_revision < e.revision
      order by e.block_number, e.log_index limit ${BATCH}`.execute(rows)
    return found.rows
  }

  const findWakes = async (events: readonly FollowedEvent[]): Promise<Wake[]> => {
    const wakes: Wake[] = []
    for (const subscriber of subscribers) {
      const wanted = events.filter(({ contract, event }) => wants(subscriber, contract, event))
      if (wanted.length > 0) wakes.push(...(await subscriber.findWakes(wanted, { rows, chainId })))
    }
    return wakes
  }

  const markNotified = async ({ txHash, logIndex, revision }: FollowedEvent): Promise<void> => {
    await rows
      .updateTable('chain_event')
      .set({ notifiedRevision: revision })
      .where('chainId', '=', chainId)
      .where('txHash', '=', txHash)
      .where('logIndex', '=', logIndex)
      .where('notifiedRevision', '<', revision)
      .execute()
  }

  /**
   * Notifies workflows of the oldest pending events in chain order; returns how many. If the engine refuses a signal it rejects, and the rest
   * stays pending.
   */
  return async (): Promise<number> => {
    const pending = await listPending()
    const wakes = await findWakes(pending)
    for (const event of pending) {
      for (const wake of wakes) if (wake.cause === event) await send(wake)
      await markNotified(event)
    }
    return pending.length
  }
}
