import { unknownMember } from '../../schemas/common/rule-sentences.ts'
import type { FieldError } from '../../schemas/errors.ts'
import { memberNames, pointerOf } from '../../schemas/operations/field-errors.ts'
import type { NestedCall, OperationSpec, RequestFacts } from '../../schemas/operations/operation.ts'
import { refuseBadText } from '../http/input.ts'
import { invalidRequest } from '../http/problem.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** What a tool gets of the message that calls it. */
export type ToolRequest = Pick<RequestFacts, 'id' | 'signal' | 'call' | 'countTool'>

/** Names of the path parameters and of the query members of an operation. */
export const placesOf = ({ params, query }: OperationSpec): { params: string[]; query: string[] } => ({
  params: Object.keys(params?.shape ?? {}),
  query: Object.keys(query?.shape ?? {}),
})

/** Names of what an operation reads of its address, without other spellings. */
const namesOf = ({ params, query }: OperationSpec): string[] =>
  [params, query].flatMap((part) => (part === undefined ? [] : memberNames(part)))

const textOf = (place: 'path' | 'query', name: string, value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidRequest([{ pointer: `${place}/${name}`, rule: 'type', message: 'must be text, a number or a boolean' }])
}

/** Puts each argument of a tool where its operation reads it. Throws `invalid_request` for one that no place takes. */
export const inputOf = (spec: OperationSpec, sent: Arguments): NestedCall => {
  refuseBadText(sent, 'body')
  const given = { ...spec.tool?.defaults, ...sent }
  const places = placesOf(spec)
  const params: Record<string, string> = {}
  const query = new URLSearchParams()
  const members: [string, unknown][] = []
  const unknown: FieldError[] = []
  for (const [name, value] of Object.entries(given)) {
    if (places.params.includes(name)) params[name] = textOf('path', name, value)
    else if (places.query.includes(name)) query.set(name, textOf('query', name, value))
    else if (spec.method === 'POST' && spec.body !== undefined) members.push([name, value])
    else unknown.push({ pointer: pointerOf('body', [name]), rule: 'unknown', message: unknownMember(namesOf(spec)) })
  }
  if (unknown.length > 0) throw invalidRequest(unknown)
  return { params, search: query.toString(), body: Object.fromEntries(members) }
}
