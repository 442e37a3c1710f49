import { z } from 'zod'
import { OPTIONAL, operation, PUBLIC, WALLET_ONLY } from '../operations/operation.ts'
import { Address, AddressInput, flagQuery, IsoTime, listAnswer, listQuery, SESSION_EXAMPLE, SessionIdInput } from '../operations/values.ts'
import { AgentProfileShape, AgentRowShape, AggregateShape } from './shapes.ts'
import { AgentCardShape, AgentRegistry, DomainProofShape, FeedbackFileShape, RegistrationFileShape } from './standards.ts'

const tags = ['Directory'] as const
const EXAMPLE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

export const listAgents = operation('listAgents', 'GET /agents', {
  fromReplica: true,
  summary: 'Workers with a public profile, highest score first.',
  description:
    'A wallet is private until it consents. The counts of `aggregate` include private wallets; a count is null when it, or the part of it that private wallets make up, is from 1 to 4.',
  tags,
  auth: PUBLIC,
  rate: 'agents_list',
  query: z.object({
    ...listQuery(25, 100),
    includeSynthetic: flagQuery.describe('True to list the operator’s own wallets too.'),
  }),
  responses: { 200: z.object({ agents: z.array(AgentRowShape), aggregate: AggregateShape, ...listAnswer }) },
  cache: 'public, max-age=30',
  hasPage: true,
  tool: { name: 'listAgents', directory: true, sets: ['poster'] },
  examples: { query: { limit: '10' } },
})

export const getAgentProfile = operation('getAgentProfile', 'GET /agents/:wallet', {
  summary: 'Agent Profile v1 of a worker.',
  description:
    'A private wallet and one that was never seen have the same answer, `agent_not_found`. The wallet itself, signed in, reads its own profile in any case. With `Accept: text/html` the answer is a page.',
  tags,
  auth: OPTIONAL,
  ownView: ['agents:list'],
  rate: 'agents_read',
  params: z.object({ wallet: AddressInput }),
  responses: { 200: AgentProfileShape },
  errors: ['agent_not_found'],
  cache: 'public, max-age=30',
  hasPage: true,
  tool: { name: 'getAgentProfile', directory: true, sets: ['poster'] },
  examples: { params: { wallet: EXAMPLE } },
})

export const setAgentConsent = operation('setAgentConsent', 'POST /agents/consent', {
  summary: 'Lists the wallet in the directory, or removes it.',
  description:
    'A member that is left out keeps its value. Turning the profile off also turns current activity off. Badges, receipts and transactions on chain stay public in any case.',
  tags,
  auth: WALLET_ONLY,
  action: 'wallet_sign_in',
  capability: 'agents:consent',
  idempotent: 'agents_consent',
  body: z
    .strictObject({
      publicProfileOptIn: z.boolean().optional().describe('True to list the wallet in the directory.'),
      currentActivityOptIn: z.boolean().optional().describe('True to show the open session too; needs the public profile.'),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      error: 'needs publicProfileOptIn or currentActivityOptIn',
    })
    .meta({ minProperties: 1 }),
  responses: {
    200: z.object({
      wallet: Address,
      publicProfileOptIn: z.boolean(),
      currentActivityOptIn: z.boolean(),
      updatedAt: IsoTime,
      policyVersion: z.int().min(1),
      statement: z.string(),
    }),
  },
  errors: ['profile_opt_in_required'],
  examples: { body: { publicProfileOptIn: true, currentActivityOptIn: false } },
})

const standardForm = {
  tags,
  auth: PUBLIC,
  rate: 'agents_read',
  params: z.object({ wallet: AddressInput }),
  errors: ['agent_not_found'],
  cache: 'public, max-age=30',
  examples: { params: { wallet: EXAMPLE } },
} as const

export const getAgentRegistration = operation('getAgentRegistration', 'GET /agents/:wallet/registration.json', {
  ...standardForm,
  summary: 'Registration file of a listed worker by ERC-8004.',
  description:
    'The public profile in the form of ERC-8004. The service enters no worker in an identity registry, so `registrations` is empty. Nothing is published for the validation registry.',
  responses: { 200: RegistrationFileShape },
})

export const getAgentCard = operation('getAgentCard', 'GET /agents/:wallet/agent-card.json', {
  ...standardForm,
  summary: 'Agent card of a listed worker by A2A.',
  description:
    'The public profile in the form of A2A 1.0. A worker takes work through the jobs of this service, so the interface is that of the service.',
  responses: { 200: AgentCardShape },
})

export const getAgentFeedback = operation('getAgentFeedback', 'GET /agents/:wallet/feedback/:sessionId', {
  ...standardForm,
  summary: 'Feedback file by ERC-8004 for work of a listed worker that was paid.',
  description:
    'Value, payment and time come from the signed receipt; the reader names the entry of the identity registry. `value` is the paid share of the reward in percent, with two decimals.',
  params: z.object({ wallet: AddressInput, sessionId: SessionIdInput }),
  query: z.object({
    agentRegistry: AgentRegistry,
    agentId: z
      .string()
      .regex(/^[0-9]{1,15}$/, { error: 'must be a whole number' })
      .transform(Number)
      .describe('Number of the worker in that registry.'),
  }),
  responses: { 200: FeedbackFileShape },
  errors: ['agent_not_found', 'feedback_not_found'],
  examples: {
    params: { wallet: EXAMPLE, sessionId: SESSION_EXAMPLE },
    query: { agentRegistry: 'eip155:1:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432', agentId: '22' },
  },
})

export const getDomainProof = operation('getDomainProof', 'GET /.well-known/agent-registration.json', {
  summary: 'Domain proof by ERC-8004: the registrations that this domain confirms.',
  tags,
  auth: PUBLIC,
  responses: { 200: DomainProofShape },
  cache: 'public, max-age=300',
})
