import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FieldError } from '../../schemas/errors.ts'
import { canonicalJson, escapePointer } from './canonical-json.ts'

/** Size of the cache of compiled schemas. */
const MAX_COMPILED = 200
const MAX_REPORTED = 20
const compiled = new Map<string, ValidateFunction>()

// A pinned schema can have the $id of the current one and other content, so Ajv registers no schema by its id.
const ajv = new Ajv({ strict: true, allErrors: true, addUsedSchema: false })

function validatorOf(schema: object): ValidateFunction {
  const key = canonicalJson(schema)
  const known = compiled.get(key)
  const validate = known ?? ajv.compile(schema)
  compiled.delete(key)
  compiled.set(key, validate)
  const [oldest] = compiled.keys()
  if (compiled.size > MAX_COMPILED && oldest !== undefined) compiled.delete(oldest)
  return validate
}

function memberOf({ keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `/${escapePointer(params.missingProperty)}`
  return keyword === 'additionalProperties' ? `/${escapePointer(params.additionalProperty)}` : ''
}

function limitOf({ params }: ErrorObject): Pick<FieldError, 'limit'> {
  if (typeof params.limit === 'number') return { limit: params.limit }
  if (Array.isArray(params.allowedValues)) return { limit: params.allowedValues.join(' | ') }
  return typeof params.pattern === 'string' || typeof params.type === 'string' ? { limit: params.pattern ?? params.type } : {}
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'This member is required.'
  if (error.keyword === 'additionalProperties') return 'The schema knows no such member.'
  return `It ${error.message ?? 'does not match the schema'}.`
}

/** Validation errors of a value, at most 20; pointers start at the value. Empty when valid. */
export function schemaErrors(schema: object, value: unknown): FieldError[] {
  const validate = validatorOf(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).slice(0, MAX_REPORTED).map((error) => ({
    pointer: `${error.instancePath}${memberOf(error)}`,
    rule: error.keyword,
    ...limitOf(error),
    message: messageOf(error),
  }))
}
