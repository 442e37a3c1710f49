// Texts of strangers and amounts of any size in every text of every answer, on each page and preview of the console. Real records with such texts:
// test/e2e/console/texts.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { OperationId } from '../../schemas/operations/registry.ts'
import { type StartedConsole, startConsole } from '../e2e/console/support/console.ts'
import { openIsolates, skeleton } from '../e2e/console/support/markup.ts'
import { HOSTILE } from '../support/texts/hostile-texts.ts'
import { startAnsweringApi } from './support/answering-api.ts'
import { type Path, type TextKind, withTexts } from './support/published.ts'
import { PAGE_ADDRESSES, PREVIEW_ADDRESSES } from './support/subject-states.ts'

let api: Awaited<ReturnType<typeof startAnsweringApi>>
let site: StartedConsole
beforeAll(async () => {
  api = await startAnsweringApi()
  site = await startConsole(api.url)
})
afterAll(async () => {
  await site.close()
  await api.close()
})

const ADDRESSES = [...PAGE_ADDRESSES, ...PREVIEW_ADDRESSES]
const visit = (path: string, form?: Record<string, string>) => site.visit(path, { token: 'a-token', ...(form && { form }) })

/** The documents that a page asks for. */
const documentsOf = async (path: string): Promise<[OperationId, unknown][]> => {
  api.answer({}, 'every member')
  expect([path, (await visit(path)).status]).toEqual([path, 200])
  return [...api.asked]
}
type Change = (text: string, kind: TextKind, path: Path) => string
const answerWith = (documents: readonly (readonly [OperationId, unknown])[], change: Change): void =>
  api.answer(Object.fromEntries(documents.map(([id, document]) => [id, withTexts(id, document, change)])), 'every member', 'unchecked')

/** Words between backticks are code where the API writes them. */
const shapeOf = (page: string): string =>
  skeleton(page)
    .filter((tag) => !/^<\/?code>$/.test(tag))
    .join('\n')

describe('texts of strangers', () => {
  /** Ids by which a preview finds its subject, days, and codes that are compared. */
  const isId = (path: Path): boolean =>
    (path.at(-1) === 'id' && path[0] === 'items') || ['from', 'to', 'day', 'code'].includes(String(path.at(-1)))

  test.each(ADDRESSES)('stay texts on %s', async (path) => {
    const documents = await documentsOf(path)
    let places = 0
    answerWith(documents, (text, kind, place) => {
      if (kind !== 'words' || isId(place)) return text
      places += 1
      return 'harmless'
    })
    const harmless = shapeOf((await visit(path)).text)
    for (let first = 0; places > 0 && first < HOSTILE.length; first += places) {
      let place = first
      const texts = () => HOSTILE[place++ % HOSTILE.length] ?? ''
      answerWith(documents, (text, kind, at) => (kind === 'words' && !isId(at) ? texts() : text))
      const { status, text } = await visit(path)
      expect({ path, first, status, isolates: openIsolates(text) }).toEqual({ path, first, status: 200, isolates: 0 })
      expect(shapeOf(text)).toBe(harmless)
    }
  })
})

const PROBLEM = { type: 'about:blank', status: 409, code: 'invalid_state', requestId: 'r', retryable: false }
const problemWith = (text: string) => ({
  ...{ ...PROBLEM, title: text, detail: text, reason: text, nextActions: [{ kind: 'wait', description: text }] },
  errors: [{ pointer: text, rule: text, message: text }],
})
const KEY = crypto.randomUUID()
const plain = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
/** What a page offers to send again, by the name of the field. */
const typedIn = (page: string, name: string): string | undefined => {
  const [, area, value] =
    new RegExp(`<textarea[^>]*name="${name}"[^>]*>\\n([\\s\\S]*?)</textarea>|name="${name}" value="([^"]*)"`).exec(page) ?? []
  return (area ?? value) === undefined ? undefined : plain(area ?? value ?? '')
}

