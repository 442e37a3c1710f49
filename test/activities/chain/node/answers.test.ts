import { describe, expect, test } from '@jest/globals'
import { createPublicClient, custom } from 'viem'
import {
  assertChain,
  findReceipt,
  parseBlockTime,
  readBlock,
  readLatestBlock,
  UnreadyAnswerError,
  WrongChainError,
} from '../../../../activities/chain/node/answers.ts'
import { convertReadErrors } from '../../../../activities/chain/reachable.ts'

const HASH = `0x${'a'.repeat(64)}` as const
/** A client whose node gives one answer. */
const clientOf = (answer: unknown) => createPublicClient({ transport: custom({ request: async () => answer }, { retryCount: 0 }) })

test.each([
  ['0x0', 7n, null],
  ['0x', 7n, null],
  [null, 7n, null],
  [undefined, 7n, null],
  [0n, 7n, null],
  ['0x0', 0n, 0],
  ['0x6553f100', 7n, 1_700_000_000_000],
  [1_700_000_000n, 7n, 1_700_000_000_000],
] as const)('the time %p of block %p is read as %p', (timestamp, number, time) => {
  expect(parseBlockTime(timestamp, number)).toBe(time)
})

const BLOCK = { number: '0x7', hash: HASH, timestamp: '0x6553f100', transactions: [] }

describe('a block', () => {
  test('has its height, hash and time', async () => {
    const expected = { number: 7n, hash: HASH, time: 1_700_000_000_000 }
    expect(await readLatestBlock(clientOf(BLOCK))).toEqual(expected)
    expect(await readBlock(clientOf(BLOCK), { blockNumber: 7n })).toEqual(expected)
  })

  test.each([
    ['the time 0', { timestamp: '0x0' }],
    ['no time', { timestamp: null }],
    ['no hash', { hash: null }],
    ['no number', { number: null }],
  ])('with %s is unready, and its reader gets 502', async (_what, changes) => {
    const client = clientOf({ ...BLOCK, ...changes })
    await expect(readLatestBlock(client)).rejects.toThrow(UnreadyAnswerError)
    await expect(convertReadErrors(() => readLatestBlock(client))).rejects.toMatchObject({ code: 'blockchain_unavailable' })
  })
})

const RECEIPT = { transactionHash: HASH, blockNumber: '0x7', blockHash: HASH, status: '0x1', logs: [] }

describe('a receipt', () => {
  test('is a success or a revert', async () => {
    expect(await findReceipt(clientOf(RECEIPT), HASH)).toMatchObject({ status: 'success', blockNumber: 7n })
    expect(await findReceipt(clientOf({ ...RECEIPT, status: '0x0' }), HASH)).toMatchObject({ status: 'reverted' })
  })

  test('that the node does not have is none', async () => {
    expect(await findReceipt(clientOf(null), HASH)).toBeUndefined()
  })

  test.each([
    ['no status', { status: null }],
    ['an empty status', { status: '0x' }],
    ['no block', { blockNumber: null }],
    ['no hash of its block', { blockHash: null }],
    ['no logs', { logs: null }],
  ])('with %s is neither', async (_what, changes) => {
    await expect(findReceipt(clientOf({ ...RECEIPT, ...changes }), HASH)).rejects.toThrow(UnreadyAnswerError)
  })
})

test('a node of another chain is not read', async () => {
  await expect(assertChain(clientOf('0x1'), 31_337)).rejects.toThrow(WrongChainError)
  await expect(convertReadErrors(() => assertChain(clientOf('0x1'), 31_337))).rejects.toMatchObject({ code: 'blockchain_unavailable' })
  await assertChain(clientOf('0x7a69'), 31_337)
})
