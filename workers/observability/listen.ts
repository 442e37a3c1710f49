import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Longest time to receive a request, ms. */
const REQUEST_MS = 5_000

/** A server of a worker or runner: its port, and how it ends with its connections. */
export interface ListeningServer {
  port: number
  close: () => Promise<void>
}

/** Serves requests at an address; port 0 takes any. Rejects when the port is taken. */
export const listen = async ({ host, port }: { host: string; port: number }, listener: RequestListener): Promise<ListeningServer> => {
  const server = createServer(listener)
  server.requestTimeout = REQUEST_MS
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
