import type { SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'

/** Names of all members a schema knows, lower case, at any depth. */
export function memberNames(node: SchemaNode): Set<string> {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [name.toLowerCase(), ...memberNames(child)])
  return new Set([...own, ...(node.items ? memberNames(node.items) : [])])
}

/** Text with every run of white space as one space; upper and lower case stay. */
export const collapseSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()
