import { sql } from 'kysely'
import { CONSENT_POLICY_VERSION, type DirectoryConsent, nextConsent, PRIVATE_CONSENT } from '../../domain/directory/consent.ts'
import type { Rows } from '../database/database.ts'

/** What a wallet (lower case) lets the directory show, and since when; `updatedAt` is null for a wallet that never consented. */
export const readConsent = async (rows: Rows, wallet: string): Promise<DirectoryConsent & { updatedAt: number | null }> =>
  (await rows
    .selectFrom('agent_consent')
    .select(['publicProfile', 'currentActivity', 'updatedAt'])
    .where('wallet', '=', wallet)
    .executeTakeFirst()) ?? { ...PRIVATE_CONSENT, updatedAt: null }

/**
 * Changes the consent of a wallet and appends the change to its log; a request that changes nothing writes nothing. A wallet that leaves the
 * directory takes the shares of its profile with it. Requests of one wallet queue. Throws 409 `profile_opt_in_required`. `at` in epoch ms.
 */
export const changeConsent = async (
  rows: Rows,
  {
    wallet,
    jti,
    at,
    ...request
  }: {
    wallet: string
    jti: string | null
    at: number
    publicProfileOptIn?: boolean | undefined
    currentActivityOptIn?: boolean | undefined
  },
): Promise<DirectoryConsent & { updatedAt: number }> => {
  const policyVersion = CONSENT_POLICY_VERSION
  const first = { wallet, ...PRIVATE_CONSENT, policyVersion, updatedAt: at }
  await rows
    .insertInto('agent_consent')
    .values(first)
    .onConflict((conflict) => conflict.column('wallet').doNothing())
    .execute()
  // The list is read in the order of the statistics, where a wallet without work has no row yet.
  await sql`insert into agent_statistics (wallet) values (${wallet}) on conflict do nothing`.execute(rows)
  const current = await rows.selectFrom('agent_consent').selectAll().where('wallet', '=', wallet).forUpdate().executeTakeFirstOrThrow()
  const next = nextConsent(current, request)
  const isSame = next.publicProfile === current.publicProfile && next.currentActivity === current.currentActivity
  if (isSame) return { ...next, updatedAt: current.updatedAt }
  await rows
    .updateTable('agent_consent')
    .set({ ...next, policyVersion, updatedAt: at })
    .where('wallet', '=', wallet)
    .execute()
  const { publicProfile: wasPublicProfile, currentActivity: wasCurrentActivity } = current
  await rows
    .insertInto('agent_consent_event')
    .values({ wallet, wasPublicProfile, wasCurrentActivity, ...next, policyVersion, jti, at })
    .execute()
  if (current.publicProfile && !next.publicProfile)
    await rows.deleteFrom('share').where('surface', '=', 'agent').where('ref', '=', wallet).execute()
  return { ...next, updatedAt: at }
}
