import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import { OPERATIONS } from '../../schemas/operations/registry.ts'
import { inputOf, type ToolRequest } from './arguments.ts'

interface ResourceKind {
  name: string
  title: string
  description: string
  /** Address with one parameter in braces. */
  template: string
  operation: OperationSpec
  /** Argument of the operation that the parameter is. */
  argument: string
}

const KINDS: readonly ResourceKind[] = [
  {
    name: 'job',
    title: 'Job definition',
    description: 'What a job asks, in which shape, and how it is judged.',
    template: 'service://jobs/{jobId}',
    operation: OPERATIONS.getJobDefinition,
    argument: 'jobId',
  },
  {
    name: 'schema',
    title: 'Submission schema',
    description: 'JSON Schema of a submission.',
    template: 'service://schemas/{name}',
    operation: OPERATIONS.getJobSchema,
    argument: 'name',
  },
  {
    name: 'session',
    title: 'Session',
    description: 'A session of the signed-in wallet: its state and what can be done next.',
    template: 'service://sessions/{id}',
    operation: OPERATIONS.getSession,
    argument: 'sessionId',
  },
]

const JSON_TYPE = 'application/json'

/** Templates of the resources. */
export const RESOURCE_TEMPLATES = KINDS.map(({ name, title, description, template }) => ({
  name,
  title,
  description,
  uriTemplate: template,
  mimeType: JSON_TYPE,
}))

/** Address of a session as a resource. */
export const sessionUri = (sessionId: string): string => `service://sessions/${encodeURIComponent(sessionId)}`

const parse = (uri: string): { kind: ResourceKind; value: string } | null => {
  for (const kind of KINDS) {
    const prefix = kind.template.slice(0, kind.template.indexOf('{'))
    if (!uri.startsWith(prefix)) continue
    const rest = uri.slice(prefix.length)
    if (rest === '' || rest.includes('/')) return null
    try {
      return { kind, value: decodeURIComponent(rest) }
    } catch {
      return null
    }
  }
  return null
}

/** Reads a resource for the client of a message. Throws for an unknown address, and what the operation refuses. */
export const readResource = async (uri: string, request: ToolRequest): Promise<ReadResourceResult> => {
  const found = parse(uri)
  if (found === null) throw new ResourceNotFoundError(uri)
  const { kind, value } = found
  const { body } = await request.call(kind.operation, inputOf(kind.operation, { [kind.argument]: value }))
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(body) }] }
}
