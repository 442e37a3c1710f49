import { type ExpressionBuilder, sql, type UpdateResult } from 'kysely'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'
import type { NewEvent } from '../events/outbox.ts'

/** Key of a request; the wrapper in lower case. */
export interface RequestKey {
  wrapper: string
  requestId: string
}

/** Selects the row of a request. */
export const ofRequest =
  ({ wrapper, requestId }: RequestKey) =>
  (is: ExpressionBuilder<Tables, 'cross_chain_watch' | 'cross_chain_outcome'>) =>
    is.and({ wrapper, requestId })

/** Runs a change of rows; whether it changed one. */
export const hasChanged = async (change: { executeTakeFirst(): Promise<UpdateResult> }): Promise<boolean> =>
  (await change.executeTakeFirst()).numUpdatedRows > 0n

/** What the service says about a request in its events. */
export interface RequestSubject extends RequestKey {
  /** Account and recipient, lower case. */
  wallets: string[]
}

/** An event of a request; its correlation id is the id of the request. `at` is service time, epoch ms. */
export const requestEvent = (
  { wrapper, requestId, wallets }: RequestSubject,
  topic: NewEvent['topic'],
  at: number,
  data: Record<string, unknown>,
): NewEvent => ({ topic, wallets: [...new Set(wallets)], correlationId: requestId, at, data: { requestId, wrapper, ...data } })

/** Account and recipient of a queued request by the records of the follower, lower case; null for an unknown request. */
export const findParties = async (rows: Rows, { wrapper, requestId }: RequestKey): Promise<string[] | null> => {
  const found = await sql<{ account: string; recipient: string }>`
    select args->>'account' as account, args->>'recipient' as recipient from chain_event
    where contract = 'xcm' and event = 'RequestQueued' and removed_at is null
      and address = ${wrapper} and args->>'requestId' = ${requestId}`.execute(rows)
  const [row] = found.rows
  return row === undefined ? null : [row.account, row.recipient]
}

/** Whether another request of the wrapper was dispatched, by the recorded events, and has not ended. */
export const isAnotherUnderWay = async (rows: Rows, { wrapper, requestId }: RequestKey): Promise<boolean> => {
  const found = await sql<{ other: string }>`
    select d.args->>'requestId' as other from chain_event d
    where d.contract = 'xcm' and d.event = 'RequestLegDispatched' and d.removed_at is null and d.address = ${wrapper}
      and d.args->>'requestId' <> ${requestId} and not exists (
        select 1 from cross_chain_outcome o
        where o.wrapper = ${wrapper} and o.request_id = d.args->>'requestId' and o.processed_at is not null
      )
    limit 1`.execute(rows)
  return found.rows.length > 0
}

/**
 * Assets in the adapter that did not come home with a withdrawal, by the recorded events: of deposits that are neither sent nor ended, and those
 * that were recovered for failed deposits and not yet paid, up to a block. Base units.
 */
export const readForeignAssets = async (
  rows: Rows,
  chainId: number,
  at: { wrapper: string; adapter: string; block: bigint },
): Promise<bigint> => {
  const found = await sql<{ held: string; recovered: string }>`
    with known as (
      select address, event, args from chain_event where chain_id = ${chainId} and contract = 'xcm' and removed_at is null and block_number <= ${at.block}
    )
    select
      coalesce((
        select sum((queued.args->>'assets')::numeric) from known queued
        where queued.address = ${at.wrapper} and queued.event = 'RequestQueued' and queued.args->>'kind' = '0' and not exists (
          select 1 from known later
          where later.address = ${at.wrapper} and later.args->>'requestId' = queued.args->>'requestId'
            and (later.event = 'RequestStatusUpdated' or (later.event = 'RequestLegDispatched' and later.args->>'leg' = '0'))
        )
      ), 0)::text as held,
      coalesce((
        select sum((args->>'assets')::numeric * case address when ${at.wrapper} then 1 else -1 end) from known
        where event = 'RecoveredAssetsReleased'
      ), 0)::text as recovered`.execute(rows)
  const [row] = found.rows
  return BigInt(row?.held ?? 0) + BigInt(row?.recovered ?? 0)
}
