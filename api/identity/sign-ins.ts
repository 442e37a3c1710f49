import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Rows } from '../../activities/database/database.ts'
import { emit, type NewEvent } from '../../activities/events/outbox.ts'
import {
  endAuthSessions,
  hasAuthSession,
  insertAuthSession,
  listAuthSessions,
  lockAuthSession,
  replaceToken,
  type SessionChoice,
} from '../../activities/identity/auth-sessions.ts'
import { revokeToken } from '../../activities/identity/records.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import { networkPrefix } from '../../domain/http/caller-address.ts'
import { type AuthSessionRow, refreshableUntil, refreshStep } from '../../domain/identity/auth-sessions.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Role, WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type * as operations from '../../schemas/identity/operations.ts'
import type { HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { tokenRevoked } from './authenticate.ts'

const Position = z.object({ signedInAt: InstantKey, id: TextKey })

/** The caller's token; a caller of the permissive mode has none. */
export const getToken = ({ token }: WalletPrincipal) => {
  if (token === null) throw new ServiceError('missing_token')
  return token
}

/** Signs the first token of a new sign-in, and stores it. `subject` is the SS58 address of a native account. */
export const openSignIn = async (
  { tokens }: Pick<ServiceDeps, 'tokens'>,
  rows: Rows,
  { wallet, subject, roles, ip }: { wallet: string; subject: string; roles: readonly Role[]; ip: string },
  now: number,
) => {
  const [id, authTime] = [randomUUID(), Math.floor(now / 1000)]
  const signed = await tokens.issue({ sub: subject, roles, sid: id, authTime }, now)
  const { jti, exp } = signed.claims
  await insertAuthSession(rows, {
    id,
    subject: wallet,
    signedInAt: authTime * 1000,
    lastJti: jti,
    issuedAt: now,
    expiresAt: exp * 1000,
    network: networkPrefix(ip),
  })
  return signed
}

/** The owner's event about a sign-in that two parties may hold. */
const reuseEvent = ({ id, subject, signedInAt, network }: AuthSessionRow, at: number): NewEvent => ({
  topic: 'auth.refresh_reused',
  wallets: [subject],
  correlationId: id,
  at,
  data: { sessionId: id, subject, signedInAt: iso(signedInAt), network },
})

/** Exchanges the token of a caller for the next one of its sign-in. A token that was exchanged too long ago ends the sign-in. */
export const createRefresh = ({ database, clock, tokens, settings }: ServiceDeps) => {
  const step = async (rows: Rows, caller: WalletPrincipal, now: number) => {
    const { sid, jti, roles, authTime } = getToken(caller)
    const session = sid === null ? null : await lockAuthSession(rows, sid)
    if (session === null) throw tokenRevoked('unknown')
    if (session.endReason !== null) throw tokenRevoked(session.endReason)
    const ends = refreshableUntil(session.signedInAt, settings.AUTH_SESSION_DAYS)
    if (now >= ends) throw new ServiceError('auth_session_expired')
    const grant = { sub: caller.subject, roles, sid: session.id, authTime }
    const kind = refreshStep(session, jti, now, settings.AUTH_REFRESH_GRACE_SECONDS)
    if (kind === 'repeat') return tokens.issue(grant, session.issuedAt, ends / 1000, session.lastJti)
    if (kind === 'reuse') {
      await endAuthSessions(rows, session.subject, { only: session.id }, { at: now, reason: 'refresh_reused' })
      await emit(rows, reuseEvent(session, now))
      return null
    }
    const signed = await tokens.issue(grant, now, ends / 1000)
    await replaceToken(rows, session, { jti: signed.claims.jti, issuedAt: now, expiresAt: signed.claims.exp * 1000 })
    return signed
  }

  return async (caller: WalletPrincipal) => {
    const signed = await database.transaction((rows) => step(rows, caller, clock.now()))
    // The end of the sign-in has to be stored, so it is refused outside its transaction.
    if (signed === null) throw new ServiceError('refresh_reused')
    return signed
  }
}

const choiceOf = ({ sessionId, all }: Input<typeof operations.revokeAuthSessions>['body'], { token }: WalletPrincipal): SessionChoice =>
  sessionId !== undefined ? { only: sessionId } : { except: all ? null : (token?.sid ?? null) }

/** What an owner sees of the sign-ins, and how they end. */
export const createSignInHandlers = ({
  database,
  clock,
  settings,
}: ServiceDeps): Pick<HandlersOf<typeof operations>, 'listAuthSessions' | 'revokeAuthSessions' | 'logout'> => {
  const sessionView = (session: AuthSessionRow, { token }: WalletPrincipal) => ({
    sessionId: session.id,
    current: session.id === token?.sid,
    signedInAt: iso(session.signedInAt),
    issuedAt: iso(session.issuedAt),
    lastUsedAt: isoOrNull(session.lastUsedAt),
    expiresAt: iso(session.expiresAt),
    refreshableUntil: iso(refreshableUntil(session.signedInAt, settings.AUTH_SESSION_DAYS)),
    network: session.network,
  })

  return {
    listAuthSessions: async ({ query, caller }) => {
      const page = listPage({ ...query, operationId: 'listAuthSessions', filters: { subject: caller.wallet }, position: Position })
      const live = { subject: caller.wallet, now: clock.now() }
      const found = await listAuthSessions(database.rows, live, { limit: page.readLimit, after: page.after })
      const { rows, ...envelope } = page.cut(found, ({ signedInAt, id }) => ({ signedInAt, id }))
      return { status: 200, body: { items: rows.map((session) => sessionView(session, caller)), ...envelope } }
    },

    revokeAuthSessions: async ({ body, caller }) => {
      const ended = await database.transaction(async (rows) => {
        // One answer for an absent sign-in and for one of another wallet.
        if (body.sessionId !== undefined && !(await hasAuthSession(rows, caller.wallet, body.sessionId)))
          throw new ServiceError('sign_in_not_found', { details: { sessionId: body.sessionId } })
        const found = await endAuthSessions(rows, caller.wallet, choiceOf(body, caller), { at: clock.now(), reason: 'session_ended' })
        // A repeat gets the answer of the first request.
        return body.sessionId === undefined ? found : [body.sessionId]
      })
      return { status: 200, body: { ended } }
    },

    logout: async ({ caller }) => {
      const { jti, sid, expiresAt } = getToken(caller)
      const { wallet: subject } = caller
      const now = clock.now()
      await database.transaction(async (rows) => {
        if (sid !== null) await endAuthSessions(rows, subject, { only: sid }, { at: now, reason: 'logout' })
        else await revokeToken(rows, { jti, subject, expiresAt: expiresAt * 1000, reason: 'logout' }, now)
      })
      return { status: 200, body: { status: 'logged_out', wallet: caller.wallet, jti } }
    },
  }
}
