import type { z } from 'zod'
import { type Html, html, prose } from '../../../pages/html.ts'
import { choices, commands, duration, factTable, rowTable } from '../../../pages/parts.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import {
  type Access,
  accessOf,
  capabilitiesNeeded,
  errorsOf,
  type OperationSpec,
  rolesAllowed,
} from '../../../schemas/operations/operation.ts'
import { page } from '../../http/pages/page.ts'
import { errorPath } from '../../http/problem.ts'
import { type JsonSchema, jsonSchema, SHARED, typeText } from '../json-schema.ts'
import { parameterSchema } from '../openapi.ts'
import { answerExample } from '../recorded-answers.ts'
import { type DocsSubject, shapePath } from './docs-index.ts'
import { signInWays } from './docs-sign-in.ts'
import { clientBlock, type DocsService, hasCommandLine, snippetsOf, variablesOf } from './docs-snippets.ts'

/** Name of a shape → address of its description. */
type ShapePaths = ReadonlyMap<string, string>

const ACCESS: Readonly<Record<Access, string>> = {
  none: 'Everyone',
  optional: 'Everyone; a token shows more',
  wallet: 'A wallet, with its token',
  no_delegate: 'A wallet, with its token or a service token; no delegate',
  wallet_only: 'A wallet, with a token of its own sign-in',
  metrics: 'A monitor, with the metrics secret',
}

const limitOf = ({ rate }: OperationSpec): string | null => {
  if (rate === undefined) return null
  const { limit, windowSeconds, key } = RATE_BUCKETS[rate]
  return `${limit} requests in ${duration(windowSeconds)}, for each ${key === 'ip' ? 'address' : 'wallet'}`
}

const orNull = (words: readonly string[], between: string): string | null => (words.length === 0 ? null : words.join(between))

const factsOf = (spec: OperationSpec): Html =>
  factTable([
    ['Who can call it', ACCESS[accessOf(spec)]],
    ['Role', orNull(rolesAllowed(spec), ' or ')],
    ['Capability', orNull(capabilitiesNeeded(spec), ' and ')],
    ['Limit', limitOf(spec)],
    ['Repeats', spec.idempotent === undefined ? null : prose('Safe with the header `Idempotency-Key`')],
    ['Tool', spec.tool === undefined ? null : html`<code>${spec.tool.name}</code>`],
    ['Answer', spec.produces],
  ])

/** A type in words; the shapes in it lead to their descriptions. */
const typeOf = (schema: JsonSchema, paths: ShapePaths): Html => {
  const printed = JSON.stringify(schema)
  const words = typeText(schema).split(/(\w+)/)
  return html`${words.map((word) => {
    const path = printed.includes(`"${SHARED}${word}"`) ? paths.get(word) : undefined
    return path === undefined ? word : html`<a href="${path}">${word}</a>`
  })}`
}

/** The object whose members stand below a member: itself, one of a list, or the one that it can be. */
const innerOf = (member: JsonSchema): JsonSchema => {
  const [object, other] = (member.anyOf ?? []).filter(({ properties }) => properties !== undefined)
  return member.items ?? (other === undefined ? object : undefined) ?? member
}

type MemberRow = readonly [name: Html, type: Html, meaning: Html]

/** Rows of an object's members. A member that is an object without a name has its own members below it. */
const memberRows = ({ properties = {}, required = [] }: JsonSchema, paths: ShapePaths, before = ''): MemberRow[] =>
  Object.entries(properties).flatMap(([name, member]) => {
    const path = `${before}${name}`
    const type = html`${typeOf(member, paths)}${required.includes(name) ? '' : ' (optional)'}`
    const inner = memberRows(innerOf(member), paths, `${path}${member.items === undefined ? '' : '[]'}.`)
    return [[html`<code>${path}</code>`, type, prose(String(member.description ?? ''))] as const, ...inner]
  })

/** Members of a path or query, each with the type that its text is read as. */
const parametersOf = (schema: z.ZodObject | undefined): JsonSchema => {
  if (schema === undefined) return {}
  const { properties = {}, ...sent } = jsonSchema(schema, new Map())
  const read = jsonSchema(schema, new Map(), 'read').properties ?? {}
  return {
    ...sent,
    properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, parameterSchema(member, read[name])])),
  }
}

/** A table of members; on a small screen the cells of a member stand below one another. */
const memberTable: typeof rowTable = (...parts) => html`<div class="members">${rowTable(...parts)}</div>`

const requestTable = ({ id, params, query, body }: OperationSpec, paths: ShapePaths): Html | string => {
  const sent = body === undefined ? {} : jsonSchema(body, new Map())
  const places = [
    ['path', parametersOf(params)],
    ['query', parametersOf(query)],
    ...(sent.oneOf ?? [sent]).map((kind, index) => [index === 0 ? 'body' : 'or body', kind] as const),
  ] as const
  const rows = places.flatMap(([place, schema]) => memberRows(schema, paths).map(([name, type, meaning]) => [name, place, type, meaning]))
  if (rows.length === 0 && body === undefined) return ''
  return html`<h3>Request</h3>${memberTable(`Request of ${id}`, ['Member', 'In', 'Type', 'Meaning'], rows, typeOf(sent, paths))}`
}

