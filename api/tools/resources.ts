import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { quoteStrangers } from '../../domain/postings/quoted-text.ts'
import type { OperationSpec } from '../../schemas/operations/operation.ts'
import { OPERATIONS } from '../../schemas/operations/registry.ts'
import { inputOf, type ToolRequest } from './arguments.ts'

const JSON_TYPE = 'application/json'

/** A template; its address has one parameter in braces. */
const template = (name: string, title: string, description: string, uriTemplate: string) => ({
  name,
  title,
  description,
  uriTemplate,
  mimeType: JSON_TYPE,
})

/** Each template with the operation that reads it, and the argument that its parameter is. */
const KINDS: readonly { template: ReturnType<typeof template>; operation: OperationSpec; argument: string }[] = [
  {
    template: template('job', 'Job definition', 'What a job asks, in which shape, and how it is judged.', 'service://jobs/{jobId}'),
    operation: OPERATIONS.getJobDefinition,
    argument: 'jobId',
  },
  {
    template: template('schema', 'Submission schema', 'JSON Schema of a submission.', 'service://schemas/{name}'),
    operation: OPERATIONS.getJobSchema,
    argument: 'name',
  },
  {
    template: template(
      'session',
      'Session',
      'A session of the signed-in wallet: its state and what can be done next.',
      'service://sessions/{id}',
    ),
    operation: OPERATIONS.getSession,
    argument: 'sessionId',
  },
]

/** Templates of the resources. */
export const RESOURCE_TEMPLATES = KINDS.map((kind) => kind.template)

/** Address of a job as a resource. */
export const jobUri = (jobId: string): string => `service://jobs/${encodeURIComponent(jobId)}`

/** Address of a session as a resource. */
export const sessionUri = (sessionId: string): string => `service://sessions/${encodeURIComponent(sessionId)}`

const parse = (uri: string) => {
  const [, address, parameter = ''] = /^(.*\/)([^/]+)$/.exec(uri) ?? []
  const kind = KINDS.find(({ template }) => template.uriTemplate.startsWith(`${address}{`))
  try {
    return kind === undefined ? null : { ...kind, value: decodeURIComponent(parameter) }
  } catch {
    return null
  }
}

/** Reads a resource for the client of a message. Throws for an unknown address, and what the operation refuses. */
export const readResource = async (uri: string, request: ToolRequest): Promise<ReadResourceResult> => {
  const found = parse(uri)
  if (found === null) throw new ResourceNotFoundError(uri)
  const { operation, argument, value } = found
  const { body } = await request.call(operation, inputOf(operation, { [argument]: value }))
  const shown = quoteStrangers(body as Readonly<Record<string, unknown>>)
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(shown) }] }
}
