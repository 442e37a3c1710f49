import { type EarningIdentity, mappingRefusal } from '../../../../domain/identity/native/earning.ts'
import type { NativeSide } from '../../../../schemas/chain/chain-file.ts'
import type { MappingStatus } from '../../../../schemas/identity/native-shapes.ts'

/** A native account whose address follows from its key. */
export const NATIVE_ACCOUNT = {
  wallet: '0x9621dde636de098b43efb0fa9b61facfe328f99d',
  accountId: '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d',
  ss58: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
} as const

/** A native account that was made from an address. */
export const ETHEREUM_ACCOUNT = {
  wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  accountId: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8eeeeeeeeeeeeeeeeeeeeeeee',
  ss58: '13YdxMwPMq5W6zLZehpTnzgJq74J4v9YHFiAMyDCVi4u5DQW',
} as const

/** Section of a chain file whose accounts map themselves. */
export const NATIVE_CHAIN: NativeSide = {
  genesisHash: `0x${'00'.repeat(32)}`,
  substrateRpcUrls: [],
  mappingMechanism: 'extrinsic',
  mappingDeposit: { itemRaw: '2000000000', byteRaw: '100000' },
  decimals: 10,
  weightPerGas: { refTime: 25_000, proofSize: 16 },
  maxWeight: { refTime: 1_500_000_000_000, proofSize: 7_864_320 },
}

const identityAt = (status: MappingStatus, now = Date.parse('2026-03-01T12:00:00.000Z')) => {
  const terms = { native: NATIVE_CHAIN, nativeSymbol: 'PAS', existentialDepositRaw: 100_000_000n }
  const refusal = mappingRefusal(NATIVE_ACCOUNT, { status, checkedAt: now }, terms)
  if (refusal === null) throw new Error(`an account that is ${status} can earn`)
  return { mapped: false, refusal } as const satisfies EarningIdentity
}

export const UNMAPPED = identityAt('unmapped')
export const MISMATCHED = identityAt('mismatch')
export const UNREADABLE = identityAt('unreadable')
