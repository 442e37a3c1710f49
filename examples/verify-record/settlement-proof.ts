// The event that ended the work, and its place in a block.
import { assert, isObject, type Members, Refused, textOf, toHex, utf8 } from './encoding/json.ts'
import { keccak256 } from './encoding/keccak.ts'
import { bytesOf, decodeRlp, fromHex, listOf, numberOf, type Rlp, walkTrie } from './encoding/rlp.ts'
import { bytes, bytes32, closed, integer, list, oneOf, party, raw, type Shape } from './shape.ts'

const shared = {
  chainId: integer(1),
  transactionHash: bytes32,
  blockNumber: raw,
  blockHash: bytes32,
  event: closed({
    name: oneOf('SettlementSplit', 'JobClosed'),
    address: party,
    topics: list(bytes32, 1),
    data: bytes,
    logIndex: integer(0),
  }),
}
const inclusion = closed({ header: bytes, receiptsRoot: bytes32, transactionIndex: integer(0), nodes: list(bytes, 1) })
const bound = closed({ ...shared, binding: oneOf('hash_and_number') })
const proven = closed({ ...shared, binding: oneOf('receipt_trie'), inclusion })

/** A settlement proof, with or without its path. */
export const proofShape: Shape = (value, place) =>
  isObject(value) && value.binding === 'hash_and_number' ? bound(value, place) : proven(value, place)

/** Event of a contract: its address, topics and data, as hex. */
interface Log {
  address: string
  topics: string[]
  data: string
}

/** A transaction in its block. */
export interface MinedTransaction {
  chainId: number
  blockNumber: string
  blockHash: string
  transactionHash: string
  /** Epoch ms of the block, and all events of the transaction; null if only hash and number are bound. */
  mined: { at: number; logs: Log[] } | null
}

/** What a proof shows. */
export interface Settlement extends MinedTransaction {
  event: Log & { name: string; logIndex: number }
}

/** Places in a block header. */
const HEADER = { receiptsRoot: 5, number: 8, timestamp: 11 }

const logOf = (item: Rlp): Log => {
  const [address, topics, data] = listOf(item)
  return { address: toHex(bytesOf(address)), topics: listOf(topics).map((topic) => toHex(bytesOf(topic))), data: toHex(bytesOf(data)) }
}

const same = (left: Log, right: Log): boolean =>
  left.address === right.address && left.data === right.data && left.topics.join() === right.topics.join()

const readMined = (proof: Members, event: Log & { logIndex: number }): { at: number; logs: Log[] } => {
  const { header, receiptsRoot, transactionIndex, nodes } = proof.inclusion as Members
  const encoded = fromHex(String(header))
  assert(toHex(keccak256(encoded)) === proof.blockHash, 'its block header has another hash than its block')
  const members = listOf(decodeRlp(encoded))
  assert(toHex(bytesOf(members[HEADER.receiptsRoot])) === receiptsRoot, 'its block header states another root of receipts')
  const number = numberOf(bytesOf(members[HEADER.number]))
  assert(number === BigInt(textOf(proof, 'blockNumber')), 'its block header has another number than its block')
  const receipt = walkTrie(String(receiptsRoot), Number(transactionIndex), nodes as string[])
  // A typed receipt begins with its type.
  const [status, , , logs] = listOf(decodeRlp((receipt[0] ?? 0) < 0xc0 ? receipt.slice(1) : receipt))
  assert(numberOf(bytesOf(status)) === 1n, 'its transaction failed')
  const events = listOf(logs).map(logOf)
  // The index counts the events of the whole block.
  if (!events.some((one, place) => same(one, event) && place <= event.logIndex))
    throw new Refused('its transaction has no such event at its index')
  return { at: Number(numberOf(bytesOf(members[HEADER.timestamp]))) * 1_000, logs: events }
}

/** Reads a settlement proof and walks its path. Refuses one that does not lead to its event. */
export const readProof = (proof: Members): Settlement => {
  // Its shape was checked.
  const { chainId, blockNumber, blockHash, transactionHash, event } = proof as unknown as Settlement
  const mined = proof.binding === 'receipt_trie' ? readMined(proof, event) : null
  return { chainId, blockNumber, blockHash, transactionHash, event, mined }
}

const topicOf = (signature: string): string => toHex(keccak256(utf8(signature)))
const SETTLEMENT_SPLIT = topicOf('SettlementSplit(bytes32,address,address,address,uint256,uint256,uint16)')
const JOB_CLOSED = topicOf('JobClosed(bytes32,address,uint256)')
const STAKE_RELEASED = topicOf('JobStakeReleased(address,address,uint256)')
const STAKE_SLASHED = topicOf('JobStakeSlashed(address,address,uint256,uint256,uint256)')
const FEE_SLASHED = topicOf('ClaimFeeSlashed(address,address,uint256,address,uint256,uint256)')
const GAS_RETAINED = topicOf('GasRetentionApplied(bytes32,address,uint256,uint256)')

const words = (data: string): string[] => data.slice(2).match(/.{64}/g) ?? []
const wordOf = (data: string, place: number): bigint => BigInt(`0x${words(data)[place] ?? '0'}`)
const addressOf = (word = ''): string => `0x${word.slice(-40)}`

/** What the event states; amounts in base units. */
export const readEvent = ({ event }: Settlement) => {
  const [topic, job, worker, treasury] = event.topics
  const expected = event.name === 'SettlementSplit' ? SETTLEMENT_SPLIT : JOB_CLOSED
  if (topic !== expected) throw new Refused(`its event is no ${event.name}`)
  const paid =
    event.name === 'SettlementSplit'
      ? {
          treasuryAccount: addressOf(treasury),
          asset: addressOf(words(event.data)[0]),
          workerRaw: wordOf(event.data, 1),
          protocolFeeRaw: wordOf(event.data, 2),
          protocolFeeBps: Number(wordOf(event.data, 3)),
        }
      : null
  return { chainJobId: job, worker: addressOf(worker), paid }
}

/** Gas that the escrow retained in the same transaction, base units; null without the path that shows it. */
export const retainedGas = ({ mined, event }: Settlement): bigint | null => {
  if (mined === null) return null
  const retained = mined.logs.filter(({ address, topics }) => address === event.address && topics[0] === GAS_RETAINED)
  return retained.filter(({ topics }) => topics[1] === event.topics[1]).reduce((sum, { data }) => sum + wordOf(data, 0), 0n)
}

/** Amounts of the bonds of a wallet that a transaction gave back or slashed, base units. */
export interface Bonds {
  released: bigint[]
  slashed: bigint[]
  feesSlashed: bigint[]
  /** Whether the transaction ended no other job. */
  isAlone: boolean
}

/** What the transaction did to the bonds of a wallet; null without the path that shows it. */
export const bondsOf = ({ mined, event }: Settlement, worker: unknown): Bonds | null => {
  if (mined === null) return null
  const amounts = (topic: string): bigint[] =>
    mined.logs.filter(({ topics: [name, account] }) => name === topic && addressOf(account) === worker).map(({ data }) => wordOf(data, 0))
  const ended = mined.logs.filter(({ address, topics }) => address === event.address && topics[0] === JOB_CLOSED)
  const isAlone = new Set(ended.map(({ topics }) => topics[1])).size <= 1
  return { released: amounts(STAKE_RELEASED), slashed: amounts(STAKE_SLASHED), feesSlashed: amounts(FEE_SLASHED), isAlone }
}
