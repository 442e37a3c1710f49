import type { z } from 'zod'
import { SourceFailure } from '../source.ts'

/** Parses an answer in the form that its source documents. Throws `SourceFailure` for another form. */
export const parseAnswer = <Shape extends z.ZodType>(shape: Shape, value: unknown, name: string): z.infer<Shape> => {
  const found = shape.safeParse(value)
  if (found.success) return found.data
  const [issue] = found.error.issues
  const place = issue === undefined ? '' : ` at /${issue.path.join('/')}`
  throw new SourceFailure('source_unreadable', `${name} has another form than documented${place}`.slice(0, 300))
}

/** Parses the cursor of a run, which is JSON; `first` without one. Throws `SourceFailure` for a text that its client did not write. */
export const parseCursor = <Shape extends z.ZodType>(shape: Shape, cursor: string | null, first: z.infer<Shape>): z.infer<Shape> => {
  if (cursor === null) return first
  let value: unknown
  try {
    value = JSON.parse(cursor)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return parseAnswer(shape, value, 'the cursor')
}

/** Throws `SourceFailure` where an answer came from another host than the one that was asked. */
export const assertOrigin = ({ url }: { url: string }, base: string): void => {
  if (URL.parse(url)?.origin === URL.parse(base)?.origin) return
  throw new SourceFailure('source_unreadable', 'the source led to another host')
}
