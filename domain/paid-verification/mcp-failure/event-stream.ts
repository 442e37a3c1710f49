/** Reads an event stream as it comes. Source: HTML Living Standard, "server-sent events"; fields other than `data` are left out. */
export interface EventStreamReader {
  /** Data of the events that a chunk completes. */
  read: (chunk: Uint8Array) => string[]
}

const LINE_END = /\r\n|\n|\r(?!$)/g

export const createEventStreamReader = (): EventStreamReader => {
  const decoder = new TextDecoder()
  /** Text of the line that has not ended, in the pieces in which it came. */
  let pieces: string[] = []
  let data: string[] = []

  const readLine = (line: string): string[] => {
    if (line === '') {
      const event = data.join('\n')
      const isEmpty = data.length === 0
      data = []
      return isEmpty ? [] : [event]
    }
    const [, value] = /^data(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === 'data' || value !== undefined) data.push(value ?? '')
    return []
  }

  return {
    read: (chunk) => {
      const text = decoder.decode(chunk, { stream: true })
      pieces.push(text)
      if (!/[\r\n]/.test(text) && !pieces.at(-2)?.endsWith('\r')) return []
      // A carriage return at the end of a chunk may be the first half of a line end.
      const lines = pieces.join('').split(LINE_END)
      pieces = [lines.pop() ?? '']
      return lines.flatMap(readLine)
    },
  }
}
