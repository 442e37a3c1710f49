import { z } from 'zod'
import { OpenObject } from '../../operations/values.ts'
import gitPatchTests from './documents/git-patch-tests-v1.json' with { type: 'json' }
import mcpFailureSemantics from './documents/mcp-failure-semantics-v1.json' with { type: 'json' }
import structuredOutputEvidence from './documents/structured-output-evidence-v1.json' with { type: 'json' }
import { PROFILE_REQUESTS, type ProfileName } from './inputs.ts'

const Name = z.enum(Object.keys(PROFILE_REQUESTS) as [ProfileName, ...ProfileName[]])
const Positive = z.int().min(1)

/** Bounds of one run of a profile. A bound that a profile does not have is absent. */
const ProfileLimits = z.strictObject({
  timeoutMs: Positive.describe('Longest run.'),
  sizeBytes: Positive.describe('All inputs together.'),
  cpuLimit: Positive.optional().describe('Processors.'),
  memoryMb: Positive.optional(),
  processLimit: Positive.optional(),
  temporaryStorageMb: Positive.optional(),
  outputLimitBytes: Positive.optional().describe('What a program may print, or a server answer.'),
  repetitions: Positive.optional().describe('Runs that must agree.'),
  outputBytes: Positive.optional().describe('The output that is judged.'),
  schemaBytes: Positive.optional(),
  sourceBytes: Positive.optional().describe('Each source.'),
  sourceCount: Positive.optional(),
  jsonDepth: Positive.optional().describe('Nesting of a JSON document.'),
})

/** Members of the document of a profile, which its digest covers. */
export const PROFILE_DOCUMENT_MEMBERS = {
  name: Name,
  version: Positive,
  publishedAt: z.iso.datetime({ precision: 3 }),
  handler: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .describe('What executes the profile.'),
  handlerVersion: Positive,
  successCriteria: z
    .strictObject({
      statement: z.string().min(1).max(1_000),
      requiredEvidence: z.array(z.string().min(1).max(200)).min(1).max(20),
    })
    .describe('What an approval states, and what it rests on.'),
  limits: ProfileLimits,
  billingRule: z.literal('inconclusive_not_billed').describe('An approval and a rejection are billed; an inconclusive run never is.'),
  inputSchema: OpenObject.describe('JSON Schema (2020-12) of `{target, inputs}`. Sums of sizes stand in `limits`.'),
}

/**
 * A profile: what is checked, on what, within which bounds, and when it is billed. It never changes under its version, so that a buyer can pin it.
 * Price, asset, network and payee are no part of it: they are settings of this deployment, stand beside the document and in each payment
 * requirement, and another deployment of the same profile has the same digest.
 */
export const ProfileDocument = z.strictObject(PROFILE_DOCUMENT_MEMBERS)
export type ProfileDocument = z.output<typeof ProfileDocument>

/** The documents as they were published. */
export const PROFILE_DOCUMENTS: readonly unknown[] = [gitPatchTests, mcpFailureSemantics, structuredOutputEvidence]

/** SHA-256 of the canonical JSON of each published document, by `name@version`. A new version of a profile is a new row; a row never changes. */
export const PUBLISHED_DIGESTS: Readonly<Record<string, `0x${string}`>> = {
  'git-patch-tests-v1@1': '0x86243586568c644000de3278307c5270cefcd640f8fd04ac37c3d1c2ddaa29cd',
  'mcp-failure-semantics-v1@1': '0xbaf003d5c4e46cecb6db4d4899e5f92f04cdfda627a7dcb01fd9f6b02111faf1',
  'structured-output-evidence-v1@1': '0x2759109ff936a6eac04b67e748d49f208211a40b3a3182c37539191616aac479',
}
