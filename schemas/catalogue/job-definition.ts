import type { JobInput, RevisionAnchor } from './job-input.ts'
import type { JobRole, Lane } from './job-terms.ts'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** Keyword rule: the submission's text must contain at least `minimumMatches` of the keywords. */
export interface BenchmarkConfig {
  handler: 'benchmark'
  version: number
  requiredKeywords: string[]
  minimumMatches: number
  /** Quotes and addresses of the submission must occur in this revision. */
  anchorEvidence?: RevisionAnchor
}

/** Comparison rule, case-insensitive: equal to one expected output, or containing every one. */
export interface DeterministicConfig {
  handler: 'deterministic'
  version: number
  /** SHA-256 of salt and normalised value, one for each expected output; none where pinned addresses decide. */
  commitments: `0x${string}`[]
  matchMode: 'exact' | 'contains_all'
}

/** What opens a commitment. Secret as long as the job can be claimed. */
export interface ExpectedOutput {
  /** As its author gave it. */
  value: string
  /** 32 bytes. */
  salt: `0x${string}`
}

/** A person decides, unless `autoApprove`. */
export interface HumanFallbackConfig {
  handler: 'human_fallback'
  version: number
  escalationMessage: string
  autoApprove: boolean
}

/** Pull-request evidence. Source: specification, "Job definition", verifierConfig. */
export interface CodehostPrConfig {
  handler: 'codehost_pr'
  version: number
  /** 1 to 100. */
  minimumScore: number
  requireIssueReference: boolean
  requireTestEvidence: boolean
  acceptMergedAsApproved: boolean
  requireClaimantBinding: boolean
}

/** A test contract that was frozen before the work began. Its terms stand in the record of the contract. */
interface FrozenContract {
  contractState: 'frozen'
  contractDigestAlgorithm: 'sha-256'
  /** SHA-256 of the canonical JSON of its terms: 64 hex digits. */
  contractDigest: string
  /** Tests that fail on the base and must pass with the work. */
  targetedTests: number
  /** Tests that pass on the base and must pass with the work. */
  regressionTests: number
}

/** A profile of paid verification decides, with inputs that the poster fixed and a contract that was frozen when the job was drafted. */
export interface VerificationProfileConfig {
  handler: 'verification_profile'
  version: number
  /** `name@version`. */
  profileRef: string
  /** SHA-256 of the profile's canonical document. */
  profileDigest: `0x${string}`
  /** What the poster fixed: the inputs of the profile without those of the worker, and without places that only the poster knows. */
  inputs: Record<string, JsonValue>
  /** SHA-256 of the canonical JSON of profile and complete inputs; it names the record of the contract. */
  inputsHash: `0x${string}`
  contract: FrozenContract
}

export type VerifierConfig = BenchmarkConfig | DeterministicConfig | HumanFallbackConfig | CodehostPrConfig | VerificationProfileConfig

/** Origin of the work; other members depend on `type` (specification, "Job definition", source). */
export type JobSource = NonNullable<JobInput['source']>

/** Verification method for the worker to read. `evidenceSchemaRef` always equals `outputSchemaRef`. */
export interface JobVerification {
  method: string
  signals: string[]
  evidenceSchemaRef: string
}

/**
 * Stored, immutable terms of a job: the author's fields after defaults. The whole document is the pre-image of `specHash`; lifecycle, listing,
 * claim status and provenance can change and are columns of the row.
 */
export interface JobDefinition
  extends Omit<JobInput, 'rewardAmount' | 'verifierTerms' | 'verifierMinimumMatches' | 'verification' | 'lane' | 'reserveAmount'> {
  /** Budget that pays the reward; absent where a poster funds it. */
  lane?: Lane
  requiredRole: JobRole
  /** Digits, base units of `rewardAsset`; greater than zero. */
  rewardAmountRaw: string
  verifierConfig: VerifierConfig
  inputSchemaRef: string
  outputSchemaRef: string
  claimTtlSeconds: number
  retryLimit: number
  verification?: JobVerification
  /** The one wallet that may claim, checksummed; absent where every wallet may. */
  designatedClaimants?: string[]
  /** What the poster holds back beside the reward, base units as digits; both return to the poster. Absent for an operator's job. */
  opsReserveRaw?: string
  contingencyReserveRaw?: string
  /** What the jobs of a recurring template may cost in all, base units as digits; absent without a limit. */
  reserveAmountRaw?: string
  /** The task as data, by `inputSchemaRef`. */
  input?: Record<string, JsonValue>
}
