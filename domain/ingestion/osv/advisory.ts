import { compareVersions } from './semver.ts'

/** Versions between which an advisory holds, as its events give them in order. Source: OSV schema, `affected[].ranges[].events[]`. */
export interface AffectedRange {
  introduced: string
  fixed: string | null
  /** Last version that it concerns; null where it names none. */
  last: string | null
}

/** First fixed version after the one in use; null where no range that holds it names one. */
export const fixedVersionOf = (version: string, ranges: readonly AffectedRange[]): string | null => {
  const later = ranges.filter(({ introduced, fixed }) => {
    if (fixed === null || (compareVersions(fixed, version) ?? 0) <= 0) return false
    return introduced === '0' || (compareVersions(introduced, version) ?? 1) <= 0
  })
  const versions = later.map(({ fixed }) => fixed).filter((fixed) => fixed !== null)
  return versions.sort((a, b) => compareVersions(a, b) ?? 0)[0] ?? null
}

/** An event of a range. */
interface RangeEvent {
  introduced?: string | undefined
  fixed?: string | undefined
  last_affected?: string | undefined
}

/** Pairs each introduction with the end that follows it. */
export const rangesOfEvents = (events: readonly RangeEvent[]): AffectedRange[] => {
  const ranges: AffectedRange[] = []
  for (const { introduced, fixed, last_affected: lastAffected } of events) {
    if (introduced !== undefined) ranges.push({ introduced, fixed: null, last: null })
    const range = ranges.at(-1)
    if (range === undefined || range.fixed !== null || range.last !== null) continue
    range.fixed = fixed ?? null
    range.last = lastAffected ?? null
  }
  return ranges
}

const isWithin = (version: string, { introduced, fixed, last }: AffectedRange): boolean => {
  const isIntroduced = introduced === '0' || (compareVersions(introduced, version) ?? 0) <= 0
  const isFixed = fixed !== null && (compareVersions(fixed, version) ?? 1) <= 0
  const isPast = last !== null && (compareVersions(last, version) ?? 0) < 0
  return isIntroduced && !isFixed && !isPast
}

/** Whether an advisory concerns a version; true where it names neither versions nor ranges, or none that can be compared. */
export const concernsVersion = (version: string, versions: readonly string[], ranges: readonly AffectedRange[]): boolean =>
  (versions.length === 0 && ranges.length === 0) || versions.includes(version) || ranges.some((range) => isWithin(version, range))
