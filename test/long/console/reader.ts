// A person with a browser at the console.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createClient } from '../../../client/src/index.ts'
import { ACTIONS } from '../../../console/actions/all.ts'
import { PAGES } from '../../../console/pages/all.ts'
import { accessOf } from '../../../console/session/access.ts'

/** What a reader has beside a browser: a token of the cookie, and what differs from a wide light screen. */
export interface ReaderOptions extends BrowserContextOptions {
  token?: string
}

/** Opens a browser at the console of this address. Collects what the console of the browser says, errors of pages and requests to other origins. */
export const openReader = async (browser: Browser, site: string, { token, ...options }: ReaderOptions = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const faults: string[] = []
  const watch = (page: Page): void => {
    page.on('console', (message) => faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${site}/`) && !request.url().startsWith('data:')) faults.push(request.url())
    })
  }
  context.on('page', watch)
  if (token !== undefined) await context.addCookies([cookieOf(site, token)])
  const page = await context.newPage()
  const visit = (path: string) => page.goto(site + path, { waitUntil: 'domcontentloaded' })
  return { context, page, faults, visit, close: () => context.close() }
}

/** The cookie of a sign-in. Browsers take it from this machine as they do over HTTPS. */
export const cookieOf = (site: string, value: string) => ({
  name: '__Host-console',
  value,
  domain: new URL(site).hostname,
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'Strict' as const,
})

/** Gives the token of a reader who has the page or action of a path. */
export type TokenFor = (path: string) => string

/** Reads what each token may do. */
export const tokensOf = async (base: string, tokens: Readonly<Record<string, string>>): Promise<TokenFor> => {
  const readers = await Promise.all(
    ['admin', 'arbitrator', 'verifier'].map(async (role) => {
      const token = tokens[role] ?? ''
      return { token, access: accessOf(await createClient({ baseUrl: base, token }).getAuthSession()) }
    }),
  )
  return (path) => {
    const action = ACTIONS.find(({ name }) => path === `/do/${name}`)
    const operations = action ? [action.operation, ...(action.reads ?? [])] : (PAGES.find((page) => page.path === path)?.operations ?? [])
    const reader = readers.find(({ access }) => operations.every(access.may))
    if (reader === undefined) throw new Error(`no reader has ${path}`)
    return reader.token
  }
}

/** Waits until the page follows the events. */
export const isLive = (page: Page): Promise<void> => page.locator('#as-of').getByText('Live', { exact: true }).waitFor()
/** Presses the button with this name. */
export const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
/** Follows the link with this name. */
export const follow = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).first().click()

/** Signs in with the token of a service, by the form. */
export const signInByToken = async (page: Page, token: string): Promise<void> => {
  await page.getByLabel('Token of a service').fill(token)
  await press(page, 'Sign in')
}

/** The heading of the page that is shown. */
export const headingOf = async (page: Page): Promise<string> => (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''

/** What the keyboard reaches, in the order of the page. */
const KINDS = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[tabindex="0"]']
const controlsWithin = (place: string): string => KINDS.map((kind) => `${place} ${kind}:visible`).join(', ')

/** Elements by their tags, and their ids, addresses, labels or texts. Runs in the browser. */
const namesOf = (elements: unknown): string[] =>
  (elements as { tagName: string; id: string; textContent: string; getAttribute(name: string): string | null }[]).map(
    (element) =>
      `${element.tagName.toLowerCase()} ${element.id || element.getAttribute('href') || element.getAttribute('aria-label') || element.textContent.trim() || element.getAttribute('value')}`,
  )

/** Names of the controls of a page, or of a part of it. */
export const controlsOf = (page: Page, place = 'body'): Promise<string[]> => page.locator(controlsWithin(place)).evaluateAll(namesOf)
/** Name of what is focused. An update takes the focus for a moment, and gives it back: that is waited for. */
export const focusedOf = async (page: Page): Promise<string> => {
  await page.locator(':focus').waitFor({ state: 'attached' })
  return (await page.locator(':focus').evaluateAll(namesOf))[0] ?? focusedOf(page)
}

/** Whether a reader sees that an element has the focus. Runs in the browser. */
const focusOf = (element: unknown) => {
  const { getComputedStyle } = globalThis as unknown as {
    getComputedStyle(one: unknown): { outlineStyle: string; outlineWidth: string; boxShadow: string }
  }
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
  return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
}

/** Presses Tab once. Name of what has the focus then, which must be seen. */
export const tab = async (page: Page): Promise<string> => {
  await page.keyboard.press('Tab')
  const [isSeen, name] = await Promise.all([page.locator(':focus').evaluate(focusOf), focusedOf(page)])
  if (!isSeen) throw new Error(`the focus on ${name} cannot be seen`)
  return name
}

/** More than the controls of any page. */
const MOST_TABS = 200
/** Presses Tab until a control has the focus. */
export const tabTo = async (page: Page, wanted: string): Promise<void> => {
  const reached: string[] = []
  while (reached.length < MOST_TABS) {
    reached.push(await tab(page))
    if (reached.at(-1) === wanted) return
  }
  throw new Error(`Tab does not reach ${wanted}, but ${[...new Set(reached)].join(', ')}`)
}

/** Goes to the content by its link, which is the first that Tab reaches. */
export const skipToContent = async (page: Page): Promise<void> => {
  await tabTo(page, 'a #content')
  await page.keyboard.press('Enter')
}
