import type { RequestListener } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { createAddressCheck, createGuardedFetch, type OutboundRequest } from '../../../activities/outbound/guarded-fetch.ts'
import { isPublicAddress } from '../../../activities/outbound/public-address.ts'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'

let server: HttpServer
let origin: string
let seen: { url: string; authorization: string | undefined; host: string | undefined }[] = []

const ANSWERS: Record<string, RequestListener> = {
  '/text': (_request, response) => response.end('hello'),
  '/echo': (request, response) => {
    const { 'content-length': length, 'content-type': type } = request.headers
    response.setHeader('received', `${request.method} ${length} ${type}`)
    request.pipe(response)
  },
  '/long': (_request, response) => response.end('x'.repeat(5_000)),
  '/slow': () => undefined,
  '/drip': (_request, response) => {
    const drip = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(drip))
  },
  '/to-text': (_request, response) => response.writeHead(302, { location: '/text' }).end(),
  '/to-other-host': (_request, response) => response.writeHead(307, { location: `${origin.replace('127.0.0.1', 'localhost')}/text` }).end(),
  '/to-metadata': (_request, response) => response.writeHead(301, { location: 'https://169.254.169.254/latest' }).end(),
  '/round': (_request, response) => response.writeHead(302, { location: '/round' }).end(),
  '/cut-off': (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half')
    response.destroy()
  },
}

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization, host: request.headers.host })
    const answer = ANSWERS[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end()
    else answer(request, response)
  })
  origin = server.url
})
afterAll(() => server.stop())

afterEach(() => {
  jest.restoreAllMocks()
})

const hostOf = (address: string): string => new URL(address).host
const get = (url: string, { allowed = [hostOf(origin)], ...request }: Partial<OutboundRequest> & { allowed?: string[] } = {}) => {
  seen = []
  return createGuardedFetch({ allowedHosts: allowed })({ url, timeoutMs: 2_000, maxBytes: 1_024, redirects: 0, ...request })
}

