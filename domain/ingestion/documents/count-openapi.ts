import type { OpenapiCounts } from '../../../schemas/ingestion/documents/openapi.ts'
import { lineOrNull } from '../source-text.ts'

/** An interface document as its rules need it. */
export interface OpenapiDocument {
  /** Version of the format. */
  version: string
  title: string | null
  counts: OpenapiCounts
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
/** Values that are looked at for examples, in all operations together. */
const MOST_VALUES = 2_000_000

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)
const membersOf = (value: unknown): Members => (isObject(value) ? value : {})
/** An own member: a document may have one named `constructor`. */
const memberOf = (value: Members, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

/** Looks for a member `example` or `examples` at any depth. Values may be shared and may contain themselves. Null when the budget is used up. */
const createExampleSearch = (budget: number) => {
  let left = budget
  return (root: unknown): boolean | null => {
    const seen = new Set<object>()
    const open: unknown[] = [root]
    while (open.length > 0) {
      const value = open.pop()
      if (typeof value !== 'object' || value === null || seen.has(value)) continue
      if (!Array.isArray(value) && (Object.hasOwn(value, 'example') || Object.hasOwn(value, 'examples'))) return true
      seen.add(value)
      for (const member of Object.values(value)) {
        left -= 1
        if (left < 0) return null
        open.push(member)
      }
    }
    return false
  }
}

const operationsOf = (paths: readonly unknown[]): Members[] =>
  paths.flatMap((item) => METHODS.map((method) => memberOf(membersOf(item), method)).filter(isObject))

const versionOf = (document: Members): string | null => {
  const version = memberOf(document, 'openapi') ?? memberOf(document, 'swagger')
  return typeof version === 'string' || typeof version === 'number' ? lineOrNull(String(version), 20) : null
}

const schemasOf = (document: Members): number => {
  const components = membersOf(memberOf(document, 'components'))
  return Object.keys(membersOf(memberOf(components, 'schemas') ?? memberOf(document, 'definitions'))).length
}

/**
 * Counts what a parsed document has, as written: no reference is followed. `not_a_document`: it names no version of the format or has no paths.
 * `too_complex`: it has more values than are looked at.
 */
export function countOpenapi(document: unknown): OpenapiDocument | 'not_a_document' | 'too_complex' {
  if (!isObject(document)) return 'not_a_document'
  const version = versionOf(document)
  const declared = memberOf(document, 'paths')
  if (version === null || !isObject(declared)) return 'not_a_document'
  const paths = Object.keys(declared).filter((name) => name.startsWith('/'))
  const operations = operationsOf(paths.map((name) => declared[name]))
  const hasExample = createExampleSearch(MOST_VALUES)
  let withoutExample = 0
  for (const operation of operations) {
    const found = hasExample(operation)
    if (found === null) return 'too_complex'
    if (!found) withoutExample += 1
  }
  return {
    version,
    title: lineOrNull(memberOf(membersOf(memberOf(document, 'info')), 'title'), 300),
    counts: {
      paths: paths.length,
      operations: operations.length,
      schemas: schemasOf(document),
      withoutDescription: operations.filter((operation) => isBlank(memberOf(operation, 'description'))).length,
      withoutOperationId: operations.filter((operation) => isBlank(memberOf(operation, 'operationId'))).length,
      withoutExample,
    },
  }
}
