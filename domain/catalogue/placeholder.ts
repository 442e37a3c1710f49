import type { SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'

/** Text put for a member; the name of the member is given, `entry` for the items of a list. */
export type PlaceholderText = (name: string) => string

const named: PlaceholderText = (name) => `<${name}>`

function placeholderText(node: SchemaNode, name: string, text: PlaceholderText): string {
  return node.const ?? node.enum?.[0] ?? node.examples?.[0] ?? text(name)
}

/** Smallest value a schema accepts that says nothing: required members only, one entry per list that needs one. */
export function placeholderOf(node: SchemaNode, name = 'value', text: PlaceholderText = named): unknown {
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
