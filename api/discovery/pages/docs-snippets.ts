// An operation as blocks that run: curl, the client of this project, and its command line, made from the example of the registry.
import { toDisplay } from '../../../domain/common/money.ts'
import { accessOf, type OperationSpec, rolesAllowed } from '../../../schemas/operations/operation.ts'
import type { OperationId } from '../../../schemas/operations/registry.ts'
import { jsonSchema } from '../json-schema.ts'

/** What blocks need to know of the service. */
export interface DocsService {
  baseUrl: string
  /** Decimals of the asset of rewards. */
  decimals: number
  /** How long a token lives. */
  tokenSeconds: number
  /** How long the tokens of a sign-in can be refreshed. */
  signInSeconds: number
}

/** Variable that a reader sets → what it is. Texts between backticks are code. */
const MEANINGS = {
  TOKEN: 'token of your wallet',
  ADMIN_TOKEN: 'token of a wallet with the role admin',
  ARBITRATOR_TOKEN: 'token of a wallet with the role arbitrator, or admin',
  VERIFIER_TOKEN: 'token of a wallet with the role verifier',
  METRICS_SECRET: 'secret of the monitor, from the settings of the service',
  WALLET: 'address of your wallet',
  MESSAGE: 'member `message` of `POST /auth/nonce`, as JSON with its quotes',
  SIGNATURE: 'signature of the message by `personal_sign`',
  JOB_ID: 'id of a job, from `GET /jobs`',
  TEMPLATE_ID: 'id of a recurring template, from `GET /admin/jobs`',
  DRAFT_ID: 'member `draftId` of the answer of `POST /jobs/draft`',
  SESSION_ID: 'id of a session, from `GET /sessions`',
  SUBMISSION: 'the work as JSON; `GET /jobs/definition` shows its shape',
  DISPUTE_ID: 'id of a dispute, from `GET /disputes`',
  WEBHOOK_URL: 'https address of yours that takes events',
  WEBHOOK_ID: 'id of a webhook, from `GET /webhooks`',
  SHARE_ID: 'id of a share, from `POST /shares`',
  SHARE_TOKEN: 'member `token` of the answer of `POST /shares`',
  RECEIPT_ID: 'id of a receipt, from `GET /receipts`',
  RUN_ID: 'member `runId` of the answer of `POST /verify/runs`, a secret',
  CONTENT_HASH: 'hash of a content, such as `reasoningHash` of `GET /disputes/:id`',
  REQUEST_ID: 'id of a cross-chain request',
  DEPOSIT_ID: 'id of a locked deposit, from `POST /locked-deposits/consent`',
  DAY: 'day of a published entry, from `GET /log/heads`',
  GRANT_ID: 'id of a grant, from `GET /admin/service-tokens` or `GET /admin/capability-grants`',
  TERMS: 'member `terms` of the quote, as JSON',
  TERMS_HASH: 'member `termsHash` of the quote',
  CONSENT_SIGNATURE: 'signature of the message of the quote by `personal_sign`',
} as const
type VariableName = keyof typeof MEANINGS

/** Variables that hold JSON, not text. */
const JSON_VARIABLES: readonly VariableName[] = ['MESSAGE', 'SUBMISSION', 'TERMS']

/** Member of path, query or body → its variable. Every other member keeps the value of the example. */
const MEMBERS: Readonly<Record<string, VariableName>> = {
  wallet: 'WALLET',
  message: 'MESSAGE',
  signature: 'SIGNATURE',
  jobId: 'JOB_ID',
  templateId: 'TEMPLATE_ID',
  sessionId: 'SESSION_ID',
  submission: 'SUBMISSION',
  url: 'WEBHOOK_URL',
  token: 'SHARE_TOKEN',
  receiptId: 'RECEIPT_ID',
  runId: 'RUN_ID',
  hash: 'CONTENT_HASH',
  requestId: 'REQUEST_ID',
  day: 'DAY',
  terms: 'TERMS',
  termsHash: 'TERMS_HASH',
  consentSignature: 'CONSENT_SIGNATURE',
}

