/** Member name as a token of a JSON pointer (RFC 6901). */
export const escapePointer = (name: PropertyKey): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1')
