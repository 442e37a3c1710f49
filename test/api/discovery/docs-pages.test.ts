// The documentation as pages: start, subjects, error codes and search, generated from the registry.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { isCalledAlone } from '../../../api/discovery/pages/docs-snippets.ts'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { SCRIPT } from '../../../pages/style.ts'
import { ERRORS, type ErrorCode } from '../../../schemas/errors.ts'
import { errorsOf } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { TAGS } from '../../../schemas/operations/tags.ts'
import { useApi } from '../support/started.ts'

const api = useApi({ settings: { MCP_HOSTS: '127.0.0.1' }, handlers: (deps) => createToolHandlers(deps) })

const SUBJECTS = TAGS.map(({ name }) => `/docs/${name.toLowerCase().replaceAll(' ', '-')}`)
const CODES = Object.keys(ERRORS) as ErrorCode[]
/** Address → text of the page. */
const pages = new Map<string, string>()

const read = async (path: string): Promise<string> => (await api.call(path)).text
const pageOf = (path: string): string => pages.get(path) ?? ''
const linksOf = (text: string): string[] => [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, target]) => target ?? '')
const anchorsOf = (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '')
/** A page without the one script that every page has. */
const withoutScript = (text: string): string => text.replace(`<script>${SCRIPT}</script>`, '')
const findings = (text: string): string[] =>
  linksOf(text.replaceAll(/<nav[\s\S]*?<\/nav>/g, '')).filter((target) => target.startsWith('/docs/'))

beforeAll(async () => {
  const paths = ['/docs', '/docs/errors', '/docs?q=claim', ...SUBJECTS, ...CODES.map((code) => `/docs/errors/${code}`)]
  for (const path of paths) pages.set(path, await read(path))
})

