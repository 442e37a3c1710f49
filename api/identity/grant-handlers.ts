import { z } from 'zod'
import type { Rows } from '../../activities/database/database.ts'
import { emit, type NewEvent } from '../../activities/events/outbox.ts'
import { type GrantKind, insertGrant, listGrants, lockGrant, revokeGrant } from '../../activities/identity/grants.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import { capabilitiesToGrant, type GrantFault, type GrantRow, tokenLifetime } from '../../domain/identity/grants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type * as operations from '../../schemas/identity/admin-operations.ts'
import type { WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type { HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { invalidRequest } from '../http/problem.ts'
import { createDelegateHandlers } from './delegate-answers.ts'
import { newGrantId } from './grant-ids.ts'

const Position = z.object({ issuedAt: InstantKey, id: TextKey })

/** What a request says of a new grant; null for a member without a value. */
interface Terms {
  subject: string
  capabilities: readonly string[]
  scope: string | null
  note: string | null
  /** Epoch ms. */
  expiresAt: number | null
}

/** What a grant and its token have of a request. */
interface TokenTerms extends Terms {
  ttlSeconds: number | undefined
  rotatedFrom: string | null
}

const grantView = (grant: GrantRow) => {
  const { id, subject, capabilities, scope, note, issuedBy, issuedAt, expiresAt, rotatedFrom, revokedAt, revokedBy, revokeNote } = grant
  const given = { scope, note, expiresAt: isoOrNull(expiresAt), rotatedFrom, revokedAt: isoOrNull(revokedAt), revokedBy, revokeNote }
  return {
    id,
    subject,
    capabilities,
    issuedBy,
    issuedAt: iso(issuedAt),
    status: revokedAt === null ? ('active' as const) : ('revoked' as const),
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Partial<Record<keyof typeof given, string>>),
  }
}

const KIND = { tokenKind: 'service', tokenAvailable: false } as const

const tokenView = (grant: GrantRow) => {
  if (grant.tokenExpiresAt === null) throw new Error(`the grant ${grant.id} has no token`)
  return { ...KIND, tokenExpiresAt: iso(grant.tokenExpiresAt), grant: grantView(grant) }
}

const refusalOf = (fault: GrantFault, issuerWallet: string): ServiceError => {
  if (fault.kind === 'not_owned')
    return new ServiceError('grant_capability_not_owned', { details: { issuerWallet, missingCapabilities: fault.missing } })
  const { capability, place } = fault
  if (fault.kind === 'not_grantable') return new ServiceError('capability_not_grantable', { details: { capability } })
  const { code, info } = invalidRequest([{ pointer: `/capabilities/${place}`, rule: 'enum', message: 'is no capability' }])
  return new ServiceError(code, { ...info, details: { capability } })
}

/** Throws 400 for a grant that has ended before it begins. */
const assertFuture = (expiresAt: number | null, now: number): void => {
  if (expiresAt === null || expiresAt > now) return
  throw invalidRequest([
    { pointer: '/expiresAt', rule: 'future', message: 'must be in the future; without it a rotation keeps that of the old grant' },
  ])
}

/** An event about a grant for its wallet and its operator. It names no token. */
const grantEvent = (
  topic: NewEvent['topic'],
  { id, subject, capabilities, scope, expiresAt }: GrantRow,
  by: string,
  at: number,
  more = {},
): NewEvent => ({
  topic,
  wallets: [...new Set([subject, by])],
  correlationId: id,
  at,
  data: { grantId: id, subject, capabilities, scope, expiresAt: isoOrNull(expiresAt), by, ...more },
})

const instantOf = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text))

const termsOf = ({ subject, capabilities, scope, note, expiresAt }: Input<typeof operations.createCapabilityGrant>['body']): Terms => ({
  subject,
  capabilities,
  scope: scope ?? null,
  note: note ?? null,
  expiresAt: instantOf(expiresAt),
})

