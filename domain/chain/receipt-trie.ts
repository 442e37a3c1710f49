import { createMerkleProof, createMPT, verifyMerkleProof } from '@ethereumjs/mpt'
import { bytesToHex, concatHex, fromRlp, hexToBytes, keccak256, numberToHex, toRlp } from 'viem/utils'
import type { Hex } from '../common/hashes.ts'

/** A receipt as a node answers it, quantities as hex. */
export interface TrieReceipt {
  type?: string | undefined
  status?: Hex | undefined
  cumulativeGasUsed: Hex
  logsBloom: Hex
  logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex }[]
}

/** Members of a block header in their order; a chain leaves out those of upgrades that it does not have. */
const HEADER = [
  ...(['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'] as const),
  ...(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'] as const),
  ...(['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash'] as const),
]
const QUANTITIES = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas']

/** A block as a node answers it. */
export type TrieBlock = Partial<Record<(typeof HEADER)[number], Hex | null>> & { hash: Hex | null; receiptsRoot: Hex }

/** Path of a receipt in the receipt trie of its block. */
export interface ReceiptInclusion {
  /** Header of the block in RLP: its hash is that of the block, and it states the root of the trie. */
  header: Hex
  receiptsRoot: Hex
  transactionIndex: number
  /** Nodes of the path, root first, in RLP. */
  nodes: Hex[]
}

/** Quantity as RLP counts it: zero has no bytes. */
const quantity = (number: number | Hex): Hex => (BigInt(number) === 0n ? '0x' : numberToHex(BigInt(number)))

const keyOf = (transactionIndex: number): Uint8Array => hexToBytes(toRlp(quantity(transactionIndex)))

/** Bytes of a receipt in the trie (EIP-2718): RLP, after its type if it has one. */
export const encodeReceipt = ({ type, status, cumulativeGasUsed, logsBloom, logs }: TrieReceipt): Hex => {
  const logBytes = logs.map(({ address, topics, data }) => [address, [...topics], data])
  const body = toRlp([quantity(status ?? '0x0'), quantity(cumulativeGasUsed), logsBloom, logBytes])
  const prefix = Number(type ?? '0x0')
  return prefix === 0 ? body : concatHex([numberToHex(prefix, { size: 1 }), body])
}

/** Header of a block in RLP; null if its hash is not that of the block, since a chain may have other members. */
export const encodeHeader = (block: TrieBlock): Hex | null => {
  const members = HEADER.map((name) => [name, block[name]] as const).filter(([, value]) => value != null)
  const header = toRlp(members.map(([name, value = '0x']) => (QUANTITIES.includes(name) ? quantity(value ?? '0x0') : (value ?? '0x'))))
  return keccak256(header) === block.hash ? header : null
}

/** Path of one receipt, by all receipts of its block in order; null if they or the header do not add up to what the block states. */
export const proveReceipt = async (
  receipts: readonly TrieReceipt[],
  transactionIndex: number,
  block: TrieBlock,
): Promise<ReceiptInclusion | null> => {
  const { receiptsRoot } = block
  const header = encodeHeader(block)
  const trie = await createMPT()
  for (const [index, receipt] of receipts.entries()) await trie.put(keyOf(index), hexToBytes(encodeReceipt(receipt)))
  if (header === null || bytesToHex(trie.root()) !== receiptsRoot || receipts[transactionIndex] === undefined) return null
  const nodes = await createMerkleProof(trie, keyOf(transactionIndex))
  return { header, receiptsRoot, transactionIndex, nodes: nodes.map((node) => bytesToHex(node)) }
}

/** Place of the root among the members of a header. */
const ROOT_PLACE = HEADER.indexOf('receiptsRoot')

/** Bytes of the receipt that a path leads to; null for a path that does not lead from the hash of its block to a receipt. */
export const provenReceipt = async (
  { header, receiptsRoot, transactionIndex, nodes }: ReceiptInclusion,
  blockHash: string,
): Promise<Hex | null> => {
  if (keccak256(header) !== blockHash || fromRlp(header, 'hex')[ROOT_PLACE] !== receiptsRoot) return null
  const path = nodes.map((node) => hexToBytes(node))
  const found = await verifyMerkleProof(keyOf(transactionIndex), path, { root: hexToBytes(receiptsRoot) }).catch(() => null)
  return found === null ? null : bytesToHex(found)
}

/** Whether the bytes of a receipt hold an event. */
export const holdsEvent = (receipt: Hex, { address, topics, data }: TrieReceipt['logs'][number]): boolean =>
  receipt.includes(toRlp([address, [...topics], data]).slice(2))
