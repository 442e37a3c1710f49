import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { readBody } from '../../../api/http/input.ts'
import { createJob, setJobLifecycle } from '../../../schemas/catalogue/admin-operations.ts'
import { submitWork, validateSubmission } from '../../../schemas/claims/operations.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { fieldErrors, sentenceOf } from '../../../schemas/operations/field-errors.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'

/** Pointer and rule of each fault of a body; empty when it is taken. */
const faultsOf = (spec: OperationSpec, body: Record<string, unknown>): [string, string][] => {
  try {
    readBody(spec, body)
    return []
  } catch (error) {
    if (!isServiceError(error)) throw error
    return (error.info.errors ?? []).map(({ pointer, rule }) => [pointer, rule])
  }
}

/** The part of a JSON Schema that nests members. */
interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
}

test('a missing enum member is reported as required', () => {
  expect(faultsOf(createJob, {})).toContainEqual(['/lane', 'required'])
  expect(faultsOf(createJob, { lane: 'nowhere' })).toContainEqual(['/lane', 'enum'])
})

describe('an instant of a body', () => {
  const faults = (staleAt: unknown) =>
    faultsOf(setJobLifecycle, { jobId: 'job-1', action: 'mark_stale', staleAt }).map(([pointer]) => pointer)

  test.each(['1000-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '2026-01-01T00:00:00.123456789Z', '9999-12-31T23:59:59.999Z'])(
    'may be %s',
    (instant) => {
      expect(faults(instant)).toEqual([])
    },
  )

  test.each([
    ...['0000-01-01T00:00:00Z', '0999-12-31T23:59:59Z', '-000001-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', '10000-01-01T00:00:00Z'],
    ...['2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:00:60Z', '2026-01-01', '2026-01-01T00:00:00+01:00', '1e5', '', 0],
  ])('may not be %j', (instant) => {
    expect(new Set(faults(instant))).toEqual(new Set(['/staleAt']))
  })
})

describe('a submission and its aliases', () => {
  const sessionId = 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const [one, other] = [{ summary: 'a' }, { summary: 'b' }]

  test('may both be sent when they are the same', () => {
    expect(faultsOf(submitWork, { sessionId, submission: one, evidence: { ...one } })).toEqual([])
    expect(faultsOf(validateSubmission, { jobId: 'job-1', output: one, evidence: { ...one } })).toEqual([])
  })

  test('are refused when they differ', () => {
    expect(faultsOf(submitWork, { sessionId, submission: one, evidence: other })).toEqual([['/submission', 'rule']])
    expect(faultsOf(validateSubmission, { jobId: 'job-1', output: one, evidence: other })).toEqual([['/submission', 'rule']])
  })

  test('cannot both be missing', () => {
    expect(faultsOf(submitWork, { sessionId })).toEqual([['/submission', 'rule']])
  })
})

describe('messages of refused inputs', () => {
  /** Words of the libraries that check inputs. */
  const LIBRARY = /\b(expected|received|invalid|too (small|big)|unrecognized|NOT)\b|[<>]=?\d/
  const WRONG: unknown[] = [undefined, null, true, -1, 1.5, 1e9, '', ' ', 'x'.repeat(70_000), '\u0001', [], [1], {}, { a: 1 }, [{}]]
  /** Paths of every member of an input, one entry deep into lists. */
  const pathsOf = ({ properties = {}, items, allOf = [] }: Schema, path: (string | number)[] = []): (string | number)[][] => [
    ...Object.entries(properties).flatMap(([name, member]) => [[...path, name], ...pathsOf(member, [...path, name])]),
    ...(items === undefined ? [] : [[...path, 0], ...pathsOf(items, [...path, 0])]),
    ...allOf.flatMap((part) => pathsOf(part, path)),
  ]
  const placed = ([first, ...rest]: (string | number)[], value: unknown): unknown => {
    if (first === undefined) return value
    return typeof first === 'number' ? [placed(rest, value)] : { [first]: placed(rest, value) }
  }
  const inputs = operationList.flatMap((spec) =>
    (['body', 'query', 'params'] as const).flatMap((part) =>
      spec[part] === undefined ? [] : [[`${spec.id} ${part}`, spec[part]] as const],
    ),
  )

  test.each(inputs)('%s: in the words of this service', (_name, schema) => {
    const paths = pathsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)
    const values = [{}, { unknownMember: 1 }, 7, ...paths.flatMap((path) => WRONG.map((value) => placed(path, value)))]
    const messages = new Set<string>()
    for (const value of values) {
      const { error } = schema.safeParse(value, { reportInput: true, error: sentenceOf })
      for (const issue of error?.issues ?? []) for (const { message } of fieldErrors('body', issue)) messages.add(message)
    }
    expect(messages.size).toBeGreaterThan(0)
    expect([...messages].filter((message) => LIBRARY.test(message) || !/^[a-z]/.test(message))).toEqual([])
  })

  test.each([
    [z.string().min(10), 'x', 'must have at least 10 characters'],
    [z.string().min(1), '', 'must not be empty'],
    [z.array(z.string()).length(2), [], 'must have exactly 2 entries'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.number().positive(), 0, 'must be greater than 0'],
    [z.number().max(5), 6, 'must be at most 5'],
    [z.number().multipleOf(5), 6, 'must be a multiple of 5'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [z.literal('a'), 'c', 'must be "a"'],
    [z.boolean(), 'c', 'must be true or false'],
    [z.url(), 'c', 'must be a URL, such as https://work.example/page'],
    [z.iso.datetime(), 'c', 'must be an instant in ISO 8601 UTC, such as 2026-01-02T03:04:05Z'],
    [z.string().regex(/^a$/), 'c', 'must match the pattern /^a$/'],
    [z.union([z.int(), z.boolean()]), 'c', 'matches none of the accepted forms'],
    [z.record(z.string().max(1), z.int()), { long: 1 }, 'matches none of the accepted forms'],
    [z.string().refine(() => false), 'c', 'matches none of the accepted forms'],
    [z.string().regex(/^a$/, { error: 'must be a' }), 'c', 'must be a'],
  ] as [z.ZodType, unknown, string][])('%#: %j', (schema, value, message) => {
    expect(schema.safeParse(value, { error: sentenceOf }).error?.issues[0]?.message).toBe(message)
  })
})
