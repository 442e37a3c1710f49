import type { z } from 'zod'
import { codesOf } from '../common/error-row.ts'
import type { ErrorCode } from '../errors.ts'
import type { RateBucketName } from '../http/rate-buckets.ts'
import type { ActionId, CallerBy, Capability, Credential, Principal, Role } from '../identity/authorisation.ts'
import { TOKEN_ERRORS } from '../identity/errors.ts'
import type { TagName } from './tags.ts'

/** Specification of one operation, from which router, input checks, documents, tools and tests follow. */
export interface OperationSpec {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Template such as `/jobs/:id/estimate`; a fixed suffix can follow a parameter (`:name.json`). */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly [TagName, ...TagName[]]
  /** Accepted credentials, in the order in which they are tried. */
  readonly auth: readonly Credential[]
  readonly action?: ActionId
  /** Required role of the token, or several of which one is required. */
  readonly role?: Role | readonly Role[]
  readonly capability?: Capability | readonly Capability[]
  /** Where a token is optional: capabilities of which a service token or delegate needs one to be read as its wallet. Without one it is read as no token. */
  readonly ownView?: readonly Capability[]
  /** True if a service token may call it whose grant has ended. */
  readonly withoutGrant?: true
  /** True if a token may call it that a refresh has replaced. */
  readonly replacedToken?: true
  /** True to refuse native accounts without a mapping, with whatever token they call. */
  readonly earning?: boolean
  readonly rate?: RateBucketName
  /** True if it sends transactions of the operator, or names the operator: without an operator key it is 503 `chain_backend_required`. */
  readonly needsOperator?: boolean
  /** Bucket of requests whose answer had to be built, because no kept one served; the handler counts them. */
  readonly buildRate?: RateBucketName
  /** Scope name of the idempotency key (http, "Idempotency"). */
  readonly idempotent?: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Most bytes of the body; `BODY_LIMIT_BYTES` without it. */
  readonly bodyLimitBytes?: number
  /** Headers that a request may have, each with its description, by lower-case name; the handler gets them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers that the handler gets with the raw body, each with its description. */
  readonly rawBody?: {
    readonly limitBytes: number
    /** Media type that documents state; JSON without one. */
    readonly type?: string
    /** What documents state of the body; the handler reads the bytes. */
    readonly shape?: z.ZodType
    readonly headers: Readonly<Record<string, string>>
    /** Headers that a request need not have. */
    readonly optionalHeaders?: Readonly<Record<string, string>>
  }
  readonly responses: Readonly<Record<number, z.ZodType>>
  /** Members that its problem documents of a status have beside the usual ones, as another protocol demands. */
  readonly problemMembers?: Readonly<Record<number, z.ZodObject>>
  /** Codes of this operation; `errorsOf` adds those of its kind. */
  readonly errors?: readonly ErrorCode[]
  /** Cache-Control of a 2xx answer; without it `private, no-store`. */
  readonly cache?: string
  /** Media type of a 2xx answer that is not plain JSON; its body is then a string or bytes, or comes serialised. */
  readonly produces?: string
  /** True if the answer can also be an HTML page, for a reader that prefers one. */
  readonly hasPage?: true
  /** True for a stream of server-sent events: the token may stand in the query as `token`, and `Last-Event-ID` is read. */
  readonly streams?: true
  /** True for a list that only reads records, with its own statements: it is read from the replica where there is one. */
  readonly fromReplica?: true
  /** True if the handler gets the header `Cookie`. */
  readonly readsCookie?: true
  /** True for the resource of OAuth: tokens whose audience is its address count here, and in what it calls. */
  readonly isResource?: true
  readonly tool?: ToolSpec
  readonly examples?: OperationExamples
}

