import { sql } from 'kysely'
import type { DirectoryConsent } from '../../domain/consents/listing.ts'
import { type ConsentRequest, changeConsent } from '../consents/listing.ts'
import type { Rows } from '../database/database.ts'

/**
 * Lists a wallet in the directory, or takes it off, as {@link changeConsent} does. A wallet that leaves takes the shares of its profile with it.
 */
export const changeListing = async (rows: Rows, request: ConsentRequest): Promise<DirectoryConsent & { updatedAt: number }> => {
  const { wallet } = request
  // The list is read in the order of the statistics, where a wallet without work has no row yet.
  await sql`insert into agent_statistics (wallet) values (${wallet}) on conflict do nothing`.execute(rows)
  const { before, after, updatedAt } = await changeConsent(rows, request)
  if (before.publicProfile && !after.publicProfile)
    await rows.deleteFrom('share').where('surface', '=', 'agent').where('ref', '=', wallet).execute()
  return { ...after, updatedAt }
}
