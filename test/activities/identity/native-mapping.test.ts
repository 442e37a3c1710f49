import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createPublicClient, http } from 'viem'
import { createMappingReader, type MappingDeps } from '../../../activities/identity/native-mapping.ts'
import { fallbackAccountId } from '../../../domain/identity/native/mapping.ts'
import { createNativeSide } from '../../../local/chain/native-side.ts'
import { localKey } from '../../../local/keys.ts'
import { startAnvil } from '../../contracts/support/anvil.ts'
import { rpcTo } from '../../contracts/support/rpc.ts'
import { ETHEREUM_ACCOUNT, NATIVE_ACCOUNT, NATIVE_CHAIN } from '../../domain/identity/native/accounts.ts'
import { createPrecompileControl, PRECOMPILES, type Precompile } from '../../support/native/precompile.ts'
import { useStarted } from '../../support/started.ts'
import { startHttpServer as serve } from '../support/http-server.ts'

const OTHER_ID = `0x${'12'.repeat(32)}` as const
const ONE = 10n ** 18n
const STORAGE_KEY = '0x735f040a5d490f1107ad9c56f5ca00d2c56ab6c1f203b345fe5879f8196277239621dde636de098b43efb0fa9b61facfe328f99d'

const anvil = useStarted(startAnvil, (node) => node.stop())
let control: ReturnType<typeof createPrecompileControl>
let side: ReturnType<typeof createNativeSide>
let now = 0

beforeAll(async () => {
  control = createPrecompileControl(anvil.rpcUrl)
  side = createNativeSide(anvil.rpcUrl)
  await rpcTo(anvil.rpcUrl)('anvil_setBalance', localKey('faucet').address, `0x${(100n * ONE).toString(16)}`)
})
let snapshot: unknown
beforeEach(async () => {
  snapshot = await rpcTo(anvil.rpcUrl)('evm_snapshot')
  await control.install()
  await side.fund(NATIVE_ACCOUNT, ONE)
})
afterEach(async () => void (await rpcTo(anvil.rpcUrl)('evm_revert', snapshot)))

const readerOf = (changes: Partial<MappingDeps> = {}, rpcUrl = anvil.rpcUrl) =>
  createMappingReader({
    reader: createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) }),
    native: NATIVE_CHAIN,
    clock: { now: () => now },
    timeoutMs: 2_000,
    ...changes,
  })
const statusOf = async (reader = readerOf()) => (await reader.read(NATIVE_ACCOUNT)).status

describe('a mapping reader', () => {
  test('follows the mapping of an account through its life', async () => {
    expect(await statusOf()).toBe('unmapped')
    await side.map(NATIVE_ACCOUNT)
    expect(await statusOf()).toBe('mapped')
    await side.unmap(NATIVE_ACCOUNT)
    expect(await statusOf()).toBe('unmapped')
    await side.map(NATIVE_ACCOUNT)
    await side.reap(NATIVE_ACCOUNT)
    expect(await statusOf()).toBe('unmapped')
    await control.mapTo(NATIVE_ACCOUNT.wallet, OTHER_ID)
    expect(await statusOf()).toBe('mismatch')
  })

  test('needs no answer of the chain for an account that was made from an address', async () => {
    await control.replace('reverts')
    expect(await readerOf().read(ETHEREUM_ACCOUNT)).toEqual({ status: 'not_needed', checkedAt: now })
  })

  test.each(Object.keys(PRECOMPILES) as Precompile[])('takes nothing for read from a precompile that: %s', async (name) => {
    await side.map(NATIVE_ACCOUNT)
    await control.replace(name)
    expect(await statusOf()).toBe('unreadable')
  })

  test('takes nothing for read from a node that does not answer', async () => {
    const { url, stop } = await serve(() => undefined)
    expect(await statusOf(readerOf({ timeoutMs: 100 }, url))).toBe('unreadable')
    await stop()
  })

  test('reads nothing on a chain that serves no native accounts', async () => {
    await side.map(NATIVE_ACCOUNT)
    expect(await statusOf(readerOf({ native: undefined }))).toBe('unreadable')
  })

  test('believes a mapping for less than a minute, and a fresh read at no time', async () => {
    const reader = readerOf()
    await side.map(NATIVE_ACCOUNT)
    const began = now
    expect(await reader.read(NATIVE_ACCOUNT)).toEqual({ status: 'mapped', checkedAt: began })
    await side.unmap(NATIVE_ACCOUNT)
    now += 59_999
    expect(await reader.read(NATIVE_ACCOUNT)).toEqual({ status: 'mapped', checkedAt: began })
    expect(reader.findKnown(NATIVE_ACCOUNT)).toEqual({ status: 'mapped', checkedAt: began })
    now += 1
    expect(await statusOf(reader)).toBe('unmapped')
    await side.map(NATIVE_ACCOUNT)
    expect(await statusOf(reader)).toBe('mapped')
    await side.unmap(NATIVE_ACCOUNT)
    expect((await reader.read(NATIVE_ACCOUNT, { fresh: true })).status).toBe('unmapped')
    expect(reader.findKnown(NATIVE_ACCOUNT)).toBeNull()
  })

  test('reads the existential deposit in units of the native side', async () => {
    expect(await readerOf().readMinimumBalance()).toBe(100_000_000n)
    await control.replace('reverts')
    expect(await readerOf().readMinimumBalance()).toBeNull()
  })
})

