import { Ajv2020 } from 'ajv/dist/2020.js'
import type { NextAction } from '../../../../schemas/errors.ts'
import { OPERATIONS, type OperationId } from '../../../../schemas/operations/registry.ts'
import type { Contract } from '../../support/contract.ts'
import type { Arguments, ListedTool } from './clients.ts'

type Schema = Record<string, unknown>

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })

/** Everything in which a value differs from a JSON schema; empty when nothing does. */
export const faultsOf = (schema: Schema | undefined, value: unknown): string[] => {
  if (schema === undefined) return ['there is no schema']
  const validate = ajv.compile(schema)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
}

/** The schema of arguments of which some are still to be added. */
const withoutNeeded = ({ required = [], ...rest }: Schema, needs: readonly string[]): Schema => ({
  ...rest,
  required: (required as string[]).filter((name) => !needs.includes(name)),
})

/** Checks next actions against the tools of the service: names, arguments and what is missing. */
export const createActionCheck = (tools: ReadonlyMap<string, ListedTool>, { routes }: Contract) => {
  const faultsOfCall = (tool: string, sent: Arguments, needs: readonly string[]): string[] => {
    const schema = tools.get(tool)?.inputSchema
    if (schema === undefined) return [`there is no tool ${tool}`]
    const known = Object.keys((schema.properties ?? {}) as Schema)
    const wrong = needs.filter((name) => !known.includes(name) || name in sent).map((name) => `${name} is no missing argument`)
    return [...wrong, ...faultsOf(withoutNeeded(schema, needs), sent)].map((fault) => `${tool}: ${fault}`)
  }

  /** Faults of an action that names a request: where a tool exists, the action must name the tool. */
  const faultsOfRequest = (method: string, path: string): string[] => {
    const { pathname } = new URL(path, 'http://service.test')
    const route = routes.find((one) => one.method === method.toLowerCase() && one.pattern.test(pathname))
    if (route === undefined) return [`no operation answers ${method} ${path}`]
    const spec = OPERATIONS[route.operation.operationId as OperationId]
    return 'tool' in spec ? [`${method} ${path} is the tool ${spec.tool.name}`] : []
  }

  return (actions: readonly NextAction[]): string[] =>
    actions.flatMap(({ kind, tool, method, path, needs = [], arguments: sent = {} }) => {
      if (tool !== undefined) return faultsOfCall(tool, sent, needs)
      if (kind === 'tool') return ['an action of the kind tool names none']
      return method === undefined || path === undefined ? [] : faultsOfRequest(method, path)
    })
}
