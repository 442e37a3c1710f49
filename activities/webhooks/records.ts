import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tables } from '../../schemas/entities/tables.ts'
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
