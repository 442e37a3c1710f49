import { type ClientRequest, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'

const read = async (incoming: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const connectionRefused = (error: NodeJS.ErrnoException): boolean => error.code === 'ECONNREFUSED'

/**
 * Shares requests among doors in turn, each over a connection of its own; a door that takes no connection is passed over, and a read
 * whose connection was reset is sent again, as balancers do. Any other request that a door took and did not answer is lost: that is
 * what a test wants to see.
 */
export const startLoadBalancer = async (doorsNow: () => readonly string[]) => {
  let turn = 0
  const lost: string[] = []

  const attempt = (incoming: IncomingMessage, body: Buffer, answer: ServerResponse, left: number): void => {
    const doors = doorsNow()
    const door = new URL(doors[turn % doors.length] ?? '')
    turn += 1
    const outgoing: ClientRequest = request({
      agent: false,
      host: door.hostname,
      port: door.port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    })
    outgoing.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
      response.once('error', () => answer.destroy())
    })
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      const isRead = incoming.method === 'GET' && error.code === 'ECONNRESET' && !answer.headersSent
      if ((connectionRefused(error) || isRead) && left > 0) return attempt(incoming, body, answer, left - 1)
      lost.push(`${incoming.method} ${incoming.url}: ${error.message}`)
      answer.destroy()
    })
    outgoing.end(body)
  }

  const server: Server = createServer((incoming, answer) => {
    void read(incoming).then((body) => attempt(incoming, body, answer, doorsNow().length * 2))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    base: `http://127.0.0.1:${address.port}`,
    /** Requests that a door took and never answered. */
    lost: (): readonly string[] => lost,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
