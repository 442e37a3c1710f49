import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>

/** Certificate and key of a server, PEM. */
export interface Tls {
  cert: Buffer
  key: Buffer
}

/** Starts a server of a test on a free port of this machine, over TLS if it has a certificate. */
export const startHttpServer = async (answer: RequestListener, tls?: Tls) => {
  const server = (tls === undefined ? createServer(answer) : createTlsServer({ ...tls }, answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    server,
    host,
    url: `${tls === undefined ? 'http' : 'https'}://${host}`,
    stop: async (): Promise<void> => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
