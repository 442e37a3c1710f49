import { z } from 'zod'
import { TIERS } from '../common/tiers.ts'
import { InstantInput, trimmedText } from '../operations/values.ts'
import { JOB_ROLES, JOB_TYPES, LANES, VERIFIER_MODES } from './job-terms.ts'

/** Storable text: trimmed, not empty, no NUL. */
const text = (max: number) =>
  trimmedText(1, max).refine((value) => value.isWellFormed() && !value.includes('\u0000'), 'holds characters that cannot be stored')

const texts = (max: number) => z.array(text(max)).max(100)

/** Lower-case words of letters and digits, joined by `-`, `.` or `_`. */
const slug = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[a-z0-9]+(?:[-._][a-z0-9]+)*$/)

const SchemaRef = z
  .string()
  .max(240)
  .regex(/^schema:\/\/jobs\/[a-z0-9]+(?:-[a-z0-9]+)*$/)

/** Five fields, each `*` or one number. */
const Cron = z.string().regex(/^(?:\*|\d{1,2})(?: (?:\*|\d{1,2})){4}$/)

/** A revision of an encyclopedia article in which every quote and address of the submission must occur. Its language is part of the host name. */
const RevisionAnchorInput = z.strictObject({
  kind: z.literal('wikipedia_revision_wikitext'),
  language: z
    .string()
    .regex(/^[a-z]{2,12}(?:-[a-z]{2,12}){0,2}$/)
    .describe('Language of the encyclopedia, as in its host name.'),
  revisionId: z.string().regex(/^[1-9][0-9]{0,18}$/),
  normalization: z.literal('whitespace').default('whitespace').describe('How texts are compared: runs of white space count as one.'),
})
export type RevisionAnchor = z.infer<typeof RevisionAnchorInput>

/** Verifier config of an author; missing members get the mode's default. `handler`, if present, equals the mode. */
export const VerifierConfigInput = z.strictObject({
  handler: z.enum(VERIFIER_MODES).optional().describe('Equals `verifierMode`.'),
  version: z.int().min(1).max(2).optional(),
  requiredKeywords: texts(200).optional().describe('Keywords that a submission must contain.'),
  minimumMatches: z.int().min(1).max(100).optional().describe('Number of keywords that are enough.'),
  anchorEvidence: RevisionAnchorInput.optional().describe('Revision in which every quote and address of the submission must occur.'),
  expectedOutputs: texts(4000)
    .optional()
    .describe('Answers to compare with: secret as long as the job can be claimed. The definition has commitments in their place.'),
  matchMode: z
    .enum(['exact', 'contains_all'])
    .optional()
    .describe('Equal to one expected output, or containing every one; upper and lower case count as the same.'),
  escalationMessage: text(1500).optional().describe('Text for the people who decide.'),
  autoApprove: z.boolean().optional().describe('True to approve without a person.'),
  minimumScore: z.int().min(1).max(100).optional().describe('Score that an approval needs.'),
  requireIssueReference: z.boolean().optional(),
  requireTestEvidence: z.boolean().optional().describe('Whether the submission must show tests.'),
  acceptMergedAsApproved: z.boolean().optional(),
  requireClaimantBinding: z.boolean().optional().describe('Whether the pull request must name wallet or session of the claimant.'),
})
export type VerifierConfigInput = z.infer<typeof VerifierConfigInput>

/** Body of `POST /admin/jobs`: a job by its author. Source: lifecycle, "Job definition, lists, lifecycle". */
export const JobInput = z.strictObject({
  id: slug(120),
  title: text(240),
  description: text(4000),
  category: z
    .string()
    .trim()
    .toLowerCase()
    .max(64)
    .regex(/^[a-z0-9]+(?:[-_ ][a-z0-9]+)*$/)
    .describe('Stored in lower case.'),
  tier: z.enum(TIERS).default('starter'),
  jobType: z.enum(JOB_TYPES).default('work'),
  requiredRole: z.enum(JOB_ROLES).optional().describe('By default the role of `jobType`.'),
  rewardAsset: z
    .string()
    .regex(/^[A-Za-z0-9]{2,16}$/)
    .default('USDC'),
  rewardAmount: z.number().positive().describe('Whole units, with at most the decimals of the asset.'),
  lane: z.enum(LANES).describe('Budget from which the reward is paid.'),
  verifierMode: z.enum(VERIFIER_MODES),
  verifierTerms: texts(4000)
    .min(1)
    .optional()
    .describe('Keywords (benchmark) or expected outputs (deterministic); a short form of `verifierConfig`.'),
  verifierMinimumMatches: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Number of keywords that are enough; a short form of `verifierConfig`.'),
  verifierConfig: VerifierConfigInput.optional(),
  inputSchemaRef: SchemaRef.optional().describe('Schema of the task; by default `schema://jobs/<category>-input`.'),
  outputSchemaRef: SchemaRef.optional().describe('Schema of the submission; by default `schema://jobs/<category>-output`.'),
  claimTtlSeconds: z.int().min(60).max(31_536_000).optional().describe('Time from the claim to the last submission.'),
  retryLimit: z.int().min(0).max(1000).optional().describe('Claim attempts that may reach a submission; 0 means unlimited.'),
  requiresSponsoredGas: z.boolean().default(true).describe('Whether the service pays the gas of the claim.'),
  onboardingWaiverEligible: z.boolean().default(false).describe("True where a wallet's first claims need no stake and no fee."),
  acceptanceCriteria: texts(1500).default([]),
  agentInstructions: texts(1500).default([]).describe('Hints for the worker.'),
  estimatedDifficulty: text(60).optional(),
  source: z
    .record(z.string(), z.json())
    .and(
      z.object({
        type: z
          .string()
          .max(60)
          .regex(/^[a-z0-9_]+$/),
      }),
    )
    .optional()
    .describe('Origin of the work; the members depend on its `type`.'),
  verification: z
    .strictObject({
      method: text(120).describe('How the work is verified, for the worker to read.'),
      signals: texts(120).default([]).describe('Facts from which the verdict is made.'),
      evidenceSchemaRef: SchemaRef.optional().describe('Equals `outputSchemaRef`.'),
    })
    .optional(),
  recurring: z.boolean().optional().describe('True for a template that is listed again and again.'),
  /** Five-field cron of a recurring template. */
  schedule: z
    .strictObject({ cron: Cron.describe('Five fields, each `*` or one number.'), timezone: z.literal('UTC').default('UTC') })
    .optional(),
  reserveAmount: z
    .number()
    .positive()
    .optional()
    .describe('What the jobs of a recurring template may cost in all, whole units; no limit without it.'),
  maxRuns: z.int().min(1).max(100_000).optional().describe('Jobs that a recurring template lists at most; no limit without it.'),
  startAt: InstantInput.optional().describe('A recurring template lists nothing before.'),
  endAt: InstantInput.optional().describe('A recurring template lists nothing after.'),
})
export type JobInput = z.infer<typeof JobInput>
/** What an author says of any job, also of one that has no id of its own and no budget. */
export type JobTerms = Omit<JobInput, 'id' | 'lane'>
/** A job of a client or a seed, before defaults. */
export type JobInputBody = z.input<typeof JobInput>
