import { escapePointer } from '../../schemas/common/json-pointer.ts'

/** Strings and the characters that structure a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** An open object with its member names, or an open array with its position. */
interface Level {
  names: Set<string> | null
  /** Member name or index of the value at hand. */
  at: string | number
}

/**
 * JSON pointer of the first member name that an object holds twice; null when all are unique. RFC 8785 has no canonical form for such a text.
 * The text must be valid JSON.
 */
export const duplicateMember = (json: string): string | null => {
  const open: Level[] = []
  let name: string | null = null
  for (const [token] of json.matchAll(TOKENS)) {
    const level = open.at(-1)
    if (token === '{') open.push({ names: new Set(), at: '' })
    else if (token === '[') open.push({ names: null, at: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof level?.at === 'number') level.at += 1
    else if (token.startsWith('"')) name = token
    else if (token === ':' && level?.names && name !== null) {
      level.at = JSON.parse(name) as string
      if (level.names.has(level.at)) return open.map(({ at }) => `/${escapePointer(at)}`).join('')
      level.names.add(level.at)
    }
  }
  return null
}
