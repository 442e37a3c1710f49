import { sql } from 'kysely'
import { type GrantRow, grantEnd } from '../../domain/identity/grants.ts'
import type { SessionEnd } from '../../schemas/identity/auth-sessions.ts'
import type { Capability } from '../../schemas/identity/authorisation.ts'
import { type Rows, readRow } from '../database/database.ts'
import { announceRevocation } from './records.ts'

export type GrantKind = GrantRow['kind']

/** Columns that only a delegate has. */
type Proof = 'terms' | 'client' | 'message' | 'signature'

/** Stores a grant. */
export const insertGrant = async (
  rows: Rows,
  grant: Omit<GrantRow, 'revokedAt' | 'revokedBy' | 'revokeNote' | 'version' | Proof> & Partial<Pick<GrantRow, Proof>>,
): Promise<GrantRow> => {
  const row = {
    terms: null,
    client: null,
    message: null,
    signature: null,
    ...grant,
    revokedAt: null,
    revokedBy: null,
    revokeNote: null,
    version: 1,
  }
  await rows.insertInto('capability_grant').values(row).execute()
  return row
}

/** Serializes what changes the delegates of a wallet, until the transaction ends. */
export const lockDelegatesOf = async (rows: Rows, wallet: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`delegates/${wallet}`}))`.execute(rows)
}

/** Delegates of a wallet that are neither revoked nor ended at `now` (epoch ms), oldest first. */
export const listLiveDelegates = (rows: Rows, subject: string, now: number): Promise<GrantRow[]> =>
  rows
    .selectFrom('capability_grant')
    .selectAll()
    .where((is) => is.and({ kind: 'delegate', subject }))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('issuedAt')
    .orderBy('id')
    .execute()

/** A grant of a kind by its id; null for one that is absent or of another kind. */
export const findGrant = async (rows: Rows, kind: GrantKind, id: string): Promise<GrantRow | null> =>
  (await rows
    .selectFrom('capability_grant')
    .selectAll()
    .where((is) => is.and({ kind, id }))
    .executeTakeFirst()) ?? null

/** A grant of a kind by its id, locked until the transaction ends; null for one that is absent or of the other kind. */
export const lockGrant = async (rows: Rows, kind: GrantKind, id: string): Promise<GrantRow | null> =>
  (await rows
    .selectFrom('capability_grant')
    .selectAll()
    .where((is) => is.and({ kind, id }))
    .forUpdate()
    .executeTakeFirst()) ?? null

/** Keeps a grant as it is until the transaction ends: a revocation comes before it, or waits. */
export const holdGrant = async (rows: Rows, grantId: string): Promise<void> => {
  await rows.selectFrom('capability_grant').select('id').where('id', '=', grantId).forShare().execute()
}

/** The end of a delegate's grant that is live at `now`; null for every other. Times are epoch ms. */
export const findLiveDelegate = async (rows: Rows, id: string, now: number): Promise<{ subject: string; expiresAt: number } | null> => {
  const found = await rows
    .selectFrom('capability_grant')
    .select(['subject', 'expiresAt', 'revokedAt'])
    .where('kind', '=', 'delegate')
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined || found.expiresAt === null || grantEnd(found, now) !== null) return null
  return { subject: found.subject, expiresAt: found.expiresAt }
}

/** Revokes a locked grant that is not revoked, and notifies every process. `at` in epoch ms. */
export const revokeGrant = async (
  rows: Rows,
  grant: GrantRow,
  { by, at, note }: { by: string; at: number; note: string | null },
): Promise<GrantRow> => {
  const change = { revokedAt: at, revokedBy: by, revokeNote: note, version: grant.version + 1 }
  await rows.updateTable('capability_grant').set(change).where('id', '=', grant.id).execute()
  await announceRevocation(rows, grant.subject)
  return { ...grant, ...change }
}

/** Place of a grant in the lists. */
export interface GrantPosition {
  issuedAt: number
  id: string
}

/** Up to `limit` grants of a kind after a position, newest first. */
export const listGrants = async (
  rows: Rows,
  filter: {
    kind: GrantKind
    subject: string | undefined
    status: 'active' | 'revoked' | undefined
    /** Only those whose time is over at `now` (epoch ms), or is not. */
    time?: { isOver: boolean; now: number }
  },
  { limit, after }: { limit: number; after: GrantPosition | null },
): Promise<GrantRow[]> => {
  let found = rows.selectFrom('capability_grant').selectAll().where('kind', '=', filter.kind)
  if (filter.subject !== undefined) found = found.where('subject', '=', filter.subject)
  if (filter.status !== undefined) found = found.where('revokedAt', filter.status === 'active' ? 'is' : 'is not', null)
  if (filter.time !== undefined) found = found.where('expiresAt', filter.time.isOver ? '<=' : '>', filter.time.now)
  if (after !== null)
    found = found
      .where('issuedAt', '<=', after.issuedAt)
      .where((is) => is.or([is('issuedAt', '<', after.issuedAt), is('id', '>', after.id)]))
  return found.orderBy('issuedAt', 'desc').orderBy('id').limit(limit).execute()
}

/** A token as its claims name it: `sid` is the sign-in of a wallet's token, `grantId` the grant of a service token or delegate. */
interface NamedToken {
  kind: 'wallet' | 'service' | 'delegate'
  jti: string
  /** Lower-case address. */
  wallet: string
  sid: string | null
  grantId: string | null
}

/** Whether a token counts. Of a wallet `replaced` after a refresh, `unknown` without its sign-in, or why that ended. */
export type TokenState = 'live' | 'replaced' | 'unknown' | SessionEnd

/** What the records say of a token: whether it counts, and the grants that count for it. */
export interface TokenStanding {
  state: TokenState
  /** Of a service token or delegate its one grant, ended or not; of a wallet its grants that are not revoked. Times are epoch ms. */
  grants: { capabilities: Capability[]; expiresAt: number | null; revokedAt: number | null }[]
}

/** Reads the standing of a token in one statement. Every request asks: nothing is kept, so an end is effective in every process at once. */
export const readStanding = (rows: Rows, { kind, jti, wallet, sid, grantId }: NamedToken): Promise<TokenStanding> => {
  const counted = {
    wallet: sql`kind = 'wallet' and subject = ${wallet} and revoked_at is null`,
    service: sql`kind = 'token' and id = ${grantId} and jti = ${jti} and subject = ${wallet}`,
    delegate: sql`kind = 'delegate' and id = ${grantId} and subject = ${wallet}`,
  }[kind]
  const state =
    kind === 'wallet'
      ? sql`(select coalesce(end_reason, case when last_jti = ${jti} then 'live' else 'replaced' end)
          from auth_session where id = ${sid} and subject = ${wallet})`
      : sql`coalesce((select reason from revoked_token where jti = ${jti}), 'live')`
  const ms = (column: string) => sql`round(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`
  return readRow(
    rows,
    sql<TokenStanding>`select coalesce(${state}, 'unknown') as state,
      coalesce((
        select jsonb_agg(jsonb_build_object('capabilities', capabilities, 'expiresAt', ${ms('expires_at')}, 'revokedAt', ${ms('revoked_at')}))
        from capability_grant where ${counted}
      ), '[]') as grants`,
  )
}

/** Capabilities that the grants of a wallet add at `now` (epoch ms). */
export const readWalletGrants = async (rows: Rows, subject: string, now: number): Promise<Capability[]> => {
  const grants = await rows
    .selectFrom('capability_grant')
    .select(['capabilities', 'expiresAt', 'revokedAt'])
    .where((is) => is.and({ kind: 'wallet', subject }))
    .where('revokedAt', 'is', null)
    .execute()
  return grants.filter((grant) => grantEnd(grant, now) === null).flatMap(({ capabilities }) => capabilities)
}
