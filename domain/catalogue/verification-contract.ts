import type { JobDefinition, VerifierConfig } from '../../schemas/catalogue/job-definition.ts'
import type { VerifierMode } from '../../schemas/catalogue/job-terms.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'

/** Version of the service's verdict rules. */
export const VERIFIER_POLICY_VERSION = 1

/** Version of each handler's rule; a changed rule gets a new number. Source: lifecycle, "Verifier handlers". */
export const HANDLER_VERSIONS: Record<VerifierMode, number> = {
  benchmark: 2,
  deterministic: 1,
  human_fallback: 1,
  codehost_pr: 1,
  verification_profile: 1,
}

/** Who decides and settles: a handler or a person. */
export type SettlementPath = 'automatic' | 'human_review'
export const SETTLEMENT_PATHS: Record<VerifierMode, SettlementPath> = {
  benchmark: 'automatic',
  deterministic: 'automatic',
  human_fallback: 'human_review',
  codehost_pr: 'human_review',
  verification_profile: 'automatic',
}

/** Members of the record that every verdict captures. Source: specification, "Job definition". */
const SNAPSHOT_FIELDS = [
  'verificationInput',
  'verificationInputHash',
  'verifierConfigSnapshot',
  'verifierConfigHash',
  'verifierPolicyVersion',
  'verifierConfigVersion',
  'handlerVersion',
  'evidenceSchemaRef',
] as const

/** keccak256 of the canonical verifier config. */
export const verifierConfigHash = (config: VerifierConfig): Hex => keccakOf(config)

/** Verification rules that a job promises its worker. Source: specification, "Job definition", verificationContract. */
export const verificationContract = (definition: JobDefinition) => ({
  version: 'verification-contract-v1',
  verifierMode: definition.verifierMode,
  handler: definition.verifierConfig.handler,
  verifierPolicyVersion: VERIFIER_POLICY_VERSION,
  verifierConfigVersion: definition.verifierConfig.version,
  verifierConfigHash: verifierConfigHash(definition.verifierConfig),
  evidenceSchemaRef: definition.outputSchemaRef,
  replayEndpoint: 'POST /verifier/replay',
  resultEndpoint: 'GET /verifier/result',
  snapshotFields: [...SNAPSHOT_FIELDS],
})
