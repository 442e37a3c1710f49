import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createChainClients } from '../../../../activities/chain/clients.ts'
import { createBatchLimit } from '../../../../activities/chain/node/batch-limit.ts'
import { createChainNodes } from '../../../../activities/chain/node/nodes.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'

interface Call {
  id: number
  params: [string]
}
type Respond = (response: ServerResponse, calls: Call[]) => unknown

/** Sizes of the requests, in the order of arrival; a call without a list is 1. */
let sizes: number[]
let refuses: (size: number) => Respond | null
let node: HttpServer

const balanceOf = (account: string): number => Number.parseInt(account.slice(2, 10), 16)
const answersOf = (calls: Call[]) =>
  calls.map(({ id, params: [account] }) => ({ jsonrpc: '2.0', id, result: `0x${balanceOf(account).toString(16)}` }))

beforeEach(async () => {
  sizes = []
  refuses = () => null
  node = await startHttpServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Call | Call[]
    const calls = [body].flat()
    sizes.push(calls.length)
    const refuse = Array.isArray(body) ? refuses(calls.length) : null
    response.setHeader('content-type', 'application/json')
    if (refuse !== null) return refuse(response, calls)
    return response.end(JSON.stringify(Array.isArray(body) ? answersOf(calls) : answersOf(calls)[0]))
  })
})
afterEach(async () => {
  jest.restoreAllMocks()
  await node.stop()
})

const clientsWith = (size: number, now: () => number = Date.now) => {
  const rpc = { primary: node.url, backups: [], writeUrls: [] }
  const chain = { chainId: 1, name: 'node', nativeSymbol: 'DOT', nativeDecimals: 18, rpc }
  return createChainClients(chain, createChainNodes(chain, { batches: createBatchLimit({ size, now }) }))
}
const account = (index: number): `0x${string}` => `0x${(index + 1).toString(16).padStart(8, '0')}${'1'.repeat(32)}`
/** Reads the balances of so many accounts at once; every answer names its account. */
const readAll = async ({ reader }: ReturnType<typeof clientsWith>, count: number): Promise<void> => {
  const read = await Promise.all(Array.from({ length: count }, (_, index) => reader.getBalance({ address: account(index) })))
  expect(read).toEqual(Array.from({ length: count }, (_, index) => BigInt(index + 1)))
}
const error = (message: string, code = -32_600) => JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })

describe('reads of one moment', () => {
  test('go out in batches of the configured size', async () => {
    await readAll(clientsWith(8), 20)
    expect(sizes.sort()).toEqual([4, 8, 8])
  })

  test.each<[string, Respond]>([
    ['one error object', (response) => response.end(error('batch too large'))],
    ['HTTP 413', (response) => response.writeHead(413, { 'content-type': 'text/html' }).end('<html>')],
    ['HTTP 400 with an error', (response) => response.writeHead(400).end(error('no'))],
    [
      'an error for each call',
      (response, calls) => response.end(JSON.stringify(calls.map(({ id }) => ({ id, error: { code: -32_600, message: 'too large' } })))),
    ],
    ['fewer answers', (response, calls) => response.end(JSON.stringify(answersOf(calls).slice(0, 10)))],
  ])('are answered, each with its own result, by a node that refuses batches of more than ten with %s', async (_how, refuse) => {
    refuses = (size) => (size > 10 ? refuse : null)
    const clients = clientsWith(100)
    await readAll(clients, 21)
    expect(sizes.sort((left, right) => right - left)).toEqual([21, 10, 10, 1])
    expect(clients.nodes.evidence()).toMatchObject({ batchSize: 10, configuredSize: 100, refusals: 1, lastRefusal: { size: 21 } })
    sizes = []
    await readAll(clients, 21)
    expect(sizes.sort((left, right) => right - left)).toEqual([10, 10, 1])
  })

  test('are answered call by call where a node takes no batch at all', async () => {
    refuses = () => (response) => response.end(error('batch requests are not supported'))
    const clients = clientsWith(100)
    await readAll(clients, 9)
    expect(clients.nodes.batches.size()).toBe(1)
    sizes = []
    await readAll(clients, 9)
    expect(sizes).toEqual(Array.from({ length: 9 }, () => 1))
  })

  test('go to their calls where a node answers in another order', async () => {
    refuses = () => (response, calls) => response.end(JSON.stringify(answersOf(calls).reverse()))
    await readAll(clientsWith(100), 12)
    expect(sizes).toEqual([12])
  })

  test('are tried in large batches again ten minutes after the last refusal', async () => {
    let now = 0
    refuses = (size) => (size > 10 ? (response) => response.end(error('batch too large')) : null)
    const clients = clientsWith(100, () => now)
    await readAll(clients, 20)
    now = 599_999
    expect(clients.nodes.batches.size()).toBe(10)
    now = 600_000
    expect(clients.nodes.batches.size()).toBe(100)
  })
})

describe('a node that limits the rate', () => {
  test('is asked once more for the same calls, and the size stays', async () => {
    let isLimited = true
    refuses = () => {
      if (!isLimited) return null
      isLimited = false
      return (response) => response.writeHead(429).end()
    }
    const clients = clientsWith(100)
    await readAll(clients, 12)
    // The repeats of one batch leave at about the same time, so some go out in a second one.
    expect(sizes.reduce((left, right) => left + right)).toBe(24)
    expect(clients.nodes.evidence()).toMatchObject({ batchSize: 100, refusals: 0 })
  })

  test('and wants a longer pause than a read may take is not asked again at once', async () => {
    // The client reads the header only beside a body that it can parse.
    refuses = () => (response) => response.writeHead(429, { 'retry-after': '30' }).end('{}')
    const timers = jest.spyOn(globalThis, 'setTimeout')
    await expect(readAll(clientsWith(100), 2)).rejects.toThrow()
    expect(timers.mock.calls.filter(([, delayMs = 0]) => delayMs >= 30_000)).toEqual([])
    expect(sizes).toEqual([2])
  })
})
