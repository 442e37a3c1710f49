/** A frame of a stream of server-sent events; a comment keeps the connection open. */
export type Frame = { kind: 'comment' } | { kind: 'frame'; id: string | undefined; event: string; data: string }

/** Longest line, and longest data of one frame, in characters. An event of the service has some thousand. */
const MAX_CHARACTERS = 1_000_000

/** A line or an event of a stream exceeds what the client keeps in memory. */
export class FrameTooLong extends Error {
  override readonly name = 'FrameTooLong'
  constructor() {
    super(`a line or an event of the stream is longer than ${MAX_CHARACTERS} characters`)
  }
}

/**
 * Parser of server-sent events, fed with text that is cut at any place. Lines end with LF, CRLF or CR. A frame without data has no effect,
 * and one that the stream leaves unfinished neither. Throws `FrameTooLong`.
 */
export const createFrameParser = () => {
  /** Text of a line without its end. It is joined and never searched again. */
  let unfinishedLine = ''
  let endedWithCr = false
  let id: string | undefined
  let event = ''
  let data: string[] = []
  let dataCharacters = 0

  const endFrame = (): Frame[] => {
    const frame: Frame = { kind: 'frame', id, event: event === '' ? 'message' : event, data: data.join('\n') }
    const frames = data.length === 0 ? [] : [frame]
    id = undefined
    event = ''
    data = []
    dataCharacters = 0
    return frames
  }

  const parseLine = (text: string): Frame[] => {
    if (text === '') return endFrame()
    if (text.startsWith(':')) return [{ kind: 'comment' }]
    const colon = text.indexOf(':')
    const name = colon === -1 ? text : text.slice(0, colon)
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') {
      data.push(value)
      dataCharacters += text.length + 1
    } else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
    return []
  }

  const append = (text: string): void => {
    unfinishedLine += text
    if (unfinishedLine.length > MAX_CHARACTERS || dataCharacters > MAX_CHARACTERS) throw new FrameTooLong()
  }

  return (text: string): Frame[] => {
    if (text === '') return []
    const frames: Frame[] = []
    // The LF of a CRLF that was cut in two ends no other line.
    const added = endedWithCr && text.startsWith('\n') ? text.slice(1) : text
    endedWithCr = text.endsWith('\r')
    let start = 0
    for (const { 0: lineEnd, index } of added.matchAll(/\r\n|\r|\n/g)) {
      append(added.slice(start, index))
      frames.push(...parseLine(unfinishedLine))
      unfinishedLine = ''
      start = index + lineEnd.length
    }
    append(added.slice(start))
    return frames
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
