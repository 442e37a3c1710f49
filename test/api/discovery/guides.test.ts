// The guides as pages: their list, their parts, and what they lead to. test/long/common/guides.test.ts runs their commands.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { SCRIPT } from '../../../pages/style.ts'
import { useApi } from '../support/started.ts'

const api = useApi({ settings: { MCP_HOSTS: '127.0.0.1' }, handlers: (deps) => createToolHandlers(deps) })

const GUIDES = [
  ['first-badge', 'First badge'],
  ['tool-client', 'Connect a tool client'],
  ['own-bond', 'A bond of your own'],
  ['save-borrow-come-home', 'Save, borrow, come home'],
  ['post-a-job', 'Post a job'],
  ['dispute', 'Dispute'],
  ['verify-a-record', 'Verify a record'],
  ['buy-a-verification', 'Buy a verification'],
  ['run-it', 'Run it'],
] as const
const PATHS = GUIDES.map(([name]) => `/docs/guides/${name}`)
/** Address → text of the page. */
const pages = new Map<string, string>()

const pageOf = (path: string): string => pages.get(path) ?? ''
const linksOf = (text: string): string[] => [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, target]) => target ?? '')
const blocksOf = (text: string): string[] => [...text.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, block]) => block ?? '')

beforeAll(async () => {
  for (const path of ['/docs', '/docs/guides', ...PATHS]) pages.set(path, (await api.call(path)).text)
})

describe('the list of guides', () => {
  test('names each guide, what it needs, what it costs and what the reader has at its end', () => {
    const text = pageOf('/docs/guides')
    expect(linksOf(text).filter((link) => link.startsWith('/docs/guides/'))).toEqual(expect.arrayContaining(PATHS))
    for (const [, title] of GUIDES) expect(text).toContain(`>${title}</a></h2>`)
    for (const name of ['Needs', 'Costs', 'At the end']) expect(text.split(`<th scope="row">${name}</th>`).length - 1).toBe(GUIDES.length)
  })

  test('is reached from the start page of the documentation and by its search', async () => {
    expect(linksOf(pageOf('/docs'))).toEqual(expect.arrayContaining(['/docs/guides', ...PATHS]))
    expect(linksOf((await api.call('/docs?q=first%20badge')).text)).toContain('/docs/guides/first-badge')
    expect(linksOf((await api.call('/docs?q=take%20it%20home')).text)).toContain('/docs/guides/own-bond')
  })
})

describe('the page of a guide', () => {
  test.each(PATHS)('at %s has at most 50 kB, loads nothing, and runs only the script that copies', async (path) => {
    const { status, headers, text } = await api.call(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .* form-action 'none'/)
    expect(Buffer.byteLength(text)).toBeLessThan(50_000)
    expect(text.replace(`<script>${SCRIPT}</script>`, '').match(/<script|<img|<iframe|src=|@import|url\(|\son\w+=/i)).toBeNull()
  })

  test.each(PATHS)('at %s begins with what it takes; each step has one block, its output and its refusals', (path) => {
    const text = pageOf(path)
    const [head = '', ...steps] = text.split('<h2 id="step-')
    for (const name of ['You need', 'It costs', 'At the end you have']) expect(head).toContain(`<th scope="row">${name}</th>`)
    expect(steps.length).toBeGreaterThan(2)
    for (const step of steps) {
      expect(blocksOf(step)).toHaveLength(1)
      expect(step.match(/<samp>[^<]+<\/samp>/g)).toHaveLength(1)
      expect(step).toMatch(/When it is refused:<\/p><ul><li>/)
    }
    expect(linksOf(head).filter((link) => link.startsWith('#step-'))).toHaveLength(steps.length)
  })

  test.each(PATHS)('at %s has blocks that name this service, or the one that they start, and leave nothing out', (path) => {
    const blocks = blocksOf(pageOf(path)).join('\n')
    expect(blocks).toContain(path.endsWith('/run-it') ? 'SERVICE=$(npm run --silent status' : 'https://work.example')
    expect(blocks).not.toMatch(/…|\.\.\.|&lt;[a-z]+&gt;/)
  })

  test.each(['/docs/guides', ...PATHS])('at %s has no link into nothing', async (path) => {
    const faults: string[] = []
    for (const link of new Set(linksOf(pageOf(path)))) {
      const [target = '', anchor] = link.split('#')
      const to = target === '' || target === path ? pageOf(path) : (await api.call(target)).text
      if (target.startsWith('/docs') && (await api.call(target)).status !== 200) faults.push(link)
      if (anchor !== undefined && !to.includes(` id="${anchor}"`)) faults.push(link)
    }
    expect(faults).toEqual([])
  })

  test.each(['/docs/guides/nothing-here', '/docs/guides/constructor'])('is missing at %s, as a page too', async (path) => {
    const { status, body } = await api.call(path)
    expect([status, body.code]).toEqual([404, 'docs_page_not_found'])
    const shown = await api.call(path, { headers: { accept: 'text/html' } })
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })
})
