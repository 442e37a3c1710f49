import type { Tables } from '../../schemas/entities/tables.ts'
import type { Rows } from '../database/database.ts'

export type NativeAccountRow = Tables['native_account']

/** Stores a native account at its first sign-in; `at` in epoch ms. */
export const rememberNativeAccount = async (rows: Rows, account: Omit<NativeAccountRow, 'firstSignedInAt'>, at: number): Promise<void> => {
  await rows
    .insertInto('native_account')
    .values({ ...account, firstSignedInAt: at })
    .onConflict((conflict) => conflict.column('wallet').doNothing())
    .execute()
}

/** The native account that a wallet (lower-case H160) belongs to; null for an EVM wallet, and before the first sign-in. */
export const findNativeAccount = async (rows: Rows, wallet: string): Promise<NativeAccountRow | null> =>
  (await rows.selectFrom('native_account').selectAll().where('wallet', '=', wallet).executeTakeFirst()) ?? null

/** How answers show the native account of a worker beside its wallet. */
export interface NativeAccountView {
  ss58: string
  accountId32: string
}

const viewOf = ({ ss58, accountId }: NativeAccountRow): NativeAccountView => ({ ss58, accountId32: accountId })

/** Member `nativeAccount` of an answer about a wallet (lower-case H160); no member for an EVM wallet. */
export const nativeAccountMember = async (rows: Rows, wallet: string): Promise<{ nativeAccount?: NativeAccountView }> => {
  const found = await findNativeAccount(rows, wallet)
  return found === null ? {} : { nativeAccount: viewOf(found) }
}

/** The same for the wallets of a list, by wallet. */
export const nativeAccountViews = async (rows: Rows, wallets: readonly string[]): Promise<ReadonlyMap<string, NativeAccountView>> => {
  if (wallets.length === 0) return new Map()
  const found = await rows.selectFrom('native_account').selectAll().where('wallet', 'in', wallets).execute()
  return new Map(found.map((row) => [row.wallet, viewOf(row)]))
}
