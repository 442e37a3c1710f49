import type { NativeSide } from '../../../schemas/chain/chain-file.ts'
import { get, signIn, wait } from '../../../schemas/common/error-row.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import type { NextAction } from '../../../schemas/errors.ts'
import { type Fact, known } from '../../common/fact.ts'
import { iso } from '../../common/instants.ts'
import { amount } from '../../common/money.ts'
import { canEarn, MAPPING_STORAGE, type Mapping, mappingStorageKey } from './mapping.ts'

type Account = Pick<Tables['native_account'], 'wallet' | 'accountId' | 'ss58'>
/** What a mapping keeps in the chain's storage: 20 bytes of address and 32 of account id. Source: identity, "Remedy". */
const MAPPING_BYTES = 52

/** Why a native account cannot earn now, with details and next actions of the answer. */
export interface MappingRefusal {
  code: 'native_account_mapping_required' | 'native_mapping_mismatch' | 'native_mapping_unreadable'
  details: Record<string, unknown>
  nextActions: NextAction[]
}

/** Whether a wallet can receive earnings. */
export type EarningIdentity = { mapped: true } | { mapped: false; refusal: MappingRefusal }

/** Whether what is sent to the address of a wallet reaches its account. */
export const reachesWallet = (identity: EarningIdentity): Fact<boolean> =>
  identity.mapped || identity.refusal.code !== 'native_mapping_unreadable' ? known(identity.mapped) : 'unreadable'

export interface MappingTerms {
  /** Undefined on a chain that serves no native accounts. */
  native: NativeSide | undefined
  nativeSymbol: string
  /** In units of the native side; null when the chain does not tell. */
  existentialDepositRaw: bigint | null
}

const REPEAT = 'Then repeat the same request.'
const CONTRACT_WALLETS =
  'The address that a contract wallet gives to its admin key and the address of a mapped native account are different for ever: mapping moves nothing from one to the other.'

/** What maps an account, by the mechanism of the chain. */
export const REMEDIES = {
  extrinsic: {
    text: `Call Revive.map_account, signed by the account: the chain holds the deposit until Revive.unmap_account. ${REPEAT}`,
    call: 'map_account',
    undo: 'unmap_account',
  },
  auto_map: {
    text: `The chain maps an account when it is created: fund the account. An account from before that rule is mapped by Revive.batch_map_accounts. The mapping ends when the balance falls below the existential deposit. ${REPEAT}`,
    call: 'batch_map_accounts',
    undo: null,
  },
} as const

/** What the chain holds of an account while it is mapped; null where it maps without a deposit. */
export const depositOf = ({ mappingMechanism, mappingDeposit: { itemRaw, byteRaw }, decimals }: NativeSide, symbol: string) =>
  mappingMechanism === 'auto_map'
    ? null
    : {
        asset: symbol,
        ...amount({ raw: BigInt(itemRaw) + BigInt(byteRaw) * BigInt(MAPPING_BYTES), decimals }),
        itemDeposit: amount({ raw: BigInt(itemRaw), decimals }),
        byteDeposit: amount({ raw: BigInt(byteRaw), decimals }),
        bytes: MAPPING_BYTES,
        heldReason: 'AddressMapping',
        refundable: true,
        refundedBy: REMEDIES.extrinsic.undo,
      }

const viewOf = ({ wallet, accountId, ss58 }: Account, { status, checkedAt }: Mapping) => ({
  accountId32: accountId,
  ss58,
  payoutAddress: wallet,
  mapping: { status, checkedAt: iso(checkedAt) },
})

const remedyDetails = (account: Account, mapping: Mapping, { native, nativeSymbol, existentialDepositRaw }: MappingTerms) => {
  const view = viewOf(account, mapping)
  if (native === undefined) return view
  const { mappingMechanism, substrateRpcUrls, decimals } = native
  const { text, call, undo } = REMEDIES[mappingMechanism]
  const storage = { ...MAPPING_STORAGE, key: mappingStorageKey(account.wallet), expectedValue: account.accountId }
  return {
    ...view,
    mapping: { ...view.mapping, storage },
    mappingMechanism,
    remedy: {
      pallet: MAPPING_STORAGE.pallet,
      call,
      args: mappingMechanism === 'auto_map' ? [[account.accountId]] : [],
      undo,
      signer: account.ss58,
      rpcUrls: substrateRpcUrls,
      description: text,
    },
    deposit: depositOf(native, nativeSymbol),
    existentialDeposit:
      existentialDepositRaw === null ? null : { asset: nativeSymbol, ...amount({ raw: existentialDepositRaw, decimals }) },
    contractWallets: CONTRACT_WALLETS,
  }
}

const mapFirst = (terms: MappingTerms): NextAction[] => [
  { kind: 'transaction', description: REMEDIES[terms.native?.mappingMechanism ?? 'extrinsic'].text },
  get('/onboarding', 'See how a native account is mapped.'),
]

/** Why an account with this mapping cannot earn; null if it can. Source: identity, "Remedy". */
export const mappingRefusal = (account: Account, mapping: Mapping, terms: MappingTerms): MappingRefusal | null => {
  const { status } = mapping
  if (canEarn(status)) return null
  const details = viewOf(account, mapping)
  if (status === 'unreadable')
    return { code: 'native_mapping_unreadable', details, nextActions: [wait('Repeat the same request when the chain can be read.')] }
  if (status === 'mismatch')
    return {
      code: 'native_mapping_mismatch',
      details: { ...details, contractWallets: CONTRACT_WALLETS },
      nextActions: [
        get('/health', 'Report the request id to the operator: the chain maps the payout address to another account.'),
        signIn('Sign in with another account.'),
      ],
    }
  return { code: 'native_account_mapping_required', details: remedyDetails(account, mapping, terms), nextActions: mapFirst(terms) }
}
