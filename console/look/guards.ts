/** A value of an answer as a record; an empty one for anything else. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** A value of an answer as a text; undefined for anything else and for an empty one. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** What a JSON pointer names in a document; undefined where it names nothing. */
export const atPointer = (document: unknown, pointer: string): unknown => {
  let found: unknown = document
  for (const token of pointer.split('/').slice(1)) {
    const member = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, member)) return undefined
    found = (found as Record<string, unknown>)[member]
  }
  return found
}
