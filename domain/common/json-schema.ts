import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FieldError } from '../../schemas/errors.ts'
import { canonicalJson } from './canonical-json.ts'

/** Compiled schemas that are kept; pinned schemas of older versions come and go. */
const KEPT = 200
const REPORTED = 20
const compiled = new Map<string, ValidateFunction>()

// A pinned schema may carry the $id of the present one with other content, so no schema is registered by its id.
const ajv = new Ajv({ strict: true, allErrors: true, addUsedSchema: false })

function validatorOf(schema: object): ValidateFunction {
  const key = canonicalJson(schema)
  const known = compiled.get(key)
  const validate = known ?? ajv.compile(schema)
  compiled.delete(key)
  compiled.set(key, validate)
  const [oldest] = compiled.keys()
  if (compiled.size > KEPT && oldest !== undefined) compiled.delete(oldest)
  return validate
}

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

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

/** Every way (at most 20) in which a value breaks a schema; pointers begin at the value. An empty list means valid. */
export function schemaErrors(schema: object, value: unknown): FieldError[] {
  const validate = validatorOf(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).slice(0, REPORTED).map((error) => ({
    pointer: `${error.instancePath}${memberOf(error)}`,
    rule: error.keyword,
    ...limitOf(error),
    message: messageOf(error),
  }))
}
