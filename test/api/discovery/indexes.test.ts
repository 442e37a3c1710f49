import { describe, expect, test } from '@jest/globals'
import { mcpServer } from '../../../api/discovery/indexes.ts'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { McpServerShape } from '../../../schemas/discovery/indexes.ts'
import { accessOf } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { parseSettings } from '../../../schemas/settings.ts'
import { startApi } from '../../support/api.ts'
import { useApi } from '../support/started.ts'

const api = useApi({ settings: { MCP_HOSTS: '127.0.0.1' }, handlers: (deps) => createToolHandlers(deps) })

describe('documents that crawlers and registries read', () => {
  const routes = operationList.map(({ method, path }) => `${method} ${path}`)

  test('the API catalogue names both APIs, with documents that answer', async () => {
    const { status, headers, body } = await api.call('/.well-known/api-catalog')
    const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
    const link = '<https://work.example/.well-known/api-catalog>; rel="api-catalog"'
    expect([status, headers.get('content-type'), headers.get('link')]).toEqual([200, type, link])
    expect((await api.call('/.well-known/api-catalog', { method: 'HEAD' })).headers.get('link')).toBe(link)
    const [{ item }, ...apis] = body.linkset
    expect(item.map(({ href }: { href: string }) => href)).toEqual(apis.map(({ anchor }: { anchor: string }) => anchor))
    const targets = apis.flatMap((entry: Record<string, unknown>) => Object.values(entry).filter(Array.isArray).flat())
    expect(targets).toHaveLength(7)
    for (const { href, type: expected } of targets) {
      const reply = await api.call(href.slice('https://work.example'.length))
      expect([href, reply.status, reply.headers.get('content-type')]).toEqual([href, 200, expect.stringContaining(expected)])
    }
  })

  test.each([
    ['https://work.example', 'example.work'],
    ['https://api.work.example:8443/base', 'example.work.api'],
    ['http://127.0.0.1:8787', 'localhost'],
    ['http://[::1]:8787', 'localhost'],
    ['http://localhost:8787', 'localhost'],
  ])('the registry entry of %s is named below %s', (baseUrl, namespace) => {
    const { name, remotes } = McpServerShape.parse(mcpServer(baseUrl))
    expect([name, remotes[0]?.url]).toEqual([`${namespace}/agent-work-identity-service`, `${baseUrl}/mcp`])
  })

  test('the registry entry leads to the tools of this version', async () => {
    const { body } = await api.call('/server.json')
    const { body: manifest } = await api.call('/.well-known/agent-tools.json')
    expect([body.version, body.title, body.remotes]).toEqual([
      manifest.version,
      manifest.name,
      [expect.objectContaining({ type: 'streamable-http' })],
    ])
    expect(body.remotes[0].url).toBe(manifest.protocolEndpoints.mcp)
  })

  test('security.txt names the contacts that the operator set, and is missing without one', async () => {
    expect(await api.call('/.well-known/security.txt')).toMatchObject({ status: 404, body: { code: 'security_contact_unset' } })
    const contacts = ['mailto:security@work.example', 'https://work.example/report']
    const named = await startApi({
      databaseUrl: api.databaseUrl,
      now: Date.parse('2027-03-04T05:06:07.000Z'),
      settings: { SECURITY_CONTACT: contacts.join(', ') },
    })
    const { headers, text } = await named.call('/.well-known/security.txt')
    await named.close()
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text.split('\n')).toEqual([
      ...contacts.map((contact) => `Contact: ${contact}`),
      'Expires: 2027-06-02T00:00:00.000Z',
      'Canonical: https://work.example/.well-known/security.txt',
      'Preferred-Languages: en',
      '',
    ])
  })

  test.each(['security@work.example', 'http://work.example', 'mailto:none', 'mailto:a@b.example\nExpires: never', 'javascript:alert(1)'])(
    'a security contact may not be %j',
    (contact) => {
      const { problems } = parseSettings({ SECURITY_CONTACT: contact })
      expect(problems.filter((problem) => problem.startsWith('SECURITY_CONTACT'))).toHaveLength(1)
    },
  )

  test('robots.txt closes the paths that need a token, and no public one', async () => {
    const { headers, text } = await api.call('/robots.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const closed = [...text.matchAll(/^Disallow: \/(.+)\/$/gm)].map(([, segment]) => segment)
    expect(closed).toEqual(expect.arrayContaining(['account', 'admin', 'sessions']))
    const openSegments = operationList.filter((spec) => ['none', 'optional'].includes(accessOf(spec))).map(({ path }) => path.split('/')[1])
    expect(closed.filter((segment) => openSegments.includes(segment))).toEqual([])
    expect(closed.filter((segment) => !routes.some((route) => route.includes(` /${segment}`)))).toEqual([])
    // A crawler must read the headers of a share to learn that it may not list it.
    expect(closed).not.toContain('shares')
    expect(text).toMatch(/^Sitemap: https:\/\/work\.example\/sitemap\.xml$/m)
  })
})
