import { LARGEST_PAGE, largerPage, nextPage, settledHeight, smallerPage } from '../../../domain/chain/pages.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import type { Database } from '../../database/database.ts'
import { beginCursor, type FollowerCursor, marksUpTo, readCursor } from './cursor.ts'
import type { ChainEvents, Recorded } from './events.ts'
import { type BlockPoint, type ChainScan, firstBlockOf } from './scan.ts'

/** That nothing is left to read is noted this often at most. */
const NOTE_MS = 2_000

/** What one look at the chain did. */
export type Look =
  /** Nothing confirmed was left to read. */
  | { kind: 'idle' }
  /** A page was recorded; there may be more. */
  | ({ kind: 'page' } & Recorded)
  /** The node refused a page; the next one is smaller. */
  | { kind: 'smaller'; reason: unknown }
  /** The chain forked below the cursor, which went back to this block. */
  | { kind: 'rewound'; to: bigint }
  /** The node is behind what was read already: a moment's lag, or lost blocks. */
  | { kind: 'node_behind' }
  /** Another follower was faster, or the chain moved during the look: looked at again. */
  | { kind: 'overtaken' }

export interface FollowerDeps {
  chain: ChainFile
  database: Database
  scan: ChainScan
  events: ChainEvents
  /** How long a node may be behind what was read before it counts as having lost blocks, ms. */
  patienceMs: number
  /** Runs on, never set: ms. */
  monotonic?: () => number
}

export type Follower = ReturnType<typeof createFollower>

/** Brings the records to the chain's settled height, page by page; each look is one step, and safe to repeat or to lose. */
export const createFollower = (deps: FollowerDeps) => {
  const { chain, database, scan, events, patienceMs, monotonic = () => performance.now() } = deps
  const { chainId, confirmations } = chain
  let pageSize = LARGEST_PAGE
  let behindSince: number | null = null
  let noted: { cursor: string; at: number } | null = null

  /** The block before the first that can hold a log of ours. */
  const beginning = async (head: BlockPoint): Promise<BlockPoint | null> => {
    const first = firstBlockOf(chain)
    const before = first === 0n ? 0n : first - 1n
    return before > head.number ? null : scan.blockAt(before)
  }

  const begin = async (head: BlockPoint): Promise<FollowerCursor | null> => {
    const start = await beginning(head)
    if (start !== null) await beginCursor(database.rows, chainId, start)
    return readCursor(database.rows, chainId)
  }

  /** Newest mark that the chain still has; marks agree up to the fork and differ above it. */
  const forkBelow = async (head: BlockPoint): Promise<BlockPoint | null> => {
    const marks = await marksUpTo(database.rows, chainId, head.number)
    let differing = -1
    let agreeing = marks.length
    while (agreeing - differing > 1) {
      const middle = Math.floor((differing + agreeing) / 2)
      const mark = marks[middle]
      if (mark !== undefined && (await scan.blockAt(mark.number))?.hash === mark.hash) agreeing = middle
      else differing = middle
    }
    return marks[agreeing] ?? beginning(head)
  }

  const rewind = async (cursor: FollowerCursor, head: BlockPoint): Promise<Look> => {
    const fork = await forkBelow(head)
    if (fork === null) return { kind: 'node_behind' }
    noted = null
    return (await events.rewind(cursor, fork)) ? { kind: 'rewound', to: fork.number } : { kind: 'overtaken' }
  }

  const nodeBehind = async (cursor: FollowerCursor, head: BlockPoint): Promise<Look> => {
    behindSince ??= monotonic()
    return monotonic() - behindSince < patienceMs ? { kind: 'node_behind' } : rewind(cursor, head)
  }

  const idle = async (cursor: FollowerCursor, head: BlockPoint): Promise<Look> => {
    const place = `${cursor.number} ${head.number}`
    if (noted?.cursor === place && monotonic() - noted.at < NOTE_MS) return { kind: 'idle' }
    if ((await events.caughtUp(cursor, head.number)) === null) return { kind: 'overtaken' }
    noted = { cursor: place, at: monotonic() }
    return { kind: 'idle' }
  }

  const read = async (cursor: FollowerCursor, head: BlockPoint): Promise<Look> => {
    const span = nextPage(cursor.number, settledHeight(head.number, confirmations), pageSize)
    if (span === null) return idle(cursor, head)
    const page = await scan.page(span).catch((reason: unknown) => ({ kind: 'refused' as const, reason }))
    if (page.kind === 'moved') return { kind: 'overtaken' }
    if (page.kind === 'refused') {
      const smaller = smallerPage(span)
      if (smaller === null) throw page.reason
      pageSize = smaller
      return { kind: 'smaller', reason: page.reason }
    }
    const recorded = await events.recordPage({ cursor, span, logs: page.logs, end: page.end, headNumber: head.number })
    pageSize = largerPage(pageSize)
    return recorded === null ? { kind: 'overtaken' } : { kind: 'page', ...recorded }
  }

  return {
    /** One look at the chain, and one step at most. Rejects when node or database do not answer. */
    look: async (): Promise<Look> => {
      const head = await scan.head()
      const cursor = (await readCursor(database.rows, chainId)) ?? (await begin(head))
      if (cursor === null) return { kind: 'node_behind' }
      const here = head.number < cursor.number ? null : await scan.blockAt(cursor.number)
      if (here === null) return nodeBehind(cursor, head)
      behindSince = null
      return here.hash === cursor.hash ? read(cursor, head) : rewind(cursor, head)
    },
  }
}
