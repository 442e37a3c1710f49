import { OPERATIONS, type OperationId } from './generated/operations.ts'
import { formatJson } from './json.ts'
import type { OperationRow } from './operation-row.ts'
import type { FailedRequest } from './problems.ts'
import type { Input } from './types.ts'

/** The operation that runs each source of jobs. */
export const SOURCE_RUNS = {
  github: 'ingestGithub',
  wikipedia: 'ingestWikipedia',
  osv: 'ingestOsv',
  'open-data': 'ingestOpenData',
  openapi: 'ingestOpenapi',
  standards: 'ingestStandards',
} as const satisfies Record<Input<'steerSource'>['provider'], string>

/** One call as it is sent, without its token. */
export interface ServiceRequest extends FailedRequest {
  readonly row: OperationRow
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** True where a repeat has no second effect: reads, and requests with an idempotency key. */
  readonly isRepeatable: boolean
}

/** Address of the service without a slash at its end. Throws a TypeError for what is no http address. */
export const parseBaseUrl = (text: string): string => {
  if (!URL.canParse(text)) throw new TypeError(`baseUrl is no address: ${JSON.stringify(text)}`)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl is no http or https address: ${JSON.stringify(text)}`)
  // Every error of a request names its address.
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl holds a user name or a password')
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl has a query or a fragment')
  return url.href.replace(/\/+$/, '')
}

/** Throws a TypeError, without the token, for what no header can hold: the error of a failed request would show it. */
export const assertToken = (token: string | undefined): void => {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token has characters that no token has')
}

/** Throws a TypeError for what is no time to follow a request. Infinity has no limit. */
export const assertFollowSeconds = (seconds: number | undefined): void => {
  if (seconds !== undefined && !(seconds > 0)) throw new TypeError('followSeconds is no number above 0')
}

const scalar = (id: string, name: string, value: unknown): string => {
  if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value))
    throw new TypeError(`${id}: ${name} is no text, number, boolean or bigint`)
  return String(value)
}

const headerText = (id: string, name: string, value: unknown): string => {
  const text = scalar(id, name, value)
  if (!/^[\x20-\x7e]+$/.test(text)) throw new TypeError(`${id}: ${name} has characters that no header has, or none`)
  return text
}

const pathPart = (id: string, name: string, value: unknown): string => {
  if (value === undefined || value === '') throw new TypeError(`${id}: ${name} is required`)
  const text = scalar(id, name, value)
  // An address resolves these, so that the request would go elsewhere.
  if (text === '.' || text === '..') throw new TypeError(`${id}: ${name} cannot be ${JSON.stringify(text)}`)
  return encodeURIComponent(text)
}

const bytesOf = (id: string, body: unknown): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError(`${id}: body is no text and no bytes`)
}

/** Puts the members of an input into path, query, headers and body. Throws a TypeError for an input that the operation does not have. */
export const buildRequest = (
  id: OperationId,
  input: object,
  baseUrl: string,
  { idempotencyKey, headers = {} }: { idempotencyKey?: string | undefined; headers?: Readonly<Record<string, string>> },
): ServiceRequest => {
  const row: OperationRow = OPERATIONS[id]
  const members: Record<string, unknown> = { ...input }
  const take = (name: string): unknown => {
    const value = members[name]
    delete members[name]
    return value
  }
  const takeTexts = (names: readonly string[] = [], format: typeof scalar): Record<string, string> => {
    const given = names.map((name) => [name, take(name)] as const).filter(([, value]) => value !== undefined)
    return Object.fromEntries(given.map(([name, value]) => [name, format(id, name, value)]))
  }
  const filled = (row.pathMembers ?? []).reduce((path, name) => path.replace(`:${name}`, pathPart(id, name, take(name))), row.path)
  const search = new URLSearchParams(takeTexts(row.queryMembers, scalar)).toString()
  const ownHeaders = takeTexts(row.headerMembers, headerText)
  const rawBody = row.rawBody ? bytesOf(id, take('body')) : undefined
  const unknown = Object.keys(members).filter((name) => members[name] !== undefined && !row.bodyMembers?.includes(name))
  if (unknown.length > 0) throw new TypeError(`${id} has no input ${unknown.map((name) => JSON.stringify(name)).join(', ')}`)
  const isPost = row.method === 'POST'
  return {
    operation: id,
    method: row.method,
    path: row.path,
    row,
    url: `${baseUrl}${filled}${search === '' ? '' : `?${search}`}`,
    headers: {
      accept: row.media === undefined ? 'application/json, application/problem+json' : `${row.media}, application/problem+json`,
      ...(isPost && { 'content-type': 'application/json' }),
      ...(row.idempotent && idempotencyKey !== undefined && { 'idempotency-key': headerText(id, 'idempotencyKey', idempotencyKey) }),
      ...ownHeaders,
      ...headers,
    },
    body: isPost ? (rawBody ?? formatJson(members)) : undefined,
    isRepeatable: !isPost || row.idempotent === true,
  }
}
