import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'

const read = async (incoming: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Attempts that a request has made. */
interface Tries {
  /** Servers that accepted no connection, or reset it. */
  without: readonly string[]
  /** Whether it was sent again after a reset. */
  sentAgain: boolean
}

/**
 * Shares requests among servers in turn. Reads use connections that stay open; when one closes under a read, the balancer sends the read
 * once more to another server, if no byte of an answer had come. A request that may change something uses a connection of its own and is
 * never sent twice: the balancer skips a server that accepts no connection, and counts an accepted request without an answer as lost.
 */
export const startLoadBalancer = async (currentServers: () => readonly string[]) => {
  const kept = new Agent({ keepAlive: true })
  let [turn, onKept, sentAgain] = [0, 0, 0]
  const lost: string[] = []
  const unlisted = new Set<string>()

  const attempt = (incoming: IncomingMessage, body: Buffer, answer: ServerResponse, tries: Tries): void => {
    const servers = currentServers().filter((base) => !tries.without.includes(base) && !unlisted.has(base))
    const chosen = servers[turn % servers.length]
    turn += 1
    if (chosen === undefined) {
      lost.push(`${incoming.method} ${incoming.url}: no server accepts it`)
      answer.destroy()
      return
    }
    const { hostname, port } = new URL(chosen)
    const without = [...tries.without, chosen]
    const isRead = incoming.method === 'GET'
    const outgoing: ClientRequest = request({
      agent: isRead ? kept : false,
      host: hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, connection: isRead ? 'keep-alive' : 'close' },
    })
    let bytesReceived = (): number => 0
    outgoing.once('socket', (socket) => {
      const before = socket.bytesRead
      bytesReceived = () => socket.bytesRead - before
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
      if (isRead && error.code === 'ECONNRESET' && bytesReceived() === 0 && !tries.sentAgain) {
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
    /** Sends no request to a server while `act` runs, as an operator does before stopping its process. */
    without: async <T>(base: string, act: () => Promise<T>): Promise<T> => {
      unlisted.add(base)
      try {
        return await act()
      } finally {
        unlisted.delete(base)
      }
    },
    /** Requests that a server accepted and never answered. */
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
