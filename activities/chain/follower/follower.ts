import { type BlockPoint, LARGEST_PAGE, largerPage, nextPage, settledHeight, smallerPage } from '../../../domain/chain/pages.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import type { Database } from '../../database/database.ts'
import { type FollowerCursor, insertCursor, listMarksUpTo, readCursor } from './cursor.ts'
import type { ChainEvents, Recorded } from './events.ts'
import { createRecheck, type Rechecked } from './recheck.ts'
import { type ChainScan, firstBlockOf } from './scan.ts'

/** Minimum time between two records of the idle state. */
const NOTE_MS = 2_000

/** Result of one step of the follower. */
export type FollowerStep =
  /** All confirmed blocks are read. */
  | { kind: 'idle' }
  /** A page was stored; more may follow. */
  | ({ kind: 'page' } & Recorded)
  /** Recent blocks were read again. */
  | ({ kind: 'rechecked' } & Rechecked)
  /** The node refused a page; the next one is smaller. */
  | { kind: 'smaller'; reason: unknown }
  /** The chain was reorganised below the cursor, which returned to this block. */
  | { kind: 'rewound'; to: bigint }
  /** The node is behind the cursor: it lags or has lost blocks. */
  | { kind: 'node_behind' }
  /** Another follower was faster, or the chain changed during the step. The next step reads again. */
  | { kind: 'overtaken' }

export interface FollowerDeps {
  chain: ChainFile
  database: Database
  scan: ChainScan
  events: ChainEvents
  /** How long a node may lag behind the cursor before it counts as having lost blocks, ms. */
  nodeLagToleranceMs: number
  /** Whether the node in use is known to lag behind another one of the chain: then it has lost nothing, however long it lags. */
  isNodeLagging?: () => boolean
  /** Monotonic clock, ms. */
  monotonic?: () => number
}

export type Follower = ReturnType<typeof createFollower>

/** Reads the chain up to its confirmed height, page by page. Each step is safe to repeat or to lose. */
export const createFollower = (deps: FollowerDeps) => {
  const { chain, database, scan, events, nodeLagToleranceMs, isNodeLagging = () => false, monotonic = () => performance.now() } = deps
  const { chainId, confirmations } = chain
  const recheck = createRecheck({ scan, events, monotonic })
  let pageSize = LARGEST_PAGE
  let behindSince: number | null = null
  let lastIdle: { cursor: string; at: number } | null = null

  /** The block before the first that can hold a log of our contracts. */
  const findStartBlock = async (head: BlockPoint): Promise<BlockPoint | null> => {
    const first = firstBlockOf(chain)
    const before = first === 0n ? 0n : first - 1n
    return before > head.number ? null : scan.blockAt(before)
  }

  const initialize = async (head: BlockPoint): Promise<FollowerCursor | null> => {
    await scan.assertChain()
    const start = await findStartBlock(head)
    if (start !== null) await insertCursor(database.rows, chainId, start)
    return readCursor(database.rows, chainId)
  }

  /** Newest mark that the chain still has. Marks agree up to the fork and differ above it, so a binary search finds it. */
  const forkBelow = async (head: BlockPoint): Promise<BlockPoint | null> => {
    const marks = await listMarksUpTo(database.rows, chainId, head.number)
    let differing = -1
    let agreeing = marks.length
    while (agreeing - differing > 1) {
      const middle = Math.floor((differing + agreeing) / 2)
      const mark = marks[middle]
      if (mark !== undefined && (await scan.blockAt(mark.number))?.hash === mark.hash) agreeing = middle
      else differing = middle
    }
    return marks[agreeing] ?? findStartBlock(head)
  }

  const rewind = async (cursor: FollowerCursor, head: BlockPoint): Promise<FollowerStep> => {
    // The blocks of another chain are no fork of this one.
    await scan.assertChain()
    const fork = await forkBelow(head)
    if (fork === null) return { kind: 'node_behind' }
    lastIdle = null
    return (await events.rewind(cursor, fork)) ? { kind: 'rewound', to: fork.number } : { kind: 'overtaken' }
  }

  const handleNodeBehind = async (cursor: FollowerCursor, head: BlockPoint): Promise<FollowerStep> => {
    behindSince ??= monotonic()
    return isNodeLagging() || monotonic() - behindSince < nodeLagToleranceMs ? { kind: 'node_behind' } : rewind(cursor, head)
  }

  const recordIdle = async (cursor: FollowerCursor, head: BlockPoint): Promise<FollowerStep> => {
    const place = `${cursor.number} ${head.number}`
    if (lastIdle?.cursor === place && monotonic() - lastIdle.at < NOTE_MS) return { kind: 'idle' }
    if ((await events.markCaughtUp(cursor, head.number)) === null) return { kind: 'overtaken' }
    lastIdle = { cursor: place, at: monotonic() }
    return { kind: 'idle' }
  }

  /** All confirmed blocks are read: reads recent ones again when they are due, otherwise records the idle state. */
  const readAgain = async (cursor: FollowerCursor, head: BlockPoint): Promise<FollowerStep> => {
    const rechecked = await recheck.run(cursor)
    if (rechecked === null) return recordIdle(cursor, head)
    return rechecked === 'overtaken' ? { kind: 'overtaken' } : { kind: 'rechecked', ...rechecked }
  }

  const readPage = async (cursor: FollowerCursor, head: BlockPoint): Promise<FollowerStep> => {
    const span = nextPage(cursor.number, settledHeight(head.number, confirmations), pageSize)
    if (span === null) return readAgain(cursor, head)
    const page = await scan.page(span).catch((reason: unknown) => ({ kind: 'refused' as const, reason }))
    if (page.kind === 'chain_changed') return { kind: 'overtaken' }
    if (page.kind === 'refused') {
      const smaller = smallerPage(span)
      if (smaller === null) throw page.reason
      pageSize = smaller
      return { kind: 'smaller', reason: page.reason }
    }
    // After a fork during the reading the page follows another block than the cursor's, and later steps would not see the fork.
    if ((await scan.blockAt(cursor.number))?.hash !== cursor.hash) return { kind: 'overtaken' }
    const recorded = await events.recordPage({ cursor, span, logs: page.logs, end: page.end, headNumber: head.number })
    pageSize = largerPage(pageSize)
    return recorded === null ? { kind: 'overtaken' } : { kind: 'page', ...recorded }
  }

  return {
    /** Runs at most one step. Rejects if node or database do not answer. */
    advance: async (): Promise<FollowerStep> => {
      const head = await scan.head()
      const cursor = (await readCursor(database.rows, chainId)) ?? (await initialize(head))
      if (cursor === null) return { kind: 'node_behind' }
      const here = head.number < cursor.number ? null : await scan.blockAt(cursor.number)
      if (here === null) return handleNodeBehind(cursor, head)
      behindSince = null
      recheck.follow(cursor)
      return here.hash === cursor.hash ? readPage(cursor, head) : rewind(cursor, head)
    },
  }
}
