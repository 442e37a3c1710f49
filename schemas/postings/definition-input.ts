import { z } from 'zod'
import { JobInput, VerifierConfigInput } from '../catalogue/job-input.ts'
import { LANES } from '../catalogue/job-terms.ts'
import { aliasOf } from '../operations/values.ts'

const config = VerifierConfigInput.shape

const reserve = z.number().min(0).default(0)

/**
 * A job by the wallet that posts it. It has no id, which follows from the content, and no member that the service alone decides.
 * Source: money, "External posting".
 */
export const PostingInput = JobInput.pick({
  title: true,
  description: true,
  category: true,
  tier: true,
  jobType: true,
  requiredRole: true,
  rewardAsset: true,
  rewardAmount: true,
  verifierMode: true,
  verifierTerms: true,
  verifierMinimumMatches: true,
  inputSchemaRef: true,
  outputSchemaRef: true,
  claimTtlSeconds: true,
  retryLimit: true,
  acceptanceCriteria: true,
  agentInstructions: true,
  estimatedDifficulty: true,
  source: true,
  verification: true,
}).extend({
  lane: z.enum(LANES).optional().describe('A label; no budget bounds the job.'),
  opsReserve: reserve.describe('Whole units that the escrow holds back beside the reward; they return to the poster.'),
  contingencyReserve: reserve.describe('A second reserve of the same kind.'),
  designatedClaimants: z
    .array(z.string().regex(/^0x[0-9a-fA-F]{40}$/))
    .length(1)
    .optional()
    .describe('The one wallet that may claim, with its checksum (EIP-55).'),
  verifierConfig: z
    .strictObject({
      profileRef: z.string().min(1).max(120).describe('`name@version` of a profile of GET /verify/profiles that may release an escrow.'),
      inputs: z
        .record(z.string(), z.json())
        .describe('What the test contract is frozen from: repository, commit, bundle, test command, paths. The worker sends the patch.'),
    })
    .optional()
    .describe('For verifierMode verification_profile, which needs exactly one designated claimant.'),
  input: z.record(z.string(), z.json()).optional().describe('The task as data, by the schema of `inputSchemaRef`.'),
  verifierMatchMode: config.matchMode,
  verifierMinimumScore: config.minimumScore,
  minimumScore: aliasOf('verifierMinimumScore', z.int().min(1).max(100).optional()),
  requireIssueReference: config.requireIssueReference,
  requireTestEvidence: config.requireTestEvidence,
  requireClaimantBinding: config.requireClaimantBinding,
  acceptMergedAsApproved: config.acceptMergedAsApproved,
  autoApprove: config.autoApprove,
  escalationMessage: config.escalationMessage,
})
export type PostingInput = z.infer<typeof PostingInput>

/** Members that are known only to be refused: the service or the escrow decides them, or they are not offered. */
export const REFUSED_MEMBERS = [
  'requiresSponsoredGas',
  'onboardingWaiverEligible',
  'payoutMode',
  'milestones',
  'recurring',
  'recurringPolicy',
  'schedule',
  'externalSchema',
  'schemaRegistrations',
  'schemaTrustPolicy',
  'id',
  'lifecycle',
  'lineage',
  'parentSessionId',
] as const
export type RefusedMember = (typeof REFUSED_MEMBERS)[number]

type Printed = z.core.JSONSchema.JSONSchema

/** The members that strict readers of tools do not take as they are printed: the same in plain keywords. */
const plainMembers = ({ rewardAmount, source, verification }: Record<string, Printed>): Record<string, Printed> => ({
  rewardAmount: { type: 'number', description: `${rewardAmount?.description} Greater than zero.` },
  source: {
    type: 'object',
    properties: { type: { type: 'string', maxLength: 60, pattern: '^[a-z0-9_]+$' } },
    required: ['type'],
    description: String(source?.description),
  },
  verification: {
    ...verification,
    properties: Object.fromEntries(
      Object.entries((verification?.properties ?? {}) as Record<string, Printed>).map(([name, { default: _default, ...member }]) => [
        name,
        member,
      ]),
    ),
  },
})

/** JSON Schema of a posting, for documents: the handler reads the members itself, so that each refusal has its own code. */
const {
  $schema: _dialect,
  $defs: _parts,
  properties = {},
  ...printed
} = z.toJSONSchema(PostingInput, {
  io: 'input',
  unrepresentable: 'any',
  override: ({ jsonSchema }) => {
    delete jsonSchema.aliasOf
  },
})
const members = properties as Record<string, Printed>

/** Member `definition` of a request. */
export const DefinitionBody = z.record(z.string(), z.unknown()).meta({
  ...printed,
  properties: { ...members, ...plainMembers(members) },
  description:
    'The job, without an id. Members that the service decides, such as `requiresSponsoredGas`, are refused whatever their value.',
})
