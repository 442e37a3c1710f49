import type { SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'

/** Placeholder text of a member by its name; `entry` for the items of a list. */
export type PlaceholderText = (name: string) => string

const bracketName: PlaceholderText = (name) => `<${name}>`

/** Placeholder texts that no verifier may approve, by kind. */
export const FILLERS = {
  bracketed_name: bracketName,
  member_name: (name) => name.replaceAll('_', ' '),
  placeholder: () => 'placeholder',
  todo: () => 'TODO',
  not_available: () => 'n/a',
  done: () => 'done',
  yes: () => 'yes',
  address: () => 'https://example.com/',
} as const satisfies Readonly<Record<string, PlaceholderText>>

function placeholderText(node: SchemaNode, name: string, text: PlaceholderText): string {
  return node.const ?? node.enum?.[0] ?? node.examples?.[0] ?? text(name)
}

/** Smallest placeholder value that a schema accepts: required members only, and as many list entries as it needs. */
export function placeholderOf(node: SchemaNode, name = 'value', text: PlaceholderText = bracketName): unknown {
  switch (node.type) {
    case 'string':
      return placeholderText(node, name, text)
    case 'integer':
      return node.minimum ?? 0
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: node.minItems ?? 0 }, () => (node.items ? placeholderOf(node.items, 'entry', text) : null))
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {})
          .filter(([member]) => node.required?.includes(member))
          .map(([member, child]) => [member, placeholderOf(child, member, text)]),
      )
  }
}
