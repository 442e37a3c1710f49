import type { Database, Rows } from '../database/database.ts'

/** Code hosts wait ten seconds for a webhook. A handler that claimed a delivery earlier without a result was killed. */
const UNDER_WAY_MS = 10_000

/** Claims a delivery under each of its names. False, without a change, if one of them was processed or may be in progress. `now` in epoch ms. */
export const claimWebhook = ({ transaction }: Pick<Database, 'transaction'>, names: readonly string[], now: number): Promise<boolean> =>
  transaction(async (rows) => {
    const known = await rows
      .selectFrom('hook_delivery')
      .select(['id', 'isProcessed', 'receivedAt'])
      .where('id', 'in', names)
      .orderBy('id')
      .forUpdate()
      .execute()
    if (known.some(({ isProcessed, receivedAt }) => isProcessed || receivedAt > now - UNDER_WAY_MS)) return false
    // Only the rows that were read: a concurrent duplicate may have claimed another name.
    const abandoned = known.map(({ id }) => id)
    if (abandoned.length > 0) await releaseWebhook(rows, abandoned)
    const claimed = await rows
      .insertInto('hook_delivery')
      .values(names.map((id) => ({ id, receivedAt: now, isProcessed: false })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute()
    if (claimed.length === names.length) return true
    // A duplicate claimed another name first. Removes the rows of this call, which no other transaction has seen.
    const inserted = claimed.map(({ id }) => id)
    if (inserted.length > 0) await releaseWebhook(rows, inserted)
    return false
  })

/** Marks a delivery as processed after its workflows were notified. */
export const markProcessed = async (rows: Rows, names: readonly string[]): Promise<void> => {
  await rows.updateTable('hook_delivery').set({ isProcessed: true }).where('id', 'in', names).execute()
}

/** Releases a delivery that failed, so that its repeat is processed. */
export const releaseWebhook = async (rows: Rows, names: readonly string[]): Promise<void> => {
  await rows.deleteFrom('hook_delivery').where('id', 'in', names).execute()
}

/** Deletes deliveries received before `before` (epoch ms). */
export const deleteDeliveries = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('hook_delivery').where('receivedAt', '<', before).execute()
}
