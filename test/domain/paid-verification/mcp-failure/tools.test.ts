import { describe, expect, test } from '@jest/globals'
import {
  guardedReadOnlyTool,
  judgeHints,
  judgeStability,
  parseToolPage,
  toolsDigest,
} from '../../../../domain/paid-verification/mcp-failure/tools.ts'

const tool = (name: unknown, more: object = {}) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true }, ...more })
const deep = JSON.parse(`${'{"a":'.repeat(80)}1${'}'.repeat(80)}`)

describe('two lists of tools', () => {
  test.each<[string, object[], object[], boolean | null, RegExp]>([
    ['are the same in another order', [tool('a'), tool('b')], [tool('b'), tool('a')], true, /same 2 tools/],
    ['are the same in another order of members', [{ ...tool('a'), title: 'A' }], [{ title: 'A', ...tool('a') }], true, /same 1/],
    ['differ in a description', [tool('a')], [tool('a', { description: 'x' })], false, /tool a differs/],
    ['differ in a hint', [tool('a')], [tool('a', { annotations: {} })], false, /tool a differs/],
    ['differ by a tool more', [tool('a')], [tool('a'), tool('b')], false, /1 tools are new/],
    ['differ by a tool fewer', [tool('a'), tool('b')], [tool('a')], false, /tool b differs or is gone/],
    ['are empty', [], [], null, /no tools/],
    ['name a tool twice', [tool('a'), tool('a')], [tool('a')], false, /a is listed twice/],
    ['lack a name', [tool(4)], [tool(4)], false, /number 0 has no name/],
    ['lack a schema', [tool('a', { inputSchema: { type: 'string' } })], [], false, /a has no input schema/],
    ['have no canonical form', [tool('a', { _meta: deep })], [tool('a', { _meta: deep })], null, /canonical/],
    ['have a name that a detail does not show', [tool('a b\u202e', { inputSchema: 1 })], [], false, /^Tool number 0 /],
  ])('%s', (_name, first, second, passed, detail) => {
    expect(judgeStability(first as never, second as never)).toEqual({ passed, detail: expect.stringMatching(detail) })
  })

  test('have a digest that no order changes', () => {
    expect(toolsDigest([tool('a'), tool('b')])).toBe(toolsDigest([tool('b'), tool('a')]))
    expect(toolsDigest([tool('a')])).not.toBe(toolsDigest([tool('b')]))
  })
})

test.each<[object, boolean]>([
  [{ readOnlyHint: true }, true],
  [{ readOnlyHint: true, destructiveHint: false }, true],
  [{ readOnlyHint: false, destructiveHint: true }, true],
  [{ readOnlyHint: false, destructiveHint: false }, true],
  [{}, false],
  [{ destructiveHint: true }, false],
  [{ readOnlyHint: 'true' }, false],
  [{ readOnlyHint: false }, false],
  [{ readOnlyHint: true, destructiveHint: true }, false],
])('the hints %j state what a tool may do: %s', (annotations, passed) => {
  expect(judgeHints([tool('first'), tool('second', { annotations })]).passed).toBe(passed)
})

test.each<[string, object, string | null]>([
  ['only reads and demands arguments', {}, 'a'],
  ['may write', { annotations: { readOnlyHint: false } }, null],
  ['states nothing', { annotations: undefined }, null],
  ['states both', { annotations: { readOnlyHint: true, destructiveHint: true } }, null],
  ['demands nothing', { inputSchema: { type: 'object', required: [] } }, null],
  ['has no list of demands', { inputSchema: { type: 'object', required: 'path' } }, null],
])('a tool that %s is called without arguments: %j', (_name, more, name) => {
  expect(guardedReadOnlyTool([tool('a', { inputSchema: { type: 'object', required: ['path'] }, ...more })])).toBe(name)
})

test.each<[string, object, object | null]>([
  ['the last page', { tools: [tool('a')] }, { tools: [tool('a')], nextCursor: null }],
  ['a page before others', { tools: [], nextCursor: 'b' }, { tools: [], nextCursor: 'b' }],
  ['a page with an empty cursor', { tools: [], nextCursor: '' }, { tools: [], nextCursor: null }],
  ['no list', { tools: {} }, null],
  ['a list of texts', { tools: ['a'] }, null],
  ['a cursor that is a number', { tools: [], nextCursor: 4 }, null],
])('%s of tools is read', (_name, result, expected) => {
  expect(parseToolPage(result as never)).toEqual(expected)
})
