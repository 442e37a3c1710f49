import type { Server } from 'node:http'
import { Server as PortServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApiListener } from './server.ts'

/** After this time every connection is closed, also under a request in flight. */
const DRAIN_MS = 6_500
const IDLE_CHECK_MS = 100

/** Part of that time in which connections are still accepted, at most. */
const ACCEPT_QUEUED_MS = 2_000

/**
 * Accepts the connections that already wait in the listen queue: closing the port would reset them, perhaps with a request sent. Each
 * turn of the event loop accepts one; after two turns without any the queue is empty.
 */
const acceptQueuedConnections = async (server: Server, maxMs: number): Promise<void> => {
  let accepted = true
  const markAccepted = (): void => {
    accepted = true
  }
  server.on('connection', markAccepted)
  for (const end = performance.now() + maxMs; accepted && performance.now() < end; ) {
    accepted = false
    await nextTurn()
    await nextTurn()
  }
  server.off('connection', markAccepted)
}

/** Stops accepting, lets requests in flight end, then closes the rest; resolves when no connection is open. */
export const drain = async ({ server, connections }: Pick<ApiListener, 'server' | 'connections'>, drainMs = DRAIN_MS): Promise<void> => {
  const end = performance.now() + drainMs
  await acceptQueuedConnections(server, Math.min(ACCEPT_QUEUED_MS, drainMs))
  // Node counts a connection as idle while the caller still reads its last answer, and `close` of an HTTP server closes idle connections.
  const closed = new Promise<void>((resolve) => PortServer.prototype.close.call(server, () => resolve()))
  const closeIdle = (): void => {
    if (![...connections].some(({ writableLength }) => writableLength > 0)) server.closeIdleConnections()
  }
  closeIdle()
  const idle = setInterval(closeIdle, IDLE_CHECK_MS)
  const forced = setTimeout(
    () => {
      // `closeAllConnections` would omit those that asked for CONNECT.
      for (const connection of connections) connection.destroy()
    },
    Math.max(0, end - performance.now()),
  )
  await closed
  clearInterval(idle)
  clearTimeout(forced)
}
