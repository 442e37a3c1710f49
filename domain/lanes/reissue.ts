/** Number of the first listing of a job; its id has no suffix. */
const FIRST = 1

const SUFFIX = /-r([1-9][0-9]{0,5})$/

/** Id of a job without the number of a reissue. */
export const baseIdOf = (jobId: string): string => jobId.replace(SUFFIX, '')

/** Number of a listing: 1 for `<base>`, n for `<base>-r<n>`; null for an id of another job. */
export const listingNumber = (baseId: string, jobId: string): number | null => {
  if (jobId === baseId) return FIRST
  const found = SUFFIX.exec(jobId)
  return found !== null && baseIdOf(jobId) === baseId ? Number(found[1]) : null
}

/** The next id of a job: `<base>` when it was never used, else `<base>-r<n>` with a number above every used one, so that no id comes back. */
export const nextListingId = (baseId: string, usedIds: Iterable<string>): string => {
  let last = 0
  for (const id of usedIds) last = Math.max(last, listingNumber(baseId, id) ?? 0)
  return last === 0 ? baseId : `${baseId}-r${last + 1}`
}

/** What decides whether an ended job is listed again. */
export interface ReissueFacts {
  /** Starter jobs that a new wallet could claim now. */
  claimableStarterJobs: number
  /** Number of them that the operator wants; 0 for never. */
  minimum: number
  /** Whether a listing of the job can still be claimed, or is being worked on. */
  isLive: boolean
  /** Whether its verifier compares with secret values: they become public with the end of the job, so each listing needs others. */
  hasSecretAnswer: boolean
}

/** Whether an ended job is listed again. */
export const isReissued = ({ claimableStarterJobs, minimum, isLive, hasSecretAnswer }: ReissueFacts): boolean =>
  claimableStarterJobs < minimum && !isLive && !hasSecretAnswer
