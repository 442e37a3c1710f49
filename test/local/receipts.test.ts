import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createPublicClient, http } from 'viem'
import { receiptOf } from '../../contracts/receipts.ts'

const HASH = `0x${'ab'.repeat(32)}` as const
const RECEIPT = {
  transactionHash: HASH,
  blockHash: `0x${'cd'.repeat(32)}`,
  blockNumber: '0x7',
  transactionIndex: '0x0',
  status: '0x1',
  from: `0x${'1'.repeat(40)}`,
  to: `0x${'2'.repeat(40)}`,
  contractAddress: null,
  type: '0x2',
  logs: [],
  logsBloom: `0x${'0'.repeat(512)}`,
  cumulativeGasUsed: '0x1',
  gasUsed: '0x1',
  effectiveGasPrice: '0x1',
}

type Answer = { result: unknown } | { error: { code: number; message: string } } | 'closed connection' | number
const absent: Answer = { result: null }
const there: Answer = { result: RECEIPT }

let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
})

/** A node that gives these answers one after the other, and the last one for ever. */
const nodeOf = async (...answers: Answer[]) => {
  let asked = 0
  const server = createServer((request, response) => {
    const answer = answers[Math.min(asked, answers.length - 1)]
    asked += 1
    if (answer === 'closed connection') return request.socket.destroy()
    if (typeof answer === 'number') return response.writeHead(answer).end()
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const client = createPublicClient({ transport: http(`http://127.0.0.1:${address.port}`, { retryCount: 0 }) })
  return { client, asked: () => asked }
}

describe('the wait for a receipt', () => {
  test('asks until it is there', async () => {
    const { client, asked } = await nodeOf(absent, absent, there)
    expect([(await receiptOf(client, HASH)).blockNumber, asked()]).toEqual([7n, 3])
  })

  test('asks again when the node was not reached', async () => {
    const { client, asked } = await nodeOf('closed connection', absent, 'closed connection', there)
    expect([(await receiptOf(client, HASH)).status, asked()]).toEqual(['success', 4])
  })

  test.each<[string, Answer]>([
    ['an error', { error: { code: -32602, message: 'invalid params' } }],
    ['a refusal', 403],
  ])('hears of %s of the node at once', async (_what, answer) => {
    const { client, asked } = await nodeOf(absent, answer, there)
    await expect(receiptOf(client, HASH)).rejects.toThrow()
    expect(asked()).toBe(2)
  })

  test.each<[string, Answer, RegExp]>([
    ['the receipt does not come', absent, /could not be found/],
    ['the node is not reached', 'closed connection', /HTTP request failed/],
  ])('gives up when its time is over and %s', async (_what, answer, words) => {
    const { client, asked } = await nodeOf(answer)
    await expect(receiptOf(client, HASH, 300)).rejects.toThrow(words)
    expect(asked()).toBeGreaterThan(2)
  })
})
