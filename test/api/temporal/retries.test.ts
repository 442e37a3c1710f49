import { once } from 'node:events'
import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { connectEngine } from '../../../api/temporal/engine.ts'

const listening = async (server: Http2Server, port = 0): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A port at which nobody listens. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  return port
}

test('what was aborted while the engine was away is not tried again when it is back, what was not is', async () => {
  const port = await freePort()
  const { connection } = connectEngine({ connection: { address: `127.0.0.1:${port}` }, namespace: 'default' })
  const { workflowService } = connection
  const leaving = new AbortController()
  const asked = Promise.allSettled([
    connection.withAbortSignal(leaving.signal, () => workflowService.getSystemInfo({})),
    connection.withAbortSignal(AbortSignal.timeout(8_000), () => workflowService.getClusterInfo({})),
  ])
  await sleep(300)
  leaving.abort()

  const heard: string[] = []
  const engine = createServer().on('stream', (stream, headers) => {
    heard.push(String(headers[':path']).split('/').at(-1) ?? '')
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' }, { endStream: true })
  })
  await listening(engine, port)
  try {
    const [aborted, other] = await asked
    expect([aborted.status, other.status]).toEqual(['rejected', 'rejected'])
    expect([aborted, other].map((one) => one.status === 'rejected' && one.reason.code)).toEqual([1, 12])
    // Left to itself the client would have tried again in the meantime.
    await sleep(2_000)
    expect(heard).toEqual(['GetClusterInfo'])
  } finally {
    await connection.close()
    engine.close()
  }
}, 20_000)

test('what was aborted before it was asked is never asked', async () => {
  const { connection } = connectEngine({ connection: { address: `127.0.0.1:${await freePort()}` }, namespace: 'default' })
  try {
    const asked = connection.withAbortSignal(AbortSignal.abort(), () => connection.workflowService.getSystemInfo({}))
    await expect(asked).rejects.toMatchObject({ code: 1 })
  } finally {
    await connection.close()
  }
})
