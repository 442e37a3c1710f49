/** One row of the error table. */
export interface ErrorRow {
  status: number
  title: string
  /** Cause in one sentence; default `detail` of an occurrence. */
  meaning: string
  /** Action of the caller. */
  reaction: string
  /** True when the identical request can succeed later; `isRetryable` decides for one occurrence. */
  retryable: boolean
}

/** Builds a row of the table; not retryable unless stated. */
export const errorRow = (status: number, title: string, meaning: string, reaction: string, retryable = false): ErrorRow => ({
  status,
  title,
  meaning,
  reaction,
  retryable,
})
