import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createFetches, type Fetches } from '../../../activities/outbound/clients.ts'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'

/** Three servers of this machine: two sources of the operator, and one that a caller names. */
let servers: Record<keyof Fetches, HttpServer>
const asked: string[] = []

beforeAll(async () => {
  const start = (name: string) =>
    startHttpServer((request, response) => {
      asked.push(name)
      if (request.url === '/away') response.writeHead(302, { location: `${servers.callers.url}/text` }).end()
      else response.end(name)
    })
  servers = { codehost: await start('codehost'), encyclopedia: await start('encyclopedia'), callers: await start('callers') }
})
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())))

const NAMES = ['codehost', 'encyclopedia', 'callers'] as const
const fetchesWith = (LOCAL_CALLER_HOSTS: string[]): Fetches =>
  createFetches({
    CODEHOST_API_URL: `${servers.codehost.url}/api`,
    WIKIPEDIA_API_URL: `${servers.encyclopedia.url}/{language}/w/api.php`,
    LOCAL_CALLER_HOSTS,
  })
const reach = async (fetches: Fetches, client: keyof Fetches, url: string): Promise<string> => {
  const answer = await fetches[client]({ url, timeoutMs: 2_000, maxBytes: 100, redirects: 1 })
  return answer.ok ? answer.body.toString() : answer.failure
}

describe('a client of other hosts', () => {
  test.each(NAMES)('%s reaches its own private host and no other', async (client) => {
    const fetches = fetchesWith([servers.callers.host])
    for (const name of NAMES) {
      asked.length = 0
      const reached = name === client
      expect([name, await reach(fetches, client, `${servers[name].url}/text`)]).toEqual([name, reached ? name : 'refused'])
      expect(asked).toEqual(reached ? [name] : [])
    }
  })

  test('is not led to the host of another by its own', async () => {
    const fetches = fetchesWith([servers.callers.host])
    for (const client of ['codehost', 'encyclopedia'] as const)
      expect(await reach(fetches, client, `${servers[client].url}/away`)).toBe('refused')
  })

  test('for what callers name reaches nothing private unless the local chain allows it', async () => {
    asked.length = 0
    for (const name of NAMES) expect(await reach(fetchesWith([]), 'callers', `${servers[name].url}/text`)).toBe('refused')
    expect(asked).toEqual([])
  })

  test('allows no host by an address whose host names the language', async () => {
    const { encyclopedia } = createFetches({
      CODEHOST_API_URL: servers.codehost.url,
      WIKIPEDIA_API_URL: `http://{language}:${new URL(servers.encyclopedia.url).port}/`,
      LOCAL_CALLER_HOSTS: [],
    })
    expect(await encyclopedia({ url: `${servers.encyclopedia.url}/`, timeoutMs: 2_000, maxBytes: 100, redirects: 0 })).toMatchObject({
      failure: 'refused',
    })
  })
})
