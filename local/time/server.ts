import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { isLoopbackHost } from '../../activities/configuration.ts'
import { TimeRefusedError } from './errors.ts'
import { parseTimeExpression } from './expression.ts'
import { type MoveReport, moveTime, type Place, readTimes, type Times } from './move.ts'

/** Longest body of a request, bytes. */
const BODY_BYTES = 1_024

const Body = z.strictObject({ to: z.string() })

type Answer = { status: number; body: object; headers?: Record<string, string> }

const TITLES = {
  forbidden: [403, 'Forbidden'],
  invalid_request: [400, 'Invalid request'],
  invalid_time: [400, 'Invalid time'],
  method_not_allowed: [405, 'Method not allowed'],
  move_in_progress: [409, 'A move of time is under way'],
  not_found: [404, 'Not found'],
  stack_unavailable: [503, 'The stack does not answer'],
  unauthorized: [401, 'Unauthorized'],
} as const

const refuse = (code: keyof typeof TITLES, detail: string, headers: Record<string, string> = {}): Answer => {
  const [status, title] = TITLES[code]
  return { status, body: { type: 'about:blank', title, status, code, detail }, headers }
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

const formatTimes = ({ wallClock, service, newestBlock, isFrozen }: Times) => ({
  wallClock: iso(wallClock),
  service: iso(service),
  newestBlock: iso(newestBlock),
  isFrozen,
})

const formatReport = (report: MoveReport) => {
  const { moved, behind, diverged } = report
  return { ...formatTimes(report), moved, behind, diverged }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** What is wrong with the caller; null for the server of the console. A browser sends an origin, and may reach a loopback address by a foreign name. */
const refuseCaller = ({ headers }: IncomingMessage, secret: string): Answer | null => {
  if (!isLoopbackHost(headers.host ?? '')) return refuse('forbidden', 'The host of the address is not this machine.')
  if (headers.origin !== undefined) return refuse('forbidden', 'Browsers do not call this address: the console does.')
  if (timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${secret}`))) return null
  return refuse('unauthorized', 'Send the secret of the stack as a bearer token.', { 'www-authenticate': 'Bearer' })
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= BODY_BYTES) chunks.push(chunk)
  }
  return size <= BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : ''
}

const parseBody = (text: string): z.infer<typeof Body> | null => {
  try {
    return Body.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

const move = async (place: Place, request: IncomingMessage): Promise<Answer> => {
  const body = parseBody(await readBody(request))
  if (body === null) return refuse('invalid_request', 'Send a JSON object with "to": +7d, or an instant like 2030-01-31T12:00:00Z.')
  return { status: 200, body: formatReport(await moveTime(place, parseTimeExpression(body.to), { lockMs: 0 })) }
}

const answer = async (place: Place, secret: string, request: IncomingMessage): Promise<Answer> => {
  const refused = refuseCaller(request, secret)
  if (refused !== null) return refused
  if (request.url !== '/time') return refuse('not_found', 'There is only /time.')
  if (request.method === 'GET') return { status: 200, body: formatTimes(await readTimes(place)) }
  if (request.method === 'POST') return move(place, request)
  return refuse('method_not_allowed', 'Read the time with GET, move it with POST.', { allow: 'GET, POST' })
}

const answerFailure = (error: unknown): Answer => {
  const detail = error instanceof Error ? error.message : String(error)
  return refuse(error instanceof TimeRefusedError ? error.code : 'stack_unavailable', detail)
}

export type TimeServer = Awaited<ReturnType<typeof startTimeServer>>

/** Serves the time of a stack on a free port of this machine: `GET /time` reads it, `POST /time` moves it forward. */
export const startTimeServer = async (place: Place) => {
  const secret = randomBytes(32).toString('hex')
  const server = createServer(async (request, response) => {
    const { status, body, headers } = await answer(place, secret, request).catch(answerFailure)
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    /** Base address; the path is `/time`. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bearer secret of the callers. */
    secret,
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
