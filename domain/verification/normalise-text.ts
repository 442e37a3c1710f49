import type { SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'

/** Member names of a schema at any depth, lower case. */
export function memberNames(node: SchemaNode): Set<string> {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [name.toLowerCase(), ...memberNames(child)])
  return new Set([...own, ...(node.items ? memberNames(node.items) : [])])
}

/** Trimmed text with single spaces; keeps upper and lower case. */
export const collapseSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()
