import type { MemberSchema, SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import { pinnedAddresses } from '../catalogue/open-data.ts'
import { placeholderOf } from '../catalogue/placeholder.ts'
import { schemaErrors } from '../common/json-schema.ts'
import { expectedWork } from '../pull-requests/expected.ts'
import { pullRequestErrors } from '../pull-requests/offer.ts'
import { isOpenData } from '../verification/foreseen-rejection.ts'
import { approvesByRule, type CommittedJob } from '../verification/placeholder-check.ts'

/** A value of a schema with all its members, an entry in each list, and `text` wherever the schema takes it. */
function fullestOf(node: SchemaNode, text: string): unknown {
  if (node.type === 'object')
    return Object.fromEntries(Object.entries(node.properties ?? {}).map(([name, child]) => [name, fullestOf(child, text)]))
  if (node.type === 'string' && schemaErrors(node, text).length === 0) return text
  if (node.type !== 'array') return placeholderOf(node, 'value', () => text)
  return Array.from({ length: Math.max(node.minItems ?? 0, 1) }, () => (node.items === undefined ? text : fullestOf(node.items, text)))
}

/** Texts of which one gets a submission approved, if any submission of the schema can be. */
function winningTexts({ definition, expectedOutputs }: CommittedJob): string[] {
  const { verifierConfig: config, source } = definition
  switch (config.handler) {
    case 'benchmark':
      return [config.requiredKeywords.join('\n')]
    case 'deterministic': {
      const values = expectedOutputs.map(({ value }) => value)
      return config.matchMode === 'exact' ? values : [values.join('\n')]
    }
    case 'human_fallback':
    case 'verification_profile':
      return ['work']
    case 'codehost_pr': {
      const { repo, host } = expectedWork(source)
      return [`https://${host ?? 'codehost.example'}/${repo ?? 'owner/name'}/pull/1`]
    }
  }
}

function isApproved(job: CommittedJob, schema: MemberSchema, submission: Record<string, unknown>): boolean {
  const { verifierConfig, source } = job.definition
  const byRule = approvesByRule(job, schema, submission)
  if (byRule !== null) return byRule
  if (verifierConfig.handler === 'human_fallback' || verifierConfig.handler === 'verification_profile') return true
  return pullRequestErrors(submission, expectedWork(source)).length === 0
}

/** True when a submission exists that the schema of the result takes and the verifier may approve. */
export function isAttainable(job: CommittedJob): boolean {
  const schema = jobSchemaByRef(job.definition.outputSchemaRef)
  if (schema === undefined) return false
  const { datasetUrl, resourceUrl } = pinnedAddresses(job.definition.source)
  const pinned = isOpenData(job.definition) ? { dataset_url: datasetUrl, resource_url: resourceUrl } : {}
  const texts = isOpenData(job.definition) ? ['work'] : winningTexts(job)
  return texts.some((text) => {
    const submission = { ...(fullestOf(schema, text) as Record<string, unknown>), ...pinned }
    return schemaErrors(schema, submission).length === 0 && isApproved(job, schema, submission)
  })
}
