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
