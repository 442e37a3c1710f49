import { known, type RecordFact } from '../../domain/common/fact.ts'
import { type EarningIdentity, type MappingRefusal, mappingRefusal } from '../../domain/identity/native/earning.ts'
import { canEarn, type Mapping } from '../../domain/identity/native/mapping.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Rows } from '../database/database.ts'
import { findNativeAccount, type NativeAccountRow } from './native-accounts.ts'
import type { MappingReader } from './native-mapping.ts'

const MAPPED = { mapped: true } as const

/** The refusal as the error of an answer. */
export const refusalError = ({ code, details, nextActions }: MappingRefusal): ServiceError =>
  new ServiceError(code, { details, nextActions })

/** Reads whether a wallet can receive earnings: an EVM wallet always can, a native account while it is mapped. */
export const createEarningIdentities = (mappings: MappingReader, { native, nativeSymbol }: Pick<ChainFile, 'native' | 'nativeSymbol'>) => {
  const refuse = async (account: NativeAccountRow, mapping: Mapping): Promise<MappingRefusal | null> => {
    // Only the remedy names it.
    const existentialDepositRaw = mapping.status === 'unmapped' ? await mappings.readMinimumBalance() : null
    return mappingRefusal(account, mapping, { native, nativeSymbol, existentialDepositRaw })
  }

  /** Identity of a wallet (lower-case H160). `fresh` reads the chain in any case. */
  const read = async (rows: Rows, wallet: string, options: { fresh?: boolean } = {}): Promise<EarningIdentity> => {
    const account = await findNativeAccount(rows, wallet)
    const refusal = account === null ? null : await refuse(account, await mappings.read(account, options))
    return refusal === null ? MAPPED : { mapped: false, refusal }
  }

  return {
    read,

    /** Identity for a list, which does not read the chain: unknown for a native account without a cached mapping. */
    readListed: async (rows: Rows, wallet: string): Promise<RecordFact<EarningIdentity>> => {
      const account = await findNativeAccount(rows, wallet)
      const mapping = account === null ? null : mappings.findKnown(account)
      return account === null || (mapping !== null && canEarn(mapping.status)) ? known(MAPPED) : 'unknown'
    },

    /** Throws 409 `native_account_mapping_required` or `native_mapping_mismatch`, 503 `native_mapping_unreadable`. */
    assertCanEarn: async (rows: Rows, wallet: string, options: { fresh?: boolean } = {}): Promise<void> => {
      const identity = await read(rows, wallet, options)
      if (!identity.mapped) throw refusalError(identity.refusal)
    },
  }
}
export type EarningIdentities = ReturnType<typeof createEarningIdentities>