describe('addresses', () => {
  test.each<[string, boolean, string[]]>([
    ['of hosts on the internet', true, ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1']],
    ['beside a private range', true, ['172.15.0.1', '172.32.0.1']],
    ['of this machine', false, ['127.0.0.1', '127.255.255.254', '0.0.0.0', '::', '::1']],
    ['of a private network', false, ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fc00::1', 'fd12:3456::1']],
    ['of one link', false, ['169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
    ['of several hosts', false, ['224.0.0.1', '255.255.255.255', 'ff02::1']],
    ['kept for examples and measurements', false, ['192.0.2.7', '198.19.0.1', '100::1', '2001:db8::1']],
    ['of IPv4 inside IPv6', false, ['::127.0.0.1', '::ffff:127.0.0.1', '::ffff:1.1.1.1', '::ffff:a00:1']],
    ['that are translated to IPv4', false, ['64:ff9b::7f00:1', '64:ff9b:1::1', '2001::1', '2002:7f00:1::']],
    ['of a cloud for its own machines', false, ['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254']],
    ['of tunnels between sites', false, ['2606:4700::5efe:7f00:1', '2a00:1450:4001:1:200:5efe:10.0.0.1', '2606:4700:0:1:0:5EFE:a00::']],
    [
      'that only look like those',
      true,
      ['168.63.129.15', '168.63.129.17', '2606:4700::5efe:1', '2606:5efe::1', '2606:4700:1:2:3:5efe:7f00:1'],
    ],
    ['of shared services', false, ['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1', '2620:4f:8000::1', '2001:4:112::1']],
    ['given back or kept for later', false, ['3ffe::1', '3fff::1', '240.0.0.1', '5f00::1', 'fec0::1', '4000::1', '100:0:0:1::1']],
    ['that are none', false, ['localhost', '']],
  ])('%s are public: %s', (_kind, isPublic, addresses) => {
    expect(addresses.filter((address) => isPublicAddress(address) !== isPublic)).toEqual([])
  })
})

describe('what strangers name is fetched', () => {
  test('from a host that the configuration names, although it is here', async () => {
    expect(await get(`${origin}/text`)).toMatchObject({ ok: true, status: 200, body: Buffer.from('hello') })
    expect(await get(`${origin}/nothing`)).toMatchObject({ ok: true, status: 404 })
  })

  test.each([
    ['loopback', () => `${origin.replace('http:', 'https:')}/text`],
    ['plain HTTP', () => `${origin}/text`],
    ['a name of this machine', () => 'https://localhost/text'],
    ['the address in another spelling', () => 'https://2130706433/text'],
    ['hexadecimal', () => 'https://0x7f.1/text'],
    ['octal', () => 'https://0177.0.0.1/'],
    ['IPv6 loopback', () => 'https://[::1]/'],
    ['IPv4 inside IPv6', () => 'https://[::ffff:127.0.0.1]/'],
    ['the metadata of a cloud', () => 'https://169.254.169.254/latest/meta-data'],
    ['the platform of a cloud', () => 'https://168.63.129.16/machine'],
    ['a tunnel between sites', () => 'https://[2606:4700::5efe:7f00:1]/'],
    ['another port', () => 'https://example.com:8443/'],
    ['credentials', () => 'https://user:word@example.com/'],
    ['a file', () => 'file:///etc/passwd'],
    ['no address', () => 'example'],
  ])('never from there: %s', async (_name, url) => {
    expect(await get(url(), { allowed: [] })).toMatchObject({ ok: false, failure: 'refused' })
    expect(seen).toEqual([])
  })

  test('naming a host names its port too', async () => {
    expect(await get(`${origin}/text`, { allowed: ['127.0.0.1'] })).toMatchObject({ ok: false, failure: 'refused' })
  })

  test('never when one of the addresses of a name is private', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const fetch = createGuardedFetch({ allowedHosts: [], resolve })
    expect(await fetch({ url: 'https://two-faced.example/', timeoutMs: 2_000, maxBytes: 10, redirects: 0 })).toMatchObject({
      failure: 'refused',
    })
  })

  test('at the address that was checked: a name is asked once', async () => {
    let asked = 0
    const resolve = async () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.1' : '93.184.216.34', family: 4 }]
    }
    const named = `rebound.example:${new URL(origin).port}`
    const fetch = createGuardedFetch({ allowedHosts: [named], resolve })
    seen = []
    expect(await fetch({ url: `http://${named}/text`, timeoutMs: 2_000, maxBytes: 1_024, redirects: 0 })).toMatchObject({ status: 200 })
    expect(asked).toBe(1)
    expect(seen).toEqual([{ url: '/text', authorization: undefined, host: named }])
  })

  test('through redirects, as many as allowed', async () => {
    expect(await get(`${origin}/to-text`, { redirects: 1 })).toMatchObject({ ok: true, status: 200, url: `${origin}/text` })
    expect(await get(`${origin}/to-text`)).toMatchObject({ ok: false, failure: 'redirected' })
    expect(await get(`${origin}/round`, { redirects: 3 })).toMatchObject({ ok: false, failure: 'redirected' })
    expect(seen).toHaveLength(4)
  })

  test('never through a redirect to where it may not go', async () => {
    expect(await get(`${origin}/to-metadata`, { redirects: 3 })).toMatchObject({ ok: false, failure: 'refused' })
    expect(await get(`${origin}/to-other-host`, { redirects: 3 })).toMatchObject({ ok: false, failure: 'refused' })
  })

  test('without the secret once a redirect leads to another host', async () => {
    const headers = { authorization: 'Bearer secret' }
    const allowed = [hostOf(origin), hostOf(origin).replace('127.0.0.1', 'localhost')]
    expect(await get(`${origin}/to-other-host`, { redirects: 1, allowed, headers })).toMatchObject({ status: 200 })
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer secret', undefined])
    await get(`${origin}/to-text`, { redirects: 1, headers })
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer secret', 'Bearer secret'])
  })

  test('up to a length', async () => {
    expect(await get(`${origin}/long`)).toMatchObject({ ok: false, failure: 'too_large' })
    const cut = await get(`${origin}/long`, { cut: true })
    expect(cut.ok && cut.body.length).toBe(1_024)
  })

  test.each([['/slow'], ['/drip']])('for a time only: %s', async (path) => {
    const timers = jest.spyOn(globalThis, 'setTimeout')
    expect(await get(`${origin}${path}`, { timeoutMs: 200, maxBytes: 1_000_000 })).toMatchObject({ ok: false, failure: 'timeout' })
    expect(timers.mock.calls.map(([, delayMs]) => delayMs)).toEqual([200])
  })

  test('and keeps nothing of an answer in memory until the end of that time', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const read = async () => new WeakRef(await get(`${origin}/text`, { timeoutMs: 600_000 }))
    const answer = await read()
    expect(answer.deref()).toMatchObject({ ok: true, status: 200 })
    for (let turn = 0; turn < 20; turn += 1) {
      await nextTurn()
      collect()
    }
    expect(answer.deref()).toBeUndefined()
  })

  test('and what breaks off is a failure', async () => {
    expect(await get(`${origin}/cut-off`)).toMatchObject({ ok: false, failure: 'network' })
    expect(await get('http://127.0.0.1:1/', { allowed: ['127.0.0.1:1'] })).toMatchObject({ ok: false, failure: 'network' })
    const nameless = createGuardedFetch({ allowedHosts: [], resolve: async () => Promise.reject(new Error('ENOTFOUND')) })
    expect(await nameless({ url: 'https://nowhere.example/', timeoutMs: 500, maxBytes: 1, redirects: 0 })).toMatchObject({
      failure: 'network',
    })
  })
})

describe('a request with a body', () => {
  test('is a POST with its length', async () => {
    const sent = await get(`${origin}/echo`, { body: '{"price":"2 €"}', headers: { 'content-type': 'application/json' } })
    expect(sent).toMatchObject({ ok: true, status: 200, headers: { received: 'POST 17 application/json' } })
    expect(sent.ok && sent.body.toString()).toBe('{"price":"2 €"}')
  })

  test('follows no redirect, whatever is allowed', async () => {
    expect(await get(`${origin}/to-text`, { body: '{}', redirects: 3 })).toMatchObject({ ok: false, failure: 'redirected' })
    expect(seen.map(({ url }) => url)).toEqual(['/to-text'])
  })

  test('reaches no private address', async () => {
    expect(await get(`${origin}/echo`, { body: '{}', allowed: [] })).toMatchObject({ ok: false, failure: 'refused' })
    expect(seen).toEqual([])
  })
})

describe('a request that its caller ends', () => {
  test('has no answer, before and after it was sent', async () => {
    const ended = new AbortController()
    const fetching = get(`${origin}/slow`, { timeoutMs: 60_000, signal: ended.signal, onSent: () => ended.abort() })
    expect(await fetching).toMatchObject({ ok: false, failure: 'timeout' })
    expect(await get(`${origin}/text`, { signal: ended.signal })).toMatchObject({ ok: false, failure: 'timeout' })
    expect(seen).toEqual([])
  })

  test('has the body so far when that is enough', async () => {
    const pieces: string[] = []
    const isEnough = (chunk: Buffer) => pieces.push(chunk.toString()) === 2
    const answer = await get(`${origin}/drip`, { timeoutMs: 60_000, isEnough })
    expect(pieces).toHaveLength(2)
    expect(answer).toMatchObject({ ok: true, body: Buffer.from(pieces.join('')) })
    expect(await get(`${origin}/text`, { isEnough: () => false })).toMatchObject({ ok: true, body: Buffer.from('hello') })
  })

  test('may be a DELETE', async () => {
    expect(await get(`${origin}/echo`, { method: 'DELETE' })).toMatchObject({
      ok: true,
      headers: { received: expect.stringMatching(/^DELETE/) },
    })
  })
})

describe('the check of an address', () => {
  const check = (address: string, resolve?: () => Promise<{ address: string; family: number }[]>) =>
    createAddressCheck({ allowedHosts: ['named.example:81'], ...(resolve && { resolve }) }, 200)(address)
  const publicName = async () => [{ address: '93.184.216.34', family: 4 }]

  test('passes a public name over https and an allowed host', async () => {
    expect(await check('https://agent.example/events', publicName)).toBeNull()
    expect(await check('http://named.example:81/', async () => [{ address: '127.0.0.1', family: 4 }])).toBeNull()
  })

  test.each([
    ['http://agent.example/', 'the scheme http:'],
    ['https://agent.example:8443/', 'the port 8443'],
    ['https://user:word@agent.example/', 'credentials in the address'],
    ['https://10.0.0.1/', '10.0.0.1 is at an address that is not public'],
    ['https://[::1]/', '[::1] is at an address that is not public'],
    ['nonsense', 'not an address'],
  ])('refuses %s', async (address, fault) => {
    expect(await check(address, publicName)).toBe(fault)
  })

  test('refuses a name that is not resolved, and one that is not resolved in time', async () => {
    expect(await check('https://agent.example/', async () => Promise.reject(new Error('ENOTFOUND')))).toBe('ENOTFOUND')
    expect(await check('https://agent.example/', () => new Promise(() => undefined))).toBe('no answer within 200 ms')
  })
})
