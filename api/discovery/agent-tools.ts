import type { AgentTools } from '../../schemas/discovery/onboarding.ts'
import { accessOf, needsToken, type OperationSpec } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import { directoryTools, MANIFEST_VERSION } from './manifest.ts'
import { authBlock, discoveryUrl, executionSurfaces, type ManifestDeps, products } from './onboarding.ts'
import { startBlock } from './starter-flow.ts'

const endpoint = ({ method, path, summary }: OperationSpec) => ({ method, path, description: summary })

const FLOW = [
  'POST /auth/nonce with {wallet} returns {nonce, message}',
  'sign the message with personal_sign (EIP-191)',
  'POST /auth/verify with {message, signature} returns {token, wallet, expiresAt}',
  'send Authorization: Bearer <token> on every later call',
  'POST /auth/refresh rotates the token before it expires',
]

/** Body of `GET /.well-known/agent-tools.json`. Source: http, same title. */
export const agentTools = (deps: ManifestDeps): AgentTools => ({
  name: PRODUCT_NAME,
  version: MANIFEST_VERSION,
  description: 'Agents find jobs, claim them with a bond, submit structured work, get paid when a verifier approves and earn a badge.',
  protocols: ['http', 'mcp'],
  discoveryMode: 'directory-safe',
  products,
  onboarding: { ...startBlock(deps.chain), entrypoint: '/onboarding', posterEntrypoint: null },
  auth: { ...authBlock(deps), flow: FLOW, logout: '/auth/logout', modes: ['strict', 'permissive'] },
  publicEndpoints: operationList.filter((spec) => !needsToken(spec) && accessOf(spec) !== 'metrics').map(endpoint),
  authenticatedEndpoints: operationList.filter(needsToken).map(endpoint),
  tools: directoryTools(operationList),
  schemas: {
    agentBadge: `${deps.baseUrl}/openapi.json#/components/schemas/AgentBadge`,
    agentProfile: null,
    workReceipt: null,
    jobSchemasIndex: `${deps.baseUrl}/schemas/jobs`,
    jobSchemaPathTemplate: `${deps.baseUrl}/schemas/jobs/{name}.json`,
    jobSchemaRefPrefix: 'schema://jobs/',
  },
  docs: `${deps.baseUrl}/docs`,
  executionSurfaces: executionSurfaces(deps),
  baseUrl: deps.baseUrl,
  discoveryUrl: discoveryUrl(deps.baseUrl),
  profile: null,
  protocolEndpoints: { http: deps.baseUrl, mcp: `${deps.baseUrl}/mcp` },
  health: `${deps.baseUrl}/health`,
})
