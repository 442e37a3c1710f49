import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../schemas/errors.ts'
import { StreamFrame } from '../../schemas/event-stream/shapes.ts'
import { RESPONSE_HEADERS, responseHeadersOf } from '../../schemas/http/headers.ts'
import { errorsOf, isTagged, type OperationSpec } from '../../schemas/operations/operation.ts'
import { ProblemShape } from '../../schemas/operations/values.ts'
import { type Components, jsonSchema } from './json-schema.ts'
import { answerExample } from './recorded-answers.ts'

const PROBLEM = 'application/problem+json'

const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Headers of an answer, by reference. */
const headersOf = (spec: OperationSpec, status: number) =>
  Object.fromEntries(responseHeadersOf(spec, status).map((name) => [name, refTo('headers', name)]))

/** The only operations whose examples show `$id` members. */
const LISTS_SCHEMAS: ReadonlySet<string> = new Set(['listJobSchemas', 'listRecordSchemas'])

/** A validator takes every `$id` in the document for the id of a schema, and refuses duplicates: other examples drop it. */
const exampleOf = (spec: OperationSpec, status: number): unknown => {
  const example = answerExample(spec, status)
  if (example === undefined || LISTS_SCHEMAS.has(spec.id)) return example
  return JSON.parse(JSON.stringify(example), (name, value: unknown) => (name === '$id' ? undefined : value))
}

const successes = (spec: OperationSpec, components: Components) =>
  Object.entries(spec.responses).map(([status, schema]) => {
    const example = exampleOf(spec, Number(status))
    const answer = { description: spec.summary, headers: headersOf(spec, Number(status)) }
    if (schema.safeParse('').success && spec.produces === undefined) return [status, { ...answer, content: undefined }] as const
    // Of a stream OpenAPI 3.1 describes each frame.
    const media = { schema: jsonSchema(spec.streams ? StreamFrame : schema, components), ...(example !== undefined && { example }) }
    // The page that a browser gets in its place is left out: a generated client would take a text for one form of the answer.
    const content = { [spec.produces?.split(';')[0] ?? 'application/json']: media }
    return [status, { ...answer, content }] as const
  })

/** A problem document with one of the codes. */
const refusalOf = (codes: readonly ErrorCode[], headers: Record<string, unknown>, whole?: object) => {
  const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n')
  const code = { type: 'string', enum: codes }
  const schema = whole ?? { allOf: [refTo('schemas', 'Problem'), { type: 'object', properties: { code } }] }
  return { description, headers, content: { [PROBLEM]: { schema } } }
}

const failures = (spec: OperationSpec, components: Components) => {
  /** Problem document with further members, as one object: an extension by `allOf` would be open. */
  const wholeOf = (status: number, codes: readonly ErrorCode[]): object | undefined => {
    const members = spec.problemMembers?.[status]
    return members && jsonSchema(ProblemShape.extend({ code: z.enum(codes), ...members.shape }), components)
  }
  const byStatus = Map.groupBy(errorsOf(spec), (code: ErrorCode) => ERRORS[code].status)
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => [String(status), refusalOf(codes, headersOf(spec, status), wholeOf(status, codes))] as const)
}

/** 304 for operations whose answers carry an `ETag`. */
const notModified = (spec: OperationSpec) =>
  isTagged(spec)
    ? { 304: { description: 'Unchanged: `If-None-Match` names the `ETag` of the answer.', headers: headersOf(spec, 304) } }
    : {}

/** One entry per status; a status shared by an answer and a problem lists both content types. */
export const responsesOf = (spec: OperationSpec, components: Components): Record<string, object> => {
  const answers = Object.fromEntries(successes(spec, components))
  const refusals = failures(spec, components).map(([status, refusal]) => {
    const answer = answers[status]
    if (answer === undefined) return [status, refusal] as const
    return [status, { ...answer, content: { ...answer.content, ...refusal.content } }] as const
  })
  return { ...answers, ...notModified(spec), ...Object.fromEntries(refusals) }
}

/** Answers of the router itself, which belong to no operation. */
export const ROUTER_RESPONSES = {
  NotFound: refusalOf(['not_found'], { 'X-Request-Id': refTo('headers', 'X-Request-Id') }),
  MethodNotAllowed: refusalOf(['method_not_allowed'], {
    'X-Request-Id': refTo('headers', 'X-Request-Id'),
    Allow: refTo('headers', 'Allow'),
  }),
}

/** Moves each refusal that several operations have into the components. Returns the components. */
export const shareRefusals = (operations: readonly { responses: Record<string, object> }[]): Record<string, object> => {
  const users = new Map<string, { status: string; responses: Record<string, object> }[]>()
  for (const { responses } of operations)
    for (const [status, response] of Object.entries(responses)) {
      const text = JSON.stringify(response)
      users.set(text, [...(users.get(text) ?? []), { status, responses }])
    }
  const shared: Record<string, object> = {}
  for (const [text, uses] of users) {
    const [first] = uses
    if (first === undefined || uses.length === 1) continue
    const index = Object.keys(shared).filter((name) => name.startsWith(`Refusal${first.status}`)).length
    const name = `Refusal${first.status}${index === 0 ? '' : `_${index + 1}`}`
    shared[name] = JSON.parse(text)
    for (const { status, responses } of uses) responses[status] = refTo('responses', name)
  }
  return shared
}

/** Headers as components. */
export const headerComponents = () =>
  Object.fromEntries(Object.entries(RESPONSE_HEADERS).map(([name, { on: _on, ...header }]) => [name, header]))
