import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { InstantKey, type ListRequest, listPage, TextKey } from '../../../api/http/pagination.ts'
import { isServiceError } from '../../../schemas/errors.ts'

const position = z.tuple([InstantKey, TextKey])
const request: ListRequest<[number, string]> = {
  operationId: 'listThings',
  filters: { state: 'open', jobId: undefined },
  limit: 2,
  cursor: undefined,
  position,
}
type Row = { at: number; id: string }
const rows: Row[] = [
  { at: 30, id: 'c' },
  { at: 20, id: 'b' },
  { at: 10, id: 'a' },
]
const keyOf = ({ at, id }: Row): [number, string] => [at, id]

const refusal = (change: Partial<typeof request>): string => {
  try {
    listPage({ ...request, ...change })
    return 'accepted'
  } catch (error) {
    return isServiceError(error) ? `${error.code} ${error.info.errors?.[0]?.pointer}` : String(error)
  }
}

describe('pages of a list', () => {
  test('a page that is followed by rows ends with a cursor that continues after its last row', () => {
    const page = listPage(request)
    expect(page.after).toBeNull()
    const { rows: shown, nextCursor } = page.cut(rows, keyOf)
    expect(shown.map((row) => row.id)).toEqual(['c', 'b'])
    expect(listPage({ ...request, cursor: nextCursor ?? '' }).after).toEqual([20, 'b'])
  })

  test('the last page has no cursor, also when it is exactly full', () => {
    expect(listPage(request).cut(rows.slice(1), keyOf).nextCursor).toBeNull()
    expect(listPage(request).cut([], keyOf)).toEqual({ rows: [], limit: 2, nextCursor: null })
  })

  test('a cursor holds for another limit and for filters that are left out', () => {
    const cursor = listPage(request).nextCursor([20, 'b'])
    expect(listPage({ ...request, limit: 50, filters: { state: 'open' }, cursor }).after).toEqual([20, 'b'])
  })

  test.each<[string, Partial<typeof request>]>([
    ['another list', { operationId: 'listOthers' }],
    ['other filters', { filters: { state: 'closed', jobId: undefined } }],
  ])('a cursor made for %s is refused', (_name, change) => {
    const cursor = listPage(request).nextCursor([20, 'b'])
    expect(refusal({ ...change, cursor })).toBe('invalid_request query/cursor')
  })

  const forged = (value: unknown): string => {
    const [binding] = JSON.parse(Buffer.from(listPage(request).nextCursor([1, 'a']), 'base64url').toString())
    return Buffer.from(JSON.stringify([binding, value])).toString('base64url')
  }

  test.each([
    ['text that is no base64url JSON', 'not a cursor'],
    ['JSON of another form', Buffer.from('{"a":1}').toString('base64url')],
    ['a sort key of another type', forged(['yesterday', 'a'])],
    ['an instant no database holds', forged([9_007_199_254_740_991, 'a'])],
    ['a text no database holds', forged([1, 'a\0'])],
    ['a missing tie-breaker', forged([1])],
  ])('%s is refused', (_name, cursor) => {
    expect(refusal({ cursor })).toBe('invalid_request query/cursor')
  })
})
