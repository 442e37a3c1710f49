import { z } from 'zod'
import { trimmedText } from '../operations/values.ts'
import { JOB_ROLES, JOB_TYPES, LANES, TIERS, VERIFIER_MODES } from './job-terms.ts'

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
  language: z.string().regex(/^[a-z]{2,12}(?:-[a-z]{2,12}){0,2}$/),
  revisionId: z.string().regex(/^[1-9][0-9]{0,18}$/),
  normalization: z.literal('whitespace').default('whitespace'),
})
export type RevisionAnchor = z.infer<typeof RevisionAnchorInput>

/** Verifier config of an author; missing members get the mode's default. `handler`, if present, equals the mode. */
export const VerifierConfigInput = z.strictObject({
  handler: z.enum(VERIFIER_MODES).optional(),
  version: z.int().min(1).max(2).optional(),
  requiredKeywords: texts(200).optional(),
  minimumMatches: z.int().min(1).max(100).optional(),
  anchorEvidence: RevisionAnchorInput.optional(),
  expectedOutputs: texts(4000).optional(),
  matchMode: z.enum(['exact', 'contains_all']).optional(),
  escalationMessage: text(1500).optional(),
  autoApprove: z.boolean().optional(),
  minimumScore: z.int().min(1).max(100).optional(),
  requireIssueReference: z.boolean().optional(),
  requireTestEvidence: z.boolean().optional(),
  acceptMergedAsApproved: z.boolean().optional(),
  requireClaimantBinding: z.boolean().optional(),
})
export type VerifierConfigInput = z.infer<typeof VerifierConfigInput>

/** Body of `POST /admin/jobs`: a job by its author. Source: lifecycle, "Job definition, lists, lifecycle". */
export const JobInput = z.strictObject({
  id: slug(120),
  title: text(240),
  description: text(4000),
  /** Stored in lower case. */
  category: z
    .string()
    .trim()
    .toLowerCase()
    .max(64)
    .regex(/^[a-z0-9]+(?:[-_ ][a-z0-9]+)*$/),
  tier: z.enum(TIERS).default('starter'),
  jobType: z.enum(JOB_TYPES).default('work'),
  /** Defaults by `jobType`. */
  requiredRole: z.enum(JOB_ROLES).optional(),
  /** Asset symbol. */
  rewardAsset: z
    .string()
    .regex(/^[A-Za-z0-9]{2,16}$/)
    .default('USDC'),
  /** Whole units, greater than zero, with at most the decimals of the asset. */
  rewardAmount: z.number().positive(),
  lane: z.enum(LANES),
  verifierMode: z.enum(VERIFIER_MODES),
  /** Keywords (benchmark) or expected outputs (deterministic); a short form of `verifierConfig`. */
  verifierTerms: texts(4000).min(1).optional(),
  verifierMinimumMatches: z.int().min(1).max(100).optional(),
  verifierConfig: VerifierConfigInput.optional(),
  /** Defaults to `schema://jobs/<category>-input`. */
  inputSchemaRef: SchemaRef.optional(),
  /** Defaults to `schema://jobs/<category>-output`. */
  outputSchemaRef: SchemaRef.optional(),
  claimTtlSeconds: z.int().min(60).max(31_536_000).optional(),
  /** Claim attempts that may reach a submission; 0 means unlimited. */
  retryLimit: z.int().min(0).max(1000).optional(),
  requiresSponsoredGas: z.boolean().default(true),
  /** True when a wallet's first claims need no stake and fee. */
  onboardingWaiverEligible: z.boolean().default(false),
  acceptanceCriteria: texts(1500).default([]),
  agentInstructions: texts(1500).default([]),
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
    .optional(),
  verification: z.strictObject({ method: text(120), signals: texts(120).default([]), evidenceSchemaRef: SchemaRef.optional() }).optional(),
  recurring: z.boolean().optional(),
  /** Five-field cron of a recurring template. */
  schedule: z.strictObject({ cron: Cron, timezone: z.literal('UTC').default('UTC') }).optional(),
})
export type JobInput = z.infer<typeof JobInput>
/** A job of a client or a seed, before defaults. */
export type JobInputBody = z.input<typeof JobInput>
