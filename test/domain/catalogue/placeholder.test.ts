import { expect, test } from '@jest/globals'
import { placeholderOf } from '../../../domain/catalogue/placeholder.ts'
import type { SchemaNode } from '../../../schemas/catalogue/job-schemas/parts.ts'

const text = { type: 'string', description: 'A text.' } as const
const node = (given: object) => ({ description: 'A part.', ...given }) as SchemaNode

test.each([
  ['a text', text, '<value>'],
  ['a text of one value', node({ type: 'string', const: 'v1', enum: ['v2'] }), 'v1'],
  ['a text of several values', node({ type: 'string', enum: ['first', 'second'], examples: ['third'] }), 'first'],
  ['a text with an example', node({ type: 'string', examples: ['such as this'] }), 'such as this'],
  ['a number', node({ type: 'integer' }), 0],
  ['a number from a bound on', node({ type: 'integer', minimum: 3 }), 3],
  ['a yes or no', node({ type: 'boolean' }), false],
  ['a list', node({ type: 'array', items: text }), []],
  ['a list that needs entries', node({ type: 'array', items: text, minItems: 2 }), ['<entry>', '<entry>']],
  ['a list of anything', node({ type: 'array', minItems: 1 }), [null]],
  ['an object', node({ type: 'object', required: ['a'], properties: { a: text, b: text } }), { a: '<a>' }],
  ['an object that requires nothing', node({ type: 'object', properties: { a: text } }), {}],
  ['an object without members', node({ type: 'object' }), {}],
])('the smallest value of %s', (_what, schema, expected) => {
  expect(placeholderOf(schema)).toEqual(expected)
})
