import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { jobSchemaByRef, jobSchemaName, jobSchemaPath } from '../../schemas/catalogue/job-schemas/registry.ts'
import { placeholderOf } from './placeholder.ts'

export const UNWRAPPED_ALIAS = 'payload.submission.output'
export const SCHEMA_VALIDATES = 'payload.submission'
export const SUBMISSION_SHAPE = 'direct_schema_object'

const SUBMIT = 'POST /jobs/submit'
const VALIDATE = 'POST /jobs/validate-submission'

/** How a worker submits a result. Source: specification, "Job definition", submissionContract. */
export interface SubmissionContract {
  endpoint: typeof SUBMIT
  validationEndpoint: typeof VALIDATE
  submissionShape: typeof SUBMISSION_SHAPE
  structuredSubmissionRequired: boolean
  schemaValidates: typeof SCHEMA_VALIDATES
  doNotWrapInOutput: true
  compatibilityAliases: [typeof UNWRAPPED_ALIAS]
  outputSchemaRef: string
  outputSchemaUrl: string
  submitPayloadExample: { sessionId: string; submission: unknown }
  invalidWrappedOutputHint: string
}

const schemaUrl = (ref: string): string => jobSchemaPath(jobSchemaName(ref))

/** Submission contract of a definition. */
export function submissionContract({ outputSchemaRef }: JobDefinition): SubmissionContract {
  const schema = jobSchemaByRef(outputSchemaRef)
  return {
    endpoint: SUBMIT,
    validationEndpoint: VALIDATE,
    submissionShape: SUBMISSION_SHAPE,
    structuredSubmissionRequired: schema !== undefined,
    schemaValidates: SCHEMA_VALIDATES,
    doNotWrapInOutput: true,
    compatibilityAliases: [UNWRAPPED_ALIAS],
    outputSchemaRef,
    outputSchemaUrl: schemaUrl(outputSchemaRef),
    submitPayloadExample: { sessionId: '<session-id>', submission: schema === undefined ? '<text>' : placeholderOf(schema) },
    invalidWrappedOutputHint: `Put the members of the schema directly into submission, beginning with submission.${schema?.required[0] ?? ''}; do not wrap them in submission.output.`,
  }
}

interface SchemaSide {
  schemaRef: string
  schemaUrl: string
  knownBuiltin: boolean
  registered: boolean
}

/** Schemas of a job's input and of its submission. Source: specification, "Job definition", schemaContract. */
export interface SchemaContract {
  input: SchemaSide
  output: SchemaSide & { validates: typeof SCHEMA_VALIDATES; validationEndpoint: typeof VALIDATE }
}

function side(schemaRef: string): SchemaSide {
  const known = jobSchemaByRef(schemaRef) !== undefined
  return { schemaRef, schemaUrl: schemaUrl(schemaRef), knownBuiltin: known, registered: known }
}

/** Schema contract of a definition. */
export const schemaContract = ({ inputSchemaRef, outputSchemaRef }: JobDefinition): SchemaContract => ({
  input: side(inputSchemaRef),
  output: { ...side(outputSchemaRef), validates: SCHEMA_VALIDATES, validationEndpoint: VALIDATE },
})
