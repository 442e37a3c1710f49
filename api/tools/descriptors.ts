import { z } from 'zod'
import { memberNames } from '../../schemas/operations/field-errors.ts'
import {
  accessOf,
  capabilitiesNeeded,
  needsToken,
  type OperationSpec,
  TOOLSETS,
  type ToolSpec,
  type Toolset,
} from '../../schemas/operations/operation.ts'
import { type OPERATIONS, type OperationId, operationList } from '../../schemas/operations/registry.ts'
import { IdempotencyKeyInput, trimmedText } from '../../schemas/operations/values.ts'
import { type Components, type JsonSchema, jsonSchema, SHARED, STORABLE, STORABLE_WITHIN } from '../discovery/json-schema.ts'
import { parameterSchema } from '../discovery/openapi.ts'
import { AUTH_SCHEME } from '../identity/hints.ts'
import { DETAIL } from './arguments.ts'
import { metaText } from './meta.ts'

/** An operation that is a tool. */
export type ToolOperation = OperationSpec & { readonly tool: ToolSpec & { readonly name: ToolName } }

type Declared = Extract<(typeof OPERATIONS)[OperationId], { readonly tool: ToolSpec }>
export type ToolName = Declared['tool']['name']
type SuccessOf<Responses> = Responses extends { 200: infer Body extends z.ZodType }
  ? Body
  : Responses extends { 201: infer Body extends z.ZodType }
    ? Body
    : never
/** The answer of a tool. */
export type ToolBody<Name extends ToolName> = z.output<
  SuccessOf<Extract<Declared, { readonly tool: { readonly name: Name } }>['responses']>
>

type ObjectSchema = Record<string, unknown> & { type: 'object' }

const isTool = (spec: OperationSpec): spec is ToolOperation => spec.tool !== undefined

/** Every operation that is a tool, in the order of the registry. */
const TOOLS: readonly ToolOperation[] = operationList.filter(isTool)

const BY_NAME = new Map<string, ToolOperation>(TOOLS.map((spec) => [spec.tool.name, spec]))

/** The operation of a tool; undefined for an unknown name. */
export const toolNamed = (name: string): ToolOperation | undefined => BY_NAME.get(name)

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A schema with every named part in its place: readers of tools follow no reference. */
const inlined = (schema: JsonSchema, components: Components): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (_name, value: unknown) => {
      if (!isObject(value) || typeof value.$ref !== 'string') return value
      const { $ref, ...own } = value
      return { ...inlined(components.get($ref.slice(SHARED.length)) ?? {}, components), ...own }
    }),
  )

const KEY_ALIAS = IdempotencyKeyInput.description

/** Pattern of a text that is not white space alone: the service trims and checks it. */
const TRIMMED = trimmedText(1, 1).meta()?.pattern

/** Keywords that the service checks and no reader needs. */
const isNoise = (name: string, value: unknown): boolean =>
  (name === 'pattern' && (value === STORABLE || value === TRIMMED)) ||
  // Patterns of one text, such as an instant, which its description names.
  (name === 'allOf' && Array.isArray(value) && value.every((part) => isObject(part) && Object.keys(part).join() === 'pattern')) ||
  // A tool call has no header.
  (name === 'description' && value === KEY_ALIAS) ||
  (name === 'examples' && Array.isArray(value)) ||
  (name === 'format' && typeof value === 'string') ||
  // An open object is one without either.
  (name === 'propertyNames' && isObject(value)) ||
  (name === 'additionalProperties' && isObject(value) && Object.keys(value).length === 0)

/** What the service checks of an open object, which no reader needs. */
const withoutRule = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(STORABLE_WITHIN, '').trim() || undefined : value

/** Without noise. A constant is a list of one value, which more readers know. */
const plain = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => {
      if (isNoise(name, value)) return undefined
      if (name === 'description') return withoutRule(value)
      if (!isObject(value) || typeof value.const !== 'string') return value
      const { const: only, ...rest } = value
      return { ...rest, enum: [only] }
    }),
  )

/** What a member of any JSON type takes: work is an object, or the text of a text job. */
const ANY_TYPE = { anyOf: [{ type: 'object' }, { type: 'string' }] }

const typed = (properties: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      member.type === undefined && member.anyOf === undefined ? { ...member, ...ANY_TYPE } : member,
    ]),
  )

