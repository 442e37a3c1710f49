import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createGuardedFetch } from '../../../../activities/outbound/guarded-fetch.ts'
import { type ArtefactRequest, createArtefactFetch, fetchArtefacts } from '../../../../activities/paid-verification/profiles/artefacts.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'

const CONTENT = 'what the buyer declared'
const sha256 = createHash('sha256').update(CONTENT).digest('hex')

let server: HttpServer
let asked: string[] = []
let hasEnded = Promise.resolve()

const flood: RequestListener = (_request, response) => {
  const more = (): void => {
    while (response.write('x'.repeat(65_536)));
    response.once('drain', more)
  }
  response.on('error', () => undefined)
  more()
}

const ANSWERS: Record<string, RequestListener> = {
  '/file': (_request, response) => response.end(CONTENT),
  '/moved': (_request, response) => response.writeHead(302, { location: '/file' }).end(),
  '/moved-3': (_request, response) => response.writeHead(307, { location: '/moved-2' }).end(),
  '/moved-2': (_request, response) => response.writeHead(307, { location: '/moved' }).end(),
  '/moved-4': (_request, response) => response.writeHead(307, { location: '/moved-3' }).end(),
  '/inside': (_request, response) => response.writeHead(302, { location: 'https://10.0.0.1/file' }).end(),
  '/metadata': (_request, response) => response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
  '/other': (_request, response) => response.end(CONTENT.toUpperCase()),
  '/longer': (_request, response) => response.end(`${CONTENT}!`),
  '/shorter': (_request, response) => response.end(CONTENT.slice(1)),
  '/flood': flood,
  '/stall': (_request, response) => {
    response.writeHead(200, { 'content-length': CONTENT.length })
    response.write(CONTENT.slice(0, 4))
  },
  '/promises-more': (_request, response) => {
    response.writeHead(200, { 'content-length': CONTENT.length + 10 })
    response.write(CONTENT, () => response.destroy())
  },
  '/promises-less': (_request, response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n${CONTENT}`)
  },
  '/closes': (_request, response) => response.destroy(),
  '/gone': (_request, response) => response.writeHead(404).end(CONTENT),
  '/waits': (request, response) => {
    hasEnded = new Promise((resolve) => request.socket.once('close', () => resolve()))
    response.flushHeaders()
  },
}

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    asked.push(request.url ?? '')
    ANSWERS[request.url ?? '']?.(request, response)
  })
})
afterAll(() => server.stop())

const requestOf = (path: string, { maxBytes = 1_000, bytes = CONTENT.length } = {}): ArtefactRequest => ({
  role: path.slice(1),
  maxBytes,
  reference: { sha256, bytes, locator: { kind: 'https', url: `${server.url}${path}` }, format: 'text' },
})

const fetchWith = (allowedHosts: string[]) => createArtefactFetch(createGuardedFetch({ allowedHosts }))
const { signal } = new AbortController()

describe('an artefact', () => {
  test.each(['/file', '/moved', '/moved-3'])('is fetched once: %s', async (path) => {
    asked = []
    expect(await fetchWith([server.host])(requestOf(path), 5_000, signal)).toEqual({
      ok: true,
      artefact: { role: path.slice(1), sha256, bytes: CONTENT.length },
      content: Buffer.from(CONTENT),
    })
    expect(asked.filter((url) => url === '/file')).toHaveLength(1)
  })

  test.each([
    ['other bytes', '/other', 'artefact_mismatch', /SHA-256/],
    ['more bytes', '/longer', 'artefact_mismatch', /more than the declared 23/],
    ['fewer bytes', '/shorter', 'artefact_mismatch', /22 bytes, declared are 23/],
    ['bytes without end', '/flood', 'artefact_mismatch', /more than the declared/],
    ['fewer bytes than its header promises', '/promises-more', 'artefact_unavailable', /./],
    ['more bytes than its header promises', '/promises-less', 'artefact_mismatch', /4 bytes/],
    ['nothing', '/closes', 'artefact_unavailable', /./],
    ['another status', '/gone', 'artefact_unavailable', /status 404/],
    ['a fourth redirect', '/moved-4', 'artefact_unavailable', /more than 3 redirects/],
    ['a redirect into a private network', '/inside', 'artefact_unavailable', /does not connect/],
    ['a redirect to the metadata of a cloud', '/metadata', 'artefact_unavailable', /does not connect/],
  ])('is missing when its source sends %s', async (_what, path, reason, detail) => {
    const result = await fetchWith([server.host])(requestOf(path), 5_000, signal)
    expect(result).toMatchObject({ ok: false, reason, detail: expect.stringMatching(detail) })
    expect(result).toMatchObject({ detail: expect.stringMatching(`^${path.slice(1)}: `) })
  })

  test('is missing when its source stalls', async () => {
    const result = await fetchWith([server.host])(requestOf('/stall'), 300, signal)
    expect(result).toMatchObject({ ok: false, reason: 'artefact_unavailable', detail: 'stall: no answer within 300 ms' })
  })

  test('is not asked for at a private address, or beyond the limit of the profile', async () => {
    asked = []
    expect(await fetchWith([])(requestOf('/file'), 5_000, signal)).toMatchObject({ reason: 'artefact_unavailable' })
    expect(await fetchWith([server.host])(requestOf('/file', { maxBytes: 22 }), 5_000, signal)).toMatchObject({
      reason: 'artefact_unavailable',
      detail: 'file: the declared 23 bytes are more than 22',
    })
    expect(asked).toEqual([])
  })
})

describe('several artefacts', () => {
  test('come in the order of the requests', async () => {
    const fetched = await fetchArtefacts(fetchWith([server.host]), [requestOf('/moved'), requestOf('/file')], 5_000, signal)
    expect(fetched).toMatchObject([{ artefact: { role: 'moved' } }, { artefact: { role: 'file' } }])
  })

  test('are given up at the first fault', async () => {
    asked = []
    const fetched = await fetchArtefacts(fetchWith([server.host]), [requestOf('/waits'), requestOf('/other')], 60_000, signal)
    expect(fetched).toMatchObject({ ok: false, reason: 'artefact_mismatch' })
    if (asked.includes('/waits')) await hasEnded
  })

  test('are given up when the caller ends the run', async () => {
    const run = new AbortController()
    const fetching = fetchArtefacts(fetchWith([server.host]), [requestOf('/waits')], 60_000, run.signal)
    run.abort()
    expect(await fetching).toMatchObject({ ok: false, reason: 'artefact_unavailable' })
    expect(await fetchWith([server.host])(requestOf('/file'), 5_000, run.signal)).toMatchObject({ ok: false })
  })
})