/** Service tokens and grants to wallets, for operators. Source: http, "Service tokens" and "Capability grants". */
export const createGrantHandlers = (deps: ServiceDeps): HandlersOf<typeof operations> => {
  const { database, clock, tokens, settings } = deps

  /** A new grant by a caller, which may be stored. Throws 400 or 403 for terms that the caller cannot grant. */
  const newGrant = (kind: GrantKind, terms: Terms, caller: WalletPrincipal, now: number) => {
    const granted = capabilitiesToGrant(terms.capabilities, caller.capabilities)
    if (!Array.isArray(granted)) throw refusalOf(granted, caller.wallet)
    assertFuture(terms.expiresAt, now)
    const { subject, scope, note, expiresAt } = terms
    return { id: newGrantId(), kind, subject, capabilities: granted, scope, note, issuedBy: caller.wallet, issuedAt: now, expiresAt }
  }

  const listOf = async (
    operationId: string,
    kind: GrantKind,
    { subject, status, ...query }: Input<typeof operations.listServiceTokens>['query'],
  ) => {
    const page = listPage({ ...query, operationId, filters: { subject, status }, position: Position })
    const found = await listGrants(database.rows, { kind, subject, status }, { limit: page.readLimit, after: page.after })
    return page.cut(found, ({ issuedAt, id }) => ({ issuedAt, id }))
  }

  /** Signs a token and stores its grant. The token is not part of the answer that is stored. */
  const issueToken = async (rows: Rows, terms: TokenTerms, caller: WalletPrincipal, now: number) => {
    const grant = newGrant('token', terms, caller, now)
    const { seconds, isCut } = tokenLifetime(terms.ttlSeconds ?? settings.JWT_TTL_SECONDS, { now, grantEndsAt: grant.expiresAt })
    const iat = Math.floor(now / 1000)
    const { token, claims } = await tokens.issueService({
      sub: grant.subject,
      grantId: grant.id,
      scope: grant.scope,
      iat,
      exp: iat + seconds,
    })
    const { jti, exp } = claims
    const stored = await insertGrant(rows, { ...grant, jti, tokenExpiresAt: exp * 1000, rotatedFrom: terms.rotatedFrom })
    const body = {
      ...KIND,
      tokenType: 'Bearer' as const,
      tokenOmittedReason: 'service_token_secret_is_returned_once',
      wallet: stored.subject,
      capabilities: stored.capabilities,
      expiresAt: iso(exp * 1000),
      ...(isCut && { ttlClampedTo: seconds }),
      grant: grantView(stored),
      usage: { header: 'Authorization: Bearer <token>' },
    }
    return { token, grant: stored, body }
  }

  /** The stored answer with its token, which no record holds; a replay has none. */
  const withToken = <Body extends { tokenOmittedReason: string }>(body: Body, token: string | null) => {
    if (token === null) return body
    const { tokenOmittedReason: _omitted, ...shown } = body
    return { ...shown, token, tokenAvailable: true }
  }

  /** The grant of a kind, locked. An id of the other kind is as unknown as one that never was. */
  const lockKnown = async (rows: Rows, kind: GrantKind, id: string): Promise<GrantRow> => {
    const grant = await lockGrant(rows, kind, id)
    if (grant === null)
      throw new ServiceError(kind === 'token' ? 'service_token_not_found' : 'capability_grant_not_found', { details: { id } })
    return grant
  }

  /** Revokes a grant once; a repeat finds it revoked. */
  const revoke = async (
    rows: Rows,
    kind: GrantKind,
    { params, body, caller }: Pick<Input<typeof operations.revokeServiceToken>, 'params' | 'body' | 'caller'>,
  ) => {
    const found = await lockKnown(rows, kind, params.id)
    if (found.revokedAt !== null) return { grant: found, alreadyRevoked: true }
    const at = clock.now()
    const grant = await revokeGrant(rows, found, { by: caller.wallet, at, note: body.note ?? null })
    await emit(rows, grantEvent(kind === 'token' ? 'service-token.revoke' : 'capability.revoke', grant, caller.wallet, at))
    return { grant, alreadyRevoked: false }
  }

  return {
    listServiceTokens: async ({ query }) => {
      const { rows, ...envelope } = await listOf('listServiceTokens', 'token', query)
      return { status: 200, body: { items: rows.map(tokenView), ...envelope } }
    },

    issueServiceToken: async (input) => {
      const { body, caller } = input
      let token: string | null = null
      const answer = await withIdempotentTransaction(deps, input, async (rows) => {
        const now = clock.now()
        const issued = await issueToken(rows, { ...termsOf(body), ttlSeconds: body.tokenTtlSeconds, rotatedFrom: null }, caller, now)
        await emit(rows, grantEvent('service-token.issue', issued.grant, caller.wallet, now))
        token = issued.token
        return { status: 201 as const, body: issued.body }
      })
      return { ...answer, body: withToken(answer.body, token) }
    },

    rotateServiceToken: async (input) => {
      const { body, caller, params } = input
      let token: string | null = null
      const answer = await withIdempotentTransaction(deps, input, async (rows) => {
        const old = await lockKnown(rows, 'token', params.id)
        if (old.revokedAt !== null) throw new ServiceError('service_token_grant_revoked', { details: { id: old.id } })
        const now = clock.now()
        const terms = {
          subject: old.subject,
          capabilities: body.capabilities ?? old.capabilities,
          scope: body.scope ?? old.scope,
          note: body.note ?? old.note,
          expiresAt: instantOf(body.expiresAt) ?? old.expiresAt,
        }
        // The new token is signed before the old grant is revoked, and both commit together: a failure leaves the old one as it was.
        const issued = await issueToken(rows, { ...terms, ttlSeconds: body.tokenTtlSeconds, rotatedFrom: old.id }, caller, now)
        const revoked = await revokeGrant(rows, old, { by: caller.wallet, at: now, note: body.revokeNote ?? null })
        await emit(rows, grantEvent('service-token.rotate', issued.grant, caller.wallet, now, { rotatedFrom: old.id }))
        token = issued.token
        return { status: 201 as const, body: { ...issued.body, rotatedFrom: grantView(revoked) } }
      })
      return { ...answer, body: withToken(answer.body, token) }
    },

    revokeServiceToken: (input) =>
      withIdempotentTransaction(deps, input, async (rows) => {
        const { grant, alreadyRevoked } = await revoke(rows, 'token', input)
        return { status: 200 as const, body: { ...KIND, status: 'revoked', alreadyRevoked, grant: grantView(grant) } }
      }),

    ...createDelegateHandlers(deps).adminHandlers,

    listCapabilityGrants: async ({ query }) => {
      const { rows, ...envelope } = await listOf('listCapabilityGrants', 'wallet', query)
      return { status: 200, body: { items: rows.map(grantView), ...envelope } }
    },

    createCapabilityGrant: (input) =>
      withIdempotentTransaction(deps, input, async (rows) => {
        const { body, caller } = input
        const now = clock.now()
        const grant = newGrant('wallet', termsOf(body), caller, now)
        const stored = await insertGrant(rows, { ...grant, jti: null, tokenExpiresAt: null, rotatedFrom: null })
        await emit(rows, grantEvent('capability.grant', stored, caller.wallet, now))
        return { status: 201 as const, body: grantView(stored) }
      }),

    revokeCapabilityGrant: (input) =>
      withIdempotentTransaction(deps, input, async (rows) => {
        const { grant } = await revoke(rows, 'wallet', input)
        return { status: 200 as const, body: grantView(grant) }
      }),
  }
}