describe('what a reader typed, after a refusal', () => {
  /** As a form sends it; its fields take so many characters. */
  const sentAs = (text: string): string => text.slice(0, 2_000).toWellFormed().replaceAll('\r\n', '\n')
  const EVERY = 9

  // Each form gets a part of the texts, so that all of them get all.
  test.each(PREVIEW_ADDRESSES.map((path, place) => [path, place % EVERY] as const))('stays text on %s', async (path, turn) => {
    api.answer({})
    const { text: form } = await visit(path)
    const fields = [...form.matchAll(/<(?:textarea|input) id="field-[a-zA-Z]+" name="([a-zA-Z]+)"/g)].map(([, name = '']) => name)
    const send = (text: string) => {
      api.refuse({ problem: problemWith(text) })
      const typed = Object.fromEntries(fields.map((name) => [name, sentAs(text)]))
      return visit(path, { reason: sentAs(text), ...typed, capabilities: 'session:read', verdict: 'split', key: KEY })
    }
    const shapes = new Map<number, string>()
    for (const text of ['harmless', ...HOSTILE.filter((_, place) => place % EVERY === turn)]) {
      const { status, text: page } = await send(text)
      // Without a refusal nothing of it is shown; a number or an amount is refused by the console itself.
      expect({ text, status }).toEqual({ text, status: path.includes('ask-source') && status === 303 ? 303 : status === 400 ? 400 : 409 })
      const shape = shapes.get(status) ?? shapeOf(page)
      shapes.set(status, shape)
      expect({ text, isolates: openIsolates(page) }).toEqual({ text, isolates: 0 })
      expect(shapeOf(page)).toBe(shape)
      if (status !== 303)
        expect({ text, typed: fields.map((name) => typedIn(page, name)) }).toEqual({ text, typed: fields.map(() => sentAs(text)) })
    }
  })

  test('is sent again as it is while the API is away', async () => {
    const path = PREVIEW_ADDRESSES.find((one) => one.startsWith('/do/pause-job')) ?? ''
    for (const text of HOSTILE.filter((_, place) => place % 2 === 0)) {
      api.answer({})
      api.refuse({ problem: { ...problemWith(text), status: 503, code: 'upstream_failure' }, isOfReads: true })
      const { status, text: page } = await visit(path, { reason: `${sentAs(text)}.`, key: KEY })
      expect([status, typedIn(page, 'reason'), typedIn(page, 'key'), openIsolates(page)]).toEqual([503, `${sentAs(text)}.`, KEY, 0])
    }
  })
})

test('a page whose API asks for a wait of a minute says so at once', async () => {
  api.answer({})
  api.refuse({ problem: { ...problemWith('busy'), status: 503, retryable: true, retryAfterSeconds: 60 }, isOfReads: true })
  const { status } = await visit('/disputes')
  expect([status, api.refused()]).toEqual([503, ['listDisputes']])
})

describe('amounts near 10^60', () => {
  const RAW = (10n ** 60n + 7_000_001n).toString()
  const DISPLAY = `${10n ** 54n + 7n}.000001`
  /** Pages whose answers have amounts that they do not show. */
  const WITHOUT = [
    /^\/(?:log-heads|source-items)/,
    /^\/do\/(?!(?:decide|close|overturn|run-verifier|ingest|fire|pause-(?:lane|template)|resume-(?:lane|template)|finalize|observe))/,
  ]
  const huge = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(huge)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, huge(member)]))
    return {
      ...members,
      ...('decimals' in members && { decimals: 6 }),
      ...('rewardAmount' in members && typeof members.rewardAmount === 'number' && { rewardAmount: 1e54 }),
    }
  }

  test.each(ADDRESSES)('are shown to the last digit on %s', async (path) => {
    const documents = (await documentsOf(path)).map(([id, document]) => [id, huge(document)] as const)
    let amounts = 0
    answerWith(documents, (text, kind) => {
      amounts += kind === 'base units' || kind === 'whole units' ? 1 : 0
      return kind === 'base units' ? RAW : kind === 'whole units' ? DISPLAY : text
    })
    const { status, text } = await visit(path)
    const content = text.slice(text.indexOf('<h1>'))
    const widths = [...content.matchAll(/<rect[^>]*? (?:x|width|height)="([^"]*)"/g)].map(([, width]) => Number(width))
    expect({
      path,
      status,
      rounded: /NaN|Infinity|\de[+]\d/.exec(content)?.[0],
      widths: widths.filter((one) => !(one >= 0 && one <= 1_000)),
    }).toEqual({
      ...{ path, status: 200, rounded: undefined, widths: [] },
    })
    const isShown = amounts > 0 && !WITHOUT.some((one) => one.test(path))
    expect([path, content.includes(DISPLAY)]).toEqual([path, isShown])
  })
})
