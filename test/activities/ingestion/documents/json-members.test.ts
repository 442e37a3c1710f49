import { describe, expect, test } from '@jest/globals'
import { jsonMembers } from '../../../../activities/ingestion/documents/json-members.ts'

const parsed = (text: string) => Object.fromEntries([...jsonMembers(text)].map(([name, value]) => [name, JSON.parse(value)]))

describe('the members of a JSON object', () => {
  test.each([
    '{}',
    ' { } \n',
    '{"a":1}',
    '{ "a" : [1, {"b": "}"}], "c,\\"d": "\\\\", "e": null,\n"f": "x\\\\\\"]" }',
    '{"nested":{"a":{"b":[[],{}]}},"text":"{\\"a\\":1}","number":-1.5e3}',
    '{"same":1,"same":2}',
    '{"\\u00e9":"é","constructor":true}',
  ])('are those of %s', (text) => {
    expect(parsed(text)).toEqual(JSON.parse(text))
  })

  test.each([
    '',
    '[]',
    '"a"',
    '<!doctype html>',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":"x',
    '{"a":{"b":1}',
    '{"a":1}x',
    '{a:1}',
    '{"a" 1}',
    '{"a":1,}',
    '{"a":1]',
  ])('are none in %s', (text) => {
    expect(() => parsed(text)).toThrow(SyntaxError)
  })
})