/** Part of a path before `:id` → the variable of that id. */
const IDS: Readonly<Record<string, VariableName>> = {
  jobs: 'JOB_ID',
  draft: 'DRAFT_ID',
  sessions: 'SESSION_ID',
  disputes: 'DISPUTE_ID',
  webhooks: 'WEBHOOK_ID',
  shares: 'SHARE_ID',
  'locked-deposits': 'DEPOSIT_ID',
  'service-tokens': 'GRANT_ID',
  'capability-grants': 'GRANT_ID',
}

const TOKENS: Readonly<Record<string, VariableName>> = { admin: 'ADMIN_TOKEN', arbitrator: 'ARBITRATOR_TOKEN', verifier: 'VERIFIER_TOKEN' }

/** A variable in the place of a value of the example. */
interface Variable {
  variable: string
  isJson: boolean
}

const isVariable = (value: unknown): value is Variable => typeof value === 'object' && value !== null && 'variable' in value

const variable = (name: VariableName): Variable => ({ variable: name, isJson: JSON_VARIABLES.includes(name) })

type Values = Readonly<Record<string, unknown>>

const withVariables = (members: Values): Values =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const found = MEMBERS[name]
      return [name, found === undefined ? value : variable(found)]
    }),
  )

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `x-github-event` → `X_GITHUB_EVENT`. */
const headerVariable = (name: string): string => name.toUpperCase().replaceAll('-', '_')

/** The example of an operation, with variables in the place of what only the reader has. */
const exampleOf = ({ path, examples = {}, rawBody }: OperationSpec) => {
  const { params = {}, query = {}, body } = examples
  const id = IDS[/([\w-]+)\/:id\b/.exec(path)?.[1] ?? '']
  return {
    params: { ...withVariables(params), ...(id === undefined ? {} : { id: variable(id) }) } as Values,
    query: withVariables(query),
    body: isValues(body) ? withVariables(body) : body,
    headers: Object.fromEntries(
      Object.keys(rawBody?.headers ?? {}).map((name) => [name, { variable: headerVariable(name), isJson: false }]),
    ),
  }
}

/** Variable of the credential that an operation needs; null for one that everyone can call. */
const secretOf = (spec: OperationSpec): VariableName | null => {
  const access = accessOf(spec)
  if (access === 'none' || access === 'optional') return null
  if (access === 'metrics') return 'METRICS_SECRET'
  return TOKENS[rolesAllowed(spec)[0] ?? ''] ?? 'TOKEN'
}

/** Whether a reader can call an operation alone. One of a flow of OAuth is called by the library of a client, or by its browser. */
export const isCalledAlone = ({ path }: Pick<OperationSpec, 'path'>): boolean => !path.startsWith('/oauth/')

/** What the blocks of an operation need from the reader: name → meaning. */
export const variablesOf = (spec: OperationSpec): ReadonlyMap<string, string> => {
  if (!isCalledAlone(spec)) return new Map()
  const { params, query, body, headers } = exampleOf(spec)
  const used = [params, query, isValues(body) ? body : {}].flatMap((members) => Object.values(members).filter(isVariable))
  const names = [secretOf(spec) ?? [], used.map((value) => value.variable as VariableName)].flat()
  return new Map([
    ...names.map((name) => [name, MEANINGS[name]] as const),
    ...Object.keys(headers).map((name) => [headerVariable(name), `header \`${name}\`: ${spec.rawBody?.headers[name] ?? ''}`] as const),
  ])
}

