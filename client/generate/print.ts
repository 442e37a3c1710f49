import { openApi, templatePath } from '../../api/discovery/openapi.ts'
import { ERRORS } from '../../schemas/errors.ts'
import { accessOf, type OperationSpec } from '../../schemas/operations/operation.ts'
import { amountPointers, createPrinter, lookUp, type Mode, refName, resolve, type Schema, type Schemas, typeName } from './schema-types.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

interface DocumentResponse {
  $ref?: string
  content?: Record<string, { schema: Schema }>
}

interface DocumentOperation {
  parameters: Parameter[]
  requestBody?: Required<Pick<DocumentResponse, 'content'>>
  responses: Record<string, DocumentResponse>
}

interface Document {
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Schemas; responses: Record<string, DocumentResponse> }
}

/** Headers that the client itself sends, or `fetch`. */
const OWN_HEADERS = ['Idempotency-Key', 'Last-Event-ID', 'host']
/** Query members that the client itself sends, as a header. */
const OWN_QUERY = ['token']

const mediaOf = (spec: OperationSpec): string => spec.produces?.split(';')[0] ?? 'application/json'
const isJson = (spec: OperationSpec): boolean => /\bjson$/.test(mediaOf(spec))
/** Whether every answer is a text; the others are bytes of a file. */
const isText = ({ responses }: OperationSpec): boolean => Object.values(responses).every((shape) => shape.safeParse('').success)

/** Name of the only array of an answer with `nextCursor`; undefined where the answer is no list. */
const rowsOf = (id: string, schemas: Schemas, schema: Schema): string | undefined => {
  const { properties = {} } = resolve(schemas, schema)
  if (properties.nextCursor === undefined) return undefined
  const arrays = Object.keys(properties).filter((name) => properties[name]?.type === 'array')
  if (arrays.length !== 1) throw new Error(`the list ${id} has ${arrays.length} arrays`)
  return arrays[0]
}

/** Names of all members of a body, over all its variants. */
const memberNames = (schemas: Schemas, schema: Schema): string[] => {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = resolve(schemas, schema)
  return [...new Set([...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap((part) => memberNames(schemas, part))])]
}

const asObject = (parameters: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, description === undefined ? schema : { ...schema, description }]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
})

/** What the generated file says about one operation. */
const describeOperation = (spec: OperationSpec, found: DocumentOperation, { schemas, responses }: Document['components']) => {
  const parameters = found.parameters.filter(({ name }) => !OWN_HEADERS.includes(name) && !(spec.streams && OWN_QUERY.includes(name)))
  const within = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const body = spec.rawBody ? undefined : found.requestBody?.content['application/json']?.schema
  const bodyNames = body === undefined ? [] : memberNames(schemas, body)
  const flat = [...within('path'), ...within('query'), ...within('header')]
  const twice = bodyNames.filter((name) => flat.some((parameter) => parameter.name === name))
  if (twice.length > 0) throw new Error(`${spec.id} has members of one name in path, query and body: ${twice.join(', ')}`)
  const answers = Object.keys(spec.responses).map((status) => {
    const answer = found.responses[status]
    const response = answer?.$ref === undefined ? answer : responses[refName(answer.$ref)]
    // An answer without a body is the empty text.
    const schema = response !== undefined && response.content === undefined ? { const: '' } : response?.content?.[mediaOf(spec)]?.schema
    if (schema === undefined) throw new Error(`${spec.id} has no answer for ${status}`)
    // Such an answer says that the same request is to be sent again.
    const isPending = status === '202' && resolve(schemas, schema).properties?.retryAfterSeconds !== undefined
    return { status: Number(status), schema, isPending }
  })
  const final = answers.filter((answer) => !answer.isPending)
  return {
    spec,
    flat,
    body,
    answers: final.map(({ schema }) => schema),
    pending: answers.filter((answer) => answer.isPending).map(({ schema }) => schema),
    rows: final[0] === undefined ? undefined : rowsOf(spec.id, schemas, final[0].schema),
    row: {
      method: spec.method,
      path: spec.path,
      auth: accessOf(spec),
      ...(spec.idempotent !== undefined && { idempotent: true }),
      ...(spec.streams && { answers: 'stream' }),
      ...(!spec.streams &&
        spec.produces !== undefined && { ...(!isJson(spec) && { answers: isText(spec) ? 'text' : 'bytes' }), media: mediaOf(spec) }),
      statuses: final.map(({ status }) => status),
      pathMembers: within('path').map(({ name }) => name),
      queryMembers: within('query').map(({ name }) => name),
      headerMembers: within('header').map(({ name }) => name),
      bodyMembers: bodyNames,
      ...(spec.rawBody && { rawBody: true }),
      amounts: [...new Set(answers.flatMap(({ schema }) => amountPointers(schemas, schema)))],
    },
  }
}

