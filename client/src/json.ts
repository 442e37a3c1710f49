/** Whether a value has members. */
export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

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
