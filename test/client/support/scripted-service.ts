import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Shape } from '../../../client/src/answers/shapes.ts'
import { complete, findShape } from './complete-answer.ts'

/** A request as the scripted service got it. */
export interface Received {
  method: string
  /** Path with its query. */
  url: string
  headers: IncomingMessage['headers']
  body: string
  /** Milliseconds since the service started. */
  at: number
}

/** Answers a request. `number` counts the requests of its method and path from 1. */
export type Script = (request: Received, response: ServerResponse, number: number) => void | Promise<void>

const shapes = new WeakMap<ServerResponse, Shape>()

/** Answers with the parts that a test names; the answer of an operation gets the other members that it has to have. */
export const json = (response: ServerResponse, status: number, given: unknown, headers: Record<string, string> = {}): void => {
  const shape = status < 300 && status !== 202 ? shapes.get(response) : undefined
  const body = shape === undefined ? given : complete(shape, given)
  response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', ...headers })
  response.end(JSON.stringify(body))
}

/** Answers with exactly this text. */
export const raw = (response: ServerResponse, status: number, body: string, type = 'application/json'): void =>
  void response.writeHead(status, { 'content-type': type }).end(body)

/** A problem document; `members` replaces parts of it. */
export const problem = (
  response: ServerResponse,
  status: number,
  code: string,
  members: object = {},
  headers: Record<string, string> = {},
): void =>
  json(
    response,
    status,
    {
      type: `https://work.example/docs/errors/${code}`,
      title: code,
      status,
      detail: `It is ${code}.`,
      code,
      requestId: 'request-1',
      retryable: false,
      nextActions: [],
      ...members,
    },
    headers,
  )

/** A service on this machine whose answers a test writes, by method and path. `port` is a free one by default. */
export const startScriptedService = async (scripts: Record<string, Script>, port = 0) => {
  const received: Received[] = []
  const counts = new Map<string, number>()
  const began = performance.now()
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const got = { method, url, headers, body: await text(request), at: performance.now() - began }
    received.push(got)
    const name = `${method} ${url.split('?')[0]}`
    const number = (counts.get(name) ?? 0) + 1
    counts.set(name, number)
    const shape = findShape(method, url.split('?')[0] ?? '')
    if (shape !== undefined) shapes.set(response, shape)
    const script = scripts[name]
    if (script === undefined) problem(response, 404, 'not_found', { detail: name })
    else await script(got, response, number)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Answers by method and path, which a test can add to. */
    scripts,
    /** Requests of a method and path. */
    of: (name: string): Received[] => received.filter(({ method, url }) => `${method} ${url.split('?')[0]}` === name),
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>
