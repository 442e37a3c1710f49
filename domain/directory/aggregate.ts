/** Wallets and sessions, listed or not. */
export interface DirectoryCounts {
  participants: number
  activeLast30d: number
  completedSessions: number
  listed: number
  private: number
}

/** A count from 1 to this points at few wallets. */
const FEW = 4

const isFew = (count: number): boolean => count >= 1 && count <= FEW

/**
 * Counts as everyone may read them: few is null and named. The difference of two counts points at wallets as well, so while few wallets are
 * private nothing but `listed` is shown. Source: identity, "GET /agents".
 */
export const shownCounts = (counts: DirectoryCounts) => {
  const names = Object.keys(counts) as (keyof DirectoryCounts)[]
  const suppressed = names.filter((name) => isFew(counts[name]) || (isFew(counts.private) && name !== 'listed'))
  const shown = Object.fromEntries(names.map((name) => [name, suppressed.includes(name) ? null : counts[name]]))
  return { ...(shown as Record<keyof DirectoryCounts, number | null>), suppressed }
}
