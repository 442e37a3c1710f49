/** Whether a value has members. */
export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether a value has members, and is no list. */
export const isObject = (value: unknown): value is Record<string, unknown> => isRecord(value) && !Array.isArray(value)

/** A JSON value; undefined for a text that is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON as the service writes it, with every `bigint` as digits. */
export const formatJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? part.toString() : part), indent)

const convert = (value: unknown, [name, ...rest]: readonly string[]): void => {
  if (!isRecord(value) || name === undefined) return
  const names = name === '*' ? Object.keys(value) : [name]
  for (const member of names) {
    if (!Object.hasOwn(value, member)) continue
    const part = value[member]
    if (rest.length > 0) convert(part, rest)
    else if (typeof part === 'string' && /^[0-9]+$/.test(part)) value[member] = BigInt(part)
  }
}

/** Replaces the digits of the named amounts of a parsed answer by `bigint`, in place. */
export const convertAmounts = (answer: unknown, pointers: readonly string[] = []): unknown => {
  for (const pointer of pointers) convert(answer, pointer.slice(1).split('/'))
  return answer
}
