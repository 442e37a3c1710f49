import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { LocalSourceAnswer } from './local-source.ts'

/** How an answer can be wrong. */
const FAULT_KINDS = ['slow', '403', '429', '500', 'cut', 'wrong_json', 'html', 'changed_page', 'huge', 'gzip'] as const

/** A fault of a source: replaces the next `times` of its answers, or each `every`th of them. */
export const SourceFault = z.strictObject({
  /** Name of the source; `*` for each. */
  name: z.string(),
  /** Part of the path and query that it is for; every one when left out. */
  path: z.string().default(''),
  kind: z.enum(FAULT_KINDS),
  /** Faulty answers; 1 if neither this nor `every` is given. */
  times: z.int().min(1).optional(),
  /** Requests per faulty answer; the last of them gets it. */
  every: z.int().min(1).default(1),
})
export type SourceFault = z.input<typeof SourceFault>

/** Faults of a stack by its environment: JSON of a list. */
export const readFaults = (text: string | undefined): SourceFault[] => z.array(SourceFault).parse(JSON.parse(text || '[]'))

/** Length of an answer that is too long, bytes. */
const HUGE_BYTES = 100 * 1024 * 1024
const CHUNK = Buffer.alloc(64 * 1024, ' ')
/** How long a slow source holds an answer back: longer than a client waits. */
const SLOW_MS = 120_000
const RETRY_AFTER_SECONDS = '1'

/** An answer and where it stood, for the fault that repeats a page. */
interface FaultRequest {
  response: ServerResponse
  right: LocalSourceAnswer
  /** The answer before this one of the same path; undefined for the first. */
  previous: LocalSourceAnswer | undefined
}

const sendJson = (response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

const bytesOf = ({ body }: LocalSourceAnswer): Buffer => (typeof body === 'string' ? Buffer.from(body) : body)

const sendSlowly = ({ response, right }: FaultRequest): void => {
  const timer = setTimeout(() => sendRight(response, right), SLOW_MS)
  response.once('close', () => clearTimeout(timer))
}

const sendHalf = ({ response, right }: FaultRequest): void => {
  const body = bytesOf(right)
  response.writeHead(200, { 'content-type': right.type, 'content-length': String(body.length + 1) })
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
}

function* spaces(): Generator<Buffer> {
  for (let sent = 0; sent < HUGE_BYTES; sent += CHUNK.length) yield CHUNK
}

/** Sends spaces at the pace of the client, for as long as it reads. */
const sendHuge = ({ response, right }: FaultRequest): void => {
  response.writeHead(200, { 'content-type': right.type })
  pipeline(Readable.from(spaces()), response, () => undefined)
}

/** Sends the same under a coding that makes it short. */
const sendBomb = ({ response, right }: FaultRequest): void => {
  response.writeHead(200, { 'content-type': right.type, 'content-encoding': 'gzip' })
  pipeline(Readable.from(spaces()), createGzip(), response, () => undefined)
}

/** Body of an answer from which a coding saves something, bytes. */
const WORTH_CODING = 1_024

/** Sends an answer of a source, coded where the client accepts it. */
export const sendRight = (response: ServerResponse, answer: LocalSourceAnswer, acceptsGzip = false): void => {
  const body = bytesOf(answer)
  const isCoded = acceptsGzip && body.length >= WORTH_CODING && answer.headers?.['content-encoding'] === undefined
  const sent = isCoded ? gzipSync(body) : body
  const coding = isCoded ? { 'content-encoding': 'gzip', vary: 'accept-encoding' } : {}
  response
    .writeHead(answer.status, { 'content-type': answer.type, 'content-length': String(sent.length), ...coding, ...answer.headers })
    .end(sent)
}

/** How each kind is answered. */
const SENDERS: Record<(typeof FAULT_KINDS)[number], (request: FaultRequest) => void> = {
  slow: sendSlowly,
  '403': ({ response }) => sendJson(response, 403, { message: 'Forbidden' }),
  '429': ({ response }) => sendJson(response, 429, { message: 'Too Many Requests' }, { 'retry-after': RETRY_AFTER_SECONDS }),
  '500': ({ response }) => sendJson(response, 500, { message: 'Internal Server Error' }),
  cut: sendHalf,
  wrong_json: ({ response, right }) => {
    const body = bytesOf(right)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body.subarray(0, body.length / 2))
  },
  html: ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('<!doctype html><title>Just a moment</title>')
  },
  // What moved to the front since the last page pushes its candidates onto this one.
  changed_page: ({ response, right, previous }) => sendRight(response, previous ?? right),
  huge: sendHuge,
  gzip: sendBomb,
}

/** Creates the faults of the sources. */
export const createFaults = (initial: readonly SourceFault[]) => {
  const create = (fault: SourceFault) => {
    const parsed = SourceFault.parse(fault)
    return { ...parsed, left: parsed.times ?? (fault.every === undefined ? 1 : Number.POSITIVE_INFINITY), seen: 0 }
  }
  let faults = initial.map(create)
  return {
    add: (fault: SourceFault): void => {
      faults.push(create(fault))
    },
    clear: (): void => {
      faults = []
    },
    /** The fault that answers a request instead of its source; undefined for none. */
    take: (name: string, path: string): ((request: FaultRequest) => void) | undefined => {
      for (const fault of faults) {
        if ((fault.name !== '*' && fault.name !== name) || !path.includes(fault.path)) continue
        fault.seen += 1
        if (fault.seen % fault.every !== 0) continue
        fault.left -= 1
        if (fault.left <= 0) faults = faults.filter((other) => other !== fault)
        return SENDERS[fault.kind]
      }
      return undefined
    },
  }
}
