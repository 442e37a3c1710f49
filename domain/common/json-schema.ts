import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { escapePointer } from '../../schemas/common/json-pointer.ts'
import {
  type Bound,
  NO_FORM_MATCHES,
  notListed,
  notMultiple,
  outOfBound,
  REQUIRED,
  unknownMember,
  wrongFormat,
  wrongType,
} from '../../schemas/common/rule-sentences.ts'
import type { FieldError } from '../../schemas/errors.ts'
import { boundedPointer } from '../../schemas/operations/field-errors.ts'
import { canonicalJson } from './canonical-json.ts'

/** Size of the cache of compiled schemas. */
const MAX_COMPILED = 200
const MAX_REPORTED = 20
const compiled = new Map<string, ValidateFunction>()

// A pinned schema can have the $id of the current one and other content, so Ajv registers no schema by its id. A verbose error holds its schema.
const ajv = new Ajv({ strict: true, allErrors: true, verbose: true, addUsedSchema: false })

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

const BOUNDS: Readonly<Record<string, Omit<Bound, 'limit'>>> = {
  minLength: { side: 'min', origin: 'string' },
  maxLength: { side: 'max', origin: 'string' },
  minItems: { side: 'min', origin: 'array' },
  maxItems: { side: 'max', origin: 'array' },
  minProperties: { side: 'min', origin: 'object' },
  maxProperties: { side: 'max', origin: 'object' },
  minimum: { side: 'min', origin: 'number' },
  maximum: { side: 'max', origin: 'number' },
  exclusiveMinimum: { side: 'min', origin: 'number', inclusive: false },
  exclusiveMaximum: { side: 'max', origin: 'number', inclusive: false },
}

/** Sentence of a keyword in the words of this service. */
function messageOf({ keyword, params, parentSchema }: ErrorObject): string {
  const bound = BOUNDS[keyword]
  if (bound !== undefined) return outOfBound({ ...bound, limit: params.limit })
  switch (keyword) {
    case 'required':
      return REQUIRED
    case 'additionalProperties':
      return unknownMember(Object.keys(parentSchema?.properties ?? {}))
    case 'type':
      return wrongType(params.type)
    case 'enum':
      return notListed(params.allowedValues)
    case 'const':
      return notListed([params.allowedValue])
    case 'pattern':
      return wrongFormat('pattern', params.pattern)
    case 'format':
      return wrongFormat(params.format)
    case 'multipleOf':
      return notMultiple(params.multipleOf)
    case 'uniqueItems':
      return 'must not hold an entry twice'
    default:
      return NO_FORM_MATCHES
  }
}

/** Validation errors of a value, at most 20; pointers start at the value. Empty when valid. */
export function schemaErrors(schema: object, value: unknown): FieldError[] {
  const validate = validatorOf(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).slice(0, MAX_REPORTED).map((error) => ({
    pointer: boundedPointer(`${error.instancePath}${memberOf(error)}`),
    rule: error.keyword,
    ...limitOf(error),
    message: messageOf(error),
  }))
}
