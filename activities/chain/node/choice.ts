import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { chooseNode, highestHead, lagsOf, leastLagging, type NodeProbe, TOLERATED_LAG } from '../../../domain/chain/node-choice.ts'

/** What a node says of itself. */
export interface NodeAnswer {
  chainId: number
  /** Hash of block 0; null where the node does not have it. */
  genesis: Hex | null
  head: bigint
}

export interface ChoiceTimes {
  /** Time in which a change waits for a node that does not lag, ms. */
  changeMs: number
  /** Pause between two probes of a change, and after a change without a usable node, ms. */
  probeMs: number
  /** Time between two probes of all nodes while one is used, ms. */
  watchMs: number
  /** Time after which a node that was left is used again when it answers, ms. */
  returnMs: number
}

export const CHOICE_TIMES: ChoiceTimes = { changeMs: 1_500, probeMs: 250, watchMs: 5_000, returnMs: 60_000 }
/** Calls in a row without a result after which a node is left, even if it says that it is well. */
const MOST_FAILURES = 3
/** Probes in a row at which the node in use lags before it is left. */
const MOST_LAGS = 2

export interface ChoiceDeps {
  /** Number of nodes, in the order of preference. */
  count: number
  chainId: number
  /** Hash of block 0; undefined if the first usable node says it. */
  genesis: Hex | undefined
  /** Asks a node of itself. Rejects if it does not answer. */
  ask: (index: number) => Promise<NodeAnswer>
  onChange: (change: { from: number; to: number; lag: bigint }) => void
  times?: ChoiceTimes
  /** Monotonic clock, ms. */
  monotonic?: () => number
}

/** State of the nodes of one chain, as this process sees it. */
export interface NodesInUse {
  count: number
  /** Place of the node in use in the order of preference; 1 is the preferred one. */
  inUse: number
  changes: number
  /** Blocks that each node is behind the newest one seen; null where it is unknown, or the node is not usable. */
  lags: (number | null)[]
}

export type NodeChoice = ReturnType<typeof createNodeChoice>

/**
 * Which of several nodes a process uses. It stays with one while that answers. Otherwise it changes to the first other one with the same chain
 * and a head that is not below the highest one seen; after a bounded wait the one that lags least. A preferred node is used again after a pause.
 */
