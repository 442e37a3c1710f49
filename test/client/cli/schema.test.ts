import { describe, expect, test } from '@jest/globals'
import { describeSchema, describeValue } from '../../../client/cli/output/schema.ts'
import { JOB_SCHEMAS } from '../../../schemas/catalogue/job-schemas/registry.ts'

describe('the schema of a submission in words', () => {
  test.each([
    [{ type: 'string', enum: ['complete', 'blocked'] }, 'one of "complete", "blocked"'],
    [{ type: 'string', const: 'v1' }, 'exactly "v1"'],
    [{ type: 'string', minLength: 1 }, 'text, at least 1 character'],
    [{ type: 'string', minLength: 2, maxLength: 9 }, 'text, from 2 to 9 characters'],
    [{ type: 'string', pattern: '^0x', examples: ['0x1'] }, 'text, of the form ^0x, such as "0x1"'],
    [{ type: 'integer', minimum: 0, maximum: 5 }, 'whole number, from 0 to 5'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'number, above 0'],
    [{ type: 'array', minItems: 3, maxItems: 3 }, 'list, exactly 3 entries'],
    [{ type: ['string', 'null'], maxLength: 1 }, 'text or null, at most 1 character'],
    [{ anyOf: [{ type: 'boolean' }, { enum: [1] }] }, 'true or false; or one of 1'],
    [{}, 'any value'],
  ])('says of %j: %s', (node, expected) => {
    expect(describeValue(node)).toBe(expected)
  })

  test('lists members with need and description, entries of lists, and whether others are refused', () => {
    const items = { type: 'object', properties: { path: { type: 'string', description: 'A file.' } }, required: [] }
    const schema = {
      type: 'object',
      properties: { status: { enum: ['done'], description: 'The state.' }, files: { type: 'array', minItems: 1, items } },
      required: ['status'],
      additionalProperties: false,
    }
    expect(describeSchema(schema)).toEqual([
      '  object',
      '    status: one of "done"; required. The state.',
      '    files: list, at least 1 entry; optional.',
      '      each entry: object',
      '        path: text; optional. A file.',
      '    No other members.',
    ])
    expect(describeSchema([1])).toEqual(['  any value'])
  })

  test.each([...JOB_SCHEMAS])('of %s holds every allowed value and bound', (_, schema) => {
    const text = describeSchema(schema).join(' ').replaceAll(/\s+/g, ' ')
    JSON.stringify(schema, (name, value) => {
      if (name === 'enum') for (const word of value as string[]) expect(text).toContain(JSON.stringify(word))
      if (name === 'minimum' || name === 'minItems') expect(text).toContain(`at least ${value}`)
      return value
    })
    for (const name of Object.keys(schema.properties)) expect(text).toContain(`${name}: `)
  })
})
