/** A frame of a stream of server-sent events; a comment keeps the connection open. */
export type Frame = { kind: 'comment' } | { kind: 'frame'; id: string | undefined; event: string; data: string }

/**
 * Parser of server-sent events, fed with text that is cut at any place. Lines end with LF, CRLF or CR. A frame without data has no effect,
 * and one that the stream leaves unfinished neither.
 */
export const createFrameParser = () => {
  let rest = ''
  let id: string | undefined
  let event = ''
  let data: string[] = []

  const endFrame = (): Frame[] => {
    const frame: Frame = { kind: 'frame', id, event: event === '' ? 'message' : event, data: data.join('\n') }
    const found = data.length === 0 ? [] : [frame]
    id = undefined
    event = ''
    data = []
    return found
  }

  const readLine = (line: string): Frame[] => {
    if (line === '') return endFrame()
    if (line.startsWith(':')) return [{ kind: 'comment' }]
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
    return []
  }

  return (text: string): Frame[] => {
    rest += text
    const frames: Frame[] = []
    for (;;) {
      const end = rest.search(/[\r\n]/)
      // A CR at the end of the text can be half of a CRLF.
      if (end === -1 || (rest[end] === '\r' && end === rest.length - 1)) return frames
      const line = rest.slice(0, end)
      rest = rest.slice(end + (rest.startsWith('\r\n', end) ? 2 : 1))
      frames.push(...readLine(line))
    }
  }
}

/** Frames of the bytes of a stream. */
export async function* readFrames(chunks: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const parse = createFrameParser()
  const decoder = new TextDecoder()
  const reader = chunks.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* parse(decoder.decode(value, { stream: true }))
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
