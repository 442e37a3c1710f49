import { isIP } from 'node:net'
import { DAY_MS, iso } from '../../domain/common/instants.ts'
import { badgeUrl } from '../../domain/reputation/badge.ts'
import { html } from '../../pages/html.ts'
import { type ApiCatalog, type McpServer, SERVER_SCHEMA } from '../../schemas/discovery/indexes.ts'
import { accessOf, type OperationSpec } from '../../schemas/operations/operation.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../service.ts'

/** What the tools do, in the length that a registry takes. */
export const TOOLS_DESCRIPTION = 'Find jobs, claim, submit, get paid and earn a badge, as tools.'

const JSON_TYPE = 'application/json'

const catalogUrl = (baseUrl: string): string => `${baseUrl}/.well-known/api-catalog`

/** Body of `GET /.well-known/api-catalog`. */
export const apiCatalog = (baseUrl: string): ApiCatalog => {
  const documents = {
    'service-doc': [{ href: `${baseUrl}/docs`, type: 'text/html' }],
    status: [{ href: `${baseUrl}/health`, type: JSON_TYPE }],
  }
  return {
    linkset: [
      { anchor: catalogUrl(baseUrl), item: [{ href: `${baseUrl}/` }, { href: `${baseUrl}/mcp` }] },
      {
        anchor: `${baseUrl}/`,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: JSON_TYPE }],
        'service-meta': [{ href: `${baseUrl}/.well-known/agent-tools.json`, type: JSON_TYPE }],
        ...documents,
      },
      { anchor: `${baseUrl}/mcp`, 'service-desc': [{ href: `${baseUrl}/server.json`, type: JSON_TYPE }], ...documents },
    ],
  }
}

/** Link by which a reader of the headers alone knows the catalogue. Source: RFC 9727, 3. */
export const catalogLink = (baseUrl: string): string => `<${catalogUrl(baseUrl)}>; rel="api-catalog"`

/** Labels of a host from the last to the first; an address without a name is the own machine. */
const namespaceOf = (host: string): string =>
  isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host.split('.').toReversed().join('.') : 'localhost'

/** Body of `GET /server.json`. */
export const mcpServer = (baseUrl: string): McpServer => ({
  $schema: SERVER_SCHEMA,
  name: `${namespaceOf(new URL(baseUrl).hostname)}/${SERVICE_NAME}`,
  title: PRODUCT_NAME,
  description: TOOLS_DESCRIPTION,
  version: SERVICE_VERSION,
  websiteUrl: `${baseUrl}/docs`,
  remotes: [
    {
      type: 'streamable-http',
      url: `${baseUrl}/mcp`,
      headers: [
        {
          name: 'Authorization',
          description: 'Bearer and the token of verifySiwe. Tools that only read public records need none.',
          isRequired: false,
          isSecret: true,
        },
      ],
    },
  ],
})

/** Days for which a security contact counts as current; readers ask again before they have passed. */
const CONTACT_DAYS = 90

/** Body of `GET /.well-known/security.txt`; null without a contact. `now` is in epoch ms. */
export const securityText = (baseUrl: string, contacts: readonly string[], now: number): string | null => {
  if (contacts.length === 0) return null
  const expires = new Date((Math.floor(now / DAY_MS) + CONTACT_DAYS) * DAY_MS).toISOString()
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    'Preferred-Languages: en',
    '',
  ].join('\n')
}

/** First segments of paths below which every operation needs a credential. */
const closedSegments = (operations: readonly OperationSpec[]): string[] => {
  const bySegment = Map.groupBy(operations, ({ path }) => path.split('/')[1] ?? '')
  const isClosed = (spec: OperationSpec): boolean => !['none', 'optional'].includes(accessOf(spec))
  return [...bySegment].flatMap(([segment, own]) => (own.every(isClosed) ? [segment] : [])).toSorted()
}

/** Body of `GET /robots.txt`. Shares are not named: a crawler must read their headers to learn that it may not list them. */
export const robotsText = (operations: readonly OperationSpec[], baseUrl: string): string =>
  [
    'User-agent: *',
    ...closedSegments(operations).flatMap((segment) => [`Disallow: /${segment}$`, `Disallow: /${segment}/`]),
    'Allow: /',
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n')

/** Pages of the service itself that a search engine may list. */
const OWN_PAGES = ['/', '/jobs', '/docs', '/docs/guides', '/verify']

interface Listed {
  badges: readonly { sessionId: string; issuedAt: number }[]
  /** Wallets with a public profile. */
  wallets: readonly string[]
}

/** Body of `GET /sitemap.xml`: a badge never changes, so the instant of its issue is that of its last change. */
export const sitemap = ({ badges, wallets }: Listed, baseUrl: string): string => {
  const pages = [...OWN_PAGES, ...wallets.map((wallet) => `/agents/${wallet}`)]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${
    html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map((path) => html`<url><loc>${baseUrl}${path}</loc></url>\n`)}${badges.map(
  ({ sessionId, issuedAt }) => html`<url><loc>${badgeUrl(baseUrl, sessionId)}</loc><lastmod>${iso(issuedAt)}</lastmod></url>\n`,
)}</urlset>
`.html
  }`
}
