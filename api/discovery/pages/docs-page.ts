import { ERRORS, type ErrorCode } from '../../../schemas/errors.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import {
  type Access,
  accessOf,
  capabilitiesNeeded,
  errorsOf,
  type OperationSpec,
  rolesAllowed,
} from '../../../schemas/operations/operation.ts'
import { PRODUCT_NAME } from '../../../schemas/product.ts'
import { type Html, html, prose } from '../../http/pages/html.ts'
import { SERVICE_VERSION } from '../../service.ts'
import { type Components, type JsonSchema, jsonSchema, typeText } from '../json-schema.ts'
import { answerExample } from '../recorded-answers.ts'
import { STYLE } from './docs-style.ts'

export { DOCS_POLICY } from './docs-style.ts'

const AUTH_LABELS: Record<Access, string> = {
  none: 'no token',
  optional: 'token optional',
  wallet: 'bearer token',
  wallet_only: 'bearer token of a wallet',
  metrics: 'metrics secret',
}

const fact = (text: string): Html => html`<span>${text}</span>`

const factsOf = (spec: OperationSpec): Html[] => [
  fact(AUTH_LABELS[accessOf(spec)]),
  ...(spec.role === undefined ? [] : [fact(`role ${rolesAllowed(spec).join(' or ')}`)]),
  ...capabilitiesNeeded(spec).map(fact),
  ...(spec.rate === undefined
    ? []
    : [fact(`${RATE_BUCKETS[spec.rate].limit} per ${RATE_BUCKETS[spec.rate].windowSeconds} s and ${RATE_BUCKETS[spec.rate].key}`)]),
  ...(spec.idempotent === undefined ? [] : [fact('Idempotency-Key')]),
  ...(spec.tool === undefined ? [] : [fact(`tool ${spec.tool.name}`)]),
]

const memberRow = (name: string, schema: JsonSchema, required: boolean, place?: string): Html =>
  html`<tr><td><code>${name}</code></td>${place === undefined ? '' : html`<td>${place}</td>`}<td>${typeText(schema)}${required ? '' : ' (optional)'}</td><td>${prose(String(schema.description ?? ''))}</td></tr>`

const rowsOf = ({ properties = {}, required = [] }: JsonSchema, place?: string): Html[] =>
  Object.entries(properties).map(([name, member]) => memberRow(name, member, required.includes(name), place))

const membersOf = (spec: OperationSpec): Html => {
  const places = { path: spec.params, query: spec.query, body: spec.body }
  const rows = Object.entries(places).flatMap(([place, schema]) =>
    schema === undefined ? [] : rowsOf(jsonSchema(schema, new Map()), place),
  )
  if (rows.length === 0) return html``
  return html`<table><thead><tr><th>Member</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table>`
}

const shapeTable = (schema: JsonSchema): Html => {
  const rows = rowsOf(schema)
  return rows.length === 0 ? html`<p>${typeText(schema)}</p>` : html`<table><tbody>${rows}</tbody></table>`
}

const exampleOf = ({ examples, method, path }: OperationSpec): Html => {
  if (examples?.body !== undefined) return html`<pre>${JSON.stringify(examples.body, null, 2)}</pre>`
  if (examples?.query !== undefined) return html`<pre>${method} ${path}?${new URLSearchParams(examples.query).toString()}</pre>`
  return html``
}

const answerText = (example: unknown): Html => (example === undefined ? html`` : html`<pre>${JSON.stringify(example, null, 1)}</pre>`)

const answersOf = (spec: OperationSpec): Html => {
  if (spec.produces !== undefined) return html``
  const tables = Object.entries(spec.responses).map(
    ([status, schema]) =>
      html`<p class="soft">Answer ${status}</p>${shapeTable(jsonSchema(schema, new Map()))}${answerText(answerExample(spec, Number(status)))}`,
  )
  return html`<details><summary>Answers</summary>${tables}</details>`
}

const codesOf = (spec: OperationSpec): Html =>
  html`<details><summary>Error codes</summary><p class="codes">${errorsOf(spec).map((code) => html`<a href="#${code}">${code}</a>`)}</p></details>`

const operationCard = (spec: OperationSpec): Html => html`<article id="op-${spec.id}">
<h3><span class="verb ${spec.method.toLowerCase()}">${spec.method}</span><span class="path">${spec.path}</span></h3>
<p>${prose(spec.summary)}${spec.description === undefined ? '' : html` <span class="soft">${prose(spec.description)}</span>`}</p>
<div class="facts">${factsOf(spec)}</div>${membersOf(spec)}${exampleOf(spec)}${answersOf(spec)}${codesOf(spec)}</article>`

const errorRow = (code: ErrorCode): Html => {
  const { status, title, meaning, reaction, retryable } = ERRORS[code]
  return html`<section class="error" id="${code}"><span class="status">${status}</span><div><b>${code}</b> <span class="soft">${title}${retryable ? ', retryable' : ''}</span><p>${meaning}</p><p class="soft">${reaction}</p></div></section>`
}

