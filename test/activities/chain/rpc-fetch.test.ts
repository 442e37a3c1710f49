import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createPublicClient, http } from 'viem'
import { isUnreachable } from '../../../activities/chain/reachable.ts'
import { createRpcFetch } from '../../../activities/chain/rpc-fetch.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Address of a server that answers after a while; `null`: never. `headers`: at once, but not the body. */
const serve = async (answerMs: number | null, parts: 'whole' | 'headers' = 'whole'): Promise<string> => {
  server = createServer((_request, response) => {
    if (parts === 'headers') response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    if (answerMs !== null) setTimeout(() => response.end('{"result":"0x1"}'), answerMs)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Keeps the process from everything else, as a burst of work does. */
const standStill = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

const nameOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error as Error).name,
  )

describe('a client with a limit', () => {
  /** A node that fails in some way, and how often a client asked it. */
  const failing = async (fail: (response: ServerResponse) => void) => {
    let asked = 0
    server = createServer((_request, response) => {
      asked += 1
      fail(response)
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const transport = http(url, { timeout: 0, fetchFn: createRpcFetch(300), retryCount: 1, retryDelay: 10 })
    const began = performance.now()
    const error = await createPublicClient({ transport })
      .getChainId()
      .catch((reason: unknown) => reason)
    return { unreachable: isUnreachable(error), asked, tookMs: performance.now() - began }
  }

  test('does not ask a silent node again', async () => {
    const { unreachable, asked, tookMs } = await failing(() => undefined)
    expect([unreachable, asked]).toEqual([true, 1])
    expect(tookMs).toBeLessThan(600)
  })

  test('asks a node again that breaks off', async () => {
    const { unreachable, asked } = await failing((response) => response.destroy())
    expect([unreachable, asked]).toEqual([true, 2])
  })
})

describe('a read with a limit', () => {
  test('is answered within it', async () => {
    const url = await serve(20)
    const response = await createRpcFetch(500)(url, { method: 'POST', body: '{}' })
    expect([response.status, await response.json()]).toEqual([200, { result: '0x1' }])
  })

  test.each([
    ['does not answer', 'whole'],
    ['does not finish its answer', 'headers'],
  ] as const)('ends at the limit when the node %s', async (_case, parts) => {
    const url = await serve(null, parts)
    const began = performance.now()
    expect(await nameOf(createRpcFetch(300)(url))).toBe('TimeoutError')
    expect(performance.now() - began).toBeGreaterThan(290)
    expect(performance.now() - began).toBeLessThan(900)
  })

  test('does not blame the node for a pause of this process', async () => {
    const url = await serve(100)
    const reading = nameOf(createRpcFetch(300)(url))
    await new Promise((resolve) => setTimeout(resolve, 20))
    standStill(600)
    expect(await reading).toBe('answered')
  })

  test('ends all the same when the node is silent after such a pause', async () => {
    const url = await serve(null)
    const began = performance.now()
    const reading = nameOf(createRpcFetch(300)(url))
    await new Promise((resolve) => setTimeout(resolve, 20))
    standStill(600)
    expect(await reading).toBe('TimeoutError')
    expect(performance.now() - began).toBeLessThan(1_500)
  })
})

describe('a crowd that comes one after another', () => {
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

  test('at a silent node hears of it together; who has only just asked, and who comes later, waits no longer than for a usual answer', async () => {
    const [url, read] = [await serve(null), createRpcFetch(1_200)]
    /** How long a read that ends without an answer took, ms. */
    const wait = async (): Promise<number> => {
      const began = performance.now()
      await expect(read(url)).rejects.toThrow()
      return performance.now() - began
    }
    const first = wait()
    const second = pause(500).then(wait)
    const young = pause(1_000).then(wait)
    // As soon as the silence is known, while the young one still waits: at a clock's word a busy machine would come too late for that.
    const later = first.then(wait)
    expect(await first).toBeGreaterThan(1_190)
    expect(await second).toBeLessThan(1_100)
    for (const short of [await young, await later]) {
      expect(short).toBeGreaterThan(350)
      expect(short).toBeLessThan(1_100)
    }
  })

  test('at a node that was silent asks with patience again: it may be slow from now on', async () => {
    const read = createRpcFetch(900)
    let answerMs: number | null = null
    server = createServer((_request, response) => {
      if (answerMs !== null) setTimeout(() => response.end('{}'), answerMs)
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await nameOf(read(url))).toBe('TimeoutError')
    answerMs = 600
    expect(await nameOf(read(url))).toBe('answered')
  })

  test('waits for itself at a node that answers others', async () => {
    let asked = 0
    server = createServer((_request, response) => {
      asked += 1
      if (asked === 3) response.end('{}')
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const read = createRpcFetch(600)
    const began = performance.now()
    const [first, second] = [read(url), new Promise((resolve) => setTimeout(resolve, 300)).then(() => read(url))].map(nameOf)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await nameOf(read(url))).toBe('answered')
    expect(await first).toBe('TimeoutError')
    expect(await second).toBe('TimeoutError')
    expect(performance.now() - began).toBeGreaterThan(850)
  })
})
