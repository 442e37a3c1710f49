import type { MemberSchema } from '../../schemas/catalogue/job-schemas/parts.ts'
import { REQUIRED, wrongType } from '../../schemas/common/rule-sentences.ts'
import { type FieldError, isServiceError } from '../../schemas/errors.ts'
import type { SessionSubmission } from '../../schemas/sessions/record.ts'
import { SCHEMA_VALIDATES, UNWRAPPED_ALIAS } from '../catalogue/submission-contract.ts'
import { canonicalJson } from '../common/canonical-json.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'
import { schemaErrors } from '../common/json-schema.ts'
import { evidenceText } from '../common/text.ts'
import type { ExpectedWork } from '../pull-requests/expected.ts'
import { pullRequestErrors } from '../pull-requests/offer.ts'
import { holdsJson } from './json-text.ts'

/** Largest text evidence, UTF-8 bytes. */
export const TEXT_EVIDENCE_LIMIT_BYTES = 16_384

/** Schema of a submission: pinned at the claim, or that of the current definition before a claim. A null schema means text. */
export interface SubmissionTerms {
  schemaRef: string
  schema: MemberSchema | null
  /** Work that a pull request must answer; null for jobs without pull requests. */
  pullRequest: ExpectedWork | null
}

export interface AcceptedSubmission {
  valid: true
  submission: SessionSubmission
  /** The object without its wrapper, or the text; this value is stored, hashed and verified. */
  normalized: Record<string, unknown> | string
  /** keccak256 of the canonical JSON of `normalized`. */
  evidenceHash: Hex
  /** Set when the object was wrapped. */
  normalizedFrom?: typeof UNWRAPPED_ALIAS
}

interface RefusedSubmission {
  valid: false
  code: 'invalid_request' | 'invalid_submission_shape'
  message: string
  /** Path of the first failed member, beginning with `payload.submission`. */
  path: string
  errorPaths: string[]
  /** Pointers begin with `/submission`. */
  errors: FieldError[]
  details?: Record<string, unknown>
}

export type CheckedSubmission = AcceptedSubmission | RefusedSubmission

const HINT = 'Send the object that the schema describes as the value of submission, not inside another member.'
const PARSE_FIRST = ' Parse the JSON text first.'
const PARSE_HINT = 'The text holds JSON: parse it first, and send the object as the value of submission.'

/** An escaped NUL in JSON text; an escaped backslash starts no escape. */
const NUL_ESCAPE = /(?<!\\)(?:\\\\)*\\u0000/

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

/** `/submission/findings/0/file` → `payload.submission.findings.0.file`. */
const pathOf = (pointer: string): string => `payload${pointer.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}`

function refuse(message: string, errors: FieldError[], rest: Partial<RefusedSubmission> = {}): RefusedSubmission {
  const errorPaths = [...new Set(errors.map((error) => pathOf(error.pointer)))]
  return { valid: false, code: 'invalid_request', message, path: errorPaths[0] ?? SCHEMA_VALIDATES, errorPaths, errors, ...rest }
}

/** Errors for values that cannot be stored under any schema: strings without UTF-8 form, NUL characters, too deep nesting. */
function storageErrors(value: unknown): FieldError[] {
  if (value === undefined) return [{ pointer: '', rule: 'required', message: REQUIRED }]
  try {
    if (!NUL_ESCAPE.test(canonicalJson(value))) return []
  } catch (error) {
    if (isServiceError(error)) return error.info.errors ?? []
    throw error
  }
  return [{ pointer: '', rule: 'characters', message: 'holds the NUL character' }]
}

const within = (errors: FieldError[], place = '/submission'): FieldError[] =>
  errors.map((error) => ({ ...error, pointer: `${place}${error.pointer}` }))

function accept(normalized: Record<string, unknown> | string, normalizedFrom?: typeof UNWRAPPED_ALIAS): AcceptedSubmission {
  const submission: SessionSubmission =
    typeof normalized === 'string'
      ? { kind: 'text', rawText: normalized, evidenceText: normalized }
      : { kind: 'structured', structured: normalized, evidenceText: evidenceText(normalized) }
  return { valid: true, submission, normalized, evidenceHash: keccakOf(normalized), ...(normalizedFrom ? { normalizedFrom } : {}) }
}