/** In double quotes, or in a here-document, these are not themselves. */
const shellText = (text: string): string => text.replaceAll(/[\\$`]/g, '\\$&')

const quoted = (text: string, hasVariables: boolean): string => (hasVariables ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`)

const inAddress = (value: unknown): string => (isVariable(value) ? `$${value.variable}` : encodeURIComponent(String(value)))

const hasVariables = (members: unknown): boolean => isValues(members) && Object.values(members).some(isVariable)

/** A body as JSON for a shell: variables that are text stand in quotes. */
const shellJson = (members: Values): string =>
  `{${Object.entries(members)
    .map(([name, value]) => {
      const text = !isVariable(value) ? shellText(JSON.stringify(value)) : value.isJson ? `$${value.variable}` : `"$${value.variable}"`
      return `"${name}":${text}`
    })
    .join(',')}}`

/** Arguments of curl that send a body. */
const bodyArguments = (body: unknown): string[] => {
  const type = "-H 'content-type: application/json'"
  if (isValues(body) && hasVariables(body)) return [type, `-d @- <<JSON\n${shellJson(body)}\nJSON`]
  return [type, `-d ${quoted(JSON.stringify(body), false)}`]
}

/** The operation as a request of curl. */
const curlOf = (spec: OperationSpec, { baseUrl }: DocsService): string => {
  const { params, query, body, headers } = exampleOf(spec)
  const path = spec.path.replaceAll(/:([A-Za-z]+)/g, (_all, name: string) => inAddress(params[name]))
  const search = Object.entries(query).map(([name, value]) => `${name}=${inAddress(value)}`)
  const address = `${baseUrl}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`
  const secret = secretOf(spec)
  return [
    spec.streams ? 'curl -sN' : 'curl -s',
    ...(spec.method === 'POST' && body === undefined ? ['-X POST'] : []),
    quoted(address, hasVariables(params) || hasVariables(query)),
    ...(secret === null ? [] : [`-H "authorization: Bearer $${secret}"`]),
    ...Object.keys(headers).map((name) => `-H "${name}: $${headerVariable(name)}"`),
    ...(body === undefined ? [] : bodyArguments(body)),
  ].join(' ')
}

/** A value as TypeScript. */
const typeScript = (value: unknown): string => {
  if (isVariable(value)) return value.isJson ? `JSON.parse(${value.variable})` : value.variable
  if (Array.isArray(value)) return `[${value.map(typeScript).join(', ')}]`
  if (!isValues(value))
    return typeof value === 'string'
      ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
      : JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const text = typeScript(member)
    return key === text ? key : `${key}: ${text}`
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Members of a query, numbers and truth values as the client takes them. */
const readQuery = ({ query, examples }: OperationSpec, members: Values): Values => {
  if (query === undefined) return members
  const read: Values = query.parse(examples?.query ?? {})
  const { properties = {} } = jsonSchema(query, new Map(), 'read')
  const isText = (name: string): boolean => !['integer', 'number', 'boolean'].includes(String(properties[name]?.type))
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, isText(name) ? value : read[name]]))
}

/** The operation as a call of the client. */
const typeScriptOf = (spec: OperationSpec): string => {
  const { params, query, body, headers } = exampleOf(spec)
  const raw =
    spec.rawBody === undefined
      ? undefined
      : { ...headers, ...(spec.rawBody.optionalHeaders?.['content-type'] === undefined ? {} : { 'content-type': 'application/json' }) }
  const sent = raw === undefined ? (isValues(body) ? body : {}) : { ...raw, body: JSON.stringify(body) }
  const input = { ...params, ...readQuery(spec, query), ...sent }
  const secret = secretOf(spec)
  const ownSecret = secret !== null && secret !== 'TOKEN'
  const given = [
    ...(Object.keys(input).length === 0 && !ownSecret ? [] : [typeScript(input)]),
    ...(ownSecret ? [`{ token: ${secret} }`] : []),
  ].join(', ')
  return spec.streams
    ? `for await (const item of client.${spec.id}(${given})) console.log(item)`
    : `console.log(await client.${spec.id}(${given}))`
}

