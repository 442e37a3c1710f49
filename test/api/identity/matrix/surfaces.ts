import type { AnyHandler, HandlerMap } from '../../../../api/http/calls.ts'
import { type Capability, GRANTABLE_CAPABILITIES, type Principal } from '../../../../schemas/identity/authorisation.ts'
import { DELEGATE_SCOPES, type DelegateScope, SCOPE_NAMES } from '../../../../schemas/identity/delegate-terms.ts'
import { capabilitiesNeeded, type Input, type OperationSpec, rolesAllowed } from '../../../../schemas/operations/operation.ts'
import type { Api, Reply } from '../../../support/api.ts'

/** Who reached the handler of which operation. */
interface Reached {
  id: string
  /** The `x-request-id` of the answer. */
  requestId: string
  caller: Principal | null
}

/** Handlers that note who reached them. They then fail, until `isReal` or for `kept` operations, which do their work. */
export const createNotes = (ids: readonly string[], real: HandlerMap, kept: readonly string[]) => {
  const notes: { isReal: boolean; reached: Reached[] } = { isReal: true, reached: [] }
  const noted = (id: string): AnyHandler => {
    const work = real[id]
    return async (input: never) => {
      const { caller, request } = input as Pick<Input<OperationSpec>, 'request'> & { caller: Principal | null }
      notes.reached.push({ id, requestId: request.id, caller })
      if (work !== undefined && (notes.isReal || kept.includes(id))) return work(input)
      throw new Error('reached')
    }
  }
  return { notes, handlers: Object.fromEntries(ids.map((id) => [id, noted(id)])) }
}

const pathOf = ({ path, examples }: OperationSpec): string => {
  const filled = path.replaceAll(/:([A-Za-z]+)/g, (_all, name: string) => {
    const value = examples?.params?.[name]
    if (value === undefined) throw new Error(`no example of ${name} in ${path}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(examples?.query).toString()
  return query === '' ? filled : `${filled}?${query}`
}

const MCP = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

/** Calls an operation by its route, with its example as input. */
export const byHttp = (api: Api, spec: OperationSpec, token: string | undefined): Promise<Reply> =>
  api.call(pathOf(spec), {
    method: spec.method,
    token,
    headers: MCP,
    ...(spec.method === 'POST' && { raw: JSON.stringify(spec.examples?.body ?? {}) }),
  })

/** Calls an operation as a tool: the answer is the problem document with its status. */
export const byTool = async (api: Api, spec: OperationSpec, token: string | undefined): Promise<Pick<Reply, 'status' | 'body'>> => {
  const { params, query, body } = spec.examples ?? {}
  const sent = { ...params, ...query, ...(body as object | undefined) }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: spec.tool?.name, arguments: sent } }
  const reply = await api.call('/mcp', { body: message, token, headers: MCP })
  const { isError, structuredContent } = reply.body.result
  return { status: isError ? structuredContent.status : 200, body: structuredContent }
}

/** What a call came to, in the words of the expectation. A refusal for want of something names what is missing. */
export const outcomeOf = (spec: OperationSpec, { status, body }: Pick<Reply, 'status' | 'body'>, reached: readonly Reached[]): string => {
  const own = reached.find(({ id }) => id === spec.id)
  if (own !== undefined) return own.caller === null ? 'anonymous' : `as ${own.caller.kind} ${own.caller.wallet}`
  const missing = body?.details?.missingCapabilities ?? []
  return [status, body?.code, ...missing].join(' ')
}

/** Who can grant to a delegate what it lacks: its wallet, by scopes, if each capability is in one. */
const grantOf = (code: string, missing: readonly Capability[]): string => {
  if (code !== 'missing_capability') return ''
  const holds = (scope: DelegateScope, name: Capability): boolean => DELEGATE_SCOPES[scope].some((held) => held === name)
  const isComplete = missing.every((name) => SCOPE_NAMES.some((scope) => holds(scope, name)))
  return `the wallet ${isComplete ? SCOPE_NAMES.filter((scope) => missing.some((name) => holds(scope, name))) : []}`
}

/** Faults in what a refusal tells its reader: what is needed, and who can grant what is missing. */
export const hintFaults = (spec: OperationSpec, { status, body }: Pick<Reply, 'status' | 'body'>, isDelegate: boolean): string[] => {
  if ((status !== 401 && status !== 403) || spec.auth.includes('metrics_secret')) return []
  const { requiredCapabilities, requiredAction, requiredRole, missingCapabilities = [], grantedBy } = body.details ?? {}
  const grantable = missingCapabilities.filter((name: Capability) => GRANTABLE_CAPABILITIES.includes(name))
  const compared: [string, unknown, unknown][] = [
    ['capabilities', requiredCapabilities, capabilitiesNeeded(spec)],
    ['action', requiredAction, spec.action],
    ['role', requiredRole, rolesAllowed(spec)[0]],
    ['grant', body.code === 'missing_capability' ? (grantedBy?.capabilities ?? []) : [], isDelegate ? [] : grantable],
    [
      'scopes',
      grantedBy?.wallet === true ? `the wallet ${grantedBy.scopes}` : '',
      isDelegate ? grantOf(body.code, missingCapabilities) : '',
    ],
  ]
  return compared.filter(([, seen, meant]) => String(seen) !== String(meant)).map(([name, seen]) => `${name}: ${seen}`)
}
