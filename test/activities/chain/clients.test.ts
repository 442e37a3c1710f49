import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createChainClients, createScanClient } from '../../../activities/chain/clients.ts'

/** What the node is asked and never answers: the methods of each request. */
let asked: string[][]
let server: Server
let url: string

beforeEach(async () => {
  asked = []
  server = createServer(async (request) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { method: string } | { method: string }[]
    asked.push([body].flat().map(({ method }) => method))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test('a read for an answer ends within its own limit, and in a request of its own, also when the follower asks in the same moment', async () => {
  const rpc = { primary: url, backups: [], writeUrls: [] }
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
  server.closeAllConnections()
  await scanning
})
