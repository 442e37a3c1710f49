import { type BlockSpan, LARGEST_PAGE } from './pages.ts'

/** Minimum number of blocks that a reading of the window covers. */
const WINDOW_BLOCKS = 64n
/** Maximum number of blocks behind the cursor that are read again. Older ones were read long after they were mined. */
const MAX_BEHIND = 5n * BigInt(LARGEST_PAGE)
/** Ages of a block's first reading at which it is read again, ms. Nodes index logs within seconds; after a minute a block counts as settled. */
export const RECHECK_AGES_MS = [5_000, 60_000] as const

/** Cursor of the follower at a time of a monotonic clock, ms. */
interface TimedCursor {
  block: bigint
  at: number
}

/** The blocks below the cursor that a node may not have answered in full. */
export interface TrailingWindow {
  /** Oldest first. */
  cursors: readonly TimedCursor[]
  /** For each age: the newest block that was read again at it. */
  recheckedTo: readonly bigint[]
}

/** A block, or the first one where the chain is shorter. */
const atLeastFirst = (block: bigint): bigint => (block > 0n ? block : 0n)
const lower = (left: bigint, right: bigint): bigint => (left < right ? left : right)
const higher = (left: bigint, right: bigint): bigint => (left < right ? right : left)

/** Window of a follower that begins at a cursor. Another process may have read the blocks below it just now. */
export const openWindow = (cursor: bigint, at: number): TrailingWindow => ({
  cursors: [{ block: cursor, at }],
  recheckedTo: RECHECK_AGES_MS.map(() => atLeastFirst(cursor - WINDOW_BLOCKS)),
})

/** The window after the cursor was seen at a block; it may have moved forward by any process, or back by a fork. */
export const moveWindow = ({ cursors, recheckedTo }: TrailingWindow, cursor: bigint, at: number): TrailingWindow => {
  const newest = cursors.at(-1)?.block
  if (newest === cursor) return { cursors, recheckedTo }
  const below = newest !== undefined && newest > cursor ? cursors.filter(({ block }) => block < cursor) : cursors
  return {
    cursors: [...below, { block: cursor, at }],
    recheckedTo: recheckedTo.map((block) => higher(lower(block, cursor), atLeastFirst(cursor - MAX_BEHIND))),
  }
}

/** Blocks to read again now, by the index of their age. */
export const dueSpans = ({ cursors, recheckedTo }: TrailingWindow, now: number): { age: number; span: BlockSpan }[] =>
  RECHECK_AGES_MS.flatMap((ageMs, age) => {
    const to = cursors.findLast(({ at }) => now - at >= ageMs)?.block
    const recheckedBlock = recheckedTo[age] ?? 0n
    if (to === undefined || to <= recheckedBlock) return []
    return [{ age, span: { from: atLeastFirst(lower(recheckedBlock + 1n, to - WINDOW_BLOCKS + 1n)), to } }]
  })

/** The window after a span of an age was read again. */
export const settleSpan = ({ cursors, recheckedTo }: TrailingWindow, age: number, to: bigint): TrailingWindow => {
  const next = recheckedTo.map((block, index) => (index === age ? higher(block, to) : block))
  const settled = next.reduce(lower)
  return { cursors: cursors.filter(({ block }, index) => block > settled || index === cursors.length - 1), recheckedTo: next }
}
