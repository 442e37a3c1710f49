const FORM = /^(?:\/(?:[^~/]|~[01])*)*$/
const INDEX = /^(?:0|[1-9]\d{0,15})$/

/** Whether a text is a JSON pointer (RFC 6901). */
const isPointer = (text: string): boolean => FORM.test(text)

const step = (value: unknown, token: string): unknown => {
  if (Array.isArray(value)) return INDEX.test(token) ? value[Number(token)] : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
  const member: unknown = Reflect.get(value, token)
  return member
}

/** The value that a JSON pointer names; undefined if there is none or the pointer is malformed. */
export const resolvePointer = (value: unknown, pointer: string): unknown => {
  if (!isPointer(pointer)) return undefined
  const tokens = pointer.split('/').slice(1)
  return tokens.reduce((at, token) => step(at, token.replaceAll('~1', '/').replaceAll('~0', '~')), value)
}

/** Whether a pointer names `outer` or a value inside it. */
export const isWithin = (pointer: string, outer: string): boolean => pointer === outer || pointer.startsWith(`${outer}/`)

/** A pointer as a detail shows it. Its names are of strangers: long or unusual ones are left out. */
export const showPointer = (pointer: string): string => (/^[\w/.~$-]{0,120}$/.test(pointer) ? `"${pointer}"` : 'a place that is not shown')
