// Texts of strangers, amounts of any size and members of a newer API on the pages of the console.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PAGES } from '../../../console/pages/all.ts'
import { fillBank } from '../../api/support/listed-job.ts'
import { addSessionCase, type SessionCase, sessionCases, TEXT } from '../../api/support/session-cases.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'
import { HOSTILE } from '../../support/texts/hostile-texts.ts'
import { WEBHOOK_SECRET } from '../../support/webhooks/rows.ts'
import { startChangedApi } from './support/changed-api.ts'
import { type StartedConsole, startConsole } from './support/console.ts'
import { openIsolates, skeleton } from './support/markup.ts'
import { useRecords } from './support/records.ts'

const WALLET = `0x${'a1'.repeat(20)}`
const empty = useRecords({ hasCrossChain: true, settings: { WEBHOOKS: 'true', WEBHOOK_SECRETS: WEBHOOK_SECRET } })
const records = useRecords()
let api: Awaited<ReturnType<typeof startChangedApi>>
let site: StartedConsole
let pages: string[]

const STATES = ['claim', 'review', 'arbitration-of-participant', 'paid', 'diverged-and-closed']
beforeAll(async () => {
  const { database } = records.api.deps
  await fillBank(database)
  const cases = sessionCases(Date.now())
  const added: Awaited<ReturnType<typeof addSessionCase>>[] = []
  for (const name of STATES)
    added.push(await addSessionCase(database, Date.now(), { name, wallet: WALLET, ...(cases[name] as SessionCase) }))
  api = await startChangedApi(records.api.url)
  site = await startConsole(api.url)
  const session = (place: number) => `/session?sessionId=${encodeURIComponent(added[place]?.sessionId ?? '')}`
  pages = [
    '/',
    '/sessions',
    session(2),
    session(4),
    `/dispute?disputeId=${added[2]?.disputeId}`,
    '/payments/day',
    `/wallet?wallet=${WALLET}`,
  ]
})
afterAll(async () => {
  await site.close()
  await api.close()
})

const visit = (path: string) => site.visit(path, { token: records.tokens.admin })

/** Texts of strangers in an answer: titles, descriptions, statements, notes, rationales. */
const withText =
  (text: string) =>
  (answer: string, path: string): string => {
    const written = JSON.stringify(text).slice(1, -1)
    const replaced = answer
      .replaceAll(/Title of [a-z-]+|Design the retry policy of a client\./g, () => written)
      .replaceAll(TEXT, () => written)
    if (!/^\/disputes\/[^/]+$/.test(path)) return replaced
    const at = new Date(0).toISOString()
    return JSON.stringify({
      ...JSON.parse(replaced),
      statement: { text, at, hash: '0x' },
      rationale: text,
      verdict: 'split',
      decidedBy: WALLET,
      decidedAt: at,
    })
  }

/** Addresses have a length that a server takes. */
const shorter = (text: string): string => text.slice(0, 500).toWellFormed()

const HARMLESS = 'harmless'
/** Each page gets a fifth of the texts, so that all of them get all. That each page stands each text: test/console/strange-answers.test.ts. */
const PARTS = 5
/** Hostile texts of one part whose page differs from that of a harmless one. */
const differing = async (part: number, pathOf: (text: string) => string, textOf: (text: string) => string): Promise<unknown[]> => {
  const show = async (text: string) => {
    api.set(withText(textOf(text)))
    const { status, text: page } = await visit(pathOf(text))
    return { status, page, tags: skeleton(page).join('\n') }
  }
  const harmless = await show(HARMLESS)
  expect(harmless.status).toBe(200)
  if (textOf(HARMLESS) === HARMLESS && pathOf('x') !== '/payments/day') expect(harmless.page).toContain(HARMLESS)
  const found: unknown[] = []
  for (const text of HOSTILE.filter((_text, index) => PLAYS_ALL || index % PARTS === part % PARTS)) {
    const { status, page, tags } = await show(text)
    if (status !== 200 || tags !== harmless.tags || openIsolates(page) !== 0) found.push([text, status, openIsolates(page)])
  }
  return found
}

