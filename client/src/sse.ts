import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** A frame of a stream of server-sent events. A comment, which keeps the connection open, has no data. */
export type Frame = Partial<EventSourceMessage>

/** Longest line, and longest data of one frame, in characters. An event of the service has some thousand. */
const MAX_CHARACTERS = 1_000_000

/** A line or an event of a stream exceeds what the client keeps in memory. */
export class FrameTooLong extends Error {
  override readonly name = 'FrameTooLong'
  constructor(maxCharacters: number) {
    super(`a line or an event of the stream is longer than ${maxCharacters} characters`)
  }
}

/** Frames of the bytes of a stream, each of at most `maxCharacters`. One that the stream leaves unfinished has no effect. Throws `FrameTooLong`. */
export async function* readFrames(
  chunks: ReadableStream<Uint8Array>,
  maxCharacters = MAX_CHARACTERS,
): AsyncGenerator<Frame, void, undefined> {
  const frames: Frame[] = []
  const parser = createParser({
    maxBufferSize: maxCharacters,
    onEvent: (message) => frames.push(message),
    onComment: () => frames.push({}),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new FrameTooLong(maxCharacters)
    },
  })
  const decoder = new TextDecoder()
  const reader = chunks.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* frames.splice(0)
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
