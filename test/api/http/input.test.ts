import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { openApi, templatePath } from '../../../api/discovery/openapi.ts'
import { readBody } from '../../../api/http/input.ts'
import { createJob, setJobLifecycle } from '../../../schemas/catalogue/admin-operations.ts'
import { submitWork, validateSubmission } from '../../../schemas/claims/operations.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { WalletInput } from '../../../schemas/identity/native-shapes.ts'
import { fieldErrors, sentenceOf } from '../../../schemas/operations/field-errors.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { AddressInput } from '../../../schemas/operations/values.ts'

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

/** The part of a JSON Schema that names the members of a body. */
interface BodySchema {
  $ref?: string
  properties?: object
  oneOf?: BodySchema[]
  anyOf?: BodySchema[]
}
interface DocumentOperation {
  parameters?: { name: string; in: string; schema: { type?: string } }[]
  requestBody: { content: { 'application/json': { schema: BodySchema } } }
}
interface Document {
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, BodySchema> }
}

const omit = (value: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))

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

  test.each([
    ['when they are the same', { ...one }, []],
    ['and are refused when they differ', other, [['/submission', 'rule']]],
  ])('may both be sent %s', (_when, evidence, faults) => {
    expect(faultsOf(submitWork, { sessionId, submission: one, evidence })).toEqual(faults)
    expect(faultsOf(validateSubmission, { jobId: 'job-1', output: one, evidence })).toEqual(faults)
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

  test('use the words of this service, for every operation', () => {
    const foreign = inputs.flatMap(([name, schema]) => {
      const paths = pathsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)
      const values = [{}, { unknownMember: 1 }, 7, ...paths.flatMap((path) => WRONG.map((value) => placed(path, value)))]
      const issues = values.flatMap((value) => schema.safeParse(value, { reportInput: true, error: sentenceOf }).error?.issues ?? [])
      const messages = new Set(issues.flatMap((issue) => fieldErrors('body', issue)).map(({ message }) => message))
      expect([name, messages.size]).not.toEqual([name, 0])
      return [...messages].filter((message) => LIBRARY.test(message) || !/^[a-z]/.test(message)).map((message) => `${name}: ${message}`)
    })
    expect(foreign).toEqual([])
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

describe('the document and the service', () => {
  const document = openApi(operationList, { baseUrl: 'https://work.example', buildId: 'test', assets: ['USDC'] }) as unknown as Document
  const ajv = new Ajv2020({
    strict: false,
    formats: {
      'wallet-address': (text: string) => WalletInput.safeParse(text).success,
      'evm-address': (text: string) => AddressInput.safeParse(text).success,
      uri: (text: string) => URL.canParse(text),
      'page-cursor': true,
      'date-time': true,
      // No schema can describe a message; the document does not accept what this test makes up.
      'eip4361-message': () => false,
    },
  }).addSchema({ $id: 'document', components: document.components })
  const accepts = (schema: object): ((value: unknown) => boolean) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')))
    return (value) => validate(value) as boolean
  }
  const HEX = [`0x${'Ab'.repeat(20)}`, `0x${'ab'.repeat(20)}`, `0x${'ab'.repeat(32)}`]
  const TEXTS = [
    ...[
      '',
      ' ',
      'x',
      'X x',
      '0',
      '1',
      '00',
      '-1',
      '1.5',
      '1e5',
      '0x',
      'true',
      'null',
      '9999999999999999',
      'a,b',
      'a:b:2',
      'https://a.example',
    ],
    ...['\u0001', '\u0000', '\u00e9', '2026-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '1'.repeat(80), 'x'.repeat(300), 'x'.repeat(70_000)],
    ...[...HEX, ' '.repeat(40), ` x${' '.repeat(40)}`, `${' '.repeat(40)}x`],
  ]
  const values: unknown[] = [null, true, ...[-1, 0, 1, 1.5, 26, 1e9, 1e300, 2 ** 53], [], [1], ['x'], ['x', 'x'], {}, { a: 1 }, ...TEXTS]
  const operationOf = ({ path, method }: OperationSpec) => document.paths[templatePath(path)]?.[method.toLowerCase()] as DocumentOperation

  /** The example with one member replaced or left out, or one more. */
  const variants = (example: Record<string, unknown>, names: string[]): Record<string, unknown>[] => [
    {},
    { ...example, unknownMember: 1 },
    ...names.flatMap((name) => [omit(example, name), ...values.map((value) => ({ ...example, [name]: value }))]),
  ]

  /** Members of a body, also of one that has a name or several forms. */
  const membersOf = ({ $ref, properties, oneOf, anyOf }: BodySchema): string[] => {
    if ($ref !== undefined) return membersOf(document.components.schemas[String($ref.split('/').at(-1))] ?? {})
    return [...new Set([...Object.keys(properties ?? {}), ...[...(oneOf ?? []), ...(anyOf ?? [])].flatMap(membersOf)])]
  }

  test('take the same bodies, of every operation', () => {
    const lax = operationList.flatMap((spec) => {
      if (spec.body === undefined) return []
      const { schema } = operationOf(spec).requestBody.content['application/json']
      const isDocumented = accepts(schema)
      return variants(spec.examples?.body as Record<string, unknown>, membersOf(schema))
        .filter((body) => isDocumented(body) && faultsOf(spec, body).length > 0)
        .map((body) => [spec.id, JSON.stringify(body).slice(0, 200), faultsOf(spec, body)])
    })
    expect(lax).toEqual([])
  })

  /** A text as the document sees it. */
  const typed = (text: string, { type }: { type?: string }): unknown => {
    if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
    return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
  }

  test('take the same parameters, of every operation', () => {
    const lax = operationList.flatMap((spec) =>
      (operationOf(spec).parameters ?? []).flatMap(({ name, in: place, schema }) => {
        if (place === 'header') return []
        const isDocumented = accepts(schema)
        const [shape, example] = place === 'query' ? [spec.query, spec.examples?.query] : [spec.params, spec.examples?.params]
        const isTaken = (text: string): boolean => shape?.safeParse({ ...example, [name]: text }).success ?? false
        return [...TEXTS, '25', '26', '100', '101', '500', '501']
          .filter((text) => isDocumented(typed(text, schema)) && !isTaken(text))
          .map((text) => [spec.id, name, text.slice(0, 100)])
      }),
    )
    expect(lax).toEqual([])
  })
})
