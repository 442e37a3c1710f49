/** One row of the error table. */
export interface ErrorRow {
  status: number
  title: string
  /** What happened, in one sentence; the default `detail` of an occurrence. */
  meaning: string
  /** What the caller can do. */
  reaction: string
  /** True if the identical request may succeed later; `isRetryable` decides for one occurrence. */
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
