import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from '@jest/globals'
import Koa from 'koa'
import { drain } from '../../../api/http/drain.ts'
import { closeWhileDraining } from '../../../api/http/middleware/headers.ts'
import { listen } from '../../../api/http/server.ts'
import { eventually } from '../../support/eventually.ts'
import { untilRead } from '../support/connections.ts'

const CALLERS = 12

/** Callers that each send a whole request. The worker counts those sent, and posts how each ended. */
const CROWD = `
  const { connect } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const { port, callers, sent } = workerData
  const call = () => new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\\r\\nHost: here\\r\\nContent-Length: 2\\r\\n\\r\\nhi', () => {
        if (Atomics.add(sent, 0, 1) === callers - 1) Atomics.notify(sent, 0)
      })
    })
    socket.on('data', (data) => (received += data))
    socket.on('error', (error) => resolve(error.code))
    socket.on('end', () => resolve(received.split('\\r\\n')[0]))
  })
  Promise.all(Array.from({ length: callers }, call)).then((answers) => parentPort.postMessage(answers))
`

const BIG = 'x'.repeat(16_000_000)

/** Answers `/late` after `answerLate`, `/never` not at all, `/big` with more than sockets hold, and the rest at once. */
const open = async () => {
  const stopping = new AbortController()
  const late = Promise.withResolvers<void>()
  const app = new Koa()
  app.use(closeWhileDraining(stopping.signal))
  app.use(async (ctx) => {
    if (ctx.path === '/late') await late.promise
    if (ctx.path === '/never') await new Promise(() => undefined)
    ctx.body = ctx.path === '/big' ? BIG : 'taken'
  })
  const { server, connections } = await listen(app, { port: 0, host: '127.0.0.1', baseUrl: 'https://work.example' })
  let rounds = 0
  const counted = {
    [Symbol.iterator]: () => {
      rounds += 1
      return connections.values()
    },
  } as ReadonlySet<Socket>
  const stop = (drainMs = 6_500): Promise<void> => {
    stopping.abort()
    return drain({ server, connections: counted }, drainMs)
  }
  return {
    connections,
    port: (server.address() as AddressInfo).port,
    answerLate: late.resolve,
    stop,
    /** How often the drain has searched the connections for idle ones. */
    rounds: () => rounds,
  }
}

test('a connection that waited in the listen queue at shutdown is answered', async () => {
  const { port, stop } = await open()
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const crowd = new Worker(CROWD, { eval: true, workerData: { port, callers: CALLERS, sent } })
  const answers = once(crowd, 'message')
  await once(crowd, 'online')

  // This thread is blocked and accepts nothing, while the system takes the connections and their bytes.
  for (let count = 0; count < CALLERS; count = Atomics.load(sent, 0)) expect(Atomics.wait(sent, 0, count, 10_000)).not.toBe('timed-out')
  await stop()
  expect(await answers).toEqual([Array.from({ length: CALLERS }, () => 'HTTP/1.1 200 OK')])
  await crowd.terminate()
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

const GET = (path: string, header = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`
const CONNECT = 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'
const LONG = 'x'.repeat(17_000)
const DRAIN_MS = 300

/** A caller that never closes its side. Resolves when the service has read what it sent. */
const startCaller = async ({ port, connections }: Awaited<ReturnType<typeof open>>, sent: string, isReading = true): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  if (isReading) socket.resume()
  if (sent !== '') socket.write(sent)
  await untilRead(connections, socket, sent.length)
  return socket
}

describe('the end of the service', () => {
  test.each<[string, string, 'reads' | 'does not read']>([
    ['has sent nothing', '', 'reads'],
    ['was answered and is kept', GET('/now'), 'reads'],
    ['has sent half a header', 'GET /now HTTP/1.1\r\nHost: a\r\n', 'reads'],
    ['has sent half a body', 'POST /never HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{', 'reads'],
    ['waits for an answer that never comes', GET('/never'), 'reads'],
    ['asks for an upgrade', GET('/now', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), 'reads'],
    ['was refused for CONNECT', CONNECT, 'reads'],
    ['asks for CONNECT while its answer is made', `${GET('/never')}${CONNECT}`, 'reads'],
    ['asks for CONNECT and reads no answer', `${GET('/big')}${CONNECT}`, 'does not read'],
    ['was refused for a long header', GET('/now', `X-Long: ${LONG}\r\n`), 'reads'],
    ['was refused for a long address', GET(`/${LONG}`), 'reads'],
    ['was refused for noise', 'NOISE\r\n\r\n', 'reads'],
    ['reads no answer', GET('/big'), 'does not read'],
    ['reads no answer and sends noise', `${GET('/big')}NOISE\r\n\r\n`, 'does not read'],
  ])('closes a connection that %s', async (_kind, sent, reading) => {
    const api = await open()
    const socket = await startCaller(api, sent, reading === 'reads')
    await api.stop(DRAIN_MS)
    expect([...api.connections].filter(({ destroyed }) => !destroyed)).toEqual([])
    socket.destroy()
  })

  test('closes many connections of many kinds', async () => {
    const api = await open()
    const kinds = ['', GET('/now'), GET('/never'), CONNECT, `${GET('/never')}${CONNECT}`, 'NOISE\r\n\r\n', 'GET /now HTTP/1.1\r\n']
    const sockets = await Promise.all(Array.from({ length: 350 }, (_, index) => startCaller(api, kinds[index % kinds.length] ?? '')))
    await api.stop(DRAIN_MS)
    expect([...api.connections].filter(({ destroyed }) => !destroyed)).toEqual([])
    for (const socket of sockets) socket.destroy()
  })

  test.each([
    ['a request in progress', '/late', 'taken'],
    ['a caller that reads slowly', '/big', BIG],
  ])('waits for %s, which gets its whole answer', async (_what, path, body) => {
    const api = await open()
    const socket = await startCaller(api, GET(path), false)
    let [received, head] = [0, '']
    socket.on('data', (chunk) => {
      if (head === '') head = chunk.toString('latin1').split('\r\n\r\n')[0] ?? ''
      received += chunk.length
    })
    socket.pause()
    const [closed, stopped] = [once(socket, 'end'), api.stop()]
    await eventually('the drain has searched for idle connections', api.rounds, (rounds) => rounds >= 3)
    api.answerLate()
    socket.resume()
    await Promise.all([stopped, closed])
    socket.destroy()
    expect([head.split('\r\n')[0], received - head.length - 4]).toEqual(['HTTP/1.1 200 OK', body.length])
  })
})
