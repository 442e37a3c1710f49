// Transactions of a native account: this program signs none, and shows the calls that its wallet submits.
import { EXIT, refused } from '../failures.ts'
import type { NativeAccount } from '../key/native-account.ts'
import type { Report } from '../output/output.ts'
import { formatPairs } from '../output/text.ts'
import type { SignedIn } from '../service/open.ts'
import type { BuiltTransaction } from './calls.ts'
import type { PreparedTransaction } from './send.ts'

type Weight = Readonly<Record<'refTime' | 'proofSize', string>>

/** Arguments of the call `Revive.call`; numbers are digits. */
interface CallArguments {
  dest: string
  value: string
  weightLimit: Weight | null
  storageDepositLimit: string | null
  data: string
}

/** A transaction with the call of a native account that the service built beside it. */
interface NativeTransaction extends BuiltTransaction {
  revive?: { args: CallArguments } | undefined
}

/** The call of a transaction that was checked. Refuses one that the service built as another call. Without one the limits are left to a dry run. */
const argumentsOf = ({ to, data, revive }: NativeTransaction): CallArguments => {
  if (revive === undefined) return { dest: to, value: '0', weightLimit: null, storageDepositLimit: null, data }
  const { args } = revive
  if (args.dest !== to || args.data !== data || args.value !== '0')
    throw refused('The service built a call of the native account that differs from its transaction. Do not submit it.')
  return args
}

const MEASURE = 'from a dry run'

const describe = ({ step, call }: PreparedTransaction, args: CallArguments, number: string): string[] => [
  `Call ${number}: ${step}, to ${call}`,
  ...formatPairs([
    ['  call', 'Revive.call'],
    ['  dest', args.dest],
    ['  value', args.value],
    ['  refTime', args.weightLimit?.refTime ?? MEASURE],
    ['  proofSize', args.weightLimit?.proofSize ?? MEASURE],
    ['  storage deposit', args.storageDepositLimit ?? MEASURE],
    ['  data', args.data],
  ]),
]

/** Where and by whom the calls of a native account are made. */
export const nativeSigner = async ({ client, wallet: address }: SignedIn, signal: AbortSignal) => ({
  address,
  chainId: (await client.getHealth({}, { signal })).auth.chainId,
})

/** Report of transactions that were checked and that a native account submits itself. Its exit code says that nothing was sent. */
export const reportNativeCalls = (
  native: NativeAccount,
  wallet: string,
  transactions: readonly (PreparedTransaction & NativeTransaction)[],
): Report => {
  const calls = transactions.map((transaction) => ({ transaction, args: argumentsOf(transaction) }))
  return {
    document: {
      status: 'not_sent',
      wallet,
      nativeAccount: native,
      calls: calls.map(({ transaction: { step }, args }) => ({ step, pallet: 'Revive', call: 'call', args })),
    },
    lines: [
      `${native.ss58} signs no Ethereum transaction, so nothing was sent.`,
      'Submit with its wallet, on the native side of the chain, each call after the one before it:',
      ...calls.flatMap(({ transaction, args }, index) => ['', ...describe(transaction, args, `${index + 1} of ${calls.length}`)]),
    ],
    exit: EXIT.refused,
  }
}
