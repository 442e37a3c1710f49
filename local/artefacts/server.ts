import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** Largest file, bytes, and most files that are kept. */
const FILE_BYTES = 25 * 1024 * 1024
const FILES = 200

const readFile = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= FILE_BYTES) chunks.push(chunk)
  }
  return size <= FILE_BYTES ? Buffer.concat(chunks) : null
}

export type LocalArtefacts = Awaited<ReturnType<typeof startArtefacts>>

/**
 * Starts the host of artefacts of the local stack, over TLS. `PUT` of a path keeps a file in memory, `GET` answers it, `DELETE` forgets it; the oldest
 * one makes room. `certificate`: certificate and key, PEM.
 */
export const startArtefacts = async ({ port = 0, certificate }: { port?: number; certificate: string }) => {
  const files = new Map<string, Buffer>()

  const keep = async (path: string, request: IncomingMessage): Promise<number> => {
    const file = await readFile(request)
    if (file === null) return 413
    files.delete(path)
    files.set(path, file)
    const [oldest] = files.keys()
    if (files.size > FILES && oldest !== undefined) files.delete(oldest)
    return 201
  }

  const server = createServer({ cert: certificate, key: certificate }, (request, response) => {
    const { method, url: path = '/' } = request
    const file = files.get(path)
    if (method === 'PUT')
      keep(path, request).then(
        (status) => response.writeHead(status).end(),
        () => response.destroy(),
      )
    else if (method === 'DELETE') response.writeHead(files.delete(path) ? 204 : 404).end()
    else if (file === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `https://${host}`,
    /** Host and port, as a URL has them. */
    host,
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