export const createNodeChoice = ({
  count,
  chainId,
  genesis: expected,
  ask,
  onChange,
  times = CHOICE_TIMES,
  monotonic = () => performance.now(),
}: ChoiceDeps) => {
  const probes: NodeProbe[] = Array.from({ length: count }, () => ({ head: null, trouble: null }))
  const leftAt: number[] = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY)
  let genesis = expected
  let current = 0
  let changes = 0
  let highest = -1n
  let failures = 0
  let lags = 0
  let watchedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<boolean> | null = null
  let isBegun = count === 1

  const troubleOf = (answer: NodeAnswer): NodeProbe['trouble'] => {
    if (answer.chainId !== chainId) return 'other_chain'
    if (answer.genesis === null) return null
    genesis ??= answer.genesis
    return answer.genesis === genesis ? null : 'other_chain'
  }

  const probeAll = async (): Promise<void> => {
    const answers = await Promise.all(probes.map((_, index) => ask(index).catch(() => null)))
    watchedAt = monotonic()
    // In the order of preference: without a hash in the chain file the first usable node says which chain it is.
    for (const [index, answer] of answers.entries())
      probes[index] = answer === null ? { head: null, trouble: 'no_answer' } : { head: answer.head, trouble: troubleOf(answer) }
  }

  const noteHead = (index: number, head: bigint): void => {
    if (index !== current) return
    const probe = probes[index]
    if (probe !== undefined) probes[index] = { ...probe, head }
    if (head > highest) highest = head
  }

  const moveTo = (index: number): true => {
    const from = current
    leftAt[from] = monotonic()
    current = index
    failures = 0
    lags = 0
    const head = probes[index]?.head ?? null
    const lag = head === null || head > highest ? 0n : highest - head
    if (head !== null) noteHead(index, head)
    if (from === index) return true
    changes += 1
    onChange({ from, to: index, lag })
    return true
  }

  /** Chooses at the first use: the first usable node that does not lag behind another one. */
  const begin = async (): Promise<boolean> => {
    await probeAll()
    const chosen = chooseNode(probes, { without: null, least: highestHead(probes) - TOLERATED_LAG })
    isBegun = chosen !== null
    if (chosen === null) failedAt = monotonic()
    return chosen !== null && moveTo(chosen)
  }

  /** Leaves the node in use, unless it answers and may stay. False if it stays, or no other one can be used. */
  const change = async (mayStay: boolean): Promise<boolean> => {
    const end = monotonic() + times.changeMs
    for (;;) {
      await probeAll()
      if (mayStay && probes[current]?.trouble === null) return false
      const chosen = chooseNode(probes, { without: current, least: highest })
      if (chosen !== null) return moveTo(chosen)
      if (monotonic() >= end) break
      await sleep(times.probeMs, undefined, { ref: false })
    }
    const least = leastLagging(probes, current)
    if (least !== null) return moveTo(least)
    failedAt = monotonic()
    return false
  }

  /** Probes all nodes: leaves one in use that lags or has another chain, and returns to a preferred one. */
  const watch = async (): Promise<boolean> => {
    await probeAll()
    const here = probes[current]
    if (here === undefined || here.trouble !== null) return change(true)
    if (here.head !== null) noteHead(current, here.head)
    const now = monotonic()
    const isRested = (index: number): boolean => index < current && now - (leftAt[index] ?? 0) >= times.returnMs
    const preferred = chooseNode(
      probes.map((probe, index) => (isRested(index) ? probe : { head: null, trouble: null })),
      { without: current, least: highest },
    )
    if (preferred !== null) return moveTo(preferred)
    const isLagging = here.head !== null && here.head + TOLERATED_LAG < highestHead(probes)
    lags = isLagging ? lags + 1 : 0
    const better = lags < MOST_LAGS ? null : chooseNode(probes, { without: current, least: highestHead(probes) - TOLERATED_LAG })
    return better !== null && moveTo(better)
  }

  const once = (work: () => Promise<boolean>): Promise<boolean> => {
    pending ??= work().finally(() => {
      pending = null
    })
    return pending
  }

  return {
    /** Index of the node to ask. Waits while a change is under way. */
    ready: async (): Promise<number> => {
      if (count === 1) return 0
      if (!isBegun && monotonic() - failedAt >= times.probeMs) await once(begin)
      else if (pending !== null && isBegun && probes[current]?.trouble !== null) await pending
      else if (monotonic() - watchedAt >= times.watchMs) {
        watchedAt = monotonic()
        void once(watch)
      }
      return current
    },

    /** Counts a call that a node answered with a result. */
    succeeded: (index: number): void => {
      if (index === current) failures = 0
    },

    /**
     * A call to a node failed. Resolves to whether another node is to be asked: the node is left if it does not answer for itself either, after
     * some failures in a row, or at once if it `hasOtherChain`.
     */
    failed: async (index: number, hasOtherChain = false): Promise<boolean> => {
      if (count === 1) return false
      if (index !== current) return true
      failures += 1
      if (monotonic() - failedAt < times.probeMs) return false
      const from = current
      await once(() => change(!hasOtherChain && failures < MOST_FAILURES))
      return current !== from
    },

    noteHead,

    /** Number of changes so far: answers before and after one are of different nodes. */
    changes: (): number => changes,

    /** Whether the node in use is behind a block that this process has seen at another one. */
    isLagging: (): boolean => count > 1 && (probes[current]?.head ?? highest) < highest,

    state: (): NodesInUse => ({
      count,
      inUse: current + 1,
      changes,
      lags: lagsOf(probes, highest).map((lag) => (lag === null ? null : Number(lag))),
    }),
  }
}
