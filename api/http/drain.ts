import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Requests in flight get this long to end before their connections are closed. */
const DRAIN_MS = 6_500
const IDLE_CHECK_MS = 100
/** A socket that even a forced close leaves open does not hold up the end of the process. */
const FORCED_MS = 500

/** Maximum time to keep accepting connections. */
const ACCEPT_QUEUED_MS = 500

/**
 * Accepts the connections that already wait in the listen queue: closing the port would reset them, perhaps with a request sent. Each
 * turn of the event loop accepts one; after two turns without any the queue is empty.
 */
const acceptQueuedConnections = async (server: Server): Promise<void> => {
  let accepted = true
  const markAccepted = (): void => {
    accepted = true
  }
  server.on('connection', markAccepted)
  for (const end = performance.now() + ACCEPT_QUEUED_MS; accepted && performance.now() < end; ) {
    accepted = false
    await nextTurn()
    await nextTurn()
  }
  server.off('connection', markAccepted)
}

/** Stops accepting, lets requests in flight end, then closes the rest. */
export const drain = async (server: Server): Promise<void> => {
  await acceptQueuedConnections(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection becomes idle only after its last answer has been sent.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await Promise.race([closed, sleep(DRAIN_MS + FORCED_MS, undefined, { ref: false })])
  clearInterval(idle)
  clearTimeout(forced)
}
