import type { MappingStatus } from '../../../schemas/identity/native-shapes.ts'
import type { Hex } from '../../common/hashes.ts'
import { EVM_MARK } from './account.ts'

/** Precompile that answers which account id an address belongs to. */
export const SYSTEM_PRECOMPILE = '0x0000000000000000000000000000000000000900'

/** Map of the chain's storage that holds mappings by address. */
export const MAPPING_STORAGE = { pallet: 'Revive', item: 'OriginalAccount' } as const
/** Hash of pallet and item (twox-128 each); the address follows as it is. Source: identity, "Mapping check". */
const MAPPING_PREFIX = '0x735f040a5d490f1107ad9c56f5ca00d2c56ab6c1f203b345fe5879f819627723'

/** A status and when the chain was read (epoch ms). */
export interface Mapping {
  status: MappingStatus
  checkedAt: number
}

/** The forms of an account that a mapping is read by; hex in lower case. */
export interface MappedAccount {
  wallet: string
  accountId: string
}

const ACCOUNT_ID = /^0x[0-9a-f]{64}$/

/** Account id that the chain names for an address without a mapping: money that is sent to the address lands there. */
export const fallbackAccountId = (wallet: string): string => `${wallet}${EVM_MARK}`

/** What the precompile's answer says of an account. Any text but 32 bytes in hex is unreadable. */
export const mappingOfAnswer = ({ wallet, accountId }: MappedAccount, answer: string): MappingStatus => {
  const found = answer.toLowerCase()
  if (!ACCOUNT_ID.test(found)) return 'unreadable'
  if (found === accountId) return 'mapped'
  return found === fallbackAccountId(wallet) ? 'unmapped' : 'mismatch'
}

/** Key under which the chain's storage holds the mapping of an address. */
export const mappingStorageKey = (wallet: string): Hex => `${MAPPING_PREFIX}${wallet.slice(2)}`

/** What the stored value says of an account: null is no mapping. Any other value but 32 bytes in hex is unreadable. */
export const mappingOfStored = ({ accountId }: MappedAccount, value: unknown): MappingStatus => {
  if (value === null) return 'unmapped'
  if (typeof value !== 'string' || !ACCOUNT_ID.test(value.toLowerCase())) return 'unreadable'
  return value.toLowerCase() === accountId ? 'mapped' : 'mismatch'
}

/** The status that two readers agree on, `unreadable` otherwise. */
export const agreedStatus = (first: MappingStatus, second: MappingStatus): MappingStatus => (first === second ? first : 'unreadable')

/** Whether a native account with this status can earn. */
export const canEarn = (status: MappingStatus): boolean => status === 'mapped' || status === 'not_needed'
