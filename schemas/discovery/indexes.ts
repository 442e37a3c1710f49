import { z } from 'zod'
import { literal, shape } from '../operations/values.ts'

/** Media type of a set of links that is an API catalogue. Source: RFC 9727, 4.1. */
export const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

const Links = z.array(shape('CatalogLink', 'A link of the API catalogue.', { href: z.url(), type: z.string().optional() })).optional()

/** Source: RFC 9727, appendix A. */
export const ApiCatalogShape = shape('ApiCatalog', 'APIs of this service with their documents.', {
  linkset: z.array(
    shape('CatalogEntry', 'Links from one address.', {
      anchor: z.url().describe('Address from which the links lead.'),
      item: Links.describe('APIs of the catalogue.'),
      'service-desc': Links.describe('Descriptions for programs.'),
      'service-doc': Links.describe('Descriptions for people.'),
      'service-meta': Links.describe('Further metadata.'),
      status: Links.describe('State of the service.'),
    }),
  ),
})
export type ApiCatalog = z.input<typeof ApiCatalogShape>

/** Address of the schema of a registry's entry. */
export const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** Entry of a server. Source: `$schema`. */
export const McpServerShape = shape('McpServer', 'Entry of this service for a registry of MCP servers.', {
  $schema: literal(SERVER_SCHEMA),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .max(200)
    .describe('Host of the service from its last label to its first, then the name of the service.'),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  websiteUrl: z.url(),
  remotes: z.array(
    shape('McpRemote', 'Address of the server.', {
      type: literal('streamable-http'),
      url: z.url(),
      headers: z.array(
        shape('McpHeader', 'Header that a client sends.', {
          name: z.string(),
          description: z.string(),
          isRequired: z.boolean(),
          isSecret: z.boolean(),
        }),
      ),
    }),
  ),
})
export type McpServer = z.input<typeof McpServerShape>
