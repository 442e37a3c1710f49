import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { BadgeSnapshot, JobSnapshot } from '../../schemas/sessions/record.ts'
import { displayReward, jobTrust } from '../catalogue/job-definition.ts'
import { specHashOf } from '../catalogue/spec-hash.ts'
import { HANDLER_VERSIONS, VERIFIER_POLICY_VERSION, verifierConfigHash } from '../catalogue/verification-contract.ts'
import { keccakOf } from '../common/hashes.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import { rawAndDisplay } from '../common/money.ts'
import { pick } from '../common/pick.ts'

/** Fault of pinned terms, always the platform's. Source: lifecycle, "Pinned snapshot". */
type SnapshotFault =
  | 'job_snapshot_incomplete'
  | 'job_snapshot_definition_hash_mismatch'
  | 'job_snapshot_spec_preimage_mismatch'
  | 'job_snapshot_output_schema_mismatch'
  | 'job_snapshot_job_id_mismatch'

/** Input of a snapshot at the claim. */
export interface CaptureFacts {
  job: JobRecord
  /** Decimals of the reward asset. */
  decimals: number
  /** Epoch ms. */
  capturedAt: number
  chainId: number
  escrowAddress: string
  /** Plain JSON, as served with the session. */
  claimEconomics: Record<string, unknown>
  specSource: JobSnapshot['specSource']
}

const toPlain = (value: object): Record<string, unknown> => ({ ...value })

/** Definition as served at the claim, without members that change over time. */
const servedTerms = ({ job, decimals }: CaptureFacts): Record<string, unknown> => ({
  ...job.definition,
  rewardAmount: displayReward(job.rewardRaw, decimals),
  lifecycle: { status: job.lifecycleStatus, createdAt: iso(job.createdAt), staleAt: isoOrNull(job.staleAt) },
  listedAt: iso(job.listedAt),
  ...jobTrust(job),
})

/** Pins the terms of a job for one claim; null when its output schema is unknown (`job_snapshot_capture_failed`). */
export function captureSnapshot(facts: CaptureFacts): JobSnapshot | null {
  const { job } = facts
  const schema = jobSchemaByRef(job.definition.outputSchemaRef)
  if (schema === undefined) return null
  const definition = servedTerms(facts)
  const { verifierConfig, verifierMode, outputSchemaRef } = job.definition
  return {
    version: 'job-snapshot-v1',
    capturedAt: iso(facts.capturedAt),
    jobId: job.id,
    definition,
    definitionHash: keccakOf(definition),
    specDefinition: toPlain(job.definition),
    specHash: specHashOf(job.definition),
    outputSchema: { ref: outputSchemaRef, schema: toPlain(schema), schemaHash: keccakOf(schema) },
    verifierConfigSnapshot: toPlain(verifierConfig),
    verifierConfigHash: verifierConfigHash(verifierConfig),
    verifierPolicyVersion: VERIFIER_POLICY_VERSION,
    verifierConfigVersion: verifierConfig.version,
    handlerVersion: HANDLER_VERSIONS[verifierMode],
    ...pick(facts, 'chainId', 'claimEconomics', 'specSource'),
    escrowAddress: facts.escrowAddress.toLowerCase(),
  }
}

/** Badge fields pinned at the claim. */
export const captureBadgeFields = (job: JobRecord, decimals: number): BadgeSnapshot => ({
  ...pick(job.definition, 'category', 'tier', 'verifierMode'),
  rewardAsset: job.rewardAsset,
  ...rawAndDisplay({ rewardAmount: job.rewardRaw }, decimals),
})

export type SnapshotCheck = { ok: true; snapshot: JobSnapshot; definition: JobDefinition } | { ok: false; code: SnapshotFault }

const MEMBERS = ['jobId', 'definitionHash', 'specHash', 'verifierConfigHash'] as const
const OBJECTS = ['definition', 'specDefinition', 'outputSchema', 'verifierConfigSnapshot'] as const

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'

function isComplete(snapshot: Partial<JobSnapshot>): snapshot is JobSnapshot {
  const schema: Partial<JobSnapshot['outputSchema']> = snapshot.outputSchema ?? {}
  return (
    snapshot.version === 'job-snapshot-v1' &&
    MEMBERS.every((member) => typeof snapshot[member] === 'string') &&
    OBJECTS.every((member) => isObject(snapshot[member])) &&
    typeof schema.ref === 'string' &&
    typeof schema.schemaHash === 'string' &&
    isObject(schema.schema) &&
    Number.isInteger(snapshot.verifierConfigVersion)
  )
}

/** Whether the verifier config in the pre-image equals the config pinned beside it. */
function partsAgree({ specDefinition, verifierConfigSnapshot, verifierConfigHash: hash, verifierConfigVersion }: JobSnapshot): boolean {
  const pinned = keccakOf(verifierConfigSnapshot)
  return (
    pinned === hash &&
    isObject(specDefinition.verifierConfig) &&
    keccakOf(specDefinition.verifierConfig) === pinned &&
    verifierConfigSnapshot.version === verifierConfigVersion
  )
}

function faultOf(snapshot: JobSnapshot, jobId: string): SnapshotFault | null {
  const { definition, specDefinition, outputSchema } = snapshot
  if ([snapshot.jobId, definition.id, specDefinition.id].some((id) => id !== jobId)) return 'job_snapshot_job_id_mismatch'
  if (keccakOf(definition) !== snapshot.definitionHash) return 'job_snapshot_definition_hash_mismatch'
  if (specHashOf(specDefinition) !== snapshot.specHash || !partsAgree(snapshot)) return 'job_snapshot_spec_preimage_mismatch'
  const schemaHolds = keccakOf(outputSchema.schema) === outputSchema.schemaHash && outputSchema.ref === specDefinition.outputSchemaRef
  return schemaHolds ? null : 'job_snapshot_output_schema_mismatch'
}

/** Pinned terms of a claim. Does not check the hashes; the snapshot was built from a valid definition. */
export const pinnedDefinition = ({ specDefinition }: Pick<JobSnapshot, 'specDefinition'>): JobDefinition =>
  specDefinition as unknown as JobDefinition

/** Recomputes every hash of the pinned terms; every decision after the claim requires them to match. */
export function verifySnapshot(snapshot: Partial<JobSnapshot>, jobId: string): SnapshotCheck {
  if (!isComplete(snapshot)) return { ok: false, code: 'job_snapshot_incomplete' }
  const code = faultOf(snapshot, jobId)
  if (code !== null) return { ok: false, code }
  return { ok: true, snapshot, definition: pinnedDefinition(snapshot) }
}
