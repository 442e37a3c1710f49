import { createMPT } from '@ethereumjs/mpt'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bytesToHex, fromRlp, hexToBytes, keccak256, numberToHex, toRlp } from 'viem/utils'
import {
  encodeHeader,
  encodeReceipt,
  holdsEvent,
  provenReceipt,
  proveReceipt,
  type TrieBlock,
  type TrieReceipt,
} from '../../../domain/chain/receipt-trie.ts'
import type { Hex } from '../../../domain/common/hashes.ts'

const filled = (digit: string, bytes: number): Hex => `0x${digit.repeat(2 * bytes)}`
const logOf = (digit: string) => ({ address: filled(digit, 20), topics: [filled(digit, 32), filled('2', 32)], data: filled(digit, 64) })
const receiptOf = (index: number, type?: string): TrieReceipt => ({
  type,
  status: index % 3 === 0 ? '0x0' : '0x1',
  cumulativeGasUsed: numberToHex(21_000 * (index + 1)),
  logsBloom: filled('0', 256),
  logs: [logOf((index % 10).toString())],
})
const receiptsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => receiptOf(index, ['0x0', '0x1', '0x2', undefined][index % 4]))

const rootOf = async (receipts: TrieReceipt[]): Promise<Hex> => {
  const trie = await createMPT()
  for (const [index, receipt] of receipts.entries())
    await trie.put(hexToBytes(toRlp(index === 0 ? '0x' : numberToHex(index))), hexToBytes(encodeReceipt(receipt)))
  return bytesToHex(trie.root())
}

/** A block whose hash is that of its header. */
const blockOf = (receiptsRoot: Hex, changes: object = {}): TrieBlock => {
  const hash = (digit: string) => filled(digit, 32)
  const block: Record<string, Hex> & { receiptsRoot: Hex } = {
    parentHash: hash('1'),
    sha3Uncles: hash('2'),
    miner: filled('3', 20),
    stateRoot: hash('4'),
    transactionsRoot: hash('5'),
    receiptsRoot,
    logsBloom: filled('0', 256),
    difficulty: '0x0',
    number: '0x10',
    gasLimit: '0x1c9c380',
    gasUsed: '0x5208',
    timestamp: '0x65',
    extraData: '0x',
    mixHash: hash('6'),
    nonce: filled('0', 8),
    baseFeePerGas: '0x7',
  }
  const bytes = Object.entries(block).map(([name, value]) => (value === '0x0' && name === 'difficulty' ? '0x' : value))
  return { ...block, hash: keccak256(toRlp(bytes)), ...changes }
}

describe('the path of a receipt', () => {
  test('leads from the hash of its block to the receipt and its event, for every place in every block', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(), async (count, place) => {
        const receipts = receiptsOf(count)
        const index = place % count
        const block = blockOf(await rootOf(receipts))
        const inclusion = await proveReceipt(receipts, index, block)
        if (inclusion === null || block.hash === null) throw new Error('no path')
        const found = await provenReceipt(inclusion, block.hash)
        expect(found).toBe(encodeReceipt(receiptOf(index, receipts[index]?.type)))
        expect(holdsEvent(found ?? '0x', logOf((index % 10).toString()))).toBe(true)
        expect(holdsEvent(found ?? '0x', { ...logOf((index % 10).toString()), data: '0x01' })).toBe(false)
      }),
      { numRuns: 12 },
    )
  })

  test('does not exist where the receipts, the header or the place are not those of the block', async () => {
    const receipts = receiptsOf(20)
    const block = blockOf(await rootOf(receipts))
    expect(await proveReceipt(receipts.slice(1), 3, block)).toBeNull()
    expect(await proveReceipt(receipts, 20, block)).toBeNull()
    expect(await proveReceipt(receipts, 3, { ...block, stateRoot: filled('9', 32) })).toBeNull()
    // A header with a member that this service does not know has another hash.
    expect(await proveReceipt(receipts, 3, { ...block, hash: filled('9', 32) })).toBeNull()
  })

  test('that was changed leads nowhere', async () => {
    const receipts = receiptsOf(40)
    const block = blockOf(await rootOf(receipts))
    const inclusion = await proveReceipt(receipts, 7, block)
    if (inclusion === null || block.hash === null) throw new Error('no path')
    const { nodes, header } = inclusion
    const other = blockOf(await rootOf(receiptsOf(41)))
    const changes = [
      { transactionIndex: 8 },
      { receiptsRoot: filled('9', 32) },
      { nodes: nodes.slice(1) },
      { nodes: nodes.slice(0, -1) },
      { nodes: nodes.map((node, place) => (place === 0 ? (`${node.slice(0, -2)}ff` as Hex) : node)) },
      { header: encodeHeader(other) ?? header },
      { header: `${header.slice(0, -2)}08` as Hex },
    ]
    for (const change of changes) expect(await provenReceipt({ ...inclusion, ...change }, block.hash)).toBeNull()
    expect(await provenReceipt(inclusion, filled('9', 32))).toBeNull()
  })
})

describe('a receipt in the trie', () => {
  test('begins with its type, unless it is one from before the types', () => {
    const bytes = encodeReceipt(receiptOf(1))
    expect(encodeReceipt(receiptOf(1, '0x0'))).toBe(bytes)
    expect(encodeReceipt(receiptOf(1, '0x2'))).toBe(`0x02${bytes.slice(2)}`)
    const log = [filled('1', 20), [filled('1', 32), filled('2', 32)], filled('1', 64)]
    expect(fromRlp(bytes, 'hex')).toEqual(['0x01', '0xa410', filled('0', 256), [log]])
    expect(fromRlp(encodeReceipt(receiptOf(0)), 'hex')[0]).toBe('0x')
  })
})
