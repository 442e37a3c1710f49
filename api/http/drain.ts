import type { Server } from 'node:http'
import { Server as PortServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApiListener } from './server.ts'

/** Requests in flight get this long to end before their connections are closed. */
const DRAIN_MS = 6_500
const IDLE_CHECK_MS = 100

/** Most connections accepted at shutdown, and the longest listen queue: the default of Node's `listen`. */
const LISTEN_QUEUE = 511

/**
 * Accepts the connections that already wait in the listen queue: closing the port would reset them, perhaps with a request sent. Each
 * turn of the event loop accepts one; after two turns without any the queue is empty.
 */
const acceptQueuedConnections = async (server: Server): Promise<void> => {
  let accepted = 0
  const count = (): void => {
    accepted += 1
  }
  server.on('connection', count)
  for (let before = -1; accepted > before && accepted < LISTEN_QUEUE; ) {
    before = accepted
    await nextTurn()
    await nextTurn()
  }
  server.off('connection', count)
}

/** Stops accepting, lets requests in flight end, then closes the rest; resolves when no connection is open. */
export const drain = async ({ server, connections }: Pick<ApiListener, 'server' | 'connections'>, drainMs = DRAIN_MS): Promise<void> => {
  await acceptQueuedConnections(server)
  // Node counts a connection as idle while the caller still reads its last answer, and `close` of an HTTP server closes idle connections.
  const closed = new Promise<void>((resolve) => PortServer.prototype.close.call(server, () => resolve()))
  const closeIdle = (): void => {
    if (![...connections].some(({ writableLength }) => writableLength > 0)) server.closeIdleConnections()
  }
  closeIdle()
  const idle = setInterval(closeIdle, IDLE_CHECK_MS)
  const forced = setTimeout(() => {
    // `closeAllConnections` would omit those that asked for CONNECT.
    for (const connection of connections) connection.destroy()
  }, drainMs)
  await closed
  clearInterval(idle)
  clearTimeout(forced)
}
