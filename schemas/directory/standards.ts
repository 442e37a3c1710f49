import { z } from 'zod'
import { Address, Bytes32, closedShape, IsoTime, literal } from '../operations/values.ts'

/** Id of a chain with the address of a contract on it: `eip155:1:0x…` (CAIP-10). */
export const AgentRegistry = z
  .string()
  .regex(/^eip155:[1-9][0-9]{0,18}:0x[0-9a-fA-F]{40}$/, { error: 'must be eip155:<chain id>:<address>' })
  .describe('Identity registry, as `eip155:<chain id>:<address>`.')

const RegistrationShape = closedShape('Erc8004Registration', 'Entry of an ERC-8004 identity registry.', {
  agentId: z.union([z.int().min(0), z.string()]).describe('Number of the agent in the registry.'),
  agentRegistry: AgentRegistry,
})

/** Registration file of ERC-8004. The validation registry is left out: its text still changes. */
export const RegistrationFileShape = closedShape('Erc8004RegistrationFile', 'Registration file of a worker by ERC-8004.', {
  type: literal('https://eips.ethereum.org/EIPS/eip-8004#registration-v1'),
  name: z.string().min(1),
  description: z.string().min(1),
  image: z.url(),
  services: z
    .array(
      z
        .strictObject({ name: z.string(), endpoint: z.string(), version: z.string().optional() })
        .meta({ id: 'Erc8004Service', description: 'Where a worker is reached or described.' }),
    )
    .min(1),
  x402Support: z.boolean().describe('Whether the worker takes payments by x402.'),
  active: z.boolean(),
  registrations: z.array(RegistrationShape),
  supportedTrust: z.array(z.enum(['reputation', 'crypto-economic', 'tee-attestation'])),
})
export type RegistrationFile = z.infer<typeof RegistrationFileShape>

/** Proof of ERC-8004 that this domain belongs to registered agents. */
export const DomainProofShape = z
  .strictObject({ registrations: z.array(RegistrationShape) })
  .meta({ id: 'Erc8004DomainProof', description: 'Registrations that this domain confirms.' })

/** Feedback file of ERC-8004: off-chain details of a feedback entry. */
export const FeedbackFileShape = closedShape('Erc8004FeedbackFile', 'Feedback file by ERC-8004 for work that was paid.', {
  agentRegistry: AgentRegistry,
  agentId: z.int().min(0).describe('Number of the worker in the registry.'),
  clientAddress: z.string().describe('Poster of the work, with its chain (CAIP-10).'),
  createdAt: IsoTime.describe('Instant of the verdict.'),
  value: z.int().describe('Paid share of the reward in percent, times ten to the power of `valueDecimals`.'),
  valueDecimals: z.int().min(0).max(18),
  tag1: z.string().describe('What `value` measures.'),
  tag2: z.string().describe('Handler that verified the work.'),
  endpoint: z.url().describe('Receipt of the work.'),
  proofOfPayment: closedShape('ProofOfPayment', 'The transaction that paid for the work.', {
    fromAddress: Address.describe('Poster of the work.'),
    toAddress: Address.describe('Worker.'),
    chainId: z.string(),
    txHash: Bytes32,
  }),
})
export type FeedbackFile = z.infer<typeof FeedbackFileShape>

/** Agent card of A2A 1.0. */
export const AgentCardShape = closedShape('A2aAgentCard', 'Agent card of a worker by A2A 1.0.', {
  name: z.string(),
  description: z.string(),
  supportedInterfaces: z
    .array(
      closedShape('AgentInterface', 'Where and by which protocol a worker takes work.', {
        url: z.url(),
        protocolBinding: z.string().describe('Address of the OpenAPI document.'),
        protocolVersion: z.string(),
      }),
    )
    .min(1),
  provider: closedShape('AgentProvider', 'Service that publishes the card.', { organization: z.string(), url: z.url() }),
  version: z.string().describe('Version of the card.'),
  documentationUrl: z.url().describe('Public profile of the worker.'),
  iconUrl: z.url(),
  capabilities: z
    .strictObject({ streaming: z.boolean(), pushNotifications: z.boolean() })
    .meta({ id: 'AgentCapabilities', description: 'Optional parts of A2A that a worker supports.' }),
  defaultInputModes: z.array(z.string()).min(1).describe('Media types that the worker takes.'),
  defaultOutputModes: z.array(z.string()).min(1).describe('Media types that the worker gives.'),
  skills: z.array(
    z
      .strictObject({ id: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()).min(1) })
      .meta({ id: 'AgentSkill', description: 'A category of work with its badges.' }),
  ),
})
export type AgentCard = z.infer<typeof AgentCardShape>
