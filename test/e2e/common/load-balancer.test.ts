// The balancer of the other tests itself: it must not hide what a real one would not hide.
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

const startDoor = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

/** A door that does one of these to each request in turn, and from then on answers. */
const doorOf = (...acts: RequestListener[]): Promise<string> => {
  let count = 0
  return startDoor((incoming, answer) => {
    const act = acts[count] ?? well
    count += 1
    act(incoming, answer)
  })
}

const well: RequestListener = (_incoming, answer) => void answer.end('well')
const hangUp: RequestListener = ({ socket }) => void socket.destroy()
const half: RequestListener = (_incoming, answer) => {
  answer.writeHead(200, { 'content-length': '100' })
  answer.write('half', () => answer.destroy())
}

const open = async (...doors: string[]): Promise<LoadBalancer> => {
  balancer = await startLoadBalancer(() => doors)
  return balancer
}

const ask = async (base: string, method = 'GET'): Promise<string> => {
  try {
    return await (await fetch(base, { method, ...(method === 'POST' && { body: '{}' }) })).text()
  } catch {
    return 'no answer'
  }
}

describe('the balancer of the tests', () => {
  test('keeps connections for reads', async () => {
    const { base, onKeptConnections } = await open(await doorOf())
    expect([await ask(base), await ask(base), onKeptConnections()]).toEqual(['well', 'well', 1])
  })

  test('sends a read once more, to another door, whose kept connection was closed under it', async () => {
    const { base, lost, sentAgain } = await open(await doorOf(well, hangUp), await doorOf())
    expect([await ask(base), await ask(base), await ask(base), sentAgain(), lost()]).toEqual(['well', 'well', 'well', 1, []])
  })

  test('does so once', async () => {
    const { base, lost, sentAgain } = await open(await doorOf(hangUp), await doorOf(hangUp))
    expect([await ask(base), sentAgain(), lost().length]).toEqual(['no answer', 1, 1])
  })

  test('sends nothing again that may have changed something', async () => {
    const { base, lost, sentAgain } = await open(await doorOf(hangUp))
    expect([await ask(base, 'POST'), sentAgain(), lost().length]).toEqual(['no answer', 0, 1])
  })

  test('sends no read again of whose answer something had come', async () => {
    const { base, lost, sentAgain } = await open(await doorOf(half))
    expect([await ask(base), sentAgain(), lost().length]).toEqual(['no answer', 0, 1])
  })

  test('passes over a door that takes no connection, whatever is asked', async () => {
    const gone = await startDoor(well)
    await new Promise((resolve) => servers.pop()?.close(resolve))
    const { base, lost, sentAgain } = await open(gone, await doorOf())
    expect([await ask(base, 'POST'), await ask(base, 'POST'), sentAgain(), lost()]).toEqual(['well', 'well', 0, []])
  })
})
