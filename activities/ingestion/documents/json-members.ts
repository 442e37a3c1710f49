const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

const skipSpace = (text: string, start: number): number => {
  let place = start
  while (isSpace(text.charCodeAt(place))) place += 1
  return place
}

/** Place behind the string that begins at `start`. */
const endOfString = (text: string, start: number): number => {
  for (let place = text.indexOf('"', start + 1); place !== -1; place = text.indexOf('"', place + 1)) {
    let escapes = 0
    while (text[place - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return place + 1
  }
  throw new SyntaxError('a string has no end')
}

const MARKS = /["{}[\],]/g

/** Place behind the value that begins at `start`: of the comma or bracket that follows it. */
const endOfValue = (text: string, start: number): number => {
  let depth = 0
  MARKS.lastIndex = start
  for (let found = MARKS.exec(text); found !== null; found = MARKS.exec(text)) {
    const [mark] = found
    if (mark === '"') MARKS.lastIndex = endOfString(text, found.index)
    else if (mark === '{' || mark === '[') depth += 1
    else if (depth === 0) return found.index
    else if (mark !== ',') depth -= 1
  }
  throw new SyntaxError('a value has no end')
}

const expect = (text: string, place: number, mark: string): number => {
  if (text[place] !== mark) throw new SyntaxError(`${mark} is missing`)
  return skipSpace(text, place + 1)
}

/**
 * Members of a JSON object by their names, each value as its text: a long list takes no more memory than its own text, and its reader parses
 * the members that it needs. Throws `SyntaxError`. The last of two members of one name counts.
 */
export const jsonMembers = (text: string): Map<string, string> => {
  const members = new Map<string, string>()
  let place = expect(text, skipSpace(text, 0), '{')
  while (text[place] !== '}') {
    if (members.size > 0) place = expect(text, place, ',')
    if (text[place] !== '"') throw new SyntaxError('a name is missing')
    const behindName = endOfString(text, place)
    const name = JSON.parse(text.slice(place, behindName)) as string
    const start = expect(text, skipSpace(text, behindName), ':')
    const end = endOfValue(text, start)
    members.set(name, text.slice(start, end))
    place = end
  }
  if (skipSpace(text, place + 1) !== text.length) throw new SyntaxError('text follows the object')
  return members
}
