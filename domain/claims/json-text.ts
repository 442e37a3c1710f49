/** The content of the first code block of a Markdown text; a text without one as a whole. */
function unfenced(text: string): string {
  const lines = text.split('\n')
  const isFence = (line: string): boolean => /^\s{0,3}(?:```|~~~)/.test(line)
  const open = lines.findIndex(isFence)
  const close = lines.findLastIndex(isFence)
  return open === -1 ? text : lines.slice(open + 1, close > open ? close : undefined).join('\n')
}

/** Whether a value is a text that holds a JSON object or list, by itself, in a Markdown code block, or as JSON text of JSON text. */
export function holdsJson(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    const held: unknown = JSON.parse(unfenced(value))
    return typeof held === 'object' ? held !== null : holdsJson(held)
  } catch {
    return false
  }
}
