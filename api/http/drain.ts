import type { Server } from 'node:http'

/** Requests in flight get this long to end before their connections are closed. */
const DRAIN_MS = 6_500
const IDLE_LOOK_MS = 100

/** So long at most whoever comes is still taken, where callers never cease. */
const TAKING_MS = 500

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Who connected while this process was busy waits in the system's queue, and would be reset with the port, perhaps with a request already
 * sent. Each round of the event loop takes one of them; after the second without anybody the queue is empty.
 */
const takeWhoWaits = async (server: Server): Promise<void> => {
  let taken = true
  const take = (): void => {
    taken = true
  }
  server.on('connection', take)
  for (const end = performance.now() + TAKING_MS; taken && performance.now() < end; ) {
    taken = false
    await nextRound()
    await nextRound()
  }
  server.off('connection', take)
}

/** Stops accepting, lets requests in flight end, then closes what is left. */
export const drain = async (server: Server): Promise<void> => {
  await takeWhoWaits(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A connection whose last answer was on its way becomes idle only now.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS)
  const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(idle)
  clearTimeout(forced)
}
