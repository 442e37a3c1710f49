import { once } from 'node:events'
import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { encryptedPayloads } from '../../../activities/temporal/payload-codec.ts'
import { connectEngine } from '../../../api/temporal/engine.ts'
import { eventually } from '../../support/eventually.ts'

const listening = async (server: Http2Server, port = 0): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A port without a listener. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  return port
}

test('a call that was aborted while the engine was away is not tried again, any other is', async () => {
  const tried: string[] = []
  const timesOf = (name: string) => tried.filter((one) => one === name).length
  const [UNIMPLEMENTED, UNAVAILABLE] = ['12', '14']
  const engine = createServer().on('stream', (stream, headers) => {
    tried.push(String(headers[':path']).split('/').at(-1) ?? '')
    // The pauses between the tries grow: an earlier call would have been tried again long before the fourth one.
    const status = timesOf('GetClusterInfo') > 3 ? UNIMPLEMENTED : UNAVAILABLE
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status }, { endStream: true })
  })
  const port = await listening(engine)
  const { connection } = connectEngine({
    connection: { address: `127.0.0.1:${port}` },
    namespace: 'default',
    payloadCodec: encryptedPayloads([]),
  })
  const { workflowService } = connection
  const leaving = new AbortController()
  const asked = Promise.allSettled([
    connection.withAbortSignal(leaving.signal, () => workflowService.getSystemInfo({})),
    connection.withAbortSignal(new AbortController().signal, () => workflowService.getClusterInfo({})),
  ])
  try {
    await eventually('both calls were tried', () => new Set(tried).size === 2)
    leaving.abort()
    const before = timesOf('GetSystemInfo')
    const [aborted, other] = await asked
    expect([aborted.status, other.status]).toEqual(['rejected', 'rejected'])
    expect([aborted, other].map((one) => one.status === 'rejected' && one.reason.code)).toEqual([1, 12])
    expect([timesOf('GetSystemInfo'), timesOf('GetClusterInfo')]).toEqual([before, 4])
  } finally {
    await connection.close()
    engine.close()
  }
})

test('a call that was aborted before it began never begins', async () => {
  const { connection } = connectEngine({
    connection: { address: `127.0.0.1:${await freePort()}` },
    namespace: 'default',
    payloadCodec: encryptedPayloads([]),
  })
  try {
    const asked = connection.withAbortSignal(AbortSignal.abort(), () => connection.workflowService.getSystemInfo({}))
    await expect(asked).rejects.toMatchObject({ code: 1 })
  } finally {
    await connection.close()
  }
})
