import { OPERATIONS } from './generated/operations.ts'
import type { ListId } from './types.ts'

/** Rows of all pages of a list, each page asked for when its first row is. */
export async function* paginate(
  call: (input: object) => Promise<unknown>,
  id: ListId,
  input: object,
): AsyncGenerator<unknown, void, undefined> {
  const { rows } = OPERATIONS[id]
  if (rows === undefined) throw new TypeError(`${id} is no list`)
  for (let page = input; ; ) {
    const answer = (await call(page)) as Readonly<Record<string, unknown>>
    const { nextCursor } = answer
    const pageRows = answer[rows]
    if (!Array.isArray(pageRows)) throw new TypeError(`${id}: the answer has no list ${rows}`)
    yield* pageRows
    if (typeof nextCursor !== 'string') return
    page = { ...input, cursor: nextCursor }
  }
}
