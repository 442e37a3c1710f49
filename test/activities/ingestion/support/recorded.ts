import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LocalSourceAnswer, LocalSourceRequest } from '../../../../local/sources/local-source.ts'

/** A request as a server got it. */
export interface Recorded {
  method: string
  /** Path without the query, decoded. */
  path: string
  params: Record<string, string>
  headers: Record<string, string>
  body: string
}

type Answer = (request: LocalSourceRequest) => LocalSourceAnswer | Promise<LocalSourceAnswer>

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export type RecordingServer = Awaited<ReturnType<typeof startRecorded>>

/** Starts a server that records each request and sends what `answer` gives. */
export const startRecorded = async (answer: Answer) => {
  let current = answer
  let requests: Recorded[] = []

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const body = await readBody(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const method = request.method ?? ''
    requests.push({ method, path: decodeURIComponent(url.pathname), params: Object.fromEntries(url.searchParams), headers, body })
    const sent = await current({ method, url, headers, body })
    response.writeHead(sent.status, { 'content-type': sent.type, ...sent.headers }).end(sent.body)
  }

  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Answers by another function from now on; without one by the first. */
    answerBy: (other: Answer = answer): void => {
      current = other
    },
    /** Requests since the last call. */
    takeRequests: (): Recorded[] => {
      const taken = requests
      requests = []
      return taken
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Passes requests on to another server, whose addresses in answers become those of this one. */
export const passTo =
  (url: string): Answer =>
  async ({ method, url: { pathname, search, origin }, headers, body }) => {
    const { accept, authorization } = headers
    const answer = await fetch(`${url}${pathname}${search}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(accept !== undefined && { accept: String(accept) }),
        ...(authorization !== undefined && { authorization: String(authorization) }),
      },
      ...(body !== '' && { body }),
    })
    const location = answer.headers.get('location')
    const type = answer.headers.get('content-type') ?? ''
    const text = (await answer.text()).replaceAll(url, origin)
    return { status: answer.status, type, body: text, ...(location !== null && { headers: { location } }) }
  }
