import { z } from 'zod'
import { TIERS } from '../common/tiers.ts'
import { OPTIONAL, operation, PUBLIC } from '../operations/operation.ts'
import {
  Address,
  AddressInput,
  aliasOf,
  flagQuery,
  IsoTime,
  JobIdInput,
  listAnswer,
  listQuery,
  OpenObject,
  part,
  RequestAmount,
} from '../operations/values.ts'
import { TierGateShape } from '../sessions/admission-shapes.ts'
import { CLAIM_STATES } from './claim-status.ts'
import { VERIFIER_MODES } from './job-terms.ts'
import { CompactJobShape, JobShape, SchemaRowShape } from './shapes.ts'

const anyone = { tags: ['Jobs'], auth: OPTIONAL, ownView: ['jobs:preflight'] } as const
const published = { tags: ['Jobs'], auth: PUBLIC, cache: 'public, max-age=300' } as const
const anyState = [...CLAIM_STATES, 'claimable', 'available'] as const

export const listJobs = operation('listJobs', 'GET /jobs', {
  summary: 'Public job catalogue, newest first.',
  description:
    'Open jobs, claimed, submitted and exhausted ones included. `claimStatus.claimable` and `claimStatus.reason` decide whether a job can be claimed; `wallet`, or the wallet of a token, fills `currentWalletCanClaim`.',
  ...anyone,
  buildRate: 'jobs_build',
  query: z.object({
    ...listQuery(25, 100),
    wallet: AddressInput.optional().describe(
      'Wallet that decides `claimable` and `reason` of a short row; without it the wallet of the token.',
    ),
    format: z.enum(['full', 'compact']).optional(),
    shape: aliasOf('format', z.enum(['full', 'compact']).optional()),
    source: z.string().min(1).max(60).optional().describe('Source type, or a group of them.'),
    category: z.string().min(1).max(60).optional(),
    state: z
      .string()
      .toLowerCase()
      .pipe(z.enum(anyState))
      .optional()
      .describe('Claim state, or `claimable` (alias `available`) for jobs that can be claimed now.'),
    tier: z.string().toLowerCase().pipe(z.enum(TIERS)).optional(),
    verifierMode: z.string().toLowerCase().pipe(z.enum(VERIFIER_MODES)).optional(),
    waiverEligible: flagQuery.describe("True for jobs whose bond is waived for a wallet's first claims."),
    claimable: flagQuery.describe('True for jobs that can be claimed now, by the wallet where there is one.'),
    maxBond: RequestAmount.optional().describe('Largest bond of a claim without the waiver, in base units: `150000` is 0.15 USDC.'),
  }),
  responses: {
    200: z.object({
      jobs: z.array(z.union([JobShape, CompactJobShape])),
      ...listAnswer,
      count: z.int().min(0).describe('Number of rows of the page.'),
      filters: part('Filters that were applied.', {
        source: z.string().optional(),
        category: z.string().optional(),
        state: z.string().optional(),
        tier: z.string().optional(),
        verifierMode: z.string().optional(),
        waiverEligible: z.boolean().optional(),
        claimable: z.boolean().optional(),
        maxBond: z.string().optional(),
      }),
      compact: z.boolean().describe('Whether the rows are compact.'),
      inventory: part('Counts over the whole catalogue.', {
        claimableJobs: z.int().min(0),
        waiverEligibleJobs: z.int().min(0).describe('Jobs whose first claims of a wallet need no stake and no fee.'),
        waiverEligibleClaimableJobs: z.int().min(0).describe('Jobs with that waiver that can be claimed now.'),
        asOf: IsoTime.optional(),
      }),
    }),
  },
  cache: 'no-cache',
  hasPage: true,
  tool: { name: 'listJobs', directory: true, sets: ['worker', 'poster', 'operator'], short: { by: { format: 'compact' } } },
  examples: { query: { format: 'compact', state: 'claimable' } },
})

export const getJobDefinition = operation('getJobDefinition', 'GET /jobs/definition', {
  summary: 'Canonical definition of one job.',
  ...anyone,
  buildRate: 'jobs_build',
  query: z.object({
    jobId: JobIdInput,
    wallet: AddressInput.optional().describe('Wallet that decides `currentWalletCanClaim`; without it the wallet of the token.'),
    includeArchived: flagQuery.describe('True to find archived jobs too, with their expected outputs; admins only.'),
  }),
  responses: { 200: JobShape },
  errors: ['job_not_found', 'missing_token', 'missing_role'],
  cache: 'no-cache',
  hasPage: true,
  tool: { name: 'getJobDefinition', directory: true, sets: ['worker', 'poster', 'operator'] },
  examples: { query: { jobId: 'starter-docs-001' } },
})

const tierRow = z.object({ tier: z.enum(TIERS), requires: z.object({ skill: z.int() }).describe('Score that the tier needs.') })

export const getJobTiers = operation('getJobTiers', 'GET /jobs/tiers', {
  summary: 'Skill each claim tier requires; with a token, how far the wallet is.',
  ...anyone,
  ownView: ['reputation:read'],
  responses: {
    200: z.object({
      ladder: z.string(),
      scoringVersion: z.int().describe('Version of the rules of the scores.'),
      tiers: z
        .array(z.union([TierGateShape, tierRow]))
        .describe('From the lowest to the highest; with a token, what the wallet has and lacks.'),
      wallet: Address.optional(),
      reputation: OpenObject.optional().describe('Scores of the wallet.'),
      nextLocked: TierGateShape.nullable().optional().describe('Lowest tier that is still locked; null where none is.'),
    }),
  },
  cache: 'public, max-age=300',
  tool: { name: 'getJobTierLadder', directory: true, sets: ['worker'] },
})

export const listJobSchemas = operation('listJobSchemas', 'GET /schemas/jobs', {
  summary: 'Built-in job schemas.',
  ...published,
  responses: {
    200: z.object({
      schemas: z.array(SchemaRowShape),
      count: z.int(),
      docs: z.string(),
    }),
  },
  tool: { name: 'listJobSchemas', directory: true, sets: ['poster'] },
})

export const getJobSchema = operation('getJobSchema', 'GET /schemas/jobs/:name.json', {
  summary: 'One built-in job schema (JSON Schema draft-07).',
  ...published,
  params: z.object({ name: z.string().min(1).max(120) }),
  responses: { 200: OpenObject },
  errors: ['schema_not_found'],
  tool: { name: 'getJobSchema', directory: true, sets: ['poster'] },
  examples: { params: { name: 'codehost-pr-evidence-output' } },
})
