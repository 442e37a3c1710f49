import { describe, expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import { placeholderOf } from '../../../domain/catalogue/placeholder.ts'
import { schemaErrors } from '../../../domain/common/json-schema.ts'
import type { SchemaNode } from '../../../schemas/catalogue/job-schemas/parts.ts'
import { JOB_SCHEMAS, jobSchemaByRef, jobSchemaIndex, jobSchemaPath } from '../../../schemas/catalogue/job-schemas/registry.ts'

/** The published field table in one notation: required | optional; `[]` list, `[]+` list with at least one, `{}` closed object, `=` allowed words. */
const TABLE: Record<string, string> = {
  'coding-input': 'task acceptanceCriteria[]+ | repo files[]',
  'coding-output': 'summary output status=complete/partial/blocked | filesChanged[]',
  'patch-submission-output': 'patch{sha256 bytes:integer>=1 locator{kind=https url} | format=file} baseCommit submittingAgent{wallet}',
  'codehost-pr-evidence-output':
    'prUrl summary tests | notes prBody issueNumber:integer>=1 issueUrl commitUrl branchUrl filesChanged[] referencesIssue:boolean checksPassing:boolean ciStatus=unknown/pending/passing/failing reviewApproved:boolean merged:boolean',
  'governance-input': 'proposal requestedOutcome | constraints[]',
  'governance-output': 'summary decisionSignal=approve/reject/revise | recommendations[]',
  'review-input': 'subject reviewScope rubric[]+ | files[]',
  'pr-review-findings-output':
    'summary findings[]+{severity file issue recommendation} risk_level files_touched[]+ recommended_next_step=merge/fix_and_retest/request_changes',
  'release-input': 'release_id checklist[]+ | context[]',
  'release-readiness-output': 'release_id checks_passed[] checks_failed[] blockers[] go_no_go=go/no_go',
  'triage-input': 'report routingOptions[]+ | componentHints[]',
  'issue-defect-triage-output':
    'category=bug/ops/docs/governance/integration severity=low/medium/high/critical component=api/indexer/frontend/contracts/ops repro_clarity=clear/partial/unclear next_owner=backend/frontend/ops/contracts/docs duplication_risk',
  'docs-input': 'surfaces[]+ goal | context[]',
  'docs-drift-audit-output':
    'source_surface drift_findings[]{surface_a surface_b mismatch} missing_updates[] severity=low/medium/high fix_recommendation',
  'dependency-remediation-input':
    'ecosystem=npm packageName vulnerableVersion fixedVersion advisoryIds[]+ instructions[]+ | repo manifestPath advisoryUrls[]',
  'dependency-remediation-output':
    'prUrl packageName vulnerableVersion fixedVersion advisoryIds[]+ summary tests | repo manifestPath lockfilesUpdated[] filesChanged[] ciStatus=unknown/pending/passing/failing checksPassing:boolean notes',
  'open-data-quality-audit-input':
    'portal=data.gov datasetTitle datasetUrl resourceUrl instructions[]+ | datasetId resourceId resourceTitle resourceFormat agency license modified metadataModified',
  'open-data-quality-audit-output':
    'dataset_title dataset_url resource_url checks[]+{name status=pass/warn/fail/unknown evidence} findings[]{severity issue evidence recommendation} no_issue_found:boolean summary recommended_actions[]+ | resource_format notes',
  'openapi-quality-audit-input':
    'apiTitle specUrl instructions[]+ | localSurface repo openapiVersion pathCount:integer>=0 operationCount:integer>=0 schemaCount:integer>=0',
  'openapi-quality-audit-output':
    'api_title spec_url checks[]+{name status=pass/warn/fail/unknown evidence} findings[]{severity issue evidence recommendation location} no_issue_found:boolean summary recommended_actions[]+ | local_surface openapi_version notes',
  'wikipedia-maintenance-input':
    'project=wikipedia pageTitle pageUrl revisionId taskType=citation_repair/freshness_check/infobox_consistency instructions[]+ | language lang articleUrl pinnedRevisionUrl proposalOnly:boolean attributionPolicy outputSchemaUrl sourceUrls[]',
  'wikipedia-citation-repair-output':
    'page_title revision_id citation_findings[]+{section problem=dead_link/missing_citation/weak_source/outdated_source/claim_mismatch current_claim evidence_url} proposed_changes[]+{change_type=replace_citation/add_citation/flag_for_editor_review target_text replacement_text source_url} review_notes',
  'wikipedia-citation-repair-output-v2':
    'page_title revision_id citation_findings[]+{section problem=dead_link/missing_citation/weak_source/outdated_source/claim_mismatch current_claim evidence_url source_quote} proposed_changes[]+{change_type=replace_citation/add_citation/flag_for_editor_review target_text replacement_text source_url} review_notes',
  'wikipedia-freshness-check-output':
    'page_title revision_id freshness_findings[]+{claim status=current/outdated/unclear/needs_editor_review evidence_url note} recommended_editor_actions[]+ risk_level',
  'wikipedia-infobox-consistency-output':
    'page_title revision_id checked_fields[]+{field current_value evidence_url status=consistent/inconsistent/missing_source/needs_editor_review note} proposed_changes[]+{field target_text replacement_text source_url} review_notes',
  'product-proof-worker-loop': 'summary output status=complete checks[]+{name status evidence} | job_id completed_at',
}

const printLeaf = (node: SchemaNode): string => {
  if (node.enum) return `=${node.enum.join('/')}`
  if (node.type === 'boolean') return ':boolean'
  if (node.type === 'integer') return `:integer>=${node.minimum}`
  return node.type === 'object' ? `{${printMembers(node)}}` : ''
}

const print = (name: string, node: SchemaNode): string => {
  if (node.type !== 'array' || !node.items) return `${name}${printLeaf(node)}`
  return `${name}[]${node.minItems ? '+' : ''}${printLeaf(node.items)}`
}

const printMembers = (node: SchemaNode): string => {
  const members = Object.entries(node.properties ?? {})
  const pick = (required: boolean) =>
    members.filter(([name]) => node.required?.includes(name) === required).map(([name, child]) => print(name, child))
  return [pick(true).join(' '), pick(false).join(' ')].filter(Boolean).join(' | ')
}

const walk = (node: SchemaNode): SchemaNode[] => [
  node,
  ...(node.items ? walk(node.items) : []),
  ...Object.values(node.properties ?? {}).flatMap(walk),
]

const compile = (schema: object) => new Ajv({ strict: true, allErrors: true }).compile(schema)

describe('built-in job schemas', () => {
  test('there are exactly the published ones', () => {
    expect([...JOB_SCHEMAS.keys()].sort()).toEqual(Object.keys(TABLE).sort())
    expect(JOB_SCHEMAS.size).toBe(26)
  })

  test.each(Object.entries(TABLE))('%s has the published members', (name, members) => {
    const schema = JOB_SCHEMAS.get(name)
    expect(schema && printMembers(schema)).toBe(members)
  })

  test.each([...JOB_SCHEMAS])('%s says what it is and leaves nothing open', (name, schema) => {
    expect(schema.$id).toBe(`schema://jobs/${name}`)
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(schema.title).not.toBe('')
    for (const node of walk(schema)) {
      expect(node.description).not.toBe('')
      if (node.type === 'object') expect(node.additionalProperties).toBe(false)
      if (node.type === 'string' && !node.enum) expect(node.minLength).toBe(1)
    }
  })

  test.each([...JOB_SCHEMAS])('%s accepts its smallest example and refuses one member more or less', (_name, schema) => {
    const validate = compile(schema)
    const example = placeholderOf(schema) as Record<string, unknown>
    expect(validate(example)).toBe(true)
    expect(validate({ ...example, surplus: 'x' })).toBe(false)
    for (const name of schema.required) {
      const { [name]: _left, ...rest } = example
      expect(validate(rest)).toBe(false)
    }
  })

  test('an empty string is no answer', () => {
    const validate = compile(JOB_SCHEMAS.get('coding-output') ?? {})
    expect(validate({ summary: '', output: 'x', status: 'complete' })).toBe(false)
  })

  test('a schema is found by its reference, and by nothing that only looks like one', () => {
    expect(jobSchemaByRef('schema://jobs/coding-output')?.$id).toBe('schema://jobs/coding-output')
    expect(jobSchemaByRef('coding-output')).toBeUndefined()
    expect(jobSchemaByRef('schema://jobs/constructor')).toBeUndefined()
    expect(jobSchemaPath('coding-output')).toBe('/schemas/jobs/coding-output.json')
  })

  test('the index lists every schema with its path', () => {
    expect(jobSchemaIndex()).toHaveLength(26)
    expect(jobSchemaIndex()[0]).toEqual({
      $id: 'schema://jobs/codehost-pr-evidence-output',
      description: expect.any(String),
      path: '/schemas/jobs/codehost-pr-evidence-output.json',
    })
  })
})

test.each<[object, unknown, string]>([
  [{ type: 'string' }, 1, 'must be text'],
  [{ type: ['string', 'null'], nullable: true }, 1, 'must be text or null'],
  [{ type: 'string', minLength: 1 }, '', 'must not be empty'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'must have at most 2 characters'],
  [{ type: 'string', pattern: '^a$' }, 'b', 'must match the pattern ^a$'],
  [{ type: 'string', enum: ['a', 'b'] }, 'c', 'must be one of a, b'],
  [{ const: 'a' }, 'c', 'must be "a"'],
  [{ type: 'array', minItems: 2 }, [], 'must have at least 2 entries'],
  [{ type: 'array', uniqueItems: true }, [1, 1], 'must not hold an entry twice'],
  [{ type: 'integer' }, 1.5, 'must be a whole number'],
  [{ type: 'number', minimum: 2 }, 1, 'must be at least 2'],
  [{ type: 'number', exclusiveMaximum: 2 }, 2, 'must be less than 2'],
  [{ type: 'number', multipleOf: 2 }, 3, 'must be a multiple of 2'],
  // A schema of a job may hold any keyword that the validator knows.
  [{ type: 'object', required: ['a'], properties: { a: {} } }, {}, 'is required'],
  [{ type: 'object', additionalProperties: false }, { b: 1 }, 'is not an accepted member; there is none'],
  [{ type: 'object', properties: { a: {}, c: {} }, additionalProperties: false }, { b: 1 }, 'is not an accepted member; accepted are a, c'],
  [{ type: 'object', maxProperties: 1 }, { a: 1, b: 1 }, 'must have at most 1 members'],
  [{ not: {} }, 1, 'matches none of the accepted forms'],
])('a submission against %j is refused in the words of this service', (schema, value, message) => {
  expect(schemaErrors(schema, value).map((error) => error.message)).toEqual([message])
})
