import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { WebhookState } from '../../schemas/webhooks/record.ts'
import type { Rows } from '../database/database.ts'

/** A row of an endpoint, and one of a delivery. */
export type WebhookRow = Selectable<Tables['webhook_endpoint']>
export type WebhookDeliveryRow = Selectable<Tables['webhook_delivery']>
/** A delivery before it is recorded. */
export type NewDelivery = Omit<WebhookDeliveryRow, 'endpointId' | 'number'>

/** Endpoints of one wallet at most. */
export const MAX_WEBHOOKS = 10
/** Deliveries of an endpoint that are kept. */
const KEPT_DELIVERIES = 20

/** An endpoint by its id; null for an unknown one. */
export const findWebhook = async (rows: Rows, id: string): Promise<WebhookRow | null> =>
  (await rows.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

/** The same, locked until the transaction ends. */
export const lockWebhook = async (rows: Rows, id: string): Promise<WebhookRow | null> =>
  (await rows.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null

/** Endpoints of a wallet (lower case), oldest first. */
export const listWebhooksOf = (rows: Rows, wallet: string): Promise<WebhookRow[]> =>
  rows.selectFrom('webhook_endpoint').selectAll().where('wallet', '=', wallet).orderBy('createdAt').orderBy('id').execute()

/** Place of an endpoint in the list of all. */
interface WebhookPosition {
  createdAt: number
  id: string
}

/** Endpoints of every wallet, newest first, after a position. */
export const listWebhooks = (
  rows: Rows,
  { state, wallet }: { state: WebhookState | undefined; wallet: string | undefined },
  { limit, after }: { limit: number; after: WebhookPosition | null },
): Promise<WebhookRow[]> => {
  let found = rows.selectFrom('webhook_endpoint').selectAll()
  if (state !== undefined) found = found.where('state', '=', state)
  if (wallet !== undefined) found = found.where('wallet', '=', wallet)
  if (after !== null)
    found = found
      .where('createdAt', '<=', after.createdAt)
      .where((is) => is.or([is('createdAt', '<', after.createdAt), is('id', '>', after.id)]))
  return found.orderBy('createdAt', 'desc').orderBy('id').limit(limit).execute()
}

/** The last delivery of each of the endpoints that has one. */
export const latestDeliveries = async (rows: Rows, ids: readonly string[]): Promise<Map<string, WebhookDeliveryRow>> => {
  if (ids.length === 0) return new Map()
  const found = await rows
    .selectFrom('webhook_delivery')
    .selectAll()
    .distinctOn('endpointId')
    .where('endpointId', 'in', [...ids])
    .orderBy('endpointId')
    .orderBy('number', 'desc')
    .execute()
  return new Map(found.map((delivery) => [delivery.endpointId, delivery]))
}

/** The kept deliveries of endpoints, newest first. */
export const listDeliveries = (rows: Rows, ids: readonly string[]): Promise<WebhookDeliveryRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : rows
        .selectFrom('webhook_delivery')
        .selectAll()
        .where('endpointId', 'in', [...ids])
        .orderBy('number', 'desc')
        .execute()

/** A delivery by its number; null for an unknown one. */
export const findDelivery = async (rows: Rows, endpointId: string, number: number): Promise<WebhookDeliveryRow | null> =>
  (await rows
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('endpointId', '=', endpointId)
    .where('number', '=', number)
    .executeTakeFirst()) ?? null

/** Serializes the endpoints of a wallet until the transaction ends, so that their number is exact. */
export const lockWebhooksOf = async (rows: Rows, wallet: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`webhooks/${wallet}`}))`.execute(rows)
}

/** Adds an endpoint without failures that gets the events after `position`. */
export const insertWebhook = async (
  rows: Rows,
  endpoint: Pick<WebhookRow, 'id' | 'wallet' | 'url' | 'topics' | 'sessionId' | 'keyId' | 'createdAt' | 'position'>,
): Promise<void> => {
  const row = { ...endpoint, state: 'active', failures: 0, isWaiting: true, deliveryCount: 0, version: 1 } as const
  await rows.insertInto('webhook_endpoint').values(row).execute()
}

/** Changes an endpoint. */
export const updateWebhook = async (rows: Rows, id: string, change: Partial<Insertable<Tables['webhook_endpoint']>>): Promise<void> => {
  await rows.updateTable('webhook_endpoint').set(change).where('id', '=', id).execute()
}

/** Deletes an endpoint and its deliveries. */
export const deleteWebhook = async (rows: Rows, id: string): Promise<void> => {
  await rows.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
}

/** Adds the next delivery of a locked endpoint, and drops the oldest one. Returns its number. */
export const insertDelivery = async (
  rows: Rows,
  { id, deliveryCount }: Pick<WebhookRow, 'id' | 'deliveryCount'>,
  delivery: NewDelivery,
): Promise<number> => {
  const number = deliveryCount + 1
  const row = { ...delivery, endpointId: id, number }
  await rows.insertInto('webhook_delivery').values(row).execute()
  const last = number - KEPT_DELIVERIES
  await rows.deleteFrom('webhook_delivery').where('endpointId', '=', id).where('number', '<=', last).execute()
  await updateWebhook(rows, id, { deliveryCount: number })
  return number
}
