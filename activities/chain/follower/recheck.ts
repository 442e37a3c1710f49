import type { ChainLogRecord } from '../../../domain/chain/log.ts'
import { type BlockSpan, LARGEST_PAGE, largerPage, nextPage, smallerPage } from '../../../domain/chain/pages.ts'
import {
  dueSpans,
  moveWindow,
  openWindow,
  RECHECK_AGES_MS,
  settleSpan,
  type TrailingWindow,
} from '../../../domain/chain/trailing-window.ts'
import type { FollowerCursor } from './cursor.ts'
import type { ChainEvents } from './events.ts'
import type { ChainScan } from './scan.ts'

/** Minimum time between two readings of the window, ms. */
const PERIOD_MS = RECHECK_AGES_MS[0]

/** Result of reading the window again. */
export interface Rechecked {
  /** Events that the first reading missed and this one added. */
  missed: number
  /** Lowest block that is still incomplete; null when there is none. */
  gapBlock: bigint | null
}

/** Another follower moved the cursor, or the chain changed during the reading. */
class OvertakenError extends Error {}

export interface RecheckDeps {
  scan: ChainScan
  events: ChainEvents
  /** Monotonic clock, ms. */
  monotonic: () => number
}

/**
 * Reads recent blocks again, because nodes may answer before they have indexed a block's logs. Own transactions whose receipts hold more logs
 * than are stored show blocks that the node still answers without them.
 */
export const createRecheck = ({ scan, events, monotonic }: RecheckDeps) => {
  let window: TrailingWindow | null = null
  let startedAt = Number.NEGATIVE_INFINITY
  let pageSize = LARGEST_PAGE

  /** Logs of a page that are not stored; null if the node refused the page, and the next one is smaller. */
  const readMissing = async (page: BlockSpan): Promise<ChainLogRecord[] | null> => {
    const known = await events.keysIn(page)
    try {
      const read = await scan.page(page, known)
      if (read.kind === 'read') return read.logs
    } catch (error) {
      const smaller = smallerPage(page)
      if (smaller === null) throw error
      pageSize = smaller
      return null
    }
    throw new OvertakenError()
  }

  /** Adds the missing events of a span; returns how many. */
  const fill = async (cursor: FollowerCursor, span: BlockSpan): Promise<number> => {
    let missed = 0
    let done = span.from - 1n
    for (let page = nextPage(done, span.to, pageSize); page !== null; page = nextPage(done, span.to, pageSize)) {
      const logs = await readMissing(page)
      if (logs === null) continue
      const added = logs.length === 0 ? 0 : await events.addMissed(cursor, logs)
      if (added === null) throw new OvertakenError()
      missed += added
      done = page.to
    }
    return missed
  }

  /** Blocks of incomplete own transactions, lowest first. A block that the chain replaced is none; one that the node withholds is. */
  const findIncompleteBlocks = async (span: BlockSpan): Promise<bigint[]> => {
    const incomplete = await events.listIncomplete(span)
    const blocks = [...new Map(incomplete.map((one) => [one.block, one])).values()]
    const found = await Promise.all(
      blocks.map(async ({ block, blockHash }) => {
        const current = await scan.blockAt(block).catch(() => null)
        return current === null || current.hash === blockHash ? [block] : []
      }),
    )
    return found.flat()
  }

  const fillOwn = async (cursor: FollowerCursor, from: bigint): Promise<Rechecked> => {
    const span = { from, to: cursor.number }
    let missed = 0
    const incomplete = await findIncompleteBlocks(span)
    for (const block of incomplete) missed += await fill(cursor, { from: block, to: block })
    const [gapBlock = null] = incomplete.length === 0 ? [] : await findIncompleteBlocks(span)
    if (gapBlock !== cursor.gapBlock) await events.setGap(cursor, gapBlock)
    return { missed, gapBlock }
  }

  const read = async (cursor: FollowerCursor): Promise<Rechecked> => {
    let missed = 0
    let from = cursor.gapBlock ?? cursor.number
    for (const { age, span } of window === null ? [] : dueSpans(window, startedAt)) {
      missed += await fill(cursor, span)
      if (window !== null) window = settleSpan(window, age, span.to)
      if (span.from < from) from = span.from
    }
    const own = await fillOwn(cursor, from)
    return { missed: missed + own.missed, gapBlock: own.gapBlock }
  }

  return {
    /** Notes where the cursor is. */
    follow: ({ number }: FollowerCursor): void => {
      window = window === null ? openWindow(number, monotonic()) : moveWindow(window, number, monotonic())
    },

    /** Reads what is due; null when nothing is. Rejects if the node does not answer; the next call after some seconds repeats it. */
    run: async (cursor: FollowerCursor): Promise<Rechecked | 'overtaken' | null> => {
      const now = monotonic()
      const isDue = cursor.gapBlock !== null || (window !== null && dueSpans(window, now).length > 0)
      if (!isDue || now - startedAt < PERIOD_MS) return null
      startedAt = now
      pageSize = largerPage(pageSize)
      try {
        return await read(cursor)
      } catch (error) {
        if (error instanceof OvertakenError) return 'overtaken'
        throw error
      }
    },
  }
}
