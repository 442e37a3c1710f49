import { z } from 'zod'
import type { Rows } from '../../activities/database/database.ts'
import { readDelegateUse } from '../../activities/eligibility/delegate-use.ts'
import { findGrant, listGrants, listLiveDelegates, lockDelegatesOf, lockGrant } from '../../activities/identity/grants.ts'
import { nativeAccountMember, nativeAccountViews } from '../../activities/identity/native-accounts.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import { assetAmount, floorSubtract } from '../../domain/common/money.ts'
import { pick } from '../../domain/common/pick.ts'
import { type DelegateUse, useOf } from '../../domain/eligibility/delegate-budget.ts'
import { type GrantRow, grantEnd } from '../../domain/identity/grants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type * as adminOperations from '../../schemas/identity/admin-operations.ts'
import type { WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type { DelegateStatus } from '../../schemas/identity/delegate-shapes.ts'
import type * as operations from '../../schemas/identity/operations.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { delegateOf, endDelegate, endDelegateItself } from './delegates.ts'

const Position = z.object({ issuedAt: InstantKey, id: TextKey })

const statusOf = (grant: GrantRow, now: number): DelegateStatus => {
  if (grantEnd(grant, now) === null) return 'active'
  return grant.revokedAt === null ? 'expired' : 'revoked'
}

/** The same as conditions of a list; undefined for delegates in every standing. */
const standingOf = (status: DelegateStatus | undefined, now: number) => {
  if (status === undefined || status === 'revoked') return { status }
  return { status: 'active' as const, time: { isOver: status === 'expired', now } }
}

/** What a wallet sees of its delegates, how they end, and what a delegate sees of itself. */
export const createDelegateHandlers = ({ database, clock, chain }: ServiceDeps) => {
  const termsView = (grant: GrantRow, { bondsRaw, jobs }: DelegateUse) => {
    const { terms, client } = delegateOf(grant)
    return {
      client: { name: client.name, host: client.host },
      scopes: terms.scopes,
      tiers: terms.tiers,
      budget: { bondPerDay: assetAmount(BigInt(terms.bondPerDayRaw), chain.asset), jobsPerDay: terms.jobsPerDay },
      used: { bonds: assetAmount(bondsRaw, chain.asset), jobs },
    }
  }

  const usesOf = async (rows: Rows, grants: readonly GrantRow[], now: number): Promise<(grant: GrantRow) => DelegateUse> => {
    const uses = await readDelegateUse(
      rows,
      grants.map(({ id }) => id),
      now,
    )
    return ({ id }) => uses.get(id) ?? useOf([])
  }

  /** The grant of a delegate without its proof. */
  const delegateView = (grant: GrantRow, use: DelegateUse, now: number) => ({
    grantId: grant.id,
    ...termsView(grant, use),
    issuedAt: iso(grant.issuedAt),
    expiresAt: iso(delegateOf(grant).expiresAt),
    status: statusOf(grant, now),
    revokedAt: isoOrNull(grant.revokedAt),
    revokedBy: grant.revokedBy === null ? null : grant.revokedBy === grant.subject ? ('wallet' as const) : ('delegate' as const),
  })

  /** One page of delegates with what they have used. A cursor is bound to the operation and the filters. */
  const readPage = async (
    operationId: string,
    query: { limit: number; cursor?: string | undefined },
    filters: { subject: string | undefined; status?: DelegateStatus | undefined },
  ) => {
    const now = clock.now()
    const page = listPage({ ...query, operationId, filters, position: Position })
    const filter = { kind: 'delegate', subject: filters.subject, ...standingOf(filters.status, now) } as const
    const found = await listGrants(database.rows, filter, { limit: page.readLimit, after: page.after })
    const { rows: grants, ...envelope } = page.cut(found, ({ issuedAt, id }) => ({ issuedAt, id }))
    const use = await usesOf(database.rows, grants, now)
    return { envelope, items: grants.map((grant) => ({ grant, view: delegateView(grant, use(grant), now) })) }
  }

  /** Ends one delegate of a wallet; a repeat changes nothing. Throws 404 for one that is absent or of another wallet. */
  const revokeOne = async (rows: Rows, wallet: string, id: string, now: number): Promise<string[]> => {
    const grant = await lockGrant(rows, 'delegate', id)
    if (grant?.subject !== wallet) throw new ServiceError('delegate_not_found', { details: { grantId: id } })
    await endDelegate(rows, grant, wallet, now)
    return [id]
  }

  const revokeAll = async (rows: Rows, wallet: string, now: number): Promise<string[]> => {
    const live = await listLiveDelegates(rows, wallet, now)
    for (const grant of live) await endDelegate(rows, grant, wallet, now)
    return live.map(({ id }) => id)
  }

  return {
    handlers: {
      listDelegates: async ({ query, caller: { wallet } }) => {
        const { items, envelope } = await readPage('listDelegates', query, { subject: wallet })
        const account = await nativeAccountMember(database.rows, wallet)
        const proofOf = (grant: GrantRow) => pick(delegateOf(grant), 'message', 'signature')
        return { status: 200, body: { items: items.map(({ grant, view }) => ({ ...view, ...proofOf(grant), ...account })), ...envelope } }
      },

      revokeDelegates: async ({ body: { grantId }, caller: { wallet } }) => {
        const revoked = await database.transaction(async (rows) => {
          await lockDelegatesOf(rows, wallet)
          const now = clock.now()
          return grantId === undefined ? revokeAll(rows, wallet, now) : revokeOne(rows, wallet, grantId, now)
        })
        return { status: 200, body: { revoked } }
      },
    } satisfies Pick<HandlersOf<typeof operations>, 'listDelegates' | 'revokeDelegates'>,

    /** Delegates of every wallet, for operators. */
    adminHandlers: {
      listAdminDelegates: async ({ query }) => {
        const { items, envelope } = await readPage('listAdminDelegates', query, { subject: query.wallet, status: query.status })
        const accounts = await nativeAccountViews(database.rows, [...new Set(items.map(({ grant }) => grant.subject))])
        const rows = items.map(({ grant: { subject: wallet }, view }) => {
          const nativeAccount = accounts.get(wallet)
          return { wallet, ...view, ...(nativeAccount !== undefined && { nativeAccount }) }
        })
        return { status: 200, body: { items: rows, ...envelope } }
      },
    } satisfies Pick<HandlersOf<typeof adminOperations>, 'listAdminDelegates'>,

    /** Ends the grant of a delegate by its own wish. */
    endOwn: async ({ grant }: WalletPrincipal): Promise<void> => {
      if (grant !== undefined) await endDelegateItself({ database, clock }, grant.id)
    },

    /** Terms of a delegate for itself, and what is left of them; undefined for every other caller. */
    ownTerms: async ({ kind, grant }: WalletPrincipal) => {
      const found = kind !== 'delegate' || grant === undefined ? null : await findGrant(database.rows, 'delegate', grant.id)
      if (found === null) return undefined
      const use = (await usesOf(database.rows, [found], clock.now()))(found)
      const { bondPerDayRaw, jobsPerDay } = delegateOf(found).terms
      const left = {
        bonds: assetAmount(floorSubtract(BigInt(bondPerDayRaw), use.bondsRaw), chain.asset),
        jobs: Math.max(0, jobsPerDay - use.jobs),
      }
      return { ...termsView(found, use), left }
    },
  }
}
