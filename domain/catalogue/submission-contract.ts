import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import { jobSchemaByRef, jobSchemaName, jobSchemaPath } from '../../schemas/catalogue/job-schemas/registry.ts'
import { placeholderOf } from './placeholder.ts'

export const UNWRAPPED_ALIAS = 'payload.submission.output'
export const SCHEMA_VALIDATES = 'payload.submission'
export const SUBMISSION_SHAPE = 'direct_schema_object'

const SUBMIT = 'POST /jobs/submit'
const VALIDATE = 'POST /jobs/validate-submission'

const schemaUrl = (ref: string): string => jobSchemaPath(jobSchemaName(ref))

/** How a worker submits a result. Source: specification, "Job definition", submissionContract. */
export function submissionContract({ outputSchemaRef }: JobDefinition) {
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

export type SubmissionContract = ReturnType<typeof submissionContract>

function side(schemaRef: string) {
  const known = jobSchemaByRef(schemaRef) !== undefined
  return { schemaRef, schemaUrl: schemaUrl(schemaRef), knownBuiltin: known, registered: known }
}

/** Schemas of a job's input and of its submission. Source: specification, "Job definition", schemaContract. */
export const schemaContract = ({ inputSchemaRef, outputSchemaRef }: JobDefinition) => ({
  input: side(inputSchemaRef),
  output: { ...side(outputSchemaRef), validates: SCHEMA_VALIDATES, validationEndpoint: VALIDATE },
})
