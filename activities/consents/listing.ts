import { sql } from 'kysely'
import { CONSENT_POLICY_VERSION, type DirectoryConsent, nextConsent, PRIVATE_CONSENT } from '../../domain/consents/listing.ts'
import type { Rows } from '../database/database.ts'

/** What a wallet (lower case) lets the directory show, and since when; `updatedAt` is null for a wallet that never consented. */
export const readConsent = async (rows: Rows, wallet: string): Promise<DirectoryConsent & { updatedAt: number | null }> =>
  (await rows
    .selectFrom('agent_consent')
    .select(['publicProfile', 'currentActivity', 'updatedAt'])
    .where('wallet', '=', wallet)
    .executeTakeFirst()) ?? { ...PRIVATE_CONSENT, updatedAt: null }

/** A change that a wallet asks for; an absent member keeps its value. */
export interface ConsentRequest {
  /** Lower case. */
  wallet: string
  /** Token of the request; null in permissive mode. */
  jti: string | null
  /** Epoch ms. */
  at: number
  publicProfileOptIn?: boolean | undefined
  currentActivityOptIn?: boolean | undefined
}

/**
 * Lists a wallet in the directory, or takes it off, and appends the change to the log of its consent; a request that changes nothing writes
 * nothing. A wallet that leaves takes the shares of its profile with it. Requests of one wallet queue. Throws 409 `profile_opt_in_required`.
 */
export const changeListing = async (
  rows: Rows,
  { wallet, jti, at, ...request }: ConsentRequest,
): Promise<DirectoryConsent & { updatedAt: number }> => {
  const policyVersion = CONSENT_POLICY_VERSION
  // The list is read in the order of the statistics, where a wallet without work has no row yet.
  await sql`insert into agent_statistics (wallet) values (${wallet}) on conflict do nothing`.execute(rows)
  await rows
    .insertInto('agent_consent')
    .values({ wallet, ...PRIVATE_CONSENT, policyVersion, updatedAt: at })
    .onConflict((conflict) => conflict.column('wallet').doNothing())
    .execute()
  const before = await rows.selectFrom('agent_consent').selectAll().where('wallet', '=', wallet).forUpdate().executeTakeFirstOrThrow()
  const after = nextConsent(before, request)
  const { publicProfile: wasPublicProfile, currentActivity: wasCurrentActivity, updatedAt } = before
  if (after.publicProfile === wasPublicProfile && after.currentActivity === wasCurrentActivity) return { ...after, updatedAt }
  await rows
    .updateTable('agent_consent')
    .set({ ...after, policyVersion, updatedAt: at })
    .where('wallet', '=', wallet)
    .execute()
  await rows
    .insertInto('agent_consent_event')
    .values({ wallet, wasPublicProfile, wasCurrentActivity, ...after, policyVersion, jti, at })
    .execute()
  if (wasPublicProfile && !after.publicProfile)
    await rows.deleteFrom('share').where('surface', '=', 'agent').where('ref', '=', wallet).execute()
  return { ...after, updatedAt: at }
}
