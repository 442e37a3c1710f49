/** Why a node is not used. */
type NodeTrouble = 'no_answer' | 'other_chain'

/** What one node answered last. */
export interface NodeProbe {
  /** Height of its newest block; null while it is unknown. */
  head: bigint | null
  /** Null for a node that can be used. */
  trouble: NodeTrouble | null
}

export interface ChoiceRule {
  /** The node in use, which is not chosen again; null if it may be. */
  without: number | null
  /** A node below this height lags. */
  least: bigint
}

/** Blocks that a node may be behind another one before it counts as lagging: nodes hear of a new block one after the other. */
export const TOLERATED_LAG = 5n

/** Index of the first node, in the order of preference, that can be used and does not lag; null if there is none. */
export const chooseNode = (probes: readonly NodeProbe[], { without, least }: ChoiceRule): number | null => {
  const found = probes.findIndex(({ head, trouble }, index) => index !== without && trouble === null && head !== null && head >= least)
  return found < 0 ? null : found
}

/** Height of the newest block that any usable node has; -1 without one. */
export const highestHead = (probes: readonly NodeProbe[], without: number | null = null): bigint =>
  probes.reduce((most, { head, trouble }, index) => {
    const counts = index !== without && trouble === null && head !== null && head > most
    return counts ? head : most
  }, -1n)

/** Index of the usable node that lags least; null without a usable node. */
export const leastLagging = (probes: readonly NodeProbe[], without: number | null): number | null =>
  chooseNode(probes, { without, least: highestHead(probes, without) })

/** How many blocks each node is behind the newest block of all; null where its height is unknown. */
export const lagsOf = (probes: readonly NodeProbe[], highest: bigint): (bigint | null)[] => {
  const newest = probes.reduce((most, { head }) => (head !== null && head > most ? head : most), highest)
  return probes.map(({ head, trouble }) => (head === null || trouble !== null ? null : newest - head))
}
