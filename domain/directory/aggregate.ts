/** Wallets and sessions, listed or not. */
export interface DirectoryCounts {
  participants: number
  activeLast30d: number
  completedSessions: number
  listed: number
  private: number
  /** Parts of two counts that private wallets make up: everyone can subtract what the listed ones show. */
  privateActive: number
  privateCompleted: number
}

const SHOWN = ['participants', 'activeLast30d', 'completedSessions', 'listed', 'private'] as const
type Shown = (typeof SHOWN)[number]

/** A count from 1 to this points at few wallets. */
const FEW = 4

const isFew = (count: number): boolean => count >= 1 && count <= FEW

/** What the readers of a count can find out from it and the public profiles. */
const partsOf = (counts: DirectoryCounts): Record<Shown, number[]> => ({
  participants: [counts.participants, counts.private],
  activeLast30d: [counts.activeLast30d, counts.privateActive, counts.private],
  completedSessions: [counts.completedSessions, counts.privateCompleted, counts.private],
  listed: [counts.listed],
  private: [counts.private],
})

/** Counts as everyone may read them: one that tells few wallets or sessions, by itself or by a difference, is null and named. Source: identity, "GET /agents". */
export const shownCounts = (counts: DirectoryCounts) => {
  const parts = partsOf(counts)
  const suppressed = SHOWN.filter((name) => parts[name].some(isFew))
  const shown = Object.fromEntries(SHOWN.map((name) => [name, suppressed.includes(name) ? null : counts[name]]))
  return { ...(shown as Record<Shown, number | null>), suppressed }
}
