// An API that stands between the console and the API of a stack, so that every page is seen full, empty and failed.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerExample } from '../../../api/discovery/recorded-answers.ts'
import { OPERATIONS } from '../../../client/src/index.ts'
import { operationList } from '../../../schemas/operations/registry.ts'

/**
 * What it does with the reads that follow the sign-in. It answers with the example of the documents where the stack has no record; with lists
 * that have no row; or with a failure.
 */
export type Manner = 'fills' | 'empties' | 'fails'

const EXAMPLES = new Map(operationList.map((one) => [one.id, answerExample(one, 200)]))
const READS = Object.entries(OPERATIONS)
  .filter(([, { method }]) => method === 'GET')
  .map(([id, { path, rows }]) => ({ id, rows: rows as string | undefined, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`) }))
  // `/jobs/definition` is no `/jobs/:id`.
  .sort((left, right) => Number(left.pattern.source.includes('[^/]+')) - Number(right.pattern.source.includes('[^/]+')))

const FAILURE = {
  type: 'about:blank',
  title: 'The service cannot answer',
  status: 503,
  detail: 'A part of the service does not answer.',
  code: 'internal_error',
  requestId: 'request-of-a-test',
  retryable: true,
  nextActions: [{ kind: 'retry', description: 'Send the request again.' }],
}

interface Answered {
  status: number
  type: string
  text: string
}

const isEmptied = (value: unknown): value is [] => Array.isArray(value) && value.length === 0

/** The answer of the stack, or the example where the stack has nothing to show. */
const filled = (answer: Answered, id: string, rows: string | undefined): Answered => {
  const example = EXAMPLES.get(id)
  const hasRecord = answer.status < 400 && !(rows !== undefined && isEmptied(JSON.parse(answer.text)[rows]))
  return hasRecord || example === undefined ? answer : { status: 200, type: 'application/json', text: JSON.stringify(example) }
}

/** The answer without the entries of its lists. */
const emptied = (answer: Answered): Answered => {
  if (answer.status !== 200) return answer
  const members = Object.entries(JSON.parse(answer.text) as object)
  const kept = members.map(([name, value]) => [name, Array.isArray(value) ? [] : name === 'nextCursor' ? null : value])
  return { ...answer, text: JSON.stringify(Object.fromEntries(kept)) }
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat(await request.toArray())

/** Starts it. Sign-in and writes reach the stack as they are; it follows no events. */
export const startStandIn = async (base: string, manner: Manner) => {
  const ask = async (request: IncomingMessage): Promise<Answered> => {
    const { url = '/', method = 'GET', headers } = request
    const kept = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) =>
      headers[name] ? [[name, String(headers[name])]] : [],
    )
    const body = method === 'GET' ? {} : { body: new Uint8Array(await bodyOf(request)) }
    const response = await fetch(base + url, { method, headers: Object.fromEntries(kept), ...body })
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
  }
  const answer = async (request: IncomingMessage): Promise<Answered> => {
    const [path = '/'] = (request.url ?? '/').split('?')
    const read = request.method === 'GET' && path !== '/auth/session' ? READS.find(({ pattern }) => pattern.test(path)) : undefined
    if (read === undefined && (manner !== 'fails' || path === '/auth/session')) return ask(request)
    if (manner === 'fails' || read === undefined || path.startsWith('/events'))
      return { status: 503, type: 'application/problem+json', text: JSON.stringify(FAILURE) }
    return manner === 'fills' ? filled(await ask(request), read.id, read.rows) : emptied(await ask(request))
  }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { status, type, text } = await answer(request)
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
