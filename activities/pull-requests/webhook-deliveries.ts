import type { Database, Rows } from '../database/database.ts'

/** Code hosts give a hook ten seconds: who took a delivery longer ago and did not say that it was heard was killed over it. */
const UNDER_WAY_MS = 10_000

/**
 * Remembers a delivery under each of its names; false, and nothing is remembered, when one of them was heard before or may still be
 * under way. `now` in epoch ms.
 */
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
    // Only what was read: a twin may have taken another of the names meanwhile.
    const abandoned = known.map(({ id }) => id)
    if (abandoned.length > 0) await releaseWebhook(rows, abandoned)
    const taken = await rows
      .insertInto('hook_delivery')
      .values(names.map((id) => ({ id, receivedAt: now, isProcessed: false })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute()
    if (taken.length === names.length) return true
    // A twin came first under another name: what this one wrote was never seen outside of here.
    const mine = taken.map(({ id }) => id)
    if (mine.length > 0) await releaseWebhook(rows, mine)
    return false
  })

/** Whom a delivery is for was woken: from now on it is a repeat. */
export const markProcessed = async (rows: Rows, names: readonly string[]): Promise<void> => {
  await rows.updateTable('hook_delivery').set({ isProcessed: true }).where('id', 'in', names).execute()
}

/** Forgets a delivery that came to nothing, so that its repeat is heard. */
export const releaseWebhook = async (rows: Rows, names: readonly string[]): Promise<void> => {
  await rows.deleteFrom('hook_delivery').where('id', 'in', names).execute()
}

export const deleteDeliveries = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('hook_delivery').where('receivedAt', '<', before).execute()
}
