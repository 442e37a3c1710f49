import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'

const read = async (incoming: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** What a request has behind it. */
interface Tries {
  /** Doors that took no connection, or reset it. */
  without: readonly string[]
  /** Whether it was sent again after a reset. */
  sentAgain: boolean
}

/**
 * Shares requests among doors in turn. Reads go over connections that are kept, so one may be closed under a request; then the read is sent
 * once more, to another door, and only if not a byte of an answer had come. What changes something goes over a connection of its own, as it may not be sent
 * twice: a door that takes none is passed over, but once it was taken and not answered it is lost, and that is what a test wants to see.
 */
export const startLoadBalancer = async (doorsNow: () => readonly string[]) => {
  const kept = new Agent({ keepAlive: true })
  let [turn, onKept, sentAgain] = [0, 0, 0]
  const lost: string[] = []
  const unlisted = new Set<string>()

  const attempt = (incoming: IncomingMessage, body: Buffer, answer: ServerResponse, tries: Tries): void => {
    const doors = doorsNow().filter((door) => !tries.without.includes(door) && !unlisted.has(door))
    const chosen = doors[turn % doors.length]
    turn += 1
    if (chosen === undefined) {
      lost.push(`${incoming.method} ${incoming.url}: no door takes it`)
      answer.destroy()
      return
    }
    const door = new URL(chosen)
    const without = [...tries.without, chosen]
    const isRead = incoming.method === 'GET'
    const outgoing: ClientRequest = request({
      agent: isRead ? kept : false,
      host: door.hostname,
      port: door.port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, connection: isRead ? 'keep-alive' : 'close' },
    })
    let bytesHeard = (): number => 0
    outgoing.once('socket', (socket) => {
      const before = socket.bytesRead
      bytesHeard = () => socket.bytesRead - before
      if (outgoing.reusedSocket) onKept += 1
    })
    outgoing.once('response', (response) => {
      const { connection: _own, 'keep-alive': _times, ...headers } = response.headers
      answer.writeHead(response.statusCode ?? 502, headers)
      response.pipe(answer)
      response.once('error', (error) => {
        lost.push(`${incoming.method} ${incoming.url}: broken off, ${error.message}`)
        answer.destroy()
      })
    })
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (answer.headersSent) return
      // Refused, or reset while it was being made: nothing was sent.
      if (error.syscall === 'connect') return attempt(incoming, body, answer, { ...tries, without })
      if (isRead && error.code === 'ECONNRESET' && bytesHeard() === 0 && !tries.sentAgain) {
        sentAgain += 1
        return attempt(incoming, body, answer, { without, sentAgain: true })
      }
      lost.push(`${incoming.method} ${incoming.url}: ${error.message}`)
      answer.destroy()
    })
    outgoing.end(body)
  }

  const server: Server = createServer((incoming, answer) => {
    void read(incoming).then((body) => attempt(incoming, body, answer, { without: [], sentAgain: false }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    base: `http://127.0.0.1:${address.port}`,
    /** Does something to a door that is off the balancer meanwhile, as whoever operates one does before a process is asked to end. */
    without: async <T>(door: string, act: () => Promise<T>): Promise<T> => {
      unlisted.add(door)
      try {
        return await act()
      } finally {
        unlisted.delete(door)
      }
    },
    /** Requests that a door took and never answered. */
    lost: (): readonly string[] => lost,
    /** Requests that went over a connection which had served others before. */
    onKeptConnections: (): number => onKept,
    /** Reads that were sent once more. */
    sentAgain: (): number => sentAgain,
    close: () => {
      kept.destroy()
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export type LoadBalancer = Awaited<ReturnType<typeof startLoadBalancer>>
