// One address, several forms: a program gets the same bytes before and after a browser asked, and every `Accept` gets the form that it names.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { needsToken, type OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { eventually } from '../../support/eventually.ts'
import type { Agent } from '../support/http.ts'
import { encode } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'
import { fillPages, type PageName } from './page-addresses.ts'

const world = useWorld({ shared: true })
let paths: Record<PageName, string>
let agent: Agent

beforeAll(async () => {
  ;({ agent, paths } = await fillPages(world()))
})

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'
const PROGRAMS = [undefined, '*/*', 'application/json'] as const

/** Pages by operation: every form of an answer that has one. */
const PAGES: Readonly<Record<string, readonly PageName[]>> = {
  listJobs: ['jobs', 'filtered jobs', 'no jobs'],
  getJobDefinition: ['job', 'finished job'],
  getBadge: ['badge'],
  listAgents: ['agents'],
  getAgentProfile: ['profile'],
  getReceipt: ['receipt'],
  getPool: ['pool'],
  listLogHeads: ['log heads'],
  getShare: ['shared session', 'shared profile'],
}
const RENDERED = Object.entries(PAGES).flatMap(([id, names]) => names.map((name) => [id, name] as const))

/** A stream has no end, and the metrics count every request. */
const ENDLESS = ['streamEvents', 'getMetrics']
const OTHERS = operationList.filter(({ id, method, hasPage }) => method === 'GET' && !hasPage && !ENDLESS.includes(id))
/** What the processes measure of themselves differs between any two requests. */
const MEASURED = ['getHealth', 'getGasHealth', 'getAdminStatus']

const addressOf = ({ path, examples }: OperationSpec): string => {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => encode(examples?.params?.[name] ?? ''))
  return `${filled}?${new URLSearchParams(examples?.query)}`
}

interface Form {
  status: number
  text: string
  headers: Record<string, string | null>
}

/** What a cache or a client keeps of an answer. */
const KEPT = [
  'content-type',
  'cache-control',
  'etag',
  'vary',
  'link',
  'content-security-policy',
  'referrer-policy',
  'x-robots-tag',
  'allow',
]

const ask = async (path: string, accept?: string, more: Record<string, string> = {}): Promise<Form> => {
  const headers = { ...(accept !== undefined && { accept }), 'x-request-id': 'the-same', 'accept-encoding': 'identity', ...more }
  const response = await fetch(world().base + path, { headers })
  return {
    status: response.status,
    text: await response.text(),
    headers: Object.fromEntries(KEPT.map((name) => [name, response.headers.get(name)])),
  }
}

/** An answer without the instant at which it was made; a body that holds the instant of its request has another tag each time. */
const withoutItsTime = ({ text, headers, ...form }: Form): Form => ({
  ...form,
  headers: text.includes('"fetchedAt":') ? { ...headers, etag: null } : headers,
  text: text.replaceAll(/"(fetchedAt|asOf)":"[^"]*"/g, '"$1":""'),
})

/** What programs get of an address, before and after a browser asked; once nothing else changes it meanwhile. */
const askAround = async (
  path: string,
  headers: Record<string, string> = {},
  comparable: (form: Form) => Form = withoutItsTime,
): Promise<{ programs: Form[]; browser: Form }> => {
  const round = async () => {
    const before = await Promise.all(PROGRAMS.map((accept) => ask(path, accept, headers)))
    const browser = await ask(path, CHROME, headers)
    const after = await Promise.all(PROGRAMS.map((accept) => ask(path, accept, headers)))
    return { programs: [...before, ...after].map(comparable), browser }
  }
  return eventually(`one answer at ${path}`, round, ({ programs }) => new Set(programs.map((form) => JSON.stringify(form))).size === 1)
}

/** Names of the members of a measured answer. */
const withoutMeasures = ({ text, headers, ...form }: Form): Form => ({
  ...form,
  headers: { ...headers, etag: null },
  text: Object.keys(JSON.parse(text)).join(),
})

const tokenOf = ({ role, auth }: OperationSpec): Record<string, string> => {
  const caller = role === undefined ? agent : [role].flat().includes('admin') ? world().admin : world().verifier
  return needsToken({ auth } as OperationSpec) ? { authorization: `Bearer ${caller.token()}` } : {}
}

