import { z } from 'zod'

const KIB = 1024
const MIB = 1024 * KIB

/** Bounds of what a profile reads, bytes. The documents of the profiles state them. */
export const INPUT_LIMITS = {
  gitTotal: 25 * MIB,
  evidenceTotal: 8 * MIB,
  output: MIB,
  schema: 256 * KIB,
  source: 2 * MIB,
} as const

const MAX_URL = 2_048

/** Address without credentials, white space and backslashes. */
const HttpsAddress = z
  .string()
  .max(MAX_URL)
  .regex(/^https:\/\/[^\s\\/?#@]+(?:[/?][^\s\\#]*)?$/, { error: 'must be an address with https, without credentials and fragment' })
  .refine((text) => URL.canParse(text), { error: 'must be an address with https' })

/** SHA-256 of the bytes of an artefact: lower-case hex digits without 0x. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 as 64 lower-case hex digits' })

/** Where the service fetches bytes from. */
export const Locator = z.strictObject({ kind: z.literal('https'), url: HttpsAddress })

/** Bytes that the service fetches once, with the hash and the length that they must have. */
export const artefact = <const Format extends string>(maxBytes: number, formats: readonly [Format, ...Format[]]) =>
  z.strictObject({
    sha256: Sha256,
    bytes: z.int().min(1).max(maxBytes),
    locator: Locator,
    format: z.enum(formats),
  })

/** The character NUL in a pattern. */
const NUL = '\\u0000'

/** Path inside the repository: relative, with slashes, without `.` and `..`. */
export const RepositoryPath = z
  .string()
  .min(1)
  .max(500)
  .regex(new RegExp(`^(?!/)(?!(?:.*/)?\\.{1,2}(?:/|$))[^${NUL}\\\\]+$`), {
    error: 'must be a relative path with slashes, without . and ..',
  })

/** Text without the character NUL, which no argument of a program can hold. */
export const Argument = z
  .string()
  .min(1)
  .max(1_000)
  .regex(new RegExp(`^[^${NUL}]+$`), { error: 'must not hold the character NUL' })

const sumOf = (parts: readonly { bytes: number }[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0)

/** Adds a refusal of inputs whose artefacts are larger together than `limit`. */
export const boundTotal = (parts: readonly { bytes: number }[], limit: number, context: z.core.$RefinementCtx): void => {
  if (sumOf(parts) <= limit) return
  context.addIssue({ code: 'custom', message: `must have at most ${limit} bytes in all artefacts together` })
}

const GitPatchRequest = z.strictObject({
  target: z.strictObject({
    repository: z.string().min(1).max(500),
    commit: z.string().regex(/^[0-9a-f]{40}$/, { error: 'must be a commit as 40 lower-case hex digits' }),
  }),
  inputs: z
    .strictObject({
      gitBundle: artefact(INPUT_LIMITS.gitTotal, ['git-bundle']),
      patch: artefact(INPUT_LIMITS.gitTotal, ['git-patch']),
      testCommand: z.array(Argument).min(1).max(64),
      workingDirectory: RepositoryPath.optional(),
      allowedPaths: z.array(RepositoryPath).min(1).max(100).optional(),
      protectedPaths: z.array(RepositoryPath).min(1).max(100).optional(),
      maximumChangedFiles: z.int().min(1).max(100).optional(),
    })
    .superRefine(({ gitBundle, patch }, context) => boundTotal([gitBundle, patch], INPUT_LIMITS.gitTotal, context)),
})

const auth = z
  .strictObject({
    scheme: z.literal('bearer'),
    credentialRef: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/, { error: 'must be 1 to 100 letters, digits, dots, hyphens or underscores' }),
  })
  .optional()

const McpFailureRequest = z.strictObject({
  // The runtime's WebSocket client cannot be pinned to a checked address, so that transport is not sold.
  target: z.strictObject({ endpoint: HttpsAddress, transport: z.literal('streamable_http'), auth }),
  inputs: z.strictObject({}),
})

/** Where the citations stand in the output; the empty pointer names the whole. */
export const CitationsPointer = z
  .string()
  .max(300)
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, { error: 'must be a JSON pointer (RFC 6901)' })

const StructuredOutputRequest = z.strictObject({
  target: z.strictObject({}),
  inputs: z
    .strictObject({
      output: artefact(INPUT_LIMITS.output, ['json']),
      schema: artefact(INPUT_LIMITS.schema, ['json-schema']),
      sources: z
        .array(artefact(INPUT_LIMITS.source, ['text', 'markdown', 'html', 'json']))
        .min(1)
        .max(16),
      citationsPointer: CitationsPointer.optional(),
    })
    .superRefine(({ output, schema, sources }, context) => boundTotal([output, schema, ...sources], INPUT_LIMITS.evidenceTotal, context)),
})

/** Target and inputs of each profile, closed and bounded. Nothing is filled in: the request hash states what the buyer sent. */
export const PROFILE_REQUESTS = {
  'git-patch-tests-v1': GitPatchRequest,
  'mcp-failure-semantics-v1': McpFailureRequest,
  'structured-output-evidence-v1': StructuredOutputRequest,
} as const
export type ProfileName = keyof typeof PROFILE_REQUESTS
/** Target and inputs of a profile. */
export type ProfileRequest<Name extends ProfileName = ProfileName> = z.output<(typeof PROFILE_REQUESTS)[Name]>

export const isProfileName = (name: string): name is ProfileName => Object.hasOwn(PROFILE_REQUESTS, name)
