import type { SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'

/** Every piece of text, number and truth value of a submission, one per line; names of members are no evidence. */
export function evidenceText(submission: unknown): string {
  if (submission === null || submission === undefined) return ''
  if (typeof submission !== 'object') return String(submission)
  return Object.values(submission).map(evidenceText).filter(Boolean).join('\n')
}

/** Names of all members a schema knows, lower case, at any depth. */
export function memberNames(node: SchemaNode): Set<string> {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [name.toLowerCase(), ...memberNames(child)])
  return new Set([...own, ...(node.items ? memberNames(node.items) : [])])
}

/** Text with every run of white space as one space; upper and lower case stay. */
export const collapseSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()
