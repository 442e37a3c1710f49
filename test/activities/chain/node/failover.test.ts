// The nodes of one chain: a real one behind two gates, each of which can fail in its own way.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, numberToHex, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createChainClients, createScanClient } from '../../../../activities/chain/clients.ts'
import type { ChoiceTimes } from '../../../../activities/chain/node/choice.ts'
import { createChainNodes, type NodesOptions } from '../../../../activities/chain/node/nodes.ts'
import { createRpc, type Rpc } from '../../../../local/chain/rpc.ts'
import { type Anvil, startAnvil } from '../../../contracts/support/anvil.ts'
import { eventually } from '../../../support/eventually.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { type Fault, laggingAt, type NodeGate, startNodeGate } from '../../support/node-gate.ts'

let anvil: Anvil
let rpc: Rpc
let first: NodeGate
let second: NodeGate

beforeAll(async () => {
  anvil = await startAnvil()
  rpc = createRpc(anvil.rpcUrl)
  ;[first, second] = await Promise.all([startNodeGate(anvil.rpcUrl), startNodeGate(anvil.rpcUrl)])
})
afterEach(() => {
  first.suffer()
  second.suffer()
})
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()])
  await anvil.stop()
})

/** Looks at the nodes only in an outage. */
const RARE: ChoiceTimes = { changeMs: 200, probeMs: 20, watchMs: 1e9, returnMs: 1e9 }
/** Looks at them with every request; one that was left may return at once. */
const OFTEN: ChoiceTimes = { ...RARE, watchMs: 0, returnMs: 0 }

