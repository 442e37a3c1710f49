import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from '@jest/globals'
import { drain } from '../../../api/http/drain.ts'

const CALLERS = 12

/** Each connects and sends a whole request; it says when all have, and then tells how each ended. */
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

test('a connection that waited in the listen queue at shutdown is answered', async () => {
  const server = createServer((_request, response) => response.setHeader('connection', 'close').end('taken'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const { port } = server.address() as AddressInfo
  const crowd = new Worker(CROWD, { eval: true, workerData: { port, callers: CALLERS, sent } })
  const answers = new Promise((resolve, reject) => crowd.once('message', resolve).once('error', reject))
  await new Promise((resolve) => crowd.once('online', resolve))

  // Nothing is accepted while this thread stands still; the system takes the connections and their bytes all the same.
  for (let count = 0; count < CALLERS; count = Atomics.load(sent, 0)) expect(Atomics.wait(sent, 0, count, 10_000)).not.toBe('timed-out')
  await drain(server)
  expect(await answers).toEqual(Array.from({ length: CALLERS }, () => 'HTTP/1.1 200 OK'))
  await crowd.terminate()
})

test('a drained port accepts no connection', async () => {
  const server = createServer((_request, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await drain(server)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})
