import { type Fact, factForm } from '../../catalogue/committed-facts.ts'

const WORD = /[\p{L}\p{N}\p{M}_]/u
const isWord = (text: string, at: number): boolean => {
  const point = at < 0 ? undefined : text.codePointAt(at)
  return point !== undefined && WORD.test(String.fromCodePoint(point))
}

const JOINTS = new Set(['.', ',', ':', "'", '’', '/', '-', '+'])

/** Whether the word that ends at `end` goes on: `12` in `123`, `12.5`, `12,345` and `12-a`, but not in `12.` or `12, 5`. */
const goesOn = (text: string, end: number): boolean =>
  isWord(text, end) || (JOINTS.has(text.charAt(end)) && isWord(text, end + 1) && isWord(text, end - 1))

/** Between a name and its value in one text: a space, `:` or `=`, with quotation marks and stars around the parts. */
const SEPARATOR = /["'`*”]*[ ]?[:=]?[ ]?["'`*“]*/y

/** Where the values begin that a text states for a name. The text is normalised, the name in lower case. */
function valueStarts(text: string, name: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length
    if (isWord(text, at - 1) || text.charAt(at - 1) === '-') continue
    SEPARATOR.lastIndex = end
    SEPARATOR.test(text)
    const start = SEPARATOR.lastIndex
    if (start > end) starts.push(start)
    // A value of its own may begin with a sign of the separator.
    if (text.charAt(end) === ' ' && start > end + 1) starts.push(end + 1)
  }
  return starts
}

/** Whether a text states this value at `start`, as whole words. */
const hasValueAt = (text: string, start: number, value: string): boolean =>
  text.startsWith(value, start) && !goesOn(text, start + value.length)

const NUMBER = /\d+(?:[.,]\d+)*/y

/** The number that begins at `start`, as it is written; null where none does. */
const numberAt = (text: string, start: number): string | null => {
  NUMBER.lastIndex = start
  const [found] = NUMBER.exec(text) ?? []
  return found === undefined || goesOn(text, start + found.length) ? null : found
}

/** Why no statement of a text can be the fact of a name, whatever its value; null where one can. */
export type StatementFault = 'missing' | 'ambiguous'

/** `missing`: no value of the fact's form stands behind the name. `ambiguous`: several numbers do, so that a worker could enumerate them. */
export const statementFault = (text: string, name: string): StatementFault | null => {
  const starts = valueStarts(text, name)
  const form = factForm(name)
  const isFormed = (start: number): boolean => {
    form.lastIndex = start
    return form.test(text)
  }
  if (!starts.some(isFormed)) return 'missing'
  const numbers = new Set(starts.flatMap((start) => numberAt(text, start) ?? []))
  return numbers.size > 1 ? 'ambiguous' : null
}

/** Whether a text states a fact. Text, name and value are normalised. */
export const statesFact = (text: string, { name, value }: Fact): boolean =>
  statementFault(text, name) === null && valueStarts(text, name).some((start) => hasValueAt(text, start, value))
