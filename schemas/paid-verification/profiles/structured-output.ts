import { z } from 'zod'
import { artefactReference } from './artefact.ts'
import { CitationsPointer } from './inputs.ts'

const KIB = 1_024
const MIB = 1_024 * KIB

/** Limits of the profile `structured-output-evidence-v1`, version 1, in bytes. */
export const STRUCTURED_OUTPUT_LIMITS = {
  outputBytes: MIB,
  schemaBytes: 256 * KIB,
  sourceBytes: 2 * MIB,
  /** All artefacts together. */
  totalBytes: 8 * MIB,
  timeoutMs: 30_000,
} as const

/** Most arrays and objects inside each other, in output and schema. */
export const MAX_JSON_NESTING = 32

/** Checks of the profile, in the order of its results. */
export const STRUCTURED_OUTPUT_CHECKS = [
  'output-json',
  'schema-valid',
  'citations-name-sources',
  'quotes-verbatim',
  'claims-resolve',
] as const

/** Where the citations stand when the inputs do not say so. */
export const DEFAULT_CITATIONS_POINTER = '/citations'

export const structuredOutputInputs = z.strictObject({
  output: artefactReference(STRUCTURED_OUTPUT_LIMITS.outputBytes).describe('JSON that is judged'),
  schema: artefactReference(STRUCTURED_OUTPUT_LIMITS.schemaBytes).describe('JSON Schema of the output, draft 2020-12 or 07'),
  sources: z.array(artefactReference(STRUCTURED_OUTPUT_LIMITS.sourceBytes)).min(1).max(16).describe('texts that the output quotes'),
  citationsPointer: CitationsPointer.optional().describe('JSON pointer to the citations of the output; /citations without it'),
})