describe('the documentation', () => {
  test.each([
    ['/docs', "'self'"],
    ['/docs?q=claim', "'self'"],
    ['/docs/jobs', "'none'"],
    ['/docs/errors', "'none'"],
    ['/docs/errors/job_not_found', "'none'"],
  ])('loads nothing and runs its own script alone at %s, and sends a form only for its search', async (path, forms) => {
    const { status, headers } = await api.call(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self' data:; base-uri 'none'; /,
    )
    expect(headers.get('content-security-policy')).toContain(` form-action ${forms}; frame-ancestors 'none'`)
  })

  test('has pages without another script, an outside address or an id that stands twice', () => {
    for (const [path, text] of pages) {
      expect([path, withoutScript(text).match(/<script|<img|<iframe|src=|@import|url\(|\son\w+=/i)]).toEqual([path, null])
      expect(linksOf(text).filter((target) => !/^[#/]/.test(target))).toEqual([])
      expect([path, new Set(anchorsOf(text)).size]).toEqual([path, anchorsOf(text).length])
    }
  })

  test('has pages of at most 150 kB, and 50 kB where no subject is described', () => {
    const tooLarge = [...pages].filter(([path, text]) => text.length > (SUBJECTS.includes(path) ? 150_000 : 50_000))
    expect(tooLarge.map(([path, text]) => [path, text.length])).toEqual([])
  })

  test('has no link into nothing: to no missing anchor, and to no path that no operation has', () => {
    const faults: string[] = []
    const elsewhere = new Set<string>()
    for (const [path, text] of pages)
      for (const link of linksOf(text)) {
        const [target = '', anchor] = link.split('#')
        const to = pages.get(target === '' ? path : target)
        if (to === undefined) elsewhere.add(target)
        else if (anchor !== undefined && !to.includes(` id="${anchor}"`)) faults.push(`${path}: ${link}`)
      }
    const routes = operationList.map(({ path }) => path)
    // guides.test.ts follows the links of guides.
    const isKnown = (target: string): boolean => routes.includes(target) || target.startsWith('/docs/guides/')
    expect(faults.concat([...elsewhere].filter((target) => !isKnown(target)))).toEqual([])
  })

  test('escapes what it shows', () => {
    for (const text of pages.values()) expect(text.match(/<pre[^>]*>[^<]*<(?!\/pre>)/)).toBeNull()
    expect(pageOf('/docs/jobs')).toContain('&quot;')
  })

  test.each(['/docs/nothing-here', '/docs/errors/nothing_here', '/docs/errors/constructor'])('has no page at %s', async (path) => {
    const { status, body } = await api.call(path)
    expect([status, body.code]).toEqual([404, 'docs_page_not_found'])
  })
})

describe('the start page', () => {
  test.each([
    ['amounts', /A request gives an amount as digits in base units/],
    ['headers', /address and header fields of at most 16 KiB together/],
  ])('states the rule of %s that refusals and answers follow', (_name, rule) => {
    expect(pageOf('/docs')).toMatch(rule)
  })

  test('leads to every subject and every operation, and its commands name this service', () => {
    const links = linksOf(pageOf('/docs'))
    expect(links).toEqual(expect.arrayContaining([...SUBJECTS, '/docs/errors', '/openapi.json', '/llms.txt', '/docs/tools', '/verify']))
    for (const { id } of operationList) expect(links.filter((link) => link.endsWith(`#op-${id}`))).toHaveLength(1)
    expect(pageOf('/docs')).toContain('export AGENT_WORK_URL=&#39;https://work.example&#39;')
  })
})

describe('the page of a subject', () => {
  test('describes each operation once, with a command of this service and its error codes', () => {
    for (const spec of operationList) {
      const homes = SUBJECTS.filter((path) => pageOf(path).includes(` id="op-${spec.id}"`))
      expect([spec.id, homes.length]).toEqual([spec.id, 1])
      const [, section = ''] = pageOf(homes[0] ?? '').split(` id="op-${spec.id}"`)
      const own = section.split('<h2')[0] ?? ''
      if (!isCalledAlone(spec)) {
        expect(own).not.toContain('<summary>curl')
        continue
      }
      expect(own).toMatch(/<summary>curl<\/summary><pre tabindex="0">curl -sN? (?:-X POST )?(?:&#39;|&quot;)https:\/\/work\.example\//)
      expect(own).toMatch(new RegExp(`<summary>TypeScript</summary><pre tabindex="0">[^<]*client\\.${spec.id}\\(`))
      expect(findings(own)).toEqual(expect.arrayContaining(errorsOf(spec).map((code) => `/docs/errors/${code}`)))
    }
  })

  test('shows the members of a request and an answer, inner ones too, and leads to named shapes', () => {
    const jobs = pageOf('/docs/jobs')
    for (const name of ['jobId', 'inventory.claimableJobs', 'filters.tier']) expect(jobs).toContain(`<code>${name}</code>`)
    expect(jobs).toContain('<a href="/docs/jobs#shape-CompactJob">CompactJob</a>')
    expect(jobs).toContain('<summary>Example of an answer 200</summary>')
  })

  test('describes each shape on one page alone', () => {
    const shapes = SUBJECTS.flatMap((path) => anchorsOf(pageOf(path)).filter((id) => id.startsWith('shape-')))
    expect(new Set(shapes).size).toBe(shapes.length)
    expect(shapes.length).toBeGreaterThan(100)
  })
})

describe('the pages of error codes', () => {
  test('explain each code at the address its problem document points to', async () => {
    const { body } = await api.call('/nowhere')
    expect(body.type).toBe('https://work.example/docs/errors/not_found')
    for (const code of CODES) {
      expect(linksOf(pageOf('/docs/errors'))).toContain(`/docs/errors/${code}`)
      expect(pageOf(`/docs/errors/${code}`)).toContain(`<code>${code}</code>`)
    }
  })

  test('name the operations that answer the code, and no other', () => {
    const answering = operationList.filter((spec) => errorsOf(spec).includes('job_already_claimed')).map(({ id }) => id)
    const named = findings(pageOf('/docs/errors/job_already_claimed')).flatMap((link) => link.split('#op-')[1] ?? [])
    expect(answering).toContain('claimJob')
    expect(named.toSorted()).toEqual(answering.toSorted())
    expect(pageOf('/docs/errors/internal_error')).toContain('Every operation.')
  })

  test.each([
    ['state_store_unavailable', 'can succeed later'],
    ['job_already_claimed', 'is refused again'],
  ])('say of %s whether the same request again %s', (code, words) => {
    expect(pageOf(`/docs/errors/${code}`)).toContain(`The same request again</th><td>${words}`)
  })
})

describe('the search', () => {
  test('finds guides, operations, error codes and shapes, those with the word in their name first', () => {
    const found = findings(pageOf('/docs?q=claim'))
    expect(found[0]).toBe('/docs/guides/first-badge')
    expect(found.find((link) => !link.startsWith('/docs/guides/'))).toMatch(/^\/docs\/\S+#op-/)
    expect(found).toEqual(expect.arrayContaining(['/docs/jobs#op-claimJob', '/docs/errors/claim_expired', '/docs/jobs#shape-ClaimStatus']))
    expect(found).not.toContain('/docs/sign-in#op-fetchAuthNonce')
  })

  test('wants every word, in any case', async () => {
    const found = findings(await read('/docs?q=JOB%20%20already%20claimed'))
    expect(found).toEqual(['/docs/errors/job_already_claimed'])
  })

  test('says when it finds nothing, and shows what was asked as text', async () => {
    const text = await read(`/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(withoutScript(text)).not.toContain('<script')
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(text).toContain('Nothing does.')
  })

  test('of nothing is the start page, and of more than 100 characters a refusal', async () => {
    expect(await read(`/docs?q=${encodeURIComponent('שלום')}`)).toContain('value="שלום"')
    expect(await read('/docs?q=%20')).toBe(pageOf('/docs'))
    expect((await api.call(`/docs?q=${'x'.repeat(101)}`)).status).toBe(400)
  })
})
