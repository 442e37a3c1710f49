import { decodeText } from '../../../examples/verify-record/encoding/json.ts'

/** Longest message that the bridge takes, in bytes. The service takes far shorter ones, and says so. */
const LINE_LIMIT = 16 * 1024 * 1024

const NEW_LINE = 0x0a

/** Lines of a stream of bytes, without their ends. A line that is too long or not UTF-8 is undefined. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  limit = LINE_LIMIT,
): AsyncGenerator<string | undefined, void, undefined> {
  let parts: Uint8Array[] = []
  let size = 0
  const add = (part: Uint8Array): void => {
    size += part.length
    if (size <= limit) parts.push(part)
    else parts = []
  }
  const take = (): string | undefined => {
    const line = size <= limit ? decodeText(Buffer.concat(parts)) : undefined
    parts = []
    size = 0
    return line
  }
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, start)) {
      add(chunk.subarray(start, end))
      start = end + 1
      yield take()
    }
    add(chunk.subarray(start))
  }
  if (size > 0) yield take()
}