/** Path parameters or query members, each as it is read. */
const parametersOf = (shape: OperationSpec['query'], components: Components): JsonSchema => {
  if (shape === undefined) return {}
  const sent = jsonSchema(shape, components, 'request')
  const read = jsonSchema(shape, components, 'read')
  const properties = Object.entries(sent.properties ?? {}).map(([name, member]) => {
    const { description } = member
    return [name, { ...parameterSchema(member, read.properties?.[name]), ...(description !== undefined && { description }) }]
  })
  return {
    properties: Object.fromEntries(properties),
    required: sent.required ?? [],
    ...(sent.oneOf !== undefined && { oneOf: sent.oneOf }),
  }
}

/** Default of an argument that the tool sets. */
const withDefaults = (properties: Record<string, JsonSchema>, { defaults = {} }: ToolSpec): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      defaults[name] === undefined ? member : { ...member, default: defaults[name] },
    ]),
  )

/** Objects that a schema allows: itself, or each branch of a union. */
const branchesOf = (schema: JsonSchema, components: Components): JsonSchema[] => {
  const { $ref, anyOf, oneOf, properties } = schema
  if (typeof $ref === 'string') return branchesOf(components.get($ref.slice(SHARED.length)) ?? {}, components)
  // An object with a rule beside its members is no union.
  const branches = properties === undefined ? (anyOf ?? oneOf) : undefined
  return branches === undefined ? [schema] : branches.flatMap((branch) => branchesOf(branch, components))
}

/** One object for a union: the members of every branch; required are those that all branches require. */
const mergedBranches = (schema: JsonSchema, components: Components): JsonSchema => {
  const branches = branchesOf(schema, components)
  const [first, ...others] = branches
  if (first === undefined || others.length === 0) return first ?? {}
  const names = new Set(branches.flatMap(({ properties = {} }) => Object.keys(properties)))
  const properties = [...names].map((name): [string, JsonSchema] => {
    const members = branches.map((branch) => branch.properties?.[name]).filter((member) => member !== undefined)
    const variants = [...new Map(members.map((member) => [JSON.stringify(member), member])).values()]
    const [only = {}, ...more] = variants
    return [name, more.length === 0 ? only : { anyOf: variants }]
  })
  const required = (first.required ?? []).filter((name) => others.every((branch) => branch.required?.includes(name)))
  return { properties: Object.fromEntries(properties), required }
}

/** Names of the members that are another spelling of one beside them. */
const aliasesIn = (schema: z.ZodType | undefined): string[] => {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => aliasesIn(option as z.ZodType))
  if (!(schema instanceof z.ZodObject)) return []
  const named = memberNames(schema)
  return Object.keys(schema.shape).filter((name) => !named.includes(name))
}

/** Without other spellings of members, which the service takes all the same. */
const withoutAliases = ({ properties = {}, required = [], oneOf, ...rules }: JsonSchema, aliases: readonly string[]): JsonSchema => {
  const kept = Object.entries(properties).filter(([name]) => !aliases.includes(name))
  const names = new Set(kept.map(([name]) => name))
  const choices = (oneOf ?? []).filter((choice) => choice.required?.every((name) => names.has(name)))
  const needed = [...required, ...(choices.length === 1 ? (choices[0]?.required ?? []) : [])]
  return { ...rules, properties: Object.fromEntries(kept), required: needed, ...(choices.length > 1 && { oneOf: choices }) }
}

/** Members without those that make an answer short, which `detail` stands for. */
const withDetail = (properties: Record<string, JsonSchema>, { short }: ToolSpec): Record<string, JsonSchema> => {
  if (short === undefined) return properties
  const { by = {} } = short
  const kept = Object.entries(properties).filter(([name]) => !(name in by))
  const [fallback] = DETAIL.values
  return { ...Object.fromEntries(kept), [DETAIL.name]: { type: 'string', enum: [...DETAIL.values], default: fallback } }
}

/** What a tool takes: its schema, and the choices between members that no plain object states. */
interface ToolInput {
  schema: JsonSchema & { type: 'object' }
  choices: readonly JsonSchema[]
}

/** One closed object of the path parameters, query members and body members. */
const toolInputOf = (spec: ToolOperation): ToolInput => {
  const components: Components = new Map()
  const body = spec.body === undefined ? {} : mergedBranches(jsonSchema(spec.body, components, 'request'), components)
  const parts = [
    withoutAliases(parametersOf(spec.params, components), aliasesIn(spec.params)),
    withoutAliases(parametersOf(spec.query, components), aliasesIn(spec.query)),
    withoutAliases(body, [...aliasesIn(spec.body), ...(spec.tool.unlisted ?? [])]),
  ]
  const members = withDefaults(Object.assign({}, ...parts.map((part) => part.properties)), spec.tool)
  const properties = withDetail(typed(plain(inlined(members, components)) as Record<string, JsonSchema>), spec.tool)
  const required = parts.flatMap((part) => part.required ?? [])
  return {
    schema: { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false },
    choices: parts.flatMap((part) => part.oneOf ?? []),
  }
}