const shapeTable = (name: string, schema: JsonSchema, paths: ShapePaths): Html =>
  memberTable(name, ['Member', 'Type', 'Meaning'], memberRows(schema, paths), typeOf(schema, paths))

/** Most characters of an example on a page; the OpenAPI document has all of it. */
const MOST_SHOWN = 4_000

const exampleOf = (spec: OperationSpec, status: number): Html | string => {
  const example = answerExample(spec, status)
  if (example === undefined) return ''
  const text = JSON.stringify(example, null, 1)
  const isWhole = text.length <= MOST_SHOWN
  const shown = isWhole ? text : `${text.slice(0, text.lastIndexOf('\n', MOST_SHOWN))}\n…`
  return html`<details><summary>Example of an answer ${status}</summary><pre>${shown}</pre>${
    isWhole ? '' : html`<p class="soft">The whole example stands in <a href="/openapi.json">/openapi.json</a>.</p>`
  }</details>`
}

const answersOf = (spec: OperationSpec, paths: ShapePaths): Html[] | string =>
  spec.produces !== undefined
    ? ''
    : Object.entries(spec.responses).map(
        ([status, schema]) =>
          html`<h3>Answer ${status}</h3>${shapeTable(`Answer ${status} of ${spec.id}`, jsonSchema(schema, new Map()), paths)}${exampleOf(spec, Number(status))}`,
      )

/** Blocks of an operation, of which one shows. */
const snippetTabs = (spec: OperationSpec, service: DocsService): Html => {
  const snippets = snippetsOf(spec, service)
  if (snippets.length === 0) return html`<p>The library of a client, or its browser, calls this in a flow of OAuth.</p>`
  return html`<div class="tabs">${snippets.map(
    ([kind, text], index) =>
      html`<details name="run-${spec.id}"${index === 0 ? { html: ' open' } : ''}><summary>${kind}</summary>${commands(text)}</details>`,
  )}</div>`
}

const codesOf = (spec: OperationSpec): Html =>
  html`<details><summary>Error codes</summary><ul class="choices">${errorsOf(spec).map((code) => html`<li><a href="${errorPath(code)}">${code}</a></li>`)}</ul></details>`

const operationSection = (spec: OperationSpec, paths: ShapePaths, service: DocsService): Html =>
  html`<h2 id="op-${spec.id}"><code>${spec.method} ${spec.path}</code></h2>
<p>${prose(spec.summary)}${spec.description === undefined ? '' : html` ${prose(spec.description)}`}</p>
${snippetTabs(spec, service)}${factsOf(spec)}${requestTable(spec, paths)}${answersOf(spec, paths)}${codesOf(spec)}`

const shapeSection = (name: string, schema: JsonSchema, paths: ShapePaths): Html =>
  html`<h3 id="shape-${name}">${name}</h3>${schema.description === undefined ? '' : html`<p>${prose(String(schema.description))}</p>`}${shapeTable(`Shape ${name}`, schema, paths)}`

/** What a reader sets before a block runs. */
const preparation = (operations: readonly OperationSpec[], service: DocsService): Html => {
  const variables = new Map(operations.flatMap((spec) => [...variablesOf(spec)]))
  const names = [...variables.keys()]
  return html`<h2 id="run">Run the blocks</h2>
${
  names.length === 0
    ? html`<p>Each block runs as written.</p>`
    : html`<p>Each block runs as written once you have set and exported what it names: ${[...variables].map(
        ([name, meaning], index) => html`${index === 0 ? '' : '; '}<code>$${name}</code>, ${prose(meaning)}`,
      )}. A token comes from <a href="/docs/sign-in#how">signing in</a>.</p>`
}
<p>Blocks of TypeScript begin with this one, with the package <code>agent-work-client</code>:</p>${commands(clientBlock(names, service))}
${
  operations.some(hasCommandLine)
    ? html`<p>The command line uses the wallet of <code>agent-work login</code>, and the service that you name:</p>${commands(`export AGENT_WORK_URL='${service.baseUrl}'`)}`
    : ''
}`
}

/** Page of a subject: its operations, and the shapes that no subject before it uses. */
export const docsSubjectPage = (subject: DocsSubject, subjects: readonly DocsSubject[], service: DocsService): string => {
  const { name, slug, description, operations, shapes } = subject
  const paths: ShapePaths = new Map(
    subjects.flatMap((home) => [...home.shapes.keys()].map((shape) => [shape, shapePath(home, shape)] as const)),
  )
  const isSignIn = slug === 'sign-in'
  return page(
    { title: name, lead: description },
    html`${choices('Contents', [
      ...(isSignIn ? [['How to sign in', '#how', false] as const] : []),
      ['Run the blocks', '#run', false],
      ...operations.map(({ id, method, path }) => [`${method} ${path}`, `#op-${id}`, false] as const),
      ...(shapes.size === 0 ? [] : [['Shapes', '#shapes', false] as const]),
    ])}
${isSignIn ? signInWays(service) : ''}
${preparation(operations, service)}
${operations.map((spec) => operationSection(spec, paths, service))}
${shapes.size === 0 ? '' : html`<h2 id="shapes">Shapes</h2>${[...shapes].map(([shape, schema]) => shapeSection(shape, schema, paths))}`}
<p><a class="go" href="/docs">All subjects</a> <a class="go" href="/docs/errors">Error codes</a></p>`,
  )
}
