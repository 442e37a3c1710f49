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

const parseRow = (text: string): ErrorRow => {
  const [status = '', title = '', meaning = '', reaction = '', retryable] = text.split(' | ')
  return { status: Number(status), title, meaning, reaction, retryable: retryable === 'retryable' }
}

/** A part of the error table, one line per code: `status | title | meaning | reaction`, with `| retryable` where the code is. */
export const errorTable = <const Code extends string>(rows: Readonly<Record<Code, string>>): Readonly<Record<Code, ErrorRow>> =>
  Object.fromEntries(Object.entries<string>(rows).map(([code, text]) => [code, parseRow(text)])) as Record<Code, ErrorRow>
