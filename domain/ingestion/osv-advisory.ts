import { compareVersions } from './semver.ts'

/** Versions between which an advisory holds, as its events give them in order. Source: OSV schema, `affected[].ranges[].events[]`. */
export interface AffectedRange {
  introduced: string
  fixed: string | null
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

/** Pairs each introduction with the fix that follows it. */
export const rangesOfEvents = (events: readonly { introduced?: string | undefined; fixed?: string | undefined }[]): AffectedRange[] => {
  const ranges: AffectedRange[] = []
  for (const { introduced, fixed } of events) {
    if (introduced !== undefined) ranges.push({ introduced, fixed: null })
    const last = ranges.at(-1)
    if (fixed !== undefined && last?.fixed === null) last.fixed = fixed
  }
  return ranges
}
