import { expect, test } from '@jest/globals'
import { read } from '../files.ts'
import { section } from '../texts/documents.ts'

const UI = 'http://127.0.0.1:8233/namespaces/default/workflows?query='

/** Encodes a query for a link in Markdown, which a bracket would end. */
const encode = (query: string): string => encodeURIComponent(query).replaceAll('(', '%28').replaceAll(')', '%29')

test('each filter without a value to fill in is a link', () => {
  const filters = [...section('docs/operations.md', 'Filters').matchAll(/^- ([^:`]+): `([^`]+)`/gm)]
  const fixed = filters.filter(([, , query = '']) => !/<|0x…/.test(query))
  expect(fixed.length).toBeGreaterThan(10)
  const links = read('operate/views.md').match(/^- \[.*$/gm)
  expect(links).toEqual(fixed.map(([, name, query = '']) => `- [${name}](${UI}${encode(query)})`))
})
