/** Members that the document does not name are faults: what is answered is described. A union or an extension closes itself. */
export const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, name === 'allOf' ? value : closed(value)]))
  const isRecord = members.type === 'object' && members.properties !== undefined && members.additionalProperties === undefined
  return isRecord ? { ...members, additionalProperties: false } : members
}
