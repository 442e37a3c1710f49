/** Blocks one question for logs may span. */
export const LARGEST_PAGE = 2_000

export interface BlockSpan {
  from: bigint
  to: bigint
}

/** Newest block that counts as settled under so many confirmations; below 0 there is none. */
export const settledHeight = (head: bigint, confirmations: number): bigint => head - BigInt(confirmations)

/** Next blocks to read after `cursor`, `size` of them at most; null when nothing up to `target` is left. */
export const nextPage = (cursor: bigint, target: bigint, size: number): BlockSpan | null => {
  if (target <= cursor) return null
  const end = cursor + BigInt(size)
  return { from: cursor + 1n, to: end < target ? end : target }
}

/** Newest blocks of those from `from` to `to`, `size` of them at most; null when there are none. */
export const lastPage = (from: bigint, to: bigint, size: number): BlockSpan | null => {
  if (to < from) return null
  const begin = to - BigInt(size) + 1n
  return { from: begin > from ? begin : from, to }
}

/** Half of what was refused, one block at least. Null: it was one block already, and smaller cannot be asked. */
export const smallerPage = ({ from, to }: BlockSpan): number | null => {
  const size = Number(to - from) + 1
  return size === 1 ? null : Math.floor(size / 2)
}

/** After a page that went well the next may be twice as large. */
export const largerPage = (size: number): number => Math.min(size * 2, LARGEST_PAGE)
