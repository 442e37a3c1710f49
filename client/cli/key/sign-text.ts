import { checksumAddress } from './address.ts'
import type { OpenKey } from './key-file.ts'
import { signWrapped } from './native-account.ts'
import { loadAccount } from './viem.ts'

/** Whose key one is. */
export type KeyName = Pick<OpenKey, 'address' | 'native'>

/** Address that the sign-in texts of a key name: SS58 of a native account, else the wallet with its checksum. */
export const subjectOf = ({ address, native }: KeyName): string => native?.ss58 ?? checksumAddress(address)

/** Signs a text with a key of either side. Throws where viem is missing, which a native account does not need. */
export const signText = async (key: OpenKey, message: string): Promise<string> =>
  key.native === undefined ? (await loadAccount(key)).signMessage({ message }) : signWrapped(key.privateKey, key.native.scheme, message)
