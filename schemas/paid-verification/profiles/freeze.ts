import { z } from 'zod'
import { Argument, artefact, boundTotal, INPUT_LIMITS, Locator, RepositoryPath, Sha256 } from './inputs.ts'

/** Most private checks of a contract: the sandbox takes sixteen files, of which six are the judge's. */
const MAX_PRIVATE_CHECKS = 8
const MAX_NAMED_TESTS = 500

const TestName = z.string().min(1).max(1_000)
const Name = z.string().regex(/^[\w.-]{1,100}$/, { error: 'must be 1 to 100 letters, digits, dots, hyphens or underscores' })

/**
 * A test file that only its author knows. It is written to `path` for a run of its own, after the patch. Its hash is part of the contract; of
 * its results only counts are published. `locator` may be a secret: it stands in no contract, evidence, detail or log.
 */
const PrivateCheck = z.strictObject({
  id: Name,
  /** Null is refused where the check is required. */
  sha256: Sha256.nullable(),
  bytes: z.int().min(1).max(INPUT_LIMITS.output),
  /** Repository path of the file: its imports are relative to it. */
  path: RepositoryPath.regex(/^[\w.@/-]+$/, { error: 'must hold letters, digits and . _ @ - / only' }),
  locator: Locator,
  required: z.boolean(),
})

/**
 * What a test contract for `git-patch-tests-v1` is frozen from: the inputs of the profile without the patch, and what its author declares
 * about the tests. Names of tests are `file > suite > test`.
 */
export const FreezeInputs = z
  .strictObject({
    repository: z.string().min(1).max(500),
    commit: z.string().regex(/^[0-9a-f]{40}$/, { error: 'must be a commit as 40 lower-case hex digits' }),
    gitBundle: artefact(INPUT_LIMITS.gitTotal, ['git-bundle']),
    testCommand: z.array(Argument).min(1).max(64),
    workingDirectory: RepositoryPath.optional(),
    allowedPaths: z.array(RepositoryPath).min(1).max(100).optional(),
    protectedPaths: z.array(RepositoryPath).min(1).max(100).optional(),
    maximumChangedFiles: z.int().min(1).max(100).optional(),
    /** Whether the tests need network, which no run has. */
    needsNetwork: z.boolean().optional(),
    /** Systems outside the repository that the tests imitate, with the hash of the recorded inputs. */
    mockedSystems: z
      .array(z.strictObject({ name: Name, inputsSha256: Sha256.nullable() }))
      .max(20)
      .optional(),
    /** Tests that must fail on the base and pass with the patch; without it those that fail on the base. */
    targetedTests: z.array(TestName).max(MAX_NAMED_TESTS).optional(),
    /** Tests that must pass on both; without it those that pass on the base. */
    regressionTests: z.array(TestName).max(MAX_NAMED_TESTS).optional(),
    privateChecks: z.array(PrivateCheck).max(MAX_PRIVATE_CHECKS).optional(),
    /** 2: two runs that agree, with a test of the judge that must fail. Below it no money hangs on a result. */
    assuranceLevel: z.int().min(0).max(2).optional(),
  })
  .superRefine(({ gitBundle, privateChecks = [] }, context) => {
    boundTotal([gitBundle, ...privateChecks], INPUT_LIMITS.gitTotal, context)
    if (new Set(privateChecks.flatMap(({ id, path }) => [`id ${id}`, `path ${path}`])).size < 2 * privateChecks.length)
      context.addIssue({ code: 'custom', path: ['privateChecks'], message: 'must have different ids and paths' })
  })
export type FreezeInputs = z.output<typeof FreezeInputs>

/** Why no contract is frozen. Source: identity facts, "Sandboxed patch verifier". */
export const FREEZE_REFUSALS = [
  'command_not_supported',
  'needs_network',
  'cannot_be_built',
  'base_not_repeatable',
  'sentinel_missing',
  'mock_without_inputs',
  'no_differential_check',
  'targeted_check_passes_on_base',
  'judging_file_unprotected',
  'regression_red_on_base',
  'private_check_without_hash',
  'private_check_cannot_be_run',
  'assurance_too_low',
  'contract_too_large',
] as const
export type FreezeRefusal = (typeof FREEZE_REFUSALS)[number]

/** A check as a contract names it: by its hash, never by its content. */
export interface FrozenPrivateCheck {
  readonly id: string
  /** SHA-256 of the test file, 64 hex digits; null if there is no reference. */
  readonly sha256: string | null
  readonly path: string
  readonly required: boolean
}

/** A frozen test contract, plain JSON. Its digest is the SHA-256 of the canonical JSON of `terms`. */
export interface TestContract {
  readonly contractState: 'frozen'
  readonly contractDigestAlgorithm: 'sha-256'
  /** 64 hex digits. */
  readonly contractDigest: string
  readonly terms: {
    readonly version: 1
    readonly repository: string
    readonly commit: string
    readonly bundleSha256: string
    readonly options: readonly string[]
    readonly files: readonly string[]
    readonly workingDirectory: string
    readonly allowedPaths: readonly string[] | null
    readonly protectedPaths: readonly string[]
    readonly maximumChangedFiles: number
    readonly mockedSystems: readonly { readonly name: string; readonly inputsSha256: string | null }[]
    readonly targetedTests: readonly string[]
    readonly regressionTests: readonly string[]
    /** Tests that the base skips. They may stay skipped. */
    readonly skippedTests: readonly string[]
    readonly privateChecks: readonly FrozenPrivateCheck[]
    readonly assuranceLevel: number
    readonly network: 'none'
    readonly repetitions: 2
  }
}

/** Largest contract, bytes of its canonical JSON. */
export const MAX_CONTRACT_BYTES = 64 * 1024

/**
 * What became of a request to freeze:
 * - `frozen`: the contract, the same for the same inputs.
 * - `refused`: every reason; only other inputs change it.
 * - `unavailable`: an artefact could not be fetched, or no runner took the work; the same request may be repeated. `detail` names no address.
 */
export type FreezeAnswer =
  | { readonly kind: 'frozen'; readonly contract: TestContract }
  | { readonly kind: 'refused'; readonly refusals: readonly FreezeRefusal[] }
  | {
      readonly kind: 'unavailable'
      readonly reason: 'artefact_unavailable' | 'artefact_mismatch' | 'runner_fault'
      readonly detail: string
    }

interface FreezeRequest {
  /** Names the request for the caller: a repeat with the same key and inputs waits for the same work. At most 100 characters. */
  readonly key: string
  readonly profileRef: string
  readonly inputs: FreezeInputs
}

/** Freezes a test contract: it runs the tests twice on the untouched base. It throws when `signal` ends it, and for an error in the program. */
export type FreezeContract = (request: FreezeRequest, signal: AbortSignal, heartbeat: () => void) => Promise<FreezeAnswer>
