import { type AddressInfo, connect } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import Koa from 'koa'
import pino from 'pino'
import { readJsonObject } from '../../../api/http/body.ts'
import { requestId } from '../../../api/http/middleware/headers.ts'
import { observe, observeRefused } from '../../../api/http/middleware/metrics.ts'
import { problems } from '../../../api/http/middleware/problems.ts'
import { listen, REFUSED } from '../../../api/http/server.ts'
import { createMetrics } from '../../../api/observability/metrics.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { useStarted } from '../../support/started.ts'
import { untilRead } from '../support/connections.ts'

const baseUrl = 'https://work.example'
const logger = pino({ level: 'silent' })
const metrics = createMetrics({ pool: () => ({ max: 1, inUse: 0, idle: 0, waiting: 0 }), replica: () => null })
/** Requests that wait until their caller has sent all. */
const waiting: PromiseWithResolvers<void>[] = []
/** Resolves once a caller has sent all its parts. */
const untilAllIsSent = (): Promise<void> => {
  const sent = Promise.withResolvers<void>()
  waiting.push(sent)
  return sent.promise
}

/** Answers `/echo` with its body, `/now` at once, `/late` once all is sent, `/begun` in part before that. Refuses the rest unread. */
const createEcho = (): Koa => {
  const app = new Koa()
  app.on(REFUSED, observeRefused({ metrics, logger }))
  app.use(requestId())
  app.use(observe({ metrics, logger }))
  app.use(problems({ baseUrl, logger }))
  app.use(async (ctx) => {
    if (ctx.path === '/echo') ctx.body = await readJsonObject(ctx.req, 65_536)
    else if (ctx.path === '/now') ctx.body = 'at once'
    else if (ctx.path === '/late') {
      await untilAllIsSent()
      ctx.body = { late: true }
    } else if (ctx.path === '/begun') {
      ctx.respond = false
      ctx.res.writeHead(200, { 'content-type': 'text/plain' }).write('first')
      await untilAllIsSent()
      ctx.res.end('second')
    } else throw new ServiceError('missing_token')
  })
  return app
}

const listenFor = (arrival: { headersMs: number; requestMs: number; checkMs: number }) =>
  useStarted(
    () => listen(createEcho(), { port: 0, host: '127.0.0.1', baseUrl, arrival }),
    async ({ server }) => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  )
const patient = listenFor({ headersMs: 60_000, requestMs: 60_000, checkMs: 1_000 })
const impatient = listenFor({ headersMs: 300, requestMs: 600, checkMs: 50 })

/** What a caller sends, and what it must have received before it sends more. */
type Parts = (string | RegExp)[]

/** Everything that a caller receives until the connection closes. The service reads each part before the next one is sent. */
const exchange = async (parts: Parts, { server, connections } = patient): Promise<string> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  let [received, sent] = ['', 0]
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => undefined)
  for (const part of parts) {
    if (typeof part === 'string') {
      socket.write(part, 'latin1')
      sent += part.length
      await untilRead(connections, socket, sent)
    } else await eventually(String(part), () => part.test(received))
  }
  for (const { resolve } of waiting.splice(0)) resolve()
  await closed
  return received
}

/** Status and code of every answer of a connection. */
const answersOf = (received: string): string[] =>
  received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part !== '')
    .map((part) => [part.slice(9, 12), /"code":"(\w+)"/.exec(part)?.[1]].filter(Boolean).join(' '))

/** Statuses that the metrics count, in order of size. */
const countedStatuses = async (): Promise<string[]> =>
  (await metrics.requests.get()).values.flatMap(({ labels, value }) => Array<string>(value).fill(String(labels.status))).toSorted()

/** Checks the answers of a connection, and that each of them is counted once. */
const expectAnswers = async (parts: Parts, expected: string[], listener = patient): Promise<void> => {
  metrics.requests.reset()
  expect(answersOf(await exchange(parts, listener))).toEqual(expected)
  const statuses = expected.map((answer) => answer.slice(0, 3)).toSorted()
  expect(await eventually('all are counted', countedStatuses, (counted) => counted.length >= statuses.length)).toEqual(statuses)
}