/** Members of a choice in words, with the value that decides it in front. */
const choiceText = ({ properties = {}, required = [] }: JsonSchema): string => {
  const deciding = Object.entries(properties).map(([name, value]) => `${name} ${String(value.const)}: `)
  return `${deciding.join('')}${required.join(' and ')}`
}

/** The choices in one sentence; undefined without any. */
const choicesText = (choices: readonly JsonSchema[]): string | undefined =>
  choices.length === 0 ? undefined : `Send exactly one of: ${choices.map(choiceText).join('; ')}.`

/** Most members that an output schema names. */
const NAMED_MEMBERS = 4

/** What tells a problem document from every answer. Clients of the 2025 revisions hold refusals to the output schema, too. */
const PROBLEM = { required: ['code', 'detail'] }

/**
 * The first members that every answer has, or those of a problem document. The whole shape stands in `/openapi.json`; here it would fill
 * the reader's context.
 */
const outputSchemaOf = (spec: ToolOperation): ObjectSchema => {
  const components: Components = new Map()
  const answers = Object.entries(spec.responses).filter(([status]) => Number(status) < 400)
  const [first, ...others] = answers.flatMap(([, schema]) => branchesOf(jsonSchema(schema, components), components))
  const isShown = (name: string): boolean => spec.tool.short?.members?.some((path) => path.split('.')[0] === name) ?? true
  const everywhere = (first?.required ?? []).filter((name) => isShown(name) && others.every((branch) => branch.required?.includes(name)))
  return { type: 'object', ...(everywhere.length > 0 && { anyOf: [{ required: everywhere.slice(0, NAMED_MEMBERS) }, PROBLEM] }) }
}

/** `claimJob` as `Claim job`. */
const titleOf = (name: string): string => {
  const words = name.replaceAll(/([A-Z][a-z]+)/g, (word) => ` ${word.toLowerCase()}`).trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A tool as a client reads it. */
const describe = (spec: ToolOperation, { schema, choices }: ToolInput) => {
  const { name, readOnly = false, final = false } = spec.tool
  const reads = spec.method === 'GET' || readOnly
  const title = titleOf(name)
  const inputSchema: ObjectSchema = schema
  return {
    name,
    title,
    description: [spec.summary, spec.description, choicesText(choices), metaText(spec)].filter((text) => text !== undefined).join(' '),
    inputSchema,
    outputSchema: outputSchemaOf(spec),
    annotations: {
      title,
      readOnlyHint: reads,
      destructiveHint: final,
      idempotentHint: reads || spec.idempotent !== undefined,
      openWorldHint: false,
    },
    _meta: {
      'service/auth': {
        scheme: accessOf(spec) === 'none' ? null : AUTH_SCHEME,
        required: needsToken(spec),
        scopes: [...capabilitiesNeeded(spec)],
        requiredAction: spec.action ?? null,
      },
    },
  }
}

const INPUTS = new Map<string, ToolInput>(TOOLS.map((spec) => [spec.tool.name, toolInputOf(spec)]))

const inputOfTool = (name: string): ToolInput => {
  const found = INPUTS.get(name)
  if (found === undefined) throw new Error(`no tool is called ${name}`)
  return found
}

/** Every tool by its name, described once. */
const DESCRIPTORS = new Map(TOOLS.map((spec) => [spec.tool.name, describe(spec, inputOfTool(spec.tool.name))]))

/** Names of the arguments that a tool needs; of several of which it needs one, the first. Throws for an unknown tool. */
export const requiredArguments = (name: string): string[] => {
  const {
    schema: { required = [] },
    choices: [first],
  } = inputOfTool(name)
  return [...required, ...(first?.properties === undefined ? (first?.required ?? []) : [])]
}

/** JSON type of an argument; undefined where the tool takes any. */
export const argumentType = (tool: string, name: string): unknown => inputOfTool(tool).schema.properties?.[name]?.type

/** Tools of the asked lists, in the order of the registry. */
export const listTools = (sets: readonly Toolset[]) => {
  const isAsked = ({ tool }: ToolOperation): boolean => sets.length === TOOLSETS.length || tool.sets.some((set) => sets.includes(set))
  return TOOLS.filter(isAsked).flatMap(({ tool }) => DESCRIPTORS.get(tool.name) ?? [])
}
