import type { Database, Rows } from './database.ts'

/** Remembers a delivery under each of its names; false, and nothing is remembered, when one of them was taken before. */
export const takeDelivery = ({ transaction }: Pick<Database, 'transaction'>, names: readonly string[], now: number): Promise<boolean> =>
  transaction(async (rows) => {
    const known = await rows.selectFrom('hook_delivery').select('id').where('id', 'in', names).executeTakeFirst()
    if (known !== undefined) return false
    const taken = await rows
      .insertInto('hook_delivery')
      .values(names.map((id) => ({ id, receivedAt: now })))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute()
    if (taken.length === names.length) return true
    // A twin came first under another name: what this one wrote was never seen outside of here.
    const mine = taken.map(({ id }) => id)
    if (mine.length > 0) await forgetDelivery(rows, mine)
    return false
  })

/** Forgets a delivery that came to nothing, so that its repeat is heard. */
export const forgetDelivery = async (rows: Rows, names: readonly string[]): Promise<void> => {
  await rows.deleteFrom('hook_delivery').where('id', 'in', names).execute()
}

export const deleteDeliveries = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('hook_delivery').where('receivedAt', '<', before).execute()
}
