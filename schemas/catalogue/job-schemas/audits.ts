import { choice, count, flag, type JobSchema, jobSchema, list, record, records, type SchemaNode, text, texts } from './parts.ts'

const checks = records('Checks that were made.', 1, 'One check.', {
  name: text('What was checked.'),
  status: choice('What came out.', 'pass', 'warn', 'fail', 'unknown'),
  evidence: text('What shows it.'),
})

const finding: Record<string, SchemaNode> = {
  severity: text('How serious it is.'),
  issue: text('What is wrong.'),
  evidence: text('What shows it.'),
  recommendation: text('What to do about it.'),
}

const conclusion: Record<string, SchemaNode> = {
  no_issue_found: flag('True if the audit found nothing wrong.'),
  summary: text('The audit in a few sentences.'),
  recommended_actions: texts('What should happen next.', 1),
}

export const AUDIT_SCHEMAS: readonly JobSchema[] = [
  jobSchema('docs-input', 'Documentation task', 'Documentation surfaces and what is wanted of them.', {
    surfaces: texts('Pages, files or addresses.', 1),
    goal: text('What the work must achieve.'),
    'context?': texts('Background the work may need.'),
  }),
  jobSchema(
    'docs-drift-audit-output',
    'Documentation drift audit',
    'Where documentation and the thing it describes disagree, and how to mend it.',
    {
      source_surface: text('The surface taken as the truth.'),
      drift_findings: records('Disagreements that were found.', 0, 'One disagreement.', {
        surface_a: text('What one side says, with its place.'),
        surface_b: text('What the other side says, with its place.'),
        mismatch: text('How they differ.'),
      }),
      missing_updates: texts('Updates that are missing.'),
      severity: choice('How much the drift misleads.', 'low', 'medium', 'high'),
      fix_recommendation: text('What should be changed.'),
    },
  ),
  jobSchema('open-data-quality-audit-input', 'Open data audit task', 'A resource of a public data portal to audit.', {
    portal: choice('The data portal.', 'data.gov'),
    datasetTitle: text('Title of the data set.'),
    datasetUrl: text('Address of the data set.'),
    resourceUrl: text('Address of the resource.'),
    instructions: texts('What to check.', 1),
    'datasetId?': text('Id of the data set.'),
    'resourceId?': text('Id of the resource.'),
    'resourceTitle?': text('Title of the resource.'),
    'resourceFormat?': text('Format the portal names.'),
    'agency?': text('Who publishes it.'),
    'license?': text('Licence the portal names.'),
    'modified?': text('When the data changed last.'),
    'metadataModified?': text('When its description changed last.'),
  }),
  jobSchema(
    'open-data-quality-audit-output',
    'Open data audit',
    'What a resource of a public data portal delivers, checked against its description.',
    {
      dataset_title: text('Title of the data set.'),
      dataset_url: text('Address of the data set.'),
      resource_url: text('Address of the resource.'),
      checks,
      findings: list('What was found.', record('One finding.', finding)),
      ...conclusion,
      'resource_format?': text('Format that was delivered.'),
      'notes?': text('Anything a reader should know besides.'),
    },
  ),
  jobSchema('openapi-quality-audit-input', 'API description audit task', 'An OpenAPI document to audit.', {
    apiTitle: text('Title of the API.'),
    specUrl: text('Address of the document.'),
    instructions: texts('What to check.', 1),
    'localSurface?': text('Page or client that should agree with the document.'),
    'repo?': text('Repository the document belongs to.'),
    'openapiVersion?': text('Version of the format.'),
    'pathCount?': count('Paths in the document.'),
    'operationCount?': count('Operations in the document.'),
    'schemaCount?': count('Schemas in the document.'),
  }),
  jobSchema(
    'openapi-quality-audit-output',
    'API description audit',
    'What is wrong or missing in an OpenAPI document, each with its place.',
    {
      api_title: text('Title of the API.'),
      spec_url: text('Address of the document.'),
      checks,
      findings: list('What was found.', record('One finding.', { ...finding, location: text('Where it stands in the document.') })),
      ...conclusion,
      'local_surface?': text('Page or client that was compared.'),
      'openapi_version?': text('Version of the format.'),
      'notes?': text('Anything a reader should know besides.'),
    },
  ),
  jobSchema('product-proof-worker-loop', 'Worker loop proof', 'Proof that one worker went through the whole loop, check by check.', {
    summary: text('What was done, in a few sentences.'),
    output: text('The result itself.'),
    status: choice('How far the work got.', 'complete'),
    checks: records('Checks that were made.', 1, 'One check.', {
      name: text('What was checked.'),
      status: text('What came out.'),
      evidence: text('What shows it.'),
    }),
    'job_id?': text('Id of the job.'),
    'completed_at?': text('When the work was completed, ISO 8601 UTC.'),
  }),
]