describe('a hundred hostile texts', () => {
  test('there are', () => expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(100))

  test.each(Array.from({ length: 7 }, (_, place) => [place] as const))('of strangers stay texts on page %d', async (place) => {
    expect(
      await differing(
        place,
        () => pages[place] ?? '',
        (text) => text,
      ),
    ).toEqual([])
  })

  const ADDRESSES = [
    ...['/sessions?jobId=', '/sessions?status=', '/sessions?cursor=', '/?kind=', '/payments/day?day=', '/grants?subject='],
    ...['/sign-in?next=', '/?done=', '/jobs?state='],
  ]
  beforeAll(async () => {
    // The answers that any filter then finds.
    for (const path of ['/payments', '/payments/day', '/grants', '/jobs']) await visit(path)
  })
  test.each(ADDRESSES.map((address, place) => [address, place] as const))('stay texts in the address %s', async (address, place) => {
    expect(
      await differing(
        place,
        (text) => address + encodeURIComponent(shorter(text)),
        () => 'a title',
      ),
    ).toEqual([])
  })

  test('in a search lead to a page of the console', async () => {
    for (const text of HOSTILE) {
      const { status, location } = await visit(`/search?q=${encodeURIComponent(shorter(text))}`)
      expect([text, status, /^\/(?:[a-z]+\?[a-zA-Z]+=[^"<>\s]*)?$/.test(location ?? '')]).toEqual([text, 303, true])
    }
  })
})

test('amounts near 10^60 are shown to the last digit', async () => {
  const display = `${10n ** 54n + 7n}.000001`
  const raw = (10n ** 60n + 7_000_001n).toString()
  api.set((text) => text.replaceAll(/"raw":"\d+","decimals":6,"display":"[\d.]+"/g, `"raw":"${raw}","decimals":6,"display":"${display}"`))
  for (const page of pages.filter((one) => one !== '/payments/day'))
    expect([page, (await visit(page)).text.includes(display)]).toEqual([page, true])
})

test('states, reasons and members of a newer API are shown as words', async () => {
  api.set((text) =>
    text
      .replaceAll(/"(status|stage|effectiveState)":"[a-z_]+"/g, '"$1":"held_by_newer_part","newMember":{"deep":[1]}')
      .replaceAll(/"waitingFor":"[a-z_]+"/g, '"waitingFor":"an_oracle"')
      .replaceAll(/"(reason|heldBecause)":(?:"[a-zA-Z_]+"|null)/g, '"$1":"reason_of_newer_api"'),
  )
  for (const page of pages.slice(1, 5)) {
    const { status, text } = await visit(page)
    expect([page, status, /undefined|\[object/.exec(text)?.[0]]).toEqual([page, 200, undefined])
    expect([page, text.includes('held by newer part')]).toEqual([page, true])
  }
  const { text } = await visit(pages[2] ?? '')
  expect(text).toContain('an oracle')
  expect(text).toContain('Reason of newer api.')
})

test('an API that does not answer in time is described in words, and the sign-in stays', async () => {
  const hasty = await startConsole(api.url, { CONSOLE_API_TIMEOUT_SECONDS: '0.05' })
  api.fallSilent(true)
  const { status, text, headers } = await hasty.visit('/sessions', { token: records.tokens.admin })
  api.fallSilent(false)
  expect([status, headers.get('set-cookie')]).toEqual([502, null])
  expect(text).toContain('The API does not answer')
  await hasty.close()
})

describe('an empty service', () => {
  const shown = PAGES.filter(({ group }) => group !== undefined)
  test.each(shown.map(({ path }) => path))('%s says what it would show', async (path) => {
    const token = path === '/reviews' ? empty.tokens.verifier : empty.tokens.admin
    const { status, text } = await empty.site.visit(path, { token })
    const [, content = ''] = text.split('<h1>')
    expect([path, status, /undefined|\[object|NaN/.exec(content)?.[0]]).toEqual([path, 200, undefined])
    expect(content.includes('class="rows"') || /\b(?:No|Nothing|None|none|not)\b/.test(content)).toBe(true)
  })

  test.each([
    ['/xcm', 'has no wrapper for requests to other chains'],
    ['/webhooks', 'offers no webhooks'],
  ])('%s says that a service does not have it', async (path, text) => {
    const page = await records.site.visit(path, { token: records.tokens.admin })
    expect([path, page.text.includes(text), page.text.includes('The console failed')]).toEqual([path, true, false])
  })
})
