import type { Rows } from './database.ts'

/** Remembers a delivery under each of its names; false when one of them was taken before. */
export const takeDelivery = async (rows: Rows, names: readonly string[], now: number): Promise<boolean> => {
  const known = await rows.selectFrom('hook_delivery').select('id').where('id', 'in', names).executeTakeFirst()
  if (known !== undefined) return false
  const taken = await rows
    .insertInto('hook_delivery')
    .values(names.map((id) => ({ id, receivedAt: now })))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return taken.length === names.length
}

/** Forgets a delivery that came to nothing, so that its repeat is heard. */
export const forgetDelivery = async (rows: Rows, names: readonly string[]): Promise<void> => {
  await rows.deleteFrom('hook_delivery').where('id', 'in', names).execute()
}

export const deleteDeliveries = async (rows: Rows, before: number): Promise<void> => {
  await rows.deleteFrom('hook_delivery').where('receivedAt', '<', before).execute()
}