type Stored = 'mapped' | 'other' | 'null' | RequestListener
const STORED = { mapped: NATIVE_ACCOUNT.accountId, other: OTHER_ID, null: null }

const answerOf =
  (stored: Stored, asked: unknown[]): RequestListener =>
  async (request, response) => {
    if (typeof stored === 'function') return stored(request, response)
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    await once(request, 'end')
    asked.push(JSON.parse(text))
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: STORED[stored] }))
  }
const sends =
  (text: string, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(text)
const result = (value: unknown) => sends(JSON.stringify({ jsonrpc: '2.0', id: 1, result: value }))

describe('a mapping reader with a second source', () => {
  test.each<[string, boolean, Stored, string]>([
    ['both name the account', true, 'mapped', 'mapped'],
    ['both name no account', false, 'null', 'unmapped'],
    ['only the precompile names the account', true, 'null', 'unreadable'],
    ['only the storage names the account', false, 'mapped', 'unreadable'],
    ['the storage names another account', true, 'other', 'unreadable'],
    ['the storage has 31 bytes', true, result(`0x${'ab'.repeat(31)}`), 'unreadable'],
    ['the storage has 33 bytes', true, result(`0x${'ab'.repeat(33)}`), 'unreadable'],
    ['the storage has a number', true, result(7), 'unreadable'],
    ['the node answers without a result', false, sends('{}'), 'unreadable'],
    ['the node answers an error of JSON-RPC', false, sends('{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'), 'unreadable'],
    ['the node answers null', false, sends('null'), 'unreadable'],
    ['the node answers text', true, sends('a page'), 'unreadable'],
    ['the node answers 500', false, sends('{"result":null}', 500), 'unreadable'],
    ['the node answers without end', true, sends(' '.repeat(100_000)), 'unreadable'],
    ['the node does not answer', true, () => undefined, 'unreadable'],
  ])('where %s', async (_name, isMapped, stored, status) => {
    if (isMapped) await side.map(NATIVE_ACCOUNT)
    const asked: unknown[] = []
    const disagreements: unknown[] = []
    const { url, stop } = await serve(answerOf(stored, asked))
    const native = { ...NATIVE_CHAIN, substrateRpcUrls: [url] }
    const timeoutMs = typeof stored === 'function' && stored.length === 0 ? 100 : 2_000
    expect(await statusOf(readerOf({ native, timeoutMs, onDisagreement: (seen) => disagreements.push(seen) }))).toBe(status)
    for (const request of asked) expect(request).toMatchObject({ method: 'state_getStorage', params: [STORAGE_KEY] })
    expect(disagreements).toHaveLength(status === 'unreadable' ? 1 : 0)
    await stop()
  })

  test('asks the next address when one cannot be read', async () => {
    await side.map(NATIVE_ACCOUNT)
    const [broken, whole] = await Promise.all([serve(sends('a page')), serve(answerOf('mapped', []))])
    const native = { ...NATIVE_CHAIN, substrateRpcUrls: [broken.url, whole.url] }
    expect(await statusOf(readerOf({ native }))).toBe('mapped')
    await Promise.all([broken.stop(), whole.stop()])
  })
})

describe('an address without a mapping', () => {
  test('belongs to the account that its money would land in', () => {
    expect(fallbackAccountId(ETHEREUM_ACCOUNT.wallet)).toBe(ETHEREUM_ACCOUNT.accountId)
  })
})
