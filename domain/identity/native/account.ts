import { keccak256 } from 'viem/utils'
import type { Tables } from '../../../schemas/entities/tables.ts'
import type { Hex } from '../../common/hashes.ts'
import { decodeSs58, encodeSs58, type Ss58Fault } from './ss58.ts'

/** The forms of one native account: H160 that is paid, AccountId32, SS58 address with prefix 0. Hex is in lower case. */
export type NativeAccount = Pick<Tables['native_account'], 'wallet' | 'accountId' | 'ss58'> & { wallet: Hex; accountId: Hex }

/** Last twelve bytes of an account id that was made from an EVM address. */
export const EVM_MARK = 'ee'.repeat(12)

/** Whether an account id was made from an EVM address: the chain addresses it without a mapping. */
export const isEvmDerived = (accountId: Hex): boolean => accountId.endsWith(EVM_MARK)

/** H160 of an account id (0x and 64 lower-case hex digits), in lower case. Source: identity, "AccountId32 to H160". */
export const payoutAddressOf = (accountId: Hex): Hex =>
  isEvmDerived(accountId) ? (accountId.slice(0, 42) as Hex) : `0x${keccak256(accountId).slice(26)}`

/** The account of an account id. */
export const nativeAccountOf = (accountId: Hex): NativeAccount => ({
  wallet: payoutAddressOf(accountId),
  accountId,
  ss58: encodeSs58(accountId),
})

/** The account of an SS58 address of any network, or why the text is none. */
export const readNativeAccount = (address: string): NativeAccount | Ss58Fault => {
  const found = decodeSs58(address)
  return typeof found === 'string' ? found : nativeAccountOf(found.accountId)
}
