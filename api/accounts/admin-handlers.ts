import { z } from 'zod'
import { listWallets, type WalletRow } from '../../activities/accounts/wallets.ts'
import { nativeAccountViews } from '../../activities/identity/native-accounts.ts'
import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import type * as adminOperations from '../../schemas/accounts/admin-operations.ts'
import type { WalletRole } from '../../schemas/accounts/record.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { configuredRoles, walletsOfRole } from '../identity/authenticators.ts'

const Position = z.object({ lastSeenAt: InstantKey, wallet: TextKey })

/** Wallets that the service knows, for operators. */
export const createAccountAdminHandlers = ({ settings, chain, database, clock }: ApiDeps): HandlersOf<typeof adminOperations> => {
  const { rows } = database

  const rolesOf = ({ wallet, total, posts }: WalletRow): WalletRole[] => [
    ...(total > 0 ? (['worker'] as const) : []),
    ...(posts > 0 ? (['poster'] as const) : []),
    ...configuredRoles(settings, wallet),
  ]

  const view = (row: WalletRow) => ({
    wallet: row.wallet,
    roles: rolesOf(row),
    firstSeenAt: iso(row.firstSeenAt),
    lastSeenAt: iso(row.lastSeenAt),
    sessions: { open: row.open, paid: row.paid, rejected: row.rejected, total: row.total },
    paid: assetAmount(row.paidRaw, chain.asset),
    locked: assetAmount(row.lockedRaw, chain.asset),
    skill: row.skill,
    posts: row.posts,
  })

  return {
    listAdminWallets: async ({ query: { limit, cursor, wallet, role } }) => {
      const page = listPage({ limit, cursor, operationId: 'listAdminWallets', filters: { wallet, role }, position: Position })
      const who = role === undefined || role === 'worker' || role === 'poster' ? role : walletsOfRole(settings, role)
      const asked = { wallet, who, limit: page.readLimit, after: page.after }
      const found = await listWallets(rows, chain.chainId, asked, clock.now())
      const { rows: wallets, ...envelope } = page.cut(found, ({ lastSeenAt, wallet: seen }) => ({ lastSeenAt, wallet: seen }))
      const accounts = await nativeAccountViews(
        rows,
        wallets.map((row) => row.wallet),
      )
      const body = wallets.map((row) => {
        const nativeAccount = accounts.get(row.wallet)
        return { ...view(row), ...(nativeAccount !== undefined && { nativeAccount }) }
      })
      return { status: 200, body: { wallets: body, count: body.length, ...envelope } }
    },
  }
}