function checkText(submission: unknown): CheckedSubmission {
  const [pointer, rule] = ['/submission', 'type']
  if (typeof submission !== 'string')
    return refuse('This job takes text.', [{ pointer, rule, limit: 'string', message: wrongType('string') }])
  if (submission.trim() === '')
    return refuse('The evidence is empty.', [{ pointer, rule: 'minLength', limit: 1, message: 'must not be empty' }])
  if (Buffer.byteLength(submission) <= TEXT_EVIDENCE_LIMIT_BYTES) return accept(submission)
  const message = `Text evidence has at most ${TEXT_EVIDENCE_LIMIT_BYTES} bytes.`
  return refuse(message, [{ pointer, rule: 'maxBytes', limit: TEXT_EVIDENCE_LIMIT_BYTES, message }])
}

function textForSchemaJob(terms: SubmissionTerms, text: string): RefusedSubmission {
  const isJson = holdsJson(text)
  const message = `This job takes an object, not text.${isJson ? PARSE_FIRST : ''}`
  const details = {
    schemaRef: terms.schemaRef,
    schemaValidates: SCHEMA_VALIDATES,
    received: 'payload.evidence',
    expected: `${SCHEMA_VALIDATES}.${terms.schema?.required?.[0] ?? ''}`,
    hint: isJson ? PARSE_HINT : HINT,
  }
  return refuse(message, [{ pointer: '/submission', rule: 'type', limit: 'object', message }], { details })
}

function wrongShape(terms: SubmissionTerms, direct: FieldError[], inner: FieldError[]): RefusedSubmission {
  const expected = `${SCHEMA_VALIDATES}.${terms.schema?.required?.[0] ?? ''}`
  const details = {
    expected,
    schemaValidates: SCHEMA_VALIDATES,
    received: UNWRAPPED_ALIAS,
    hint: HINT,
    directError: direct[0],
    outputError: inner[0],
  }
  const message = 'Neither the submission nor its member output is what the schema describes.'
  return refuse(message, within(direct), { code: 'invalid_submission_shape', path: expected, details })
}

/** Whether a member with an error, or the wrapper, holds as text what the schema describes. */
const hasJsonText = (submission: unknown, errors: readonly FieldError[]): boolean => {
  const members = new Set(['output', ...errors.map(({ pointer }) => pointer.split('/')[1])])
  return isObject(submission) && Object.entries(submission).some(([member, value]) => members.has(member) && holdsJson(value))
}

function checkStructured(terms: SubmissionTerms, schema: object, submission: unknown): CheckedSubmission {
  if (typeof submission === 'string') return textForSchemaJob(terms, submission)
  const direct = schemaErrors(schema, submission)
  if (direct.length === 0 && isObject(submission)) return accept(submission)
  if (!isObject(submission) || !isObject(submission.output))
    return refuse(
      `The submission does not match the schema of the job.${hasJsonText(submission, direct) ? PARSE_FIRST : ''}`,
      within(direct),
    )
  const inner = schemaErrors(schema, submission.output)
  return inner.length === 0 ? accept(submission.output, UNWRAPPED_ALIAS) : wrongShape(terms, direct, inner)
}

/** Checks a submission against the terms of its job, for validate and submit alike. Source: lifecycle, "Wrapped output". */
export function checkSubmission(terms: SubmissionTerms, submission: unknown): CheckedSubmission {
  const broken = storageErrors(submission)
  if (broken.length > 0) return refuse('The submission has content that cannot be stored.', within(broken))
  const checked = terms.schema === null ? checkText(submission) : checkStructured(terms, terms.schema, submission)
  const errors = checked.valid && terms.pullRequest !== null ? pullRequestErrors(checked.normalized, terms.pullRequest) : []
  if (!checked.valid || errors.length === 0) return checked
  const place = checked.normalizedFrom === undefined ? '/submission' : '/submission/output'
  return refuse(`The job cannot accept this pull request. Expected: ${errors[0]?.limit}`, within(errors, place))
}
