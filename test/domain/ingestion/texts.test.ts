import { expect, test } from '@jest/globals'
import { screenSourceTexts } from '../../../domain/ingestion/screen-texts.ts'

const rulesOf = (value: string): string[] => screenSourceTexts([{ pointer: '/text', value }])

test.each([
  'The server listens on http://localhost:3000.',
  'at parse (file:///home/dev/app/src/parse.js:14:22)',
  'postgres://db.internal:5432/app',
  'http://files.example/rows.csv',
])('a source may write an address that does nothing: %s', (text) => {
  expect(rulesOf(text)).toEqual([])
})

test.each(['[rows](javascript:alert(1))', 'data:text/html,rows', 'bitcoin:bc1qrows', 'ｊａｖａｓｃｒｉｐｔ:alert(1)'])(
  'an address that acts or moves money parks its text: %s',
  (text) => {
    expect(rulesOf(text)).toContain('url_scheme')
  },
)
