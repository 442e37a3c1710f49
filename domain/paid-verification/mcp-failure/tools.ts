import { canonicalJson } from '../../common/canonical-json.ts'
import { sha256Of } from '../../common/hashes.ts'
import { isJsonObject, type JsonObject } from './reply.ts'

/** Most tools that the profile compares. */
export const MAX_TOOLS = 500

export interface ToolPage {
  tools: JsonObject[]
  nextCursor: string | null
}

/** A page of `tools/list`; null for a result of another form. */
export const parseToolPage = ({ tools, nextCursor }: JsonObject): ToolPage | null => {
  if (!Array.isArray(tools) || !tools.every(isJsonObject)) return null
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string') return null
  return { tools, nextCursor: nextCursor || null }
}

/** A name as a detail shows it; the position in its place for a name of other characters. */
const nameOf = (tool: JsonObject | undefined, index: number): string =>
  typeof tool?.name === 'string' && /^[\w.:/-]{1,64}$/.test(tool.name) ? tool.name : `number ${index}`

export type Decision = { passed: boolean | null; detail: string }

/** Tools by name in one order, so that a list in another order is the same. */
const sortTools = (tools: readonly JsonObject[]): JsonObject[] =>
  tools.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1))

/** SHA-256 of a list of tools in any order; null if it has no canonical form. */
export const toolsDigest = (tools: readonly JsonObject[]): string | null => {
  try {
    return sha256Of(sortTools(tools))
  } catch {
    return null
  }
}

const malformed = (tools: readonly JsonObject[]): string | null => {
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const { name, inputSchema } = tool
    if (typeof name !== 'string' || name === '') return `Tool ${nameOf(tool, index)} has no name.`
    if (names.has(name)) return `Tool ${nameOf(tool, index)} is listed twice.`
    names.add(name)
    if (!isJsonObject(inputSchema) || inputSchema.type !== 'object') return `Tool ${nameOf(tool, index)} has no input schema of an object.`
  }
  return null
}

/** Whether two lists of one target, taken in two sessions, are the same, and each tool has a name of its own and an input schema. */
export const judgeStability = (first: readonly JsonObject[], second: readonly JsonObject[]): Decision => {
  if (first.length === 0 && second.length === 0) return { passed: null, detail: 'The target lists no tools.' }
  const fault = malformed(first)
  if (fault !== null) return { passed: false, detail: fault }
  const [before, after] = [toolsDigest(first), toolsDigest(second)]
  if (before === null || after === null) return { passed: null, detail: 'The list of tools has no canonical form.' }
  if (before === after) return { passed: true, detail: `Two sessions list the same ${first.length} tools.` }
  const texts = new Map(second.map((tool) => [tool.name, canonicalJson(tool)]))
  const changed = first.findIndex((tool) => texts.get(tool.name) !== canonicalJson(tool))
  const which =
    changed === -1 ? `${second.length - first.length} tools are new` : `tool ${nameOf(first[changed], changed)} differs or is gone`
  return { passed: false, detail: `A second session lists other tools: ${which}.` }
}

/**
 * Whether each tool states what it may do: `readOnlyHint` always, `destructiveHint` where it is not read-only, and no tool is both read-only and
 * destructive. A client that gets no hint has to take a tool for destructive.
 */
export const judgeHints = (tools: readonly JsonObject[]): Decision => {
  if (tools.length === 0) return { passed: null, detail: 'The target lists no tools.' }
  for (const [index, tool] of tools.entries()) {
    const { readOnlyHint, destructiveHint }: JsonObject = isJsonObject(tool.annotations) ? tool.annotations : {}
    const name = `Tool ${nameOf(tool, index)}`
    if (typeof readOnlyHint !== 'boolean') return { passed: false, detail: `${name} does not state whether it only reads.` }
    if (!readOnlyHint && typeof destructiveHint !== 'boolean')
      return { passed: false, detail: `${name} may write and does not state whether it destroys.` }
    if (readOnlyHint && destructiveHint === true)
      return { passed: false, detail: `${name} states that it only reads and that it destroys.` }
  }
  return { passed: true, detail: `All ${tools.length} tools state what they may do.` }
}

/** Name of a tool that only reads and demands arguments, so that a call without them must be refused; null if there is none. */
export const guardedReadOnlyTool = (tools: readonly JsonObject[]): string | null => {
  const found = tools.find(({ annotations, inputSchema }) => {
    if (!isJsonObject(annotations) || annotations.readOnlyHint !== true || annotations.destructiveHint === true) return false
    return isJsonObject(inputSchema) && Array.isArray(inputSchema.required) && inputSchema.required.length > 0
  })
  return typeof found?.name === 'string' ? found.name : null
}
