import { Ajv, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonValue } from '../../../schemas/catalogue/job-definition.ts'
import type { ProfileCheck } from '../../../schemas/paid-verification/profiles/execution.ts'
import { MAX_JSON_NESTING, STRUCTURED_OUTPUT_CHECKS } from '../../../schemas/paid-verification/profiles/structured-output.ts'
import { judgeCitations, type Source } from './citations.ts'
import { parseJsonText } from './json-text.ts'
import { showPointer } from './pointer.ts'
import { schemaSubset } from './schema-subset.ts'

export interface StructuredOutputCase {
  output: Uint8Array
  schema: Uint8Array
  sources: readonly Source[]
  /** JSON pointer to the citations of the output. */
  citationsPointer: string
}

export interface StructuredOutputJudgement {
  checks: ProfileCheck[]
  evidence: Record<string, JsonValue>
}

type CheckId = (typeof STRUCTURED_OUTPUT_CHECKS)[number]
const checkOf = (id: CheckId, passed: boolean | null, detail: string): ProfileCheck => ({ id, passed, detail })

/** The checks when none was decided, all with one detail. */
export const undecidedChecks = (detail: string): ProfileCheck[] => STRUCTURED_OUTPUT_CHECKS.map((id) => checkOf(id, null, detail))

// References are not inlined: schemas that refer to each other twice would double the code at each step.
const OPTIONS: Options = { strict: false, validateFormats: false, inlineRefs: false, logger: false }

/** The first fault of a value under a schema. An unusable schema leaves the check undecided. */
const checkSchema = (bytes: Uint8Array, output: unknown): ProfileCheck => {
  const undecided = (detail: string): ProfileCheck => checkOf('schema-valid', null, detail)
  const parsed = parseJsonText(bytes, MAX_JSON_NESTING)
  if ('fault' in parsed) return undecided(`The schema ${parsed.fault}.`)
  const subset = schemaSubset(parsed.value)
  if ('fault' in subset) return undecided(`The schema ${subset.fault}.`)
  try {
    const ajv = subset.dialect === 'draft-07' ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS)
    const validate = ajv.compile(subset.schema)
    if (validate(output)) return checkOf('schema-valid', true, 'The output is valid under the schema.')
    const [error] = validate.errors ?? []
    return checkOf('schema-valid', false, `The value at ${showPointer(error?.instancePath ?? '')} breaks the keyword ${error?.keyword}.`)
  } catch (error) {
    // Malformed keywords and patterns, and references in a circle, which exhaust the stack.
    return undecided(
      `The schema cannot be used: ${error instanceof RangeError ? 'it refers to itself without end' : 'a keyword is malformed'}.`,
    )
  }
}

/**
 * Judges an output against its schema and its sources. Pure, but its time grows with what strangers wrote (patterns, references), so it runs in
 * a thread with a time limit.
 */
export const judgeStructuredOutput = ({ output, schema, sources, citationsPointer }: StructuredOutputCase): StructuredOutputJudgement => {
  const parsed = parseJsonText(output, MAX_JSON_NESTING)
  if ('fault' in parsed) {
    const [, ...rest] = undecidedChecks('Not judged: the output cannot be read.')
    return { checks: [checkOf('output-json', false, `The output ${parsed.fault}.`), ...rest], evidence: {} }
  }
  const { value, depth } = parsed
  const { count, cited, sourceFault, quoteFault, quoteDoubt, claimFault } = judgeCitations(value, citationsPointer, sources)
  const quotes =
    quoteFault === null && quoteDoubt !== null
      ? checkOf('quotes-verbatim', null, quoteDoubt)
      : checkOf(
          'quotes-verbatim',
          quoteFault === null && sourceFault === null,
          quoteFault ?? sourceFault ?? `Verbatim quotes: ${count} of ${count}.`,
        )
  const checks = [
    checkOf('output-json', true, `The output is JSON of depth ${depth}.`),
    checkSchema(schema, value),
    checkOf('citations-name-sources', sourceFault === null, sourceFault ?? `Citations that name a given source: ${count} of ${count}.`),
    quotes,
    checkOf('claims-resolve', claimFault === null, claimFault ?? `Claims that name a value of the output: ${count} of ${count}.`),
  ]
  return { checks, evidence: { citations: count, citedSources: cited, outputDepth: depth } }
}