/** Lists of tools that a client can ask for at `POST /mcp`. */
export const TOOLSETS = ['worker', 'poster', 'savings', 'operator'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** The operation as a tool. */
export interface ToolSpec {
  readonly name: string
  /** False for sign-in exchanges and executing tools, which stay out of the public list. */
  readonly directory: boolean
  /** Lists that show the tool; it is callable in any case. */
  readonly sets: readonly Toolset[]
  /** True for a POST that changes nothing. */
  readonly readOnly?: true
  /** True for a call that cannot be taken back. */
  readonly final?: true
  /** Arguments that a tool call has unless it sends others. */
  readonly defaults?: Readonly<Record<string, string>>
  /** Members of the body that its description leaves out, and a call may send. */
  readonly unlisted?: readonly string[]
  readonly meta?: MetaMembers
  readonly short?: ShortForm
}

/** Members of `_meta` that stand for headers of the operation, which a tool has not, by the name of the header. */
interface MetaMembers {
  /** Of a call: a text is the header as it is, an object is its JSON in base64. */
  readonly sent?: Readonly<Record<string, { readonly member: string; readonly description: string }>>
  /** Of a result: the header of the answer holds the JSON of the member in base64. */
  readonly answered?: Readonly<Record<string, string>>
}

/** How a tool shortens an answer, unless a call sends `detail: "full"`. */
interface ShortForm {
  /** Arguments with which the operation itself answers in short. */
  readonly by?: Readonly<Record<string, string>>
  /** Members that stay; in `blockers.code` it is the member `code` of each entry of `blockers`. */
  readonly members?: readonly string[]
}

interface OperationExamples {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Status → example body. */
  readonly responses?: Readonly<Record<number, unknown>>
}

/** Declares an operation; the types of its handler follow from it. */
export const operation = <const Method extends OperationSpec['method'], const Spec extends Omit<OperationSpec, 'id' | 'method' | 'path'>>(
  id: string,
  route: `${Method} /${string}`,
  spec: Spec,
) => {
  const [method, path] = route.split(' ') as [Method, string]
  return { id, method, path, ...spec }
}

/** Accepted credentials: none, an optional token, a token, a token of the wallet itself, or the metrics secret. */
export const PUBLIC = ['anonymous'] as const
export const OPTIONAL = ['wallet_token', 'service_token', 'delegate_token', 'anonymous'] as const
export const WALLET = ['wallet_token', 'service_token', 'delegate_token', 'named_wallet'] as const
export const WALLET_ONLY = ['wallet_token', 'named_wallet'] as const
export const METRICS = ['metrics_secret'] as const
/** The same without delegates, for what prepares transactions and consents that only the wallet can sign. */
export const NO_DELEGATE = ['wallet_token', 'service_token', 'named_wallet'] as const

/** Members of an operation for every signed-in wallet, for verifiers and for admins. */
export const SIGNED_IN = { auth: WALLET, action: 'wallet_sign_in' } as const
export const VERIFIER = { tags: ['Verification'], auth: WALLET, action: 'verifier_wallet_sign_in', role: 'verifier' } as const
export const ADMIN = { tags: ['Admin'], auth: WALLET, action: 'admin_wallet_sign_in', role: 'admin' } as const

/** Codes of an operation that hands a decision to a dispute's workflow. */
export const DECISION_ERRORS = [
  'upstream_failure',
  'workflow_engine_unavailable',
  'blockchain_unavailable',
  'blockchain_revert',
  'chain_state_diverged',
  'receipt_key_unavailable',
] as const

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<never, never>
type Member<Spec, Name extends string> = Spec extends { readonly [K in Name]: infer Value } ? Value : undefined
type CallerOf<Spec extends OperationSpec> = CallerBy[Spec['auth'][number]]

/** Raw body of an operation that authenticates its bytes. */
export interface RawRequest {
  bytes: Buffer
  /** The declared headers of the request. */
  headers: Readonly<Record<string, string>>
}

/** What the header `Accept` says of media types in UTF-8 (RFC 9110, 12.5.1). */
export interface AcceptedTypes {
  /** Whether the client takes the type. Without the header it takes every type. */
  takes(type: string): boolean
  /** Whether the client takes the type by its name, not by a wildcard. */
  names(type: string): boolean
  /** Whether the client prefers a page to JSON. */
  readonly prefersPage: boolean
}

/** Input of an operation that another one calls: decoded path parameters, the query without its question mark, and the body. */
export interface NestedCall {
  /** As what it counts and is recorded: a request of its own, or the call of a tool. */
  protocol: RequestFacts['protocol']
  params: Record<string, string>
  search: string
  body: Record<string, unknown>
  /** Headers among those that the operation declares. */
  headers?: Readonly<Record<string, string>>
}

/** Facts of the request for its handler. */
export interface RequestFacts {
  /** Equals the `x-request-id` of the answer. */
  id: string
  /** Address of the client, behind the trusted proxies. */
  ip: string
  /** Header `Idempotency-Key` or its body alias; null without one. */
  idempotencyKey: string | null
  /** Scope name of the key: that of the operation, or its id. */
  keyScope: string
  /** keccak256 of the canonical `{operation, path parameters, body without idempotencyKey}`. */
  fingerprint: `0x${string}`
  protocol: 'http' | 'mcp'
  accept: AcceptedTypes
  /** The request's `If-None-Match`; the router compares it with the `etag` of the answer. */
  ifNoneMatch: string | null
  /** Header `Last-Event-ID` of a stream; null without one. */
  lastEventId: string | null
  /** Header `Cookie` of an operation that reads it; null without one. */
  cookie: string | null
  /** Bytes and headers of an operation that declares `rawBody`; null for every other. */
  raw: RawRequest | null
  /** Headers of the request among those that the operation declares. */
  headers: Readonly<Record<string, string>>
  /** Calls another operation for the same client, with the same credentials. Throws what that operation refuses. */
  call(spec: OperationSpec, input: NestedCall): Promise<{ status: number; body: unknown; headers?: AnswerHeaders }>
  /** Counts a tool call by the wallet of its token, or by address without a valid one. Throws 429 `rate_limited`. */
  countTool(): Promise<void>
  /** Counts a message that calls no tool, by its token or address like a tool call. Throws 429 `rate_limited`. */
  countMessage(): Promise<void>
  /** Counts the request in the bucket `buildRate`. Throws 429 `rate_limited`. */
  countBuild(): Promise<void>
  /** Authenticates the caller again. Throws 401 or 403 when the token has ended or lost its right. */
  checkCaller(): Promise<Principal | null>
  /** Aborts a wait when the client disconnects or the process shuts down. */
  signal: AbortSignal
}

export interface Input<Spec extends OperationSpec> {
  params: Parsed<Member<Spec, 'params'>>
  query: Parsed<Member<Spec, 'query'>>
  body: Parsed<Member<Spec, 'body'>>
  caller: CallerOf<Spec>
  request: RequestFacts
}

/** Headers of an answer; one with several values is sent as often. */
export type AnswerHeaders = Record<string, string | string[]>

/**
 * Answer of a handler. `etag` is the raw tag without quotes; `headers` are added to the common ones; `serialised` is the body as JSON, if
 * available.
 */
export type Answer<Spec extends OperationSpec> = {
  [Status in keyof Spec['responses'] & number]: {
    status: Status
    body: z.input<Spec['responses'][Status]>
    headers?: AnswerHeaders
    etag?: string
    serialised?: Buffer
    /** The answer as an HTML page, for an operation with `hasPage`. */
    page?: () => string | Promise<string>
    /** Text that follows the headers, for an operation that streams. */
    stream?: () => AsyncIterable<string>
  }
}[keyof Spec['responses'] & number]

export type Handler<Spec extends OperationSpec> = (input: Input<Spec>) => Promise<Answer<Spec>>

/** Handlers of a group of operations, one per id. */
export type HandlersOf<Specs extends Readonly<Record<string, OperationSpec>>> = { [Name in keyof Specs]: Handler<Specs[Name]> }

/** Codes of a credential that is presented and not valid. */
const CREDENTIAL_ERRORS: Record<Credential, readonly ErrorCode[]> = {
  wallet_token: codesOf(TOKEN_ERRORS),
  service_token: codesOf(TOKEN_ERRORS),
  delegate_token: [...codesOf(TOKEN_ERRORS), 'delegate_ended'],
  named_wallet: [],
  metrics_secret: ['bad_signature', 'metrics_auth_unconfigured'],
  anonymous: [],
}

const authErrors = (spec: OperationSpec): readonly ErrorCode[] => {
  const needed: ErrorCode[] = spec.auth.includes('anonymous') ? [] : ['missing_token']
  if (spec.auth.includes('wallet_token') && !spec.auth.includes('delegate_token')) needed.push('wallet_session_required')
  if (spec.role) needed.push('missing_role')
  if (spec.capability || (spec.auth.includes('service_token') && !spec.withoutGrant)) needed.push('missing_capability')
  return [...needed, ...spec.auth.flatMap((credential) => CREDENTIAL_ERRORS[credential])]
}

/** Every error code of an operation: its own, and those of its kind. */
export const errorsOf = (spec: OperationSpec): ErrorCode[] => {
  // Any path can refuse a malformed query or a request that is not valid HTTP.
  const codes: ErrorCode[] = [...(spec.errors ?? []), 'invalid_request', 'request_timeout', 'uri_too_long', 'header_fields_too_large']
  if (spec.method === 'POST') codes.push('payload_too_large', 'unsupported_media_type')
  if (spec.query !== undefined && 'waitSeconds' in spec.query.shape) codes.push('too_many_waits')
  if (spec.rate || spec.buildRate) codes.push('rate_limited')
  if (spec.idempotent) codes.push('idempotency_key_reused', 'idempotency_key_in_flight')
  if (spec.earning) codes.push('native_account_mapping_required', 'native_mapping_mismatch', 'native_mapping_unreadable')
  if (spec.needsOperator) codes.push('chain_backend_required')
  return [...new Set<ErrorCode>([...codes, ...authErrors(spec), 'state_store_unavailable', 'service_starting', 'internal_error'])]
}

/** Access to an operation, as documents name it. */
export type Access = 'none' | 'optional' | 'wallet' | 'no_delegate' | 'wallet_only' | 'metrics'

/** Access that follows from the accepted credentials. */
export const accessOf = ({ auth }: Pick<OperationSpec, 'auth'>): Access => {
  if (auth.includes('metrics_secret')) return 'metrics'
  if (auth.includes('anonymous')) return auth.length === 1 ? 'none' : 'optional'
  if (!auth.includes('service_token')) return 'wallet_only'
  return auth.includes('delegate_token') ? 'wallet' : 'no_delegate'
}

/** Whether an operation refuses a caller without a token. */
export const needsToken = (spec: Pick<OperationSpec, 'auth'>): boolean => ['wallet', 'no_delegate', 'wallet_only'].includes(accessOf(spec))

/** Roles of which a caller needs one; empty without a required role. */
export const rolesAllowed = (spec: Pick<OperationSpec, 'role'>): readonly Role[] =>
  spec.role === undefined ? [] : typeof spec.role === 'string' ? [spec.role] : spec.role

/** Capabilities an operation needs, as a list. */
export const capabilitiesNeeded = (spec: Pick<OperationSpec, 'capability'>): readonly Capability[] =>
  spec.capability === undefined ? [] : typeof spec.capability === 'string' ? [spec.capability] : spec.capability

/** Whether a 200 of this operation has an `ETag`, which allows a 304. */
export const isTagged = (spec: OperationSpec): boolean => spec.method === 'GET' && spec.cache !== undefined && accessOf(spec) !== 'metrics'
