import { z } from 'zod'
import { operation, PUBLIC } from '../operations/operation.ts'
import { OpenObject } from '../operations/values.ts'
import { ApiCatalogShape, LINKSET_TYPE, McpServerShape } from './indexes.ts'
import { AgentToolsShape, OnboardingShape, WelcomeShape } from './onboarding.ts'

const page = { tags: ['Platform'], auth: PUBLIC, cache: 'public, max-age=300' } as const

export const getOnboarding = operation('getOnboarding', 'GET /onboarding', {
  summary: 'What the service does and how to start: the flow, wallet modes, requirements, tools.',
  description: '`detail=welcome` is short; `full`, the default over HTTP, is everything.',
  ...page,
  action: 'read_onboarding',
  query: z.object({ detail: z.enum(['welcome', 'full']).default('full').describe('How much of it to show.') }),
  responses: { 200: z.union([OnboardingShape, WelcomeShape]) },
  cache: 'public, max-age=30',
  examples: { query: { detail: 'full' } },
  tool: {
    name: 'getPlatformCapabilities',
    directory: true,
    sets: ['worker', 'poster', 'savings', 'operator'],
    defaults: { detail: 'welcome' },
  },
})

export const getAgentTools = operation('getAgentTools', 'GET /.well-known/agent-tools.json', {
  summary: 'Capability manifest at its well-known address.',
  ...page,
  responses: { 200: AgentToolsShape },
})

export const getOpenApi = operation('getOpenApi', 'GET /openapi.json', {
  summary: 'OpenAPI 3.1 description of every route and every code.',
  ...page,
  query: z.object({
    examples: z.enum(['all', 'none']).default('all').describe('`none` leaves the examples out, about a third of the document.'),
  }),
  responses: { 200: OpenObject },
  examples: { query: { examples: 'none' } },
})

const text = { produces: 'text/plain; charset=utf-8', responses: { 200: z.string() } } as const

export const getLlmsText = operation('getLlmsText', 'GET /llms.txt', {
  summary: 'What the service is, for a language model: the way in, the tools, the routes.',
  ...page,
  ...text,
})

export const getLlmsFullText = operation('getLlmsFullText', 'GET /llms-full.txt', {
  summary: 'The same with the arguments of every tool, the members of every request and every error code.',
  ...page,
  ...text,
})

export const getApiCatalog = operation('getApiCatalog', 'GET /.well-known/api-catalog', {
  summary: 'Catalogue of the APIs of this service (RFC 9727), as a set of links (RFC 9264).',
  ...page,
  responses: { 200: ApiCatalogShape },
  produces: LINKSET_TYPE,
})

export const getMcpServer = operation('getMcpServer', 'GET /server.json', {
  summary: 'Entry for a registry of servers of the Model Context Protocol.',
  ...page,
  responses: { 200: McpServerShape },
})

export const getSecurityText = operation('getSecurityText', 'GET /.well-known/security.txt', {
  summary: 'Where to report a vulnerability of this service (RFC 9116).',
  ...page,
  ...text,
  errors: ['security_contact_unset'],
})

export const getRobotsText = operation('getRobotsText', 'GET /robots.txt', {
  summary: 'Paths that crawlers need not try (RFC 9309): all of them need a token.',
  ...page,
  ...text,
})

export const getSitemap = operation('getSitemap', 'GET /sitemap.xml', {
  summary: 'Pages that search engines may list: those of the service, the newest badges and the public profiles.',
  ...page,
  rate: 'badges_list',
  cache: 'public, max-age=30',
  responses: { 200: z.string() },
  produces: 'application/xml; charset=utf-8',
})

export const getHome = operation('getHome', 'GET /', {
  summary: 'Page for people: what the service is, what it offers now, and how to begin.',
  ...page,
  cache: 'public, max-age=10',
  responses: { 200: z.string() },
  produces: 'text/html; charset=utf-8',
})

export const getDocs = operation('getDocs', 'GET /docs', {
  summary: 'Start page of the documentation: first steps, rules of the API, every operation by subject.',
  description: 'With `q` it is a page of the operations, error codes and shapes that hold every word of it.',
  ...page,
  query: z.object({ q: z.string().trim().max(100).optional().describe('Words to search for.') }),
  responses: { 200: z.string() },
  produces: 'text/html; charset=utf-8',
  examples: { query: { q: 'claim' } },
})

export const getDocsSubject = operation('getDocsSubject', 'GET /docs/:subject', {
  summary: 'Page of one subject: its operations and the shapes of their answers.',
  ...page,
  params: z.object({ subject: z.string().min(1).max(60).describe('Name of the subject in lower case, with hyphens for spaces.') }),
  responses: { 200: z.string() },
  errors: ['docs_page_not_found'],
  produces: 'text/html; charset=utf-8',
  examples: { params: { subject: 'jobs' } },
})

export const getGuides = operation('getGuides', 'GET /docs/guides', {
  summary: 'Page of all guides: what each needs, what it costs and what the reader has at its end.',
  ...page,
  responses: { 200: z.string() },
  produces: 'text/html; charset=utf-8',
})

export const getGuide = operation('getGuide', 'GET /docs/guides/:name', {
  summary: 'Page of one guide: its commands in order, what they print and what to do when they are refused.',
  ...page,
  params: z.object({ name: z.string().min(1).max(60).describe('Name of the guide in lower case, with hyphens for spaces.') }),
  responses: { 200: z.string() },
  errors: ['docs_page_not_found'],
  produces: 'text/html; charset=utf-8',
  examples: { params: { name: 'first-badge' } },
})

export const getErrors = operation('getErrors', 'GET /docs/errors', {
  summary: 'Page of all error codes by status.',
  ...page,
  responses: { 200: z.string() },
  produces: 'text/html; charset=utf-8',
})

export const getError = operation('getError', 'GET /docs/errors/:code', {
  summary: 'Page of an error code: its meaning, what to do, and the operations that answer it.',
  description: 'The `type` of a problem document is this address.',
  ...page,
  params: z.object({ code: z.string().min(1).max(80).describe('Code of a problem document.') }),
  responses: { 200: z.string() },
  errors: ['docs_page_not_found'],
  produces: 'text/html; charset=utf-8',
  examples: { params: { code: 'job_already_claimed' } },
})

export const getVerifyPage = operation('getVerifyPage', 'GET /verify', {
  summary: 'Page that checks a signed record in the browser.',
  description:
    'It checks badges, receipts, dispute files and histories with the modules of `GET /verify/:name.ts`. The content of the record is never sent.',
  ...page,
  query: z.object({ record: z.string().max(400).optional().describe('Address of a record of this service that the page checks at once.') }),
  examples: { query: { record: '/badges/starter-docs-001%3A0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
  responses: { 200: z.string() },
  produces: 'text/html; charset=utf-8',
})

export const getVerifyModule = operation('getVerifyModule', 'GET /verify/:name.ts', {
  summary: 'A module of the verifier, as JavaScript.',
  description: 'The source of `npm run verify-record` without its types.',
  ...page,
  params: z.object({ name: z.string().min(1).max(60) }),
  responses: { 200: z.string() },
  errors: ['verifier_module_not_found'],
  produces: 'text/javascript; charset=utf-8',
  examples: { params: { name: 'check' } },
})
