// Tests the load balancer of other tests: it must lose the requests that a real one loses.
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type LoadBalancer, startLoadBalancer } from '../../support/fleet/load-balancer.ts'

const servers: Server[] = []
let balancer: LoadBalancer | undefined
afterEach(async () => {
  await balancer?.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const startServer = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

/** A server that handles each request by the next of these handlers, and answers once they are used up. */
const serverOf = (...acts: RequestListener[]): Promise<string> => {
  let count = 0
  return startServer((incoming, answer) => {
    const act = acts[count] ?? well
    count += 1
    act(incoming, answer)
  })
}

const well: RequestListener = (_incoming, answer) => void answer.end('well')
const reset: RequestListener = ({ socket }) => void socket.destroy()
const half: RequestListener = (_incoming, answer) => {
  answer.writeHead(200, { 'content-length': '100' })
  answer.write('half', () => answer.destroy())
}

const open = async (...bases: string[]): Promise<LoadBalancer> => {
  balancer = await startLoadBalancer(() => bases)
  return balancer
}

const ask = async (base: string, method = 'GET'): Promise<string> => {
  try {
    return await (await fetch(base, { method, ...(method === 'POST' && { body: '{}' }) })).text()
  } catch {
    return 'no answer'
  }
}

describe('the load balancer of the tests', () => {
  test('reuses a connection for reads', async () => {
    const { base, onKeptConnections } = await open(await serverOf())
    expect([await ask(base), await ask(base), onKeptConnections()]).toEqual(['well', 'well', 1])
  })

  test('sends a read to another server after its reused connection closed', async () => {
    const { base, lost, sentAgain } = await open(await serverOf(well, reset), await serverOf())
    expect([await ask(base), await ask(base), await ask(base), sentAgain(), lost()]).toEqual(['well', 'well', 'well', 1, []])
  })

  test('sends a read again only once', async () => {
    const { base, lost, sentAgain } = await open(await serverOf(reset), await serverOf(reset))
    expect([await ask(base), sentAgain(), lost().length]).toEqual(['no answer', 1, 1])
  })

  test('sends a POST only once', async () => {
    const { base, lost, sentAgain } = await open(await serverOf(reset))
    expect([await ask(base, 'POST'), sentAgain(), lost().length]).toEqual(['no answer', 0, 1])
  })

  test('sends no read again after a part of its answer came', async () => {
    const { base, lost, sentAgain } = await open(await serverOf(half))
    expect([await ask(base), sentAgain(), lost().length]).toEqual(['no answer', 0, 1])
  })

  test('skips a server that accepts no connection, for reads and writes', async () => {
    const closed = await startServer(well)
    await new Promise((resolve) => servers.pop()?.close(resolve))
    const { base, lost, sentAgain } = await open(closed, await serverOf())
    expect([await ask(base, 'POST'), await ask(base, 'POST'), sentAgain(), lost()]).toEqual(['well', 'well', 0, []])
  })
})
