import { findJsonFault } from '../../http/json-faults.ts'
import { showPointer } from './pointer.ts'

export type JsonText = { value: unknown; depth: number } | { fault: string }

/** UTF-8 bytes as text; null for other bytes. A byte order mark stays unless `dropMark` is set. */
export const decodeUtf8 = (bytes: Uint8Array, dropMark = false): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: !dropMark }).decode(bytes)
  } catch {
    return null
  }
}

const STRINGS_AND_BRACKETS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g

/** Deepest nesting of arrays and objects of a JSON text; stops above `maxDepth`. In a text that is no JSON the search of strings would be slow. */
const depthOf = (text: string, maxDepth: number): number => {
  let depth = 0
  let deepest = 0
  for (const [token] of text.matchAll(STRINGS_AND_BRACKETS)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    deepest = Math.max(deepest, depth)
    if (deepest > maxDepth) return deepest
  }
  return deepest
}

/**
 * The value of a JSON text that every reader understands alike (RFC 8259 with the rules of RFC 7493): UTF-8, no member named twice, no number
 * with more digits than a double keeps, at most `maxDepth` arrays and objects inside each other.
 */
export const parseJsonText = (bytes: Uint8Array, maxDepth: number): JsonText => {
  const text = decodeUtf8(bytes)
  if (text === null) return { fault: 'is not UTF-8' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'is not JSON' }
  }
  const depth = depthOf(text, maxDepth)
  if (depth > maxDepth) return { fault: `is nested deeper than ${maxDepth} levels` }
  const fault = findJsonFault(text)
  if (fault === null) return { value, depth }
  const at = showPointer(fault.pointer)
  return { fault: fault.rule === 'unique' ? `names a member twice at ${at}` : `has a number of too many digits at ${at}` }
}
