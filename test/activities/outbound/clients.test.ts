import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createFetches, type Fetches } from '../../../activities/outbound/clients.ts'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'

/** Servers of this machine: one for each source of the operator, and one that a caller names. */
const NAMES = ['codehost', 'encyclopedia', 'osv', 'openData', 'openapiList', 'standards', 'callers'] as const satisfies (keyof Fetches)[]
type Name = (typeof NAMES)[number]
let servers: Record<Name, HttpServer>
const asked: string[] = []

beforeAll(async () => {
  const start = async (name: Name) =>
    [
      name,
      await startHttpServer((request, response) => {
        asked.push(name)
        if (request.url === '/away') response.writeHead(302, { location: `${servers.callers.url}/text` }).end()
        else response.end(name)
      }),
    ] as const
  servers = Object.fromEntries(await Promise.all(NAMES.map(start))) as Record<Name, HttpServer>
})
afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())))

const fetchesWith = (LOCAL_CALLER_HOSTS: string[], change: Partial<Parameters<typeof createFetches>[0]> = {}): Fetches =>
  createFetches({
    CODEHOST_API_URL: `${servers.codehost.url}/api`,
    WIKIPEDIA_API_URL: `${servers.encyclopedia.url}/{language}/w/api.php`,
    OSV_API_URL: servers.osv.url,
    OPEN_DATA_API_URL: servers.openData.url,
    OPENAPI_LIST_URL: `${servers.openapiList.url}/v2/list.json`,
    STANDARDS_API_URL: `${servers.standards.url}/api`,
    LOCAL_CALLER_HOSTS,
    ...{ HOST: '127.0.0.1', PORT: 8787, PUBLIC_BASE_URL: 'https://work.example', INGEST_USER_AGENT_CONTACT: undefined },
    ...change,
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
    for (const client of NAMES.filter((name) => name !== 'callers'))
      expect(await reach(fetches, client, `${servers[client].url}/away`)).toBe('refused')
  })

  test('for what callers name reaches nothing private unless the local chain allows it', async () => {
    asked.length = 0
    for (const name of NAMES) expect(await reach(fetchesWith([]), 'callers', `${servers[name].url}/text`)).toBe('refused')
    expect(asked).toEqual([])
  })

  test('sends the encyclopedia a user agent with the contact of the operator, else the address of the service', async () => {
    const agents: (string | undefined)[] = []
    const { url, host, stop } = await startHttpServer((request, response) => {
      agents.push(request.headers['user-agent'])
      response.end()
    })
    for (const INGEST_USER_AGENT_CONTACT of ['ops@work.example', undefined]) {
      const { encyclopedia } = fetchesWith([], { WIKIPEDIA_API_URL: `http://${host}/w/api.php`, INGEST_USER_AGENT_CONTACT })
      await encyclopedia({ url, timeoutMs: 2_000, maxBytes: 100, redirects: 0 })
    }
    await stop()
    expect(agents).toEqual([expect.stringContaining(' (ops@work.example) '), expect.stringContaining(' (https://work.example) ')])
  })

  test('allows no host by an address whose host names the language', async () => {
    const { encyclopedia } = fetchesWith([], { WIKIPEDIA_API_URL: `http://{language}:${new URL(servers.encyclopedia.url).port}/` })
    expect(await encyclopedia({ url: `${servers.encyclopedia.url}/`, timeoutMs: 2_000, maxBytes: 100, redirects: 0 })).toMatchObject({
      failure: 'refused',
    })
  })
})
