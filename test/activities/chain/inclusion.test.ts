import { describe, expect, test } from '@jest/globals'
import { HttpRequestError, MethodNotFoundRpcError } from 'viem'
import { findInclusion } from '../../../activities/chain/inclusion.ts'

const HASH = `0x${'a'.repeat(64)}` as const
const OTHER = `0x${'b'.repeat(64)}` as const
const PLACE = { blockHash: HASH, transactionHash: HASH, transactionIndex: 0 }
const RECEIPT = { transactionHash: HASH, status: '0x1', cumulativeGasUsed: '0x5208', logsBloom: '0x00', logs: [] }
const BLOCK = { hash: HASH, receiptsRoot: HASH }

const readerOf = (answers: { block?: unknown; receipts?: unknown }) => ({
  request: (async ({ method }: { method: string }) => {
    const answer = method === 'eth_getBlockByHash' ? answers.block : answers.receipts
    if (answer instanceof Error) throw answer
    return answer
  }) as never,
})

describe('the path of a settlement in the receipt trie', () => {
  test.each([
    ['does not know the method', { block: BLOCK, receipts: new MethodNotFoundRpcError(new Error('none')) }],
    ['does not have the block', { block: null, receipts: [RECEIPT] }],
    ['gives no receipts', { block: BLOCK, receipts: null }],
    ['gives the receipts of another block', { block: BLOCK, receipts: [{ ...RECEIPT, transactionHash: OTHER }] }],
    ['gives receipts that do not add up to the root', { block: BLOCK, receipts: [RECEIPT] }],
    ['gives receipts without their members', { block: BLOCK, receipts: [{ transactionHash: HASH }] }],
  ])('is left out where the node %s', async (_name, answers) => {
    expect(await findInclusion(readerOf(answers), PLACE)).toBeNull()
  })

  test('is read again where the node does not answer', async () => {
    const receipts = new HttpRequestError({ url: 'http://127.0.0.1:9' })
    await expect(findInclusion(readerOf({ block: BLOCK, receipts }), PLACE)).rejects.toBe(receipts)
  })
})
