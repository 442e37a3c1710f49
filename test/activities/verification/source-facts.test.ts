import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { createDigests, MAX_SOURCE_BYTES } from '../../../activities/verification/sources.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import { commitmentOf, saltOutputs } from '../../../domain/verification/commitments.ts'
import { evaluate } from '../support/fixture-run.ts'
import { createFixtureSources, type VerifierFixture } from './fixtures/fixture.ts'

const BODY = '{"openapi":"3.1.0","info":{"title":"Stations","version":"1"},"paths":{}}'
const DIGEST = createHash('sha256').update(BODY).digest('hex')
const FACTS = [`sha256 ${DIGEST}`, `bytes ${BODY.length}`]
const outputSchemaRef = 'schema://jobs/coding-output'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The verdict on a work, where the pinned address answers like this; and how often it was asked. */
const judge = async (work: string, listener: RequestListener, { isAllowed = true, timeoutMs = 10_000 } = {}) => {
  let asked = 0
  const host = await serve((request, response) => {
    asked += 1
    listener(request, response)
  })
  const fetch = createGuardedFetch({ allowedHosts: isAllowed ? [host] : [] })
  const expectedOutputs = saltOutputs(FACTS, 'test', {}, sha256Of)
  const fixture: VerifierFixture = {
    name: 'facts',
    kind: 'positive',
    config: { handler: 'deterministic', version: 1, commitments: expectedOutputs.map(commitmentOf), matchMode: 'contains_all' },
    expectedOutputs,
    outputSchemaRef,
    definition: {
      source: { type: 'openapi_spec', pinnedUrl: `http://${host}/openapi.json` },
      verification: { method: 'committed_source_facts', signals: ['sha256', 'bytes'], evidenceSchemaRef: outputSchemaRef },
    },
    submission: { summary: 'Facts.', output: work, status: 'complete' },
    outcome: null,
    reasonCode: 'DETERMINISTIC_MATCH',
  }
  const readDigest = createDigests((request) => fetch({ ...request, timeoutMs: Math.min(request.timeoutMs, timeoutMs) }))
  const verdict = await evaluate('deterministic', fixture, { ...createFixtureSources(), readDigest })
  return { verdict, asked }
}

const answer =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body)
  }
const moved: RequestListener = ({ url }, response) => {
  if (url === '/openapi.json') response.writeHead(302, { location: '/elsewhere' }).end()
  else response.end(BODY)
}
const inLoops: RequestListener = (_request, response) => {
  response.writeHead(302, { location: '/again' }).end()
}
const cut: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{', () => request.socket.destroy())
}
const [RIGHT, WRONG] = [FACTS.join('\n'), `sha256 ${DIGEST}\nbytes 7`]
const [MATCH, MISMATCH] = ['approved DETERMINISTIC_MATCH', 'rejected DETERMINISTIC_MISMATCH']
const [CHANGED, UNREACHABLE] = ['inconclusive DETERMINISTIC_SOURCE_CHANGED', 'inconclusive DETERMINISTIC_SOURCE_UNREACHABLE']

test.each<[string, string, RequestListener, string, number]>([
  ['states every fact, and is not looked up', RIGHT, answer(500, ''), MATCH, 0],
  ['falls short of the same bytes', WRONG, answer(200, BODY), MISMATCH, 1],
  ['falls short of the same bytes under another type', WRONG, answer(200, BODY, { 'content-type': 'text/html' }), MISMATCH, 1],
  ['falls short of the same bytes behind a redirect', WRONG, moved, MISMATCH, 2],
  ['is about bytes that changed', WRONG, answer(200, `${BODY}\n`), CHANGED, 1],
  ['is about an empty answer', WRONG, answer(200, ''), CHANGED, 1],
  ['is about more bytes than are read', WRONG, answer(200, Buffer.alloc(MAX_SOURCE_BYTES + 1)), CHANGED, 1],
  ['is about a page that is gone', WRONG, answer(404, BODY), UNREACHABLE, 1],
  ['is about a server that fails', WRONG, answer(503, ''), UNREACHABLE, 1],
  ['is about a redirect without an end', WRONG, inLoops, UNREACHABLE, 4],
  ['is about an answer that is cut', WRONG, cut, UNREACHABLE, 1],
])('a work that %s gets its verdict', async (_what, work, listener, outcome, times) => {
  const { verdict, asked } = await judge(work, listener)
  expect('unavailable' in verdict ? verdict : `${verdict.outcome} ${verdict.reasonCode}`).toBe(outcome)
  expect(asked).toBe(times)
})

test('a source that is slow is no fault of the worker', async () => {
  const { verdict } = await judge(WRONG, () => undefined, { timeoutMs: 50 })
  expect(verdict).toMatchObject({ outcome: 'inconclusive', reasonCode: 'DETERMINISTIC_SOURCE_UNREACHABLE' })
})

test('a source at a private address is never connected to', async () => {
  const { verdict, asked } = await judge(WRONG, answer(200, BODY), { isAllowed: false })
  expect(verdict).toMatchObject({ outcome: 'inconclusive', reasonCode: 'DETERMINISTIC_SOURCE_UNREACHABLE' })
  expect(asked).toBe(0)
})
