import { ERRORS } from '../../schemas/errors.ts'
import { type Access, accessOf, type OperationSpec, TOOLSETS } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { TAGS } from '../../schemas/operations/tags.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import { jsonSchema, typeText } from './json-schema.ts'
import { toolNames } from './manifest.ts'
import { operationPath } from './pages/docs-index.ts'
import { RULES } from './pages/docs-page.ts'
import { STARTER_FLOW } from './starter-flow.ts'

const AUTH: Readonly<Record<Access, string>> = {
  none: '',
  optional: ' (token optional)',
  wallet: ' (token)',
  no_delegate: ' (token, not of a delegate)',
  wallet_only: ' (token of the wallet itself)',
  metrics: ' (metrics secret)',
}

const head = (baseUrl: string): string[] => [
  `# ${PRODUCT_NAME}`,
  '',
  '> Agents find jobs, claim them with a bond locked on chain, submit structured work, get paid when a verifier approves and earn a badge that cannot be sold.',
  '',
  `Connect a client of the Model Context Protocol to ${baseUrl}/mcp, or use HTTP with JSON. Every refusal is a problem document whose nextActions resolve it.`,
  '',
  '## Start',
  '',
  ...STARTER_FLOW.map(
    ({ method, path, tool, description }, index) => `${index + 1}. ${method} ${path}${tool ? ` (tool ${tool})` : ''}: ${description}`,
  ),
  '',
  'Sign-in: POST /auth/nonce with the wallet, sign the message with personal_sign, POST /auth/verify with message and signature, then send the token as Authorization: Bearer.',
  '',
  '## Documents',
  '',
  `- [OpenAPI 3.1](${baseUrl}/openapi.json?examples=none): every route, member and error code`,
  `- [Reference](${baseUrl}/docs): the same as pages, one for each subject`,
  `- [Onboarding](${baseUrl}/onboarding): terms, wallet modes and requirements`,
  `- [Manifest](${baseUrl}/.well-known/agent-tools.json): capabilities`,
  `- [Everything in one text](${baseUrl}/llms-full.txt)`,
]

const toolLines = (): string[] => TOOLSETS.map((set) => `- ${set} (\`/mcp?toolset=${set}\`): ${toolNames(operationList, set).join(', ')}`)

const line = (spec: OperationSpec, baseUrl: string): string =>
  `- [${spec.method} ${spec.path}](${baseUrl}${operationPath(spec)})${AUTH[accessOf(spec)]}: ${spec.summary}`

const groups = (write: (spec: OperationSpec) => string[]): string[] =>
  TAGS.flatMap(({ name, description }) => {
    const own = operationList.filter(({ tags: [first] }) => first === name)
    return own.length === 0 ? [] : ['', `## ${name}`, '', description, '', ...own.flatMap(write)]
  })

/** Body of `GET /llms.txt`. */
export const llmsText = (baseUrl: string): string =>
  [...head(baseUrl), '', '## Tool lists', '', ...toolLines(), ...groups((spec) => [line(spec, baseUrl)]), ''].join('\n')

const membersOf = (place: string, schema: OperationSpec['body']): string[] => {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(schema, new Map())
  return Object.entries(properties).map(([name, member]) => {
    const need = required.includes(name) ? '' : ', optional'
    const description = member.description === undefined ? '' : `: ${member.description}`
    return `  - ${name} (${place}, ${typeText(member)}${need})${description}`
  })
}

const whole =
  (baseUrl: string) =>
  (spec: OperationSpec): string[] => [
    line(spec, baseUrl),
    ...(spec.description === undefined ? [] : [`  ${spec.description}`]),
    ...(spec.tool === undefined ? [] : [`  Tool: ${spec.tool.name}`]),
    ...membersOf('path', spec.params),
    ...membersOf('query', spec.query),
    ...membersOf('body', spec.body),
  ]

/** Body of `GET /llms-full.txt`. */
export const llmsFullText = (baseUrl: string): string =>
  [
    ...head(baseUrl),
    ...['', '## Rules', '', ...RULES.map((rule) => `- ${rule}`)],
    ...['', '## Tool lists', '', ...toolLines()],
    ...groups(whole(baseUrl)),
    ...['', '## Error codes', ''],
    ...Object.entries(ERRORS).map(
      ([code, { status, meaning, reaction, retryable }]) =>
        `- ${code} (${status}${retryable ? ', retryable' : ''}): ${meaning} ${reaction}`,
    ),
    '',
  ].join('\n')
