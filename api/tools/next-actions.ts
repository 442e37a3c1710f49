import type { NextAction } from '../../schemas/errors.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { createRoutes } from '../http/routes.ts'
import { type Arguments, placesOf } from './arguments.ts'
import { argumentType, requiredArguments, type ToolName } from './descriptors.ts'

const match = createRoutes(operationList)

/** Facts of a call, best first: its problem or answer, then its arguments. */
type Facts = readonly Arguments[]

const SCALARS = ['string', 'number', 'boolean']

/** Members of a problem that hold the value of an argument with another name. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = { amount: ['shortfallRaw', 'claimFundingShortfallRaw'] }

const factNamed = (facts: Facts, name: string): unknown =>
  [name, ...(OTHER_NAMES[name] ?? [])].flatMap((known) => facts.map((fact) => fact[known])).find((value) => SCALARS.includes(typeof value))

/** A call of a tool. Required arguments that are not given come from the facts; what they lack is for the caller to add. */
export const toolCall = (tool: ToolName, given: Arguments, description: string, facts: Facts = []): NextAction => {
  const required = requiredArguments(tool)
  const found = required.flatMap((name) => {
    const value = given[name] === undefined ? factNamed(facts, name) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  const filled = { ...Object.fromEntries(found), ...given }
  const needs = required.filter((name) => !(name in filled))
  return { kind: 'tool', tool, arguments: filled, ...(needs.length > 0 && { needs }), description }
}

/** A value of a path as the tool takes it. */
const typed = (tool: string, name: string, text: string): unknown => {
  const type = argumentType(tool, name)
  if (type === 'integer' || type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}

const queryOf = (path: string): [string, string][] => {
  const mark = path.indexOf('?')
  return mark === -1 ? [] : [...new URLSearchParams(path.slice(mark + 1))]
}

/** A request as the tool call that does the same; unchanged where no tool does. A sign-in begins with its tool. */
export const asToolCall = (action: NextAction, facts: Facts): NextAction => {
  if (action.method === undefined || action.path === undefined) return action
  const found = match(action.path.split('?')[0] ?? '')
  const spec = found?.methods.get(action.method)
  if (found === null || spec?.tool === undefined) return action
  const places = placesOf(spec)
  const tool = spec.tool.name as ToolName
  const query = queryOf(action.path).filter(([name]) => places.query.includes(name))
  const given = [...Object.entries(found.params), ...query].map(([name, text]) => [name, typed(tool, name, text)])
  const call = toolCall(tool, Object.fromEntries(given), action.description, facts)
  return action.kind === 'sign_in' ? { ...call, kind: 'sign_in' } : call
}