describe('the JSON of an address', () => {
  test('is tried for each operation that has a page', () => {
    expect(Object.keys(PAGES).sort()).toEqual(
      operationList
        .filter(({ hasPage }) => hasPage)
        .map(({ id }) => id)
        .sort(),
    )
  })

  test.each(RENDERED)('of %s stays as it is when a browser asks for %s', async (_id, name) => {
    const { programs, browser } = await askAround(paths[name])
    const [json] = programs
    expect([json?.status, json?.headers['content-type'], json?.headers.link]).toEqual([200, 'application/json; charset=utf-8', null])
    expect(() => JSON.parse(json?.text ?? '')).not.toThrow()
    expect(browser.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(browser.headers.link).toBe(`<${paths[name]}>; rel="alternate"; type="application/json"`)
    expect([json?.headers.vary, browser.headers.vary].filter((vary) => !/\bAccept\b(?!-)/.test(vary ?? ''))).toEqual([])
  })

  test.each(OTHERS.map((spec) => [spec.id, spec] as const))('of %s stays as it is for every reader', async (_id, spec) => {
    const { programs, browser } = await askAround(addressOf(spec), tokenOf(spec), MEASURED.includes(spec.id) ? withoutMeasures : undefined)
    const [answer] = programs
    // Without a page the browser gets the answer, too; of a refusal it gets the page.
    if (answer?.status === 200) expect(browser.headers['content-type']).toBe(answer.headers['content-type'])
    else
      expect([answer?.headers['content-type'], browser.headers['content-type']]).toEqual([
        'application/problem+json',
        'text/html; charset=utf-8',
      ])
    expect(answer?.headers.link === null || spec.id === 'getApiCatalog').toBe(true)
  })
})

describe('a tag', () => {
  const TAGGED = RENDERED.filter(([id]) => id !== 'getShare')

  test.each(TAGGED)('of %s names one form of %s: that of the page is none of the JSON, and the other way round', async (_id, name) => {
    const held = { page: '', json: '' }
    const forms = async () => {
      const [page, json] = await Promise.all([ask(paths[name], CHROME), ask(paths[name])])
      held.page = page.headers.etag ?? ''
      held.json = json.headers.etag ?? ''
      const with_ = async (accept: string | undefined, tag: string) => (await ask(paths[name], accept, { 'if-none-match': tag })).status
      return {
        own: [await with_(CHROME, held.page), await with_(undefined, held.json)],
        crossed: [await with_(CHROME, held.json), await with_(undefined, held.page), await with_('*/*', `W/${held.page}`)],
      }
    }
    // Others change a list meanwhile, and a profile says when it was read.
    const found = await eventually(
      'two answers of one state',
      forms,
      ({ own }) => name === 'profile' || own.every((status) => status === 304),
    )
    expect([held.page === held.json, found.crossed]).toEqual([false, [200, 200, 200]])
  })
})

const LONG = 'a/b, '.repeat(1_600)
const ACCEPTS: readonly (readonly [who: string, accept: string | undefined, form: 'page' | 'json'])[] = [
  ['Chrome', CHROME, 'page'],
  ['Firefox', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'page'],
  ['an older Firefox', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'page'],
  ['Safari', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'page'],
  ['lynx', 'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01', 'page'],
  ['w3m', 'text/html, text/*;q=0.5, image/*, application/*', 'page'],
  ['Googlebot', 'text/html,application/xhtml+xml,application/signed-exchange;v=b3,application/xml;q=0.9,*/*;q=0.8', 'page'],
  ['bingbot', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'page'],
  ['Slackbot, facebookexternalhit and Twitterbot as seen', '*/*', 'json'],
  ['curl', '*/*', 'json'],
  ['fetch of a browser', '*/*', 'json'],
  ['axios', 'application/json, text/plain, */*', 'json'],
  ['Python requests', '*/*', 'json'],
  ['Java', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'page'],
  ['a client without a wish', undefined, 'json'],
  ['capitals', 'TEXT/HTML', 'page'],
  ['a charset', 'text/html; charset=utf-8', 'page'],
  ['a quoted charset', 'text/html;charset="UTF-8"', 'page'],
  ['another parameter', 'text/html;level=1', 'json'],
  ['blanks', '  text/html ;q=1 , */* ; q=0.1', 'page'],
  ['tabs', 'text/html\t,\t*/*;q=0.1', 'page'],
  ['HTML refused', 'text/html;q=0', 'json'],
  ['HTML refused, all else taken', 'text/html;q=0, */*', 'json'],
  ['JSON preferred', 'application/json;q=0.9,text/html;q=0.8', 'json'],
  ['HTML preferred', 'application/json;q=0.8,text/html;q=0.9', 'page'],
  ['both alike, JSON first', 'application/json, text/html', 'json'],
  ['both alike, HTML first', 'text/html, application/json', 'page'],
  ['HTML behind everything', 'text/html;q=0.1, */*;q=0.9', 'json'],
  ['XHTML alone', 'application/xhtml+xml', 'json'],
  ['XML', 'application/xml, text/xml', 'json'],
  ['a picture', 'image/avif,image/webp,image/*,*/*;q=0.8', 'json'],
  ['an event stream', 'text/event-stream', 'json'],
  ['a problem document', 'application/problem+json', 'json'],
  ['any application', 'application/*', 'json'],
  ['nothing', '', 'json'],
  ['one star', '*', 'json'],
  ['a slash', '/', 'json'],
  ['semicolons', ';;;', 'json'],
  ['commas', ',,,,', 'json'],
  ['a quote that stays open', '"text/html', 'json'],
  ['half a type', 'text', 'json'],
  ['a longer type', 'text/htmlx', 'json'],
  ['a quality that is no number', 'text/html;q=abc', 'json'],
  ['an empty quality', 'text/html;q=', 'json'],
  ['a prototype', '__proto__/constructor', 'json'],
  ['bytes', '\u00ff\u00fe/\u00a0', 'json'],
  ['8 kB that end in HTML', `${LONG}text/html`, 'page'],
  ['8 kB that end in everything', `${LONG}*/*`, 'json'],
  ['8 kB of parameters', `text/html${';x=y'.repeat(2_000)}`, 'json'],
  ['8 kB without a comma', 'x'.repeat(8_000), 'json'],
]
/** A program that takes any text gets the page of an answer, as nothing else is text; of a refusal it gets the document. */
const TEXTS = ['text/*', 'text/*;q=0.5', '*/*, application/json;q=0']

const TYPES = { page: 'text/html; charset=utf-8', json: 'application/json; charset=utf-8' }

describe('an Accept', () => {
  test.each(ACCEPTS)('of %s gets the form that it prefers, of an answer and of a refusal: %j', async (_who, accept, form) => {
    const [answer, refusal] = await Promise.all([ask(paths.badge, accept), ask('/jobs/definition?jobId=nothing-here', accept)])
    expect([answer.status, answer.headers['content-type']]).toEqual([200, TYPES[form]])
    expect([refusal.status, refusal.headers['content-type']]).toEqual([404, form === 'page' ? TYPES.page : 'application/problem+json'])
  })

  test.each(TEXTS)('%s gets the page of an answer and the document of a refusal', async (accept) => {
    const [answer, refusal] = await Promise.all([ask(paths.badge, accept), ask('/jobs/definition?jobId=nothing-here', accept)])
    expect([answer.headers['content-type'], refusal.headers['content-type']]).toEqual([TYPES.page, 'application/problem+json'])
  })

  test('changes nothing of a private record: a page and JSON refuse it as an unknown one', async () => {
    const stranger = await world().agent()
    const unknown = `/agents/0x${'a'.repeat(40)}`
    for (const accept of [CHROME, '*/*']) {
      const [hidden, none] = await Promise.all([ask(`/agents/${stranger.account.address.toLowerCase()}`, accept), ask(unknown, accept)])
      const wallet = /0x[0-9a-f]{40}/gi
      expect({ ...hidden, text: hidden.text.replaceAll(wallet, '') }).toEqual({ ...none, text: none.text.replaceAll(wallet, '') })
      expect(hidden.status).toBe(404)
    }
  })
})

describe('the Link of a page', () => {
  test('holds no character that ends its target', async () => {
    const { headers } = await ask('/jobs?category=%3Cb%3E&x=%22', CHROME)
    expect(headers.link).toBe('</jobs?category=%3Cb%3E&x=%22>; rel="alternate"; type="application/json"')
  })
})
