import { type Hex, type Log, type PublicClient, parseAbi, parseEventLogs } from 'viem'
import type { NonceUse } from '../../../domain/paid-verification/capture.ts'
import type { SignedTransfer } from '../../../schemas/paid-verification/record.ts'

const EVENTS = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
])
const [USED, CANCELED] = EVENTS

type Owed = Pick<SignedTransfer, 'asset' | 'payer' | 'payTo' | 'amountRaw' | 'nonce'>

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/**
 * Whether these logs of one transaction hold the payment: the transfer that follows the use of the nonce, before the next use, is of exactly the
 * price from payer to payee. A transaction may use several authorisations.
 */
export const holdsPayment = (logs: readonly Log[], { asset, payer, payTo, amountRaw, nonce }: Owed): boolean => {
  const ours = logs.filter(({ address }) => isSame(address, asset))
  const events = parseEventLogs({ abi: EVENTS, logs: [...ours] }).sort((left, right) => left.logIndex - right.logIndex)
  const used = events.findIndex(
    ({ eventName, args }) => eventName === 'AuthorizationUsed' && isSame(args.authorizer, payer) && isSame(args.nonce, nonce),
  )
  const next = used === -1 ? undefined : events[used + 1]
  if (next?.eventName !== 'Transfer') return false
  return isSame(next.args.from, payer) && isSame(next.args.to, payTo) && next.args.amount === BigInt(amountRaw)
}

/** What became of an authorisation in the blocks from `fromBlock` to `head`; null when no log names its nonce. Source: rulings on payments. */
export const findNonceUse = async (reader: PublicClient, owed: Owed, { fromBlock, head }: { fromBlock: bigint; head: bigint }) => {
  const request = {
    address: owed.asset as Hex,
    fromBlock,
    toBlock: head,
    args: { authorizer: owed.payer as Hex, nonce: owed.nonce as Hex },
  }
  const [used, canceled] = await Promise.all([reader.getLogs({ ...request, event: USED }), reader.getLogs({ ...request, event: CANCELED })])
  const [log] = [...used, ...canceled]
  if (log === undefined) return null
  const { transactionHash: txHash, blockNumber } = log
  const kindOf = async (): Promise<NonceUse['kind']> => {
    if (used.length === 0) return 'cancelled'
    const { logs } = await reader.getTransactionReceipt({ hash: txHash })
    return holdsPayment(logs, owed) ? 'paid' : 'used_elsewhere'
  }
  return { kind: await kindOf(), txHash, blockNumber, confirmations: Number(head - blockNumber) }
}
