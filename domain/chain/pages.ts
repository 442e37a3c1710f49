/** Maximum number of blocks in one log request. */
export const LARGEST_PAGE = 2_000

/** A block by height and hash. */
export interface BlockPoint {
  number: bigint
  hash: string
}

export interface BlockSpan {
  from: bigint
  to: bigint
}

/** Newest block with `confirmations` blocks on top; negative when there is none. */
export const settledHeight = (head: bigint, confirmations: number): bigint => head - BigInt(confirmations)

/** Next page of at most `size` blocks after `cursor`; null when `target` is reached. */
export const nextPage = (cursor: bigint, target: bigint, size: number): BlockSpan | null => {
  if (target <= cursor) return null
  const end = cursor + BigInt(size)
  return { from: cursor + 1n, to: end < target ? end : target }
}

/** Newest page of at most `size` blocks between `from` and `to`; null when the range is empty. */
export const lastPage = (from: bigint, to: bigint, size: number): BlockSpan | null => {
  if (to < from) return null
  const begin = to - BigInt(size) + 1n
  return { from: begin > from ? begin : from, to }
}

/** Half the size of a refused page; null when it was a single block. */
export const smallerPage = ({ from, to }: BlockSpan): number | null => {
  const size = Number(to - from) + 1
  return size === 1 ? null : Math.floor(size / 2)
}

/** Size of the page after a successful one: twice as large, up to the maximum. */
export const largerPage = (size: number): number => Math.min(size * 2, LARGEST_PAGE)
