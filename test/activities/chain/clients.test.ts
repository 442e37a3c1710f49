import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createChainClients, createScanClient } from '../../../activities/chain/clients.ts'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'

/** What the node is asked and never answers: the methods of each request. */
let asked: string[][]
let node: HttpServer

beforeEach(async () => {
  asked = []
  node = await startHttpServer(async (request) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { method: string } | { method: string }[]
    asked.push([body].flat().map(({ method }) => method))
  })
})
afterEach(() => node.stop())

test('a read for an answer ends within its own limit, and in a request of its own, also when the follower asks in the same moment', async () => {
  const rpc = { primary: node.url, backups: [], writeUrls: [] }
  const chain = { chainId: 1, name: 'silent', nativeSymbol: 'DOT', nativeDecimals: 18, rpc }
  const scanning = createScanClient(chain)
    .getBlock()
    .catch(() => undefined)
  let isScanning = true
  void scanning.then(() => {
    isScanning = false
  })
  await expect(createChainClients(chain).reader.getBalance({ address: `0x${'1'.repeat(40)}` })).rejects.toThrow('took too long')
  expect(isScanning).toBe(true)
  expect(asked).toEqual([['eth_getBlockByNumber'], ['eth_getBalance']])
  node.server.closeAllConnections()
  await scanning
})