const head = async (): Promise<bigint> => BigInt(await rpc<Hex>('eth_blockNumber'))
const mine = (blocks: bigint): Promise<unknown> => rpc('anvil_mine', [numberToHex(blocks)])
const genesis = async (): Promise<Hex> => (await rpc<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash
const headOf = (client: PublicClient): Promise<bigint> => client.getBlockNumber({ cacheTime: 0 })

const openClients = async (options: NodesOptions = {}) => {
  const chain = {
    ...{ chainId: Number(await rpc<Hex>('eth_chainId')), genesisHash: await genesis() },
    ...{ name: 'two nodes', nativeSymbol: 'DOT', nativeDecimals: 18 },
    rpc: { primary: first.url, backups: [second.url], writeUrls: [] },
  }
  const nodes = createChainNodes(chain, { times: RARE, ...options })
  const { reader, writers } = createChainClients(chain, nodes)
  return { reader, writer: writers[0] ?? reader, scan: createScanClient(chain, nodes), state: nodes.choice.state }
}

const DEAD: Fault = { request: () => 'cut' }
const OTHER_GENESIS: Fault = {
  call: ({ method, params }) =>
    method === 'eth_getBlockByNumber' && params?.[0] === '0x0'
      ? { change: (block) => ({ ...(block as object), hash: `0x${'7'.repeat(64)}` }) }
      : 'pass',
}
const FAULTS: [string, Fault][] = [
  ['does not answer', DEAD],
  [
    'answers HTTP 503 with a JSON-RPC error',
    { request: () => ({ status: 503, body: { error: { code: -32_000, message: 'no upstream' } } }) },
  ],
  ['refuses the key', { request: () => ({ status: 401, body: {} }) }],
  ['limits the rate', { request: () => ({ status: 429, body: {} }) }],
  ['answers errors of its own', { call: () => ({ error: 'internal error', code: -32_603 }) }],
  ['has another chain id', { call: ({ method }) => (method === 'eth_chainId' ? { change: () => '0x1' } : 'pass') }],
]

const account = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
/** Sends a transaction through a client. Returns its hash. */
const send = async ({ writer, reader }: Record<'writer' | 'reader', PublicClient>): Promise<Hex> => {
  await rpc('anvil_setBalance', [account.address, numberToHex(10n ** 20n)])
  const nonce = Number(await rpc<Hex>('eth_getTransactionCount', [account.address, 'latest']))
  const fees = { gas: 21_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
  const chainId = Number(await rpc<Hex>('eth_chainId'))
  const hash = await writer.sendRawTransaction({
    serializedTransaction: await account.signTransaction({ to: account.address, nonce, chainId, ...fees }),
  })
  expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  return hash
}

describe('of two nodes', () => {
  test.each([...FAULTS, ['has another block 0', OTHER_GENESIS], ['lags', laggingAt(0n)]] as [string, Fault][])(
    'a preferred one that %s is not used from the start',
    async (_what, fault) => {
      await mine(8n)
      first.suffer(fault)
      const { reader, state } = await openClients()
      expect(await headOf(reader)).toBe(await head())
      expect(state()).toMatchObject({ inUse: 2, changes: 1 })
    },
  )

  test.each(FAULTS)('the one in use is left when it %s, and reads, scans and writes go on', async (_what, fault) => {
    const clients = await openClients()
    expect([await headOf(clients.reader), clients.state().inUse]).toEqual([await head(), 1])
    first.suffer(fault)
    // Errors of its own must come in a row.
    for (let tries = 0; clients.state().inUse === 1 && tries < 3; tries += 1) await clients.reader.getChainId().catch(() => undefined)
    first.suffer(DEAD)
    await send(clients)
    expect((await clients.scan.getBlock()).number).toBe(await head())
    expect(clients.state()).toMatchObject({ inUse: 2, changes: 1, count: 2 })
  })

  test('a single write is enough to leave a dead one', async () => {
    const clients = await openClients()
    await headOf(clients.reader)
    first.suffer(DEAD)
    await send(clients)
    expect(clients.state().inUse).toBe(2)
  })

  test('the one in use stays when one call fails and it answers for itself', async () => {
    const { reader, state } = await openClients()
    await headOf(reader)
    let cuts = 1
    first.suffer({ call: ({ method }) => (method === 'eth_gasPrice' && cuts-- > 0 ? 'cut' : 'pass') })
    expect(await reader.getGasPrice()).toBeGreaterThan(0n)
    expect(state()).toMatchObject({ inUse: 1, changes: 0 })
  })

  test('the other one is used only when it has every block that was seen, or, after a wait, when no other has', async () => {
    const { reader, scan, state } = await openClients()
    await mine(3n)
    const seen = await headOf(reader)
    // It is one block behind at first, and catches up while the change waits.
    second.suffer(laggingAt(seen - 1n))
    first.suffer(DEAD)
    const reading = scan.getBlock()
    await eventually(
      'the change looks at the other node',
      async () => second.callsOf('eth_blockNumber').length,
      (looks) => looks > 1,
    )
    second.suffer()
    expect((await reading).number).toBe(seen)
    expect(state()).toMatchObject({ inUse: 2, changes: 1 })
    // Now the first one lags, and only it answers.
    second.suffer(DEAD)
    first.suffer(laggingAt(seen - 1n))
    expect((await scan.getBlock()).number).toBe(seen - 1n)
    expect(state()).toMatchObject({ inUse: 1, changes: 2, lags: [1, null] })
  })

  test('the one in use is left when it lags for long, and the preferred one returns when it has caught up', async () => {
    const { reader, state } = await openClients({ times: OFTEN })
    await mine(8n)
    await headOf(reader)
    const stopped = await head()
    first.suffer(laggingAt(stopped))
    await mine(8n)
    const read = () => headOf(reader).then(() => state())
    await eventually('the node that lags is left', read, ({ inUse, lags }) => inUse === 2 && lags[0] === 8)
    expect(await headOf(reader)).toBe(stopped + 8n)
    first.suffer()
    await eventually('the preferred node is used again', read, ({ inUse }) => inUse === 1)
    expect(state().changes).toBe(2)
  })

  test('without a usable one, calls fail as with a single node, and succeed when one is back', async () => {
    const { reader, state } = await openClients()
    await headOf(reader)
    first.suffer(DEAD)
    second.suffer(OTHER_GENESIS)
    await expect(headOf(reader)).rejects.toThrow('HTTP request failed')
    expect(state()).toMatchObject({ inUse: 1, changes: 0, lags: [null, null] })
    second.suffer()
    await eventually(
      'the other node is used',
      () =>
        headOf(reader).then(
          () => state().inUse,
          () => 0,
        ),
      (inUse) => inUse === 2,
    )
  })
})

test('keys of an address and its headers reach their node alone, and no error names them', async () => {
  const asked: (string | undefined)[][] = []
  const node = await startHttpServer((request, response) => {
    asked.push([request.url, request.headers['x-api-key'] as string | undefined, request.headers.authorization])
    response.writeHead(500, { 'retry-after': '100' }).end('SECRET is wrong')
  })
  const chainId = 7
  const url = `${node.url.replace('//', '//user:SECRET-1@')}/v3/SECRET-2?key=SECRET-3`
  const given = [{ chainId, url, headers: { 'x-api-key': 'SECRET-4' }, writeOnly: false }]
  const chain = { chainId, name: 'keys', nativeSymbol: 'DOT', nativeDecimals: 18, rpc: { primary: first.url, backups: [], writeUrls: [] } }
  const { reader } = createChainClients(chain, createChainNodes(chain, { given }))
  const error = await reader.getBlockNumber().catch((thrown: unknown) => thrown as Error)
  expect(asked[0]).toEqual(['/v3/SECRET-2?key=SECRET-3', 'SECRET-4', `Basic ${btoa('user:SECRET-1')}`])
  const texts: string[] = []
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    texts.push(cause.message, String(cause.stack), JSON.stringify(cause))
  expect(texts.join()).toContain('HTTP request failed')
  expect(texts.join()).not.toMatch(/SECRET-\d/)
  await node.stop()
})