const GET = (path: string, header = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`
const post = (path: string, length: number, sent = '') => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${sent}`
const CHUNKED = 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
const LONG = 'x'.repeat(17_000)
/** As a network delivers it: a packet of its own for every 1,460 bytes. */
const inPackets = (text: string): string[] => text.match(/.{1,1460}/g) ?? []

describe('bytes that are no request', () => {
  test.each<[string, Parts, string[]]>([
    ['a header of 17 kB', [GET('/late', `X-Long: ${LONG}\r\n`)], ['431 header_fields_too_large']],
    ['many headers of 17 kB together', [GET('/late', 'X-Some: 0123456789\r\n'.repeat(1_200))], ['431 header_fields_too_large']],
    ['an address of 17 kB', [GET(`/${LONG}`)], ['414 uri_too_long']],
    ['an address of 17 kB in two packets', [`GET /${LONG.slice(9_000)}`, GET(LONG.slice(8_000)).slice(4)], ['414 uri_too_long']],
    ['an address of 17 kB in many packets', ['GET /', ...inPackets(LONG), GET('').slice(4)], ['414 uri_too_long']],
    ['an address of 17 kB after an answer', [GET('/now'), /at once/, GET(`/${LONG}`)], ['200', '414 uri_too_long']],
    ['an address of 100 kB', [GET(`/${LONG.repeat(6)}`)], ['414 uri_too_long']],
    ['an address of 10 kB with a header of 8 kB', [GET(`/${LONG.slice(7_000)}`, `X-Long: ${LONG.slice(9_000)}\r\n`)], ['414 uri_too_long']],
    [
      'a header of 17 kB in many packets',
      ['GET /late HTTP/1.1\r\nHost: a\r\nX-Long: ', ...inPackets(LONG), '\r\n\r\n'],
      ['431 header_fields_too_large'],
    ],
    ['a header of 100 kB', [GET('/late', `X-Long: ${LONG.repeat(6)}\r\n`)], ['431 header_fields_too_large']],
    ['a trailer of 100 kB', [`${CHUNKED}2\r\n{}\r\n0\r\nX-Long: ${LONG.repeat(6)}\r\n\r\n`], ['431 header_fields_too_large']],
    ['a chunk without a size', [`${CHUNKED}zz\r\n`], ['400 invalid_request']],
    ['endless chunk extensions', [`${CHUNKED}1;${LONG}${LONG}`], ['413 payload_too_large']],
    ['two lengths', ['POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'], ['400 invalid_request']],
    ['noise', ['NOISE\r\n\r\n'], ['400 invalid_request']],
    ['CONNECT', ['CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'], ['405 method_not_allowed']],
  ])('%s is refused once', (_name, parts, expected) => expectAnswers(parts, expected))

  test.each<[string, Parts, string[]]>([
    ['a header that never ends', ['GET /late HTTP/1.1\r\nHost: a\r\n'], ['408 request_timeout']],
    ['a body that never comes', [post('/echo', 10)], ['408 request_timeout']],
    ['a body that stops', [post('/echo', 10, '{"a"')], ['408 request_timeout']],
    ['a body that trickles in after its 401', [post('/private', 50), /401/, '{', '"', 'a'], ['401 missing_token']],
    ['a caller that sends nothing', [], []],
  ])('%s ends with its one answer when the time of a request is over', (_name, parts, expected) =>
    expectAnswers(parts, expected, impatient),
  )

  test('CONNECT names the methods that are served', async () => {
    expect(await exchange(['CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'])).toContain('Allow: GET, HEAD, POST, OPTIONS\r\n')
  })

  test('a slow request may be sent again, a long one may not', async () => {
    expect(await exchange([post('/echo', 10)], impatient)).toContain('"retryable":true')
    expect(await exchange([GET(`/${LONG}`)])).toContain('"retryable":false')
  })

  test.each(['Host: a\r\nHost: a', 'Host: a\r\nHost: b', 'Host: a b<script>', 'Host: a/b', 'Host: u@a'])('%j is a 400', async (lines) => {
    await expectAnswers([`GET /late HTTP/1.1\r\n${lines}\r\n\r\n`], ['400 invalid_request'])
  })
})

describe('a connection gives one answer to a request', () => {
  test.each<[string, Parts, string[]]>([
    [
      'a broken body after its 401',
      ['POST /private HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', /401/, 'zz\r\n'],
      ['401 missing_token'],
    ],
    ['garbage behind a request whose answer is to come', [`${GET('/late')}\x00\x01garbage\r\n\r\n`], ['200']],
    ['garbage behind a request whose answer has begun', [GET('/begun'), /first/, '\x00\x01garbage\r\n\r\n'], ['200']],
    ['garbage behind a body', [`${post('/echo', 2, '{}')}\x00garbage\r\n\r\n`], ['200']],
    ['CONNECT behind a request', [`${GET('/late')}CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n`], ['200']],
    ['garbage after an answer', [GET('/now'), /at once/, 'NOISE\r\n\r\n'], ['200', '400 invalid_request']],
    ['two requests at once', [`${GET('/late')}${GET('/late')}`, '\x00\r\n'], ['200', '200']],
  ])('%s', (_name, parts, expected) => expectAnswers(parts, expected))

  test('an answer that has begun is sent to its end', async () => {
    expect(await exchange([GET('/begun'), /first/, '\x00garbage\r\n\r\n'])).toContain('second')
  })
})