interface CommandLine {
  command: string
  /** What the command does, where it does several things. */
  action?: string
  /** Members of the example that stand behind the command; an amount is in whole units. */
  arguments?: readonly string[]
  /** Member whose JSON the command reads from its standard input. */
  input?: string
  options?: string
}

/** Operations that a command of the command line stands for. A test compares them with its own table. */
export const COMMAND_LINES: Readonly<Partial<Record<OperationId, CommandLine>>> = {
  verifySignature: { command: 'login' },
  logout: { command: 'logout' },
  getAuthSession: { command: 'whoami' },
  listAuthSessions: { command: 'sessions' },
  revokeAuthSessions: { command: 'sessions', options: '--others' },
  listDelegates: { command: 'delegate', action: 'list' },
  revokeDelegates: { command: 'delegate', action: 'revoke', options: '--all' },
  listJobs: { command: 'jobs', options: '--claimable' },
  getJobDefinition: { command: 'show', arguments: ['jobId'] },
  preflightJob: { command: 'preflight', arguments: ['jobId'] },
  claimJob: { command: 'claim', arguments: ['jobId'] },
  validateSubmission: { command: 'validate', arguments: ['jobId'], input: 'submission' },
  submitWork: { command: 'submit', arguments: ['sessionId'], input: 'submission' },
  getSession: { command: 'watch', arguments: ['sessionId'] },
  getAccount: { command: 'account' },
  buildAccountDepositTransactions: { command: 'deposit', arguments: ['amount'] },
  buildRecallTransactions: { command: 'recall' },
  buildAccountWithdrawTransactions: { command: 'withdraw', arguments: ['amount'] },
  listPosterJobs: { command: 'post', action: 'list' },
}

/** Whether a command of the command line does the operation. */
export const hasCommandLine = ({ id }: OperationSpec): boolean => Object.hasOwn(COMMAND_LINES, id)

/** The operation as a command; undefined where no command does it. */
const commandLineOf = (spec: OperationSpec, { decimals }: DocsService): string | undefined => {
  const found = COMMAND_LINES[spec.id as OperationId]
  if (found === undefined) return undefined
  const { query, body } = exampleOf(spec)
  const members: Values = { ...query, ...(isValues(body) ? body : {}) }
  const words = (found.arguments ?? []).map((name) => {
    const value = members[name]
    return isVariable(value) ? `"$${value.variable}"` : toDisplay(BigInt(String(value)), decimals)
  })
  const input = members[found.input ?? '']
  return [
    ...(isVariable(input) ? [`printf %s "$${input.variable}" |`] : []),
    ...['agent-work', found.command, ...(found.action === undefined ? [] : [found.action]), ...words],
    ...(isVariable(input) ? ['-'] : []),
    ...(found.options === undefined ? [] : [found.options]),
  ].join(' ')
}

/** Blocks of an operation: the name of each kind, and what to run. None for one that no reader calls alone. */
export const snippetsOf = (spec: OperationSpec, service: DocsService): [kind: string, text: string][] => {
  if (!isCalledAlone(spec)) return []
  const command = commandLineOf(spec, service)
  return [
    ['curl', curlOf(spec, service)],
    ['TypeScript', typeScriptOf(spec)],
    ...(command === undefined ? [] : [['Command line', command] as [string, string]]),
  ]
}

/** What stands before a block of TypeScript: the client, and the variables that the page names. */
export const clientBlock = (names: readonly string[], { baseUrl }: DocsService): string => {
  const read = names.filter((name) => name !== 'TOKEN').map((name) => `${name} = ''`)
  return [
    "import { createClient } from 'agent-work-client'",
    '',
    ...(read.length === 0 ? [] : [`const { ${read.join(', ')} } = process.env`]),
    `const client = createClient({ baseUrl: '${baseUrl}'${names.includes('TOKEN') ? ', token: process.env.TOKEN' : ''} })`,
  ].join('\n')
}
