import { describe, expect, test } from '@jest/globals'
import { comparePlaces, isAfter, kindsFor, QUEUE_RULES, type QueuePlace, remainderOf } from '../../../domain/health/queue.ts'
import { QUEUE_KINDS, type QueueKind } from '../../../schemas/health/queue.ts'
import { ROLES, type Role } from '../../../schemas/identity/authorisation.ts'
import { rolesAllowed } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'

const ADMIN = [...QUEUE_KINDS]

describe('the kinds of the queue', () => {
  test.each<[readonly Role[], readonly QueueKind[]]>([
    [[], []],
    [['verifier'], ['review']],
    [['arbitrator'], ['dispute', 'signature']],
    [
      ['arbitrator', 'verifier'],
      ['review', 'dispute', 'signature'],
    ],
    [['admin'], ADMIN],
    [['admin', 'verifier', 'arbitrator'], ADMIN],
  ])('that %j sees are %j', (roles, kinds) => {
    expect(kindsFor(roles)).toEqual(kinds)
  })

  test.each(QUEUE_KINDS)('name for %s an operation that the role can call', (kind) => {
    const { seenBy, decidedBy } = QUEUE_RULES[kind]
    expect(seenBy).toContain('admin')
    if (decidedBy === null) return
    const spec = operationList.find(({ id }) => id === decidedBy.operation)
    expect(spec === undefined ? [] : rolesAllowed(spec)).toContain(decidedBy.role)
    expect(ROLES).toContain(decidedBy.role)
    expect(seenBy).toContain(decidedBy.role)
  })
})

describe('the order of the queue', () => {
  const place = (deadline: number | null, kind: QueueKind, id: string): QueuePlace => ({ deadline, kind, id })
  /** In order. */
  const PLACES = [
    place(1, 'review', 'b'),
    place(1, 'dispute', 'a'),
    place(1, 'dispute', 'b'),
    place(1, 'blocked', 'a'),
    place(2, 'review', 'a'),
    place(9, 'signature', 'a'),
    place(null, 'request', 'a'),
    place(null, 'alarm', 'a'),
    place(null, 'alarm', 'b'),
    place(null, 'template', ''),
  ]

  test('is by deadline, then kind; what has no deadline is last', () => {
    const found = PLACES.toReversed().toSorted((left, right) => comparePlaces(left, right) || (left.id < right.id ? -1 : 1))
    expect(found).toEqual(PLACES)
  })

  test('says of each place which other ones follow it', () => {
    for (const [at, here] of PLACES.entries()) expect(PLACES.filter((one) => isAfter(one, here))).toEqual(PLACES.slice(at + 1))
  })

  test.each<[QueueKind, QueuePlace, ReturnType<typeof remainderOf>]>([
    ['review', place(7, 'dispute', 'x'), { deadline: 7, ids: 'none' }],
    ['dispute', place(7, 'dispute', 'x'), { deadline: 7, ids: { after: 'x' } }],
    ['signature', place(7, 'dispute', 'x'), { deadline: 7, ids: 'all' }],
    ['dispute', place(null, 'dispute', 'x'), { deadline: null, ids: { after: 'x' } }],
  ])('has of %s after %j: %j', (kind, after, remainder) => {
    expect(remainderOf(kind, after)).toEqual(remainder)
  })
})
