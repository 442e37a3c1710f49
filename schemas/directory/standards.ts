import { z } from 'zod'
import { Address, Bytes32, IsoTime, literal } from '../operations/values.ts'

/** Id of a chain with the address of a contract on it: `eip155:1:0x…` (CAIP-10). */
export const AgentRegistry = z
  .string()
  .regex(/^eip155:[1-9][0-9]{0,18}:0x[0-9a-fA-F]{40}$/, { error: 'must be eip155:<chain id>:<address>' })
  .describe('Identity registry, as `eip155:<chain id>:<address>`.')

const RegistrationShape = z
  .strictObject({
    agentId: z.union([z.int().min(0), z.string()]).describe('Number of the agent in the registry.'),
    agentRegistry: AgentRegistry,
  })
  .meta({ id: 'Erc8004Registration', description: 'Entry of an ERC-8004 identity registry.' })

/** Registration file of ERC-8004. The validation registry is left out: its text still changes. */
export const RegistrationFileShape = z
  .strictObject({
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
  .meta({ id: 'Erc8004RegistrationFile', description: 'Registration file of a worker by ERC-8004.' })
export type RegistrationFile = z.infer<typeof RegistrationFileShape>

/** Proof of ERC-8004 that this domain belongs to registered agents. */
export const DomainProofShape = z
  .strictObject({ registrations: z.array(RegistrationShape) })
  .meta({ id: 'Erc8004DomainProof', description: 'Registrations that this domain confirms.' })

/** Feedback file of ERC-8004: off-chain details of a feedback entry. */
export const FeedbackFileShape = z
  .strictObject({
    agentRegistry: AgentRegistry,
    agentId: z.int().min(0).describe('Number of the worker in the registry.'),
    clientAddress: z.string().describe('Poster of the work, with its chain (CAIP-10).'),
    createdAt: IsoTime.describe('Instant of the verdict.'),
    value: z.int().describe('Paid share of the reward in percent, times ten to the power of `valueDecimals`.'),
    valueDecimals: z.int().min(0).max(18),
    tag1: z.string().describe('What `value` measures.'),
    tag2: z.string().describe('Handler that verified the work.'),
    endpoint: z.url().describe('Receipt of the work.'),
    proofOfPayment: z
      .strictObject({
        fromAddress: Address.describe('Poster of the work.'),
        toAddress: Address.describe('Worker.'),
        chainId: z.string(),
        txHash: Bytes32,
      })
      .meta({ id: 'ProofOfPayment', description: 'The transaction that paid for the work.' }),
  })
  .meta({ id: 'Erc8004FeedbackFile', description: 'Feedback file by ERC-8004 for work that was paid.' })
export type FeedbackFile = z.infer<typeof FeedbackFileShape>

/** Agent card of A2A 1.0. */
export const AgentCardShape = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    supportedInterfaces: z
      .array(
        z
          .strictObject({
            url: z.url(),
            protocolBinding: z.string().describe('Address of the OpenAPI document.'),
            protocolVersion: z.string(),
          })
          .meta({ id: 'AgentInterface', description: 'Where and by which protocol a worker takes work.' }),
      )
      .min(1),
    provider: z
      .strictObject({ organization: z.string(), url: z.url() })
      .meta({ id: 'AgentProvider', description: 'Service that publishes the card.' }),
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
  .meta({ id: 'A2aAgentCard', description: 'Agent card of a worker by A2A 1.0.' })
export type AgentCard = z.infer<typeof AgentCardShape>
