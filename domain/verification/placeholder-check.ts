import type { ExpectedOutput, JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { MemberSchema, SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import { isCommittedFacts } from '../catalogue/committed-facts.ts'
import { FILLERS, placeholderOf } from '../catalogue/placeholder.ts'
import { judgeBenchmark } from './benchmark.ts'
import { judgeDeterministic } from './deterministic.ts'
import { isOpenData, judgePinned } from './foreseen-rejection.ts'
import { approveFacts } from './source-facts/judge.ts'

/** A definition and what opens its commitments. */
export interface CommittedJob {
  definition: Omit<JobDefinition, 'id'>
  expectedOutputs: readonly ExpectedOutput[]
}

/** Whether the rule of a job approves a submission; null for a handler that asks people or a code host. */
export function approvesByRule({ definition, expectedOutputs }: CommittedJob, schema: MemberSchema, submission: unknown): boolean | null {
  const config = definition.verifierConfig
  switch (config.handler) {
    case 'benchmark':
      return judgeBenchmark(config, schema, submission).outcome === 'approved'
    case 'deterministic':
      if (isCommittedFacts(definition)) return approveFacts(expectedOutputs, submission) !== null
      return isOpenData(definition)
        ? judgePinned(definition, submission).outcome === 'approved'
        : judgeDeterministic(config.matchMode, expectedOutputs, submission).outcome === 'approved'
    default:
      return null
  }
}

function approves(job: CommittedJob, schema: SchemaNode, submission: unknown): boolean {
  const config = job.definition.verifierConfig
  // A placeholder names no pull request, which blocks an approval at any score.
  return approvesByRule(job, schema, submission) ?? (config.handler === 'human_fallback' && config.autoApprove)
}

/** True when a job's verifier approves none of the schema-valid placeholders. Source: lifecycle, "Ingest". */
export function rejectsPlaceholders(job: CommittedJob): boolean {
  const { definition } = job
  const schema = jobSchemaByRef(definition.outputSchemaRef)
  if (schema === undefined) return false
  if (definition.verifierConfig.handler === 'benchmark') {
    const { reasonCode } = judgeBenchmark(definition.verifierConfig, schema, {})
    if (reasonCode === 'BENCHMARK_CONFIG_UNSAFE') return false
  }
  return Object.values(FILLERS).every((filler) => !approves(job, schema, placeholderOf(schema, 'value', filler)))
}