export type Described = ReturnType<typeof describeOperation>

const rowText = ({ spec, row, rows }: Described): string => {
  const members = Object.entries({ ...row, ...(rows !== undefined && { rows }) }).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  )
  return `${spec.id}: ${JSON.stringify(Object.fromEntries(members))},`
}

/** What the generated files say about all operations, and the components of the document. */
export const describeOperations = (operations: readonly OperationSpec[]): { schemas: Schemas; described: readonly Described[] } => {
  const document = openApi(operations, { baseUrl: '', buildId: '', assets: [] }) as unknown as Document
  const described = operations.map((spec) => {
    const found = document.paths[templatePath(spec.path)]?.[spec.method.toLowerCase()]
    if (found === undefined) throw new Error(`the document has no operation ${spec.id}`)
    return describeOperation(spec, found, document.components)
  })
  return { schemas: document.components.schemas, described }
}

/** The source text of `client/src/generated/operations.ts`. */
export const printOperations = ({ schemas, described }: ReturnType<typeof describeOperations>): string => {
  const wanted: { name: string; mode: Mode }[] = []
  const printed = new Map<string, string>()
  const { print, comment } = createPrinter(schemas, (name, mode) => wanted.push({ name, mode }))

  const inputOf = ({ spec, flat, body }: Described): string => {
    const parts = [
      ...(flat.length > 0 ? [print(asObject(flat), 'input')] : []),
      ...(body !== undefined && !(flat.length > 0 && memberNames(schemas, body).length === 0) ? [print(body, 'input')] : []),
      ...(spec.rawBody ? ['{\n/** Sent as it is. */\nbody: string | Uint8Array }'] : []),
    ]
    return parts.length === 0 ? 'Record<string, never>' : parts.map((part) => (/ \| /.test(part) ? `(${part})` : part)).join(' & ')
  }
  const unionOf = (parts: readonly Schema[]): string =>
    [...new Set(parts.flatMap((part) => part.anyOf ?? [part]).map((part) => print(part, 'answer')))].join(' | ')

  const entries = described.map((one) => {
    const { spec, answers, pending, rows } = one
    const answer = spec.streams ? 'AsyncGenerator<StreamItem, void, undefined>' : unionOf(answers)
    return `${comment(spec.summary)}${spec.id}: {
      input: ${inputOf(one)}
      answer: ${answer}
      pending: ${pending.length === 0 ? 'never' : unionOf(pending)}
      rows: ${rows === undefined ? 'never' : JSON.stringify(rows)}
    }`
  })

  wanted.push(...['Event', 'Problem'].map((name) => ({ name, mode: 'answer' as const })))
  for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
    const { name, mode } = next
    const called = typeName(schemas, name, mode)
    if (printed.has(called)) continue
    const schema = lookUp(schemas, name)
    printed.set(called, `${comment(schema.description)}export type ${called} = ${print(schema, mode)}`)
  }
  const types = [...printed].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, text]) => text)

  return `// Generated from the operation registry when the project is installed, checked or tested. Do not edit.
import type { OperationRow } from '../operation-row.ts'

${types.join('\n\n')}

/** An item of \`streamEvents\`: an event, or the report that events after \`lastDelivered\` are no longer kept. */
export type StreamItem = { kind: 'event'; event: Event } | { kind: 'gap'; lastDelivered: string }

/** Every error code of the service. */
export type ErrorCode = ${Object.keys(ERRORS)
    .map((code) => JSON.stringify(code))
    .join(' | ')}

/** Input and answer of every operation. \`pending\` is the body of a 202, \`rows\` the name of the array of a list. */
export interface Operations {
${entries.join('\n')}
}

export type OperationId = keyof Operations

/** What the client has to know of every operation at run time. */
export const OPERATIONS: { readonly [Id in OperationId]: OperationRow } = {
${described.map(rowText).join('\n')}
}
`
}
