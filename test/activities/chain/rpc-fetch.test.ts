import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createPublicClient, http } from 'viem'
import { isUnreachable } from '../../../activities/chain/reachable.ts'
import { createRpcFetch } from '../../../activities/chain/rpc-fetch.ts'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'

const NEVER = new Promise<never>(() => undefined)

let node: HttpServer | undefined
afterEach(async () => {
  await node?.stop()
  node = undefined
})
/** Starts a node; returns its address. */
const listen = async (answer: RequestListener): Promise<string> => {
  node = await startHttpServer(answer)
  return node.url
}

/** Address of a server that answers once `due` resolves. `headers`: at once, but not the body. */
const serve = (due: Promise<unknown>, parts: 'whole' | 'headers' = 'whole'): Promise<string> =>
  listen((_request, response) => {
    if (parts === 'headers') response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    void due.then(() => response.end('{"result":"0x1"}'))
  })

/** Keeps this thread from everything else, as a burst of work does. */
const blockThread = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
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
    const url = await listen((_request, response) => {
      asked += 1
      fail(response)
    })
    const transport = http(url, { timeout: 0, fetchFn: createRpcFetch(300), retryCount: 1, retryDelay: 10 })
    const error = await createPublicClient({ transport })
      .getChainId()
      .catch((reason: unknown) => reason)
    return { unreachable: isUnreachable(error), asked }
  }

  test('does not ask a silent node again', async () => {
    const { unreachable, asked } = await failing(() => undefined)
    expect([unreachable, asked]).toEqual([true, 1])
  })

  test('asks a node again that breaks off', async () => {
    const { unreachable, asked } = await failing((response) => response.destroy())
    expect([unreachable, asked]).toEqual([true, 2])
  })
})

describe('a read with a limit', () => {
  test('is answered within it', async () => {
    const url = await serve(Promise.resolve())
    const response = await createRpcFetch(10_000)(url, { method: 'POST', body: '{}' })
    expect([response.status, await response.json()]).toEqual([200, { result: '0x1' }])
  })

  test.each([
    ['does not answer', 'whole'],
    ['does not finish its answer', 'headers'],
  ] as const)('ends at the limit when the node %s', async (_case, parts) => {
    const url = await serve(NEVER, parts)
    expect(await nameOf(createRpcFetch(300)(url))).toBe('TimeoutError')
  })

  test('does not blame the node for a pause of this process', async () => {
    const due = Promise.withResolvers<void>()
    const url = await serve(due.promise)
    const reading = nameOf(createRpcFetch(500)(url))
    await once((node as HttpServer).server, 'request')
    blockThread(1_100)
    due.resolve()
    expect(await reading).toBe('answered')
  })

  test('ends all the same when the node is silent after such a pause', async () => {
    const url = await serve(NEVER)
    const reading = nameOf(createRpcFetch(300)(url))
    await once((node as HttpServer).server, 'request')
    blockThread(600)
    expect(await reading).toBe('TimeoutError')
  })
})

describe('a crowd that comes one after another', () => {
  const URL = 'http://node.example'
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] })
  })
  afterEach(() => {
    jest.useRealTimers()
    jest.restoreAllMocks()
  })

  /** A node that answers a request when the test calls its answer, by the place of the request. */
  const openNode = (): (() => void)[] => {
    const answers: (() => void)[] = []
    jest.spyOn(globalThis, 'fetch').mockImplementation(
      (_url, init) =>
        new Promise((resolve, reject) => {
          answers.push(() => resolve(new Response('{}')))
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
    )
    return answers
  }
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds)
  /** How a read ended, and after how many milliseconds of the fake clock. */
  const readWith = (read: typeof fetch) => async (): Promise<[string, number]> => {
    const began = performance.now()
    const name = await nameOf(read(URL))
    return [name, performance.now() - began]
  }

  test('at a silent node times out together; a newer read, and a later one, wait no longer than for a usual answer', async () => {
    openNode()
    const read = readWith(createRpcFetch(1_200))
    const first = read()
    await pass(500)
    const second = read()
    await pass(500)
    const young = read()
    await pass(200)
    const later = first.then(read)
    await pass(1_000)
    // The shortest timer takes a millisecond.
    expect(await Promise.all([first, second, young, later])).toEqual([1_200, 701, 400, 400].map((clockMs) => ['TimeoutError', clockMs]))
  })

  test('at a node that was silent asks with patience again: it may be slow from now on', async () => {
    const answers = openNode()
    const read = readWith(createRpcFetch(900))
    const silent = read()
    await pass(900)
    expect(await silent).toEqual(['TimeoutError', 900])
    const slow = read()
    await pass(600)
    answers[1]?.()
    expect(await slow).toEqual(['answered', 600])
  })

  test('waits for itself at a node that answers others', async () => {
    const answers = openNode()
    const read = readWith(createRpcFetch(600))
    const first = read()
    await pass(300)
    const second = read()
    await pass(100)
    const third = read()
    answers[2]?.()
    await pass(1_000)
    expect(await Promise.all([first, second, third])).toEqual([
      ['TimeoutError', 600],
      ['TimeoutError', 600],
      ['answered', 0],
    ])
  })
})
