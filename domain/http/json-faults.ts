import { escapePointer } from '../../schemas/common/json-pointer.ts'

/** Strings, numbers and the characters that structure a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*/g
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** A number of fewer characters without an exponent keeps its digits in a double. */
const SAFE_CHARACTERS = 16
/** Most digits that `toPrecision` writes. */
const MOST_DIGITS = 100

/** An open object with its member names, or an open array with its position. */
interface Level {
  names: Set<string> | null
  /** Member name or index of the value at hand. */
  at: string | number
}

/** Significant digits of a number and their exponent, the same for each way to write its value. */
const digitsOf = (text: string): string => {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return significant === '' ? '0' : `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/**
 * Whether a reader keeps another value than the text says. A double that was written with more digits than it needs, such as
 * 0.10000000000000001, is none. Numbers beyond all doubles and beyond 2^53 are found once they are read.
 */
const isRounded = (text: string): boolean => {
  if (text.length < SAFE_CHARACTERS && !/[eE]/.test(text)) return false
  const value = Number(text)
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return false
  const digits = digitsOf(text)
  const count = Math.min(digits.indexOf('e'), MOST_DIGITS)
  return digits !== digitsOf(JSON.stringify(value)) && (count < 1 || digits !== digitsOf(value.toPrecision(count)))
}

/** Why two readers of a JSON text may see different values: a member that is named twice, or a number with more digits than a double keeps. */
export interface JsonFault {
  rule: 'unique' | 'digits'
  /** JSON pointer of the member or number. */
  pointer: string
}

/**
 * The first fault of a text, or only of the value of one `member` of its outermost object; null without one. RFC 8785 has no canonical form for
 * such a text. The text must be valid JSON.
 */
export const findJsonFault = (json: string, member?: string): JsonFault | null => {
  const open: Level[] = []
  const isAsked = () => member === undefined || (open.length === 1 && open[0]?.at === member)
  const pointer = () => open.map(({ at }) => `/${escapePointer(at)}`).join('')
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
      if (isAsked() && level.names.has(level.at)) return { rule: 'unique', pointer: pointer() }
      level.names.add(level.at)
    } else if (isAsked() && isRounded(token)) return { rule: 'digits', pointer: pointer() }
  }
  return null
}
