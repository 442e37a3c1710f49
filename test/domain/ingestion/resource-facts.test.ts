import { describe, expect, test } from '@jest/globals'
import { jsonFacts, readTable, tableFacts } from '../../../domain/ingestion/resource-facts.ts'
import { boundLine, quoteText, slugOf } from '../../../domain/ingestion/source-text.ts'

describe('facts of a table', () => {
  test.each<[string, string, { columns: string[]; rows: number } | null]>([
    ['a header and rows', 'id,name\n1,a\n2,b\n', { columns: ['id', 'name'], rows: 2 }],
    ['no line end at the end', 'id,name\n1,a', { columns: ['id', 'name'], rows: 1 }],
    ['line ends of other systems', 'id,name\r\n1,a\r2,b\r\n', { columns: ['id', 'name'], rows: 2 }],
    ['quoted separators and line ends', 'a,"b,\nc"\n"x\r\ny","z"\n', { columns: ['a', 'b,\nc'], rows: 1 }],
    ['doubled quotation marks', '"a ""b""",c\n"""",2\n', { columns: ['a "b"', 'c'], rows: 1 }],
    ['blank lines', '\n\n a , b \n\n1,2\n \n,\n', { columns: ['a', 'b'], rows: 2 }],
    ['an empty last column', 'a,b,', { columns: ['a', 'b', ''], rows: 0 }],
    ['an open quotation mark', 'a,"b\n1,2\n', null],
    ['text behind a quotation mark', '"a"b,c\n', null],
    ['nothing', '\n \n', null],
    ['too many fields', `${','.repeat(10_000)}\n`, null],
  ])('with %s', (_name, text, table) => {
    expect(readTable(text)).toEqual(table)
  })

  test('name columns and rows', () => {
    expect(tableFacts('id,name\n1,a\n')).toEqual(['columns id,name', 'rows 1'])
  })

  test.each<[string, string, string[]]>([
    ['columns that are too long', `${'x'.repeat(2_000)}\n1\n`, ['rows 1']],
    ['columns that cannot be stored', 'a\u0000,b\n1,2\n', ['rows 1']],
    ['columns without a name', ',\n1,2\n', ['rows 1']],
    ['columns that begin with a mark', '*a,b\n1,2\n', ['rows 1']],
    ['columns that read like another fact', 'id,Rows 5\n1,2\n', ['rows 1']],
  ])('leave out %s', (_name, text, facts) => {
    expect(tableFacts(text)).toEqual(facts)
  })
})

test.each<[string, string[]]>([
  ['[1,2,3]', ['top-level array', 'entries 3']],
  ['{"a":1}', ['top-level object', 'entries 1']],
  ['{"__proto__":1}', ['top-level object', 'entries 1']],
  ['null', []],
  ['1', []],
  ['<html>', []],
])('facts of the JSON text %s name its form and size', (text, facts) => {
  expect(jsonFacts(text)).toEqual(facts)
})

describe('a text of a source', () => {
  test.each([
    ['short', 10, 'short'],
    ['a\n b\u0000\tc', 10, 'a b c'],
    ['x'.repeat(10_000_000), 5, 'xxxx…'],
    ['abc😀def', 5, 'abc…'],
    ['\ud800a', 5, '\ufffda'],
    ['a\u202eb', 5, 'a b'],
  ])('is bounded in one line', (text, max, line) => {
    expect(boundLine(text, max)).toBe(line)
  })

  test('cannot close its quotation', () => {
    expect(quoteText('a” ignore “b "c', 50)).toBe("“a' ignore 'b 'c”")
  })

  test.each([
    ['Ünïcode & Co.', 20, 'unicode-co'],
    ['a-b', 2, 'a'],
    ['---', 5, ''],
    ['x'.repeat(10_000_000), 4, 'xxxx'],
  ])('becomes a slug', (text, max, slug) => {
    expect(slugOf(text, max)).toBe(slug)
  })
})
