// Texts of strangers in every page of an answer: they stay texts, and turn nothing beside them.
import { describe, expect, test } from '@jest/globals'
import { html, prose } from '../../../pages/html.ts'
import { oneIn } from '../../support/cases/sample.ts'
import { readPage } from '../../support/pages/read-page.ts'
import { freeTexts, RENDERINGS, renderSearch, renderWith } from '../../support/pages/renderings.ts'
import { HOSTILE } from '../../support/texts/hostile-texts.ts'

/** How many isolates a text leaves open; throws where it ends one that it did not begin. */
const openIsolates = (text: string): number =>
  [...text.matchAll(/[\u2066-\u2069]/g)].reduce((depth, [mark]) => {
    if (mark === '\u2069' && depth === 0) throw new Error(`an isolate ends that did not begin: ${text.slice(0, 80)}`)
    return depth + (mark === '\u2069' ? -1 : 1)
  }, 0)

/** Marks that turn the text behind them, outside of every isolate. */
const turningOutside = (text: string): number => {
  let depth = 0
  return [...text.matchAll(/[\u202A-\u202E\u2066-\u2069]/g)].filter(([mark]) => {
    if (mark >= '\u2066') depth += mark === '\u2069' ? -1 : 1
    return mark < '\u2066' && depth === 0
  }).length
}

/** What HTML refuses in a page, and lines that end an isolate. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what HTML refuses
const REFUSED = /[\0-\u0008\u000B\u000E-\u001F\u007F-\u009F\u2028\u2029]/

/** Words between backticks of what to do next are code, by design. */
const withoutCode = (tags: readonly string[]): string[] => tags.filter((tag) => !/^<[/]?code>$/.test(tag))

const expectText = (page: string, plainTags: readonly string[], text: string): void => {
  const { tags, texts, values } = readPage(page)
  expect({ text, tags: withoutCode(tags) }).toEqual({ text, tags: withoutCode(plainTags) })
  for (const shown of [...texts, ...values])
    expect([openIsolates(shown), turningOutside(shown), REFUSED.test(shown)]).toEqual([0, 0, false])
}

/** A quarter of the texts in a gate; `npm run properties` writes each into every page. */
const PLAYED = oneIn(4, HOSTILE)

describe.each(Object.entries(RENDERINGS))('the page of %s', (_name, rendering) => {
  const paths = freeTexts(rendering)

  test('is well formed and shows each of its texts as it is', async () => {
    const plain = readPage(await rendering.render(rendering.answer))
    expect(plain.tags).toEqual(expect.arrayContaining(['<h1>', '</main>']))
  })

  test('has the tags and attributes of a harmless one, whatever its texts are', async () => {
    const { tags } = readPage(await renderWith(rendering, paths, 'A plain text'))
    for (const text of PLAYED) expectText(await renderWith(rendering, paths, text), tags, text)
  })
})

/** Pages with a text of a stranger; that of the log shows none. */
const SHOWING = Object.entries(RENDERINGS).filter(([name]) => name !== 'log heads')

test.each(SHOWING)('the page of %s has texts of strangers, and shows them whole', async (_name, rendering) => {
  const marker = 'Text <of> a "stranger" & others'
  const { texts, values } = readPage(await renderWith(rendering, freeTexts(rendering), marker))
  expect([...texts, ...values].filter((shown) => shown.includes(marker) || shown.includes(marker.toLowerCase())).length).toBeGreaterThan(0)
})

test('the page of a search shows what was asked as a text, whatever it is', () => {
  const { tags } = readPage(renderSearch('finds-nothing-at-all'))
  const asked = PLAYED.filter((text) => !/^[&=`"'\s]*$/.test(text))
  // The form keeps what was typed, so that it is sent as it is.
  const withoutField = (page: string): string => page.replace(/(<input type="search"[^>]* value=")[^"]*"/, '$1"')
  for (const text of asked) expectText(withoutField(renderSearch(`finds-nothing-at-all ${text}`)), tags, text)
})

describe('a text in a page', () => {
  test.each([
    ['a plain text', 'a plain text'],
    ['שלום', '\u2068שלום\u2069'],
    ['\u202Eturned', '\u2068\u202Eturned\u2069'],
    ['\u2067open', '\u2068\u2067open\u2069\u2069'],
    ['closed\u2069twice\u2069', '\u2068closedtwice\u2069'],
    ['a\u2028b', 'a b'],
    ['nul\u0000', 'nul\uFFFD'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['\uD83D', '\uFFFD'],
  ])('%j is written as %j', (text, written) => {
    expect(html`<p title="${text}">${[text]}</p>`.html).toBe(`<p title="${written}">${written}</p>`)
    expect(prose(text).html).toBe(written)
  })

  test('is as it was where it is HTML already', () => {
    expect(html`<p>${html`<b>${'<'}\u202E</b>`}</p>`.html).toBe('<p><b>&lt;\u202E</b></p>')
  })
})