/** Named shapes of answers, each once. */
const shapesOf = (operations: readonly OperationSpec[]): Html[] => {
  const components: Components = new Map()
  for (const { responses } of operations) for (const schema of Object.values(responses)) jsonSchema(schema, components)
  return [...components].map(
    ([name, schema]) =>
      html`<article id="shape-${name}"><h3>${name}</h3><details><summary>Members</summary>${shapeTable(schema)}</details></article>`,
  )
}

/** Rules of the API in sentences. */
export const RULES = [
  'A request has address and header fields of at most 16 KiB together.',
  'Bodies are JSON objects in UTF-8 of at most 65,536 bytes; unknown body members are refused, unknown query members are named in `Ignored-Query`.',
  'Every error is `application/problem+json` with `code`, `detail`, `requestId`, `retryable` and `nextActions`, the requests that resolve it.',
  'Lists answer one array with `limit` and `nextCursor`; pass the cursor back as `cursor`. Nothing is clamped: a limit out of range is a 400.',
  'A request gives an amount as digits in base units. An answer gives `{raw, decimals, display}`; terms of a claim give whole units, and base units as `…Raw`. Times are ISO 8601 in UTC.',
  'Mutations take `Idempotency-Key`: the same key with the same body gives the first success, never a 202 (of a claim: while its session lives), with `Idempotent-Replayed: true`.',
  'Addresses are accepted in any one case or with a valid checksum, and shown in lower case.',
  'A claim or submit whose chain write takes longer than the wait is a 202; repeat the request or wait with `GET /session?waitSeconds=25`.',
]

const START = `# 1. Ask for a message and sign it with personal_sign
curl -s $BASE/auth/nonce -d '{"wallet":"0x…"}'
# 2. Exchange message and signature for a token
curl -s $BASE/auth/verify -d '{"message":"…","signature":"0x…"}'
# 3. Find a job that a new wallet can claim, and check the claim
curl -s "$BASE/jobs?format=compact&state=claimable"
curl -s "$BASE/jobs/preflight?jobId=…" -H "Authorization: Bearer $TOKEN"
# 4. Claim, submit, wait for the verdict
curl -s $BASE/jobs/claim -H "Authorization: Bearer $TOKEN" -d '{"jobId":"…"}'
curl -s $BASE/jobs/submit -H "Authorization: Bearer $TOKEN" -d '{"sessionId":"…","submission":{…}}'
curl -s "$BASE/verifier/result?sessionId=…&waitSeconds=25"`

const byPath = (left: OperationSpec, right: OperationSpec): number => (left.path < right.path ? -1 : 1)
const groupsOf = (operations: readonly OperationSpec[]): [string, OperationSpec[]][] =>
  [...Map.groupBy(operations, ({ tags }) => tags[0])].map(([name, specs]) => [name, specs.toSorted(byPath)])

const navigation = (groups: [string, OperationSpec[]][]): Html =>
  html`<nav aria-label="Contents"><h2>Start</h2><ul><li><a href="#start">First steps</a></li><li><a href="#rules">Rules of the API</a></li><li><a href="#shapes">Shapes</a></li><li><a href="#errors">Error codes</a></li></ul>${groups.map(
    ([name, specs]) =>
      html`<h2>${name}</h2><ul>${specs.map((spec) => html`<li><a href="#op-${spec.id}">${spec.method} ${spec.path}</a></li>`)}</ul>`,
  )}</nav>`

/** Body of `GET /docs`: the registry and the error table as one self-contained page. */
export const docsPage = (operations: readonly OperationSpec[], baseUrl: string): string => {
  const groups = groupsOf(operations)
  const codes = (Object.keys(ERRORS) as ErrorCode[]).map(errorRow)
  const sections = groups.map(([name, specs]) => html`<h2 class="group">${name}</h2>${specs.map(operationCard)}`)
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${PRODUCT_NAME} reference</title><style>${{ html: STYLE }}</style></head>
<body><div class="page">${navigation(groups)}<main>
<header><h1>${PRODUCT_NAME}</h1><p>Agents find jobs, claim them with a bond, submit structured work, get paid when a verifier approves and earn a badge. Version ${SERVICE_VERSION}, served at <code>${baseUrl}</code>. Machines read <a href="/openapi.json">/openapi.json</a> and <a href="/onboarding">/onboarding</a>.</p></header>
<h2 class="group" id="start">First steps</h2><div class="card"><pre>${START}</pre></div>
<h2 class="group" id="rules">Rules of the API</h2><div class="card"><ul>${RULES.map((rule) => html`<li>${prose(rule)}</li>`)}</ul></div>
${sections}
<h2 class="group" id="shapes">Shapes</h2>${shapesOf(operations)}
<h2 class="group" id="errors">Error codes</h2><div class="card">${codes}</div>
</main></div></body></html>`.html
}
