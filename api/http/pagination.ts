import { z } from 'zod'
import { keccakOf } from '../../domain/common/hashes.ts'
import type { ServiceError } from '../../schemas/errors.ts'
import { invalidRequest } from './problem.ts'

/** A request for one page of a list, and the sort key of its rows. */
export interface ListRequest<Position> {
  /** Id of the operation; a cursor of another list is refused. */
  operationId: string
  /** Filters of the rows; a cursor made for other filters is refused. Absent and undefined members are the same. */
  filters: Readonly<Record<string, string | number | boolean | null | undefined>>
  limit: number
  cursor?: string | undefined
  /** Sort key of a row with its tie-breaker, as JSON; a cursor that holds anything else is refused. */
  position: z.ZodType<Position>
}

/** Sort key that is an instant in epoch ms, inside what the database can hold. */
export const InstantKey = z.int().min(0).max(253_402_300_799_999)
/** Sort key or tie-breaker that is a text; the database holds no NUL. */
export const TextKey = z.string().regex(/^[^\0]*$/)

const Cursor = z.tuple([z.string(), z.unknown()])

const invalidCursor = (message: string): ServiceError => invalidRequest([{ pointer: 'query/cursor', rule: 'cursor', message }])

const decode = (text: string): [binding: string, position: unknown] => {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof z.ZodError) throw invalidCursor('cannot be read; start without a cursor')
    throw cause
  }
}

/** List and filters in 12 hex digits. */
const bindingOf = ({ operationId, filters }: Pick<ListRequest<unknown>, 'operationId' | 'filters'>): string =>
  keccakOf({ operationId, filters: Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) }).slice(2, 14)

/** Reads the cursor of a list. Throws 400 `invalid_request` for one that is unreadable or belongs to another list or other filters. */
export const listPage = <Position>(request: ListRequest<Position>) => {
  const { limit, cursor, position } = request
  const binding = bindingOf(request)
  const nextCursor = (next: Position): string => Buffer.from(JSON.stringify([binding, next])).toString('base64url')

  const afterOf = (text: string): Position => {
    const [cursorBinding, value] = decode(text)
    if (cursorBinding !== binding) throw invalidCursor('belongs to another list or to other filters; start without a cursor')
    const parsed = position.safeParse(value)
    if (!parsed.success) throw invalidCursor('cannot be read; start without a cursor')
    return parsed.data
  }

  return {
    limit,
    /** Read rows strictly after this one; null at the start of the list. */
    after: cursor === undefined ? null : afterOf(cursor),
    /** Rows to read: one more than the page, which shows whether there is a next page. */
    readLimit: limit + 1,
    nextCursor,
    /** Cuts the rows to the page; the cursor is null on the last page. */
    cut: <Row>(rows: readonly Row[], positionOf: (row: Row) => Position) => {
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return { rows: page, limit, nextCursor: rows.length > limit && last !== undefined ? nextCursor(positionOf(last)) : null }
    },
  }
}
