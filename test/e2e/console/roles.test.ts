// Pages and actions by the role of their reader, on the API of a stack. That `may` says what the API allows, for every operation and kind of caller:
// test/api/identity/authorisation.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createClient } from '../../../client/src/index.ts'
import { actionAddress } from '../../../console/actions/action.ts'
import { ACTIONS } from '../../../console/actions/all.ts'
import { address } from '../../../console/look/values.ts'
import { PAGES } from '../../../console/pages/all.ts'
import { type Access, accessOf } from '../../../console/session/access.ts'
import { eventually } from '../../support/eventually.ts'
import { createJob } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'
import { type StartedConsole, startConsole } from './support/console.ts'
import { fillSubjects, READERS, type ReaderName, subjectsAt } from './support/subjects.ts'

const world = useWorld({ shared: true })
let site: StartedConsole

interface Reader {
  token: string
  access: Access
}
let readers: Record<ReaderName, Reader>
/** Members of the addresses of pages and actions, each with a subject that is there. */
let subjects: Readonly<Record<string, string>>

const open = async (token: string): Promise<Reader> => ({
  token,
  access: accessOf(await createClient({ baseUrl: world().base, token }).getAuthSession()),
})

beforeAll(async () => {
  site = await startConsole(world().base)
  const filled = await fillSubjects(world())
  subjects = filled.subjects
  readers = Object.fromEntries(
    await Promise.all(Object.entries(filled.tokens).map(async ([name, token]) => [name, await open(token)])),
  ) as typeof readers
})
afterAll(() => site.close())

const linksIn = (text: string): string[] => [...text.matchAll(/<a href="([^"]+)"/g)].map(([, to = '']) => to)
const navigationOf = (text: string): string[] => linksIn(/<nav class="side"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '')

describe.each(READERS)('the console of the reader "%s"', (name) => {
  test('links to the pages that the API answers, and to no other', async () => {
    const { token, access } = readers[name]
    const { text } = await site.visit('/', { token })
    const expected = PAGES.filter(({ group, operations }) => group !== undefined && operations.every(access.may)).map(({ path }) => path)
    expect(new Set(navigationOf(text))).toEqual(new Set(['/', ...expected]))
  })

  // The whole page: an operation that it calls beside those that it declares would be refused.
  test.each(PAGES.map((page) => [page.path, page] as const))('%s is there, or absent', async (path, { operations }) => {
    const { token, access } = readers[name]
    const { status, text } = await site.visit(address(path, subjects), { token })
    const isAllowed = operations.every(access.may)
    expect([
      status === 404 && text.includes('There is no such page'),
      text.includes('missing_role'),
      text.includes('missing_capability'),
    ]).toEqual([!isAllowed, false, false])
    // Each subject is there, and is one that the reader may read: people who decide read all of them, another reader has its own.
    expect(status).toBe(isAllowed ? 200 : 404)
  })

  test('offers actions that the API takes, and no other', async () => {
    const { token, access } = readers[name]
    const seen: Record<string, boolean> = {}
    for (const action of ACTIONS) {
      const { status, text } = await site.visit(actionAddress(action, subjectsAt(`/do/${action.name}`, subjects)), { token })
      seen[action.name] = !text.includes('There is no such page')
      expect([action.name, status < 500]).toEqual([action.name, true])
    }
    expect(seen).toEqual(
      Object.fromEntries(ACTIONS.map(({ name, operation, reads = [] }) => [name, [operation, ...reads].every(access.may)])),
    )
  })

  test('has on no page a link to an action or a page that is absent', async () => {
    const { token, access } = readers[name]
    for (const { path, operations } of PAGES) {
      if (!operations.every(access.may)) continue
      const { text } = await site.visit(address(path, subjects), { token })
      for (const link of linksIn(text).filter((to) => to.startsWith('/') && !to.startsWith('/raw/') && to !== '/time')) {
        const target = link.split('?')[0] ?? ''
        const page = PAGES.find((one) => one.path === target)
        const action = ACTIONS.find((one) => `/do/${one.name}` === target)
        const needed = page?.operations ?? (action && [action.operation, ...(action.reads ?? [])])
        expect([path, link, needed?.every(access.may)]).toEqual([path, link, true])
      }
    }
  })
})

test('a form of an action that a reader may not take changes nothing', async () => {
  const form = { key: crypto.randomUUID(), reason: 'Because.' }
  const refused = await site.visit(`/do/pause-job?jobId=${subjects.jobId}`, { token: readers.worker.token, form })
  expect(refused.status).toBe(404)
  expect((await world().admin.get(`/jobs/definition?jobId=${subjects.jobId}`)).lifecycle.status).toBe('open')
})

test('an action acts once for its key, and the next page alone says what was done', async () => {
  const { token } = readers.admin
  const jobId = await createJob(world())
  const to = `/do/pause-job?jobId=${jobId}`
  const key = /name="key" value="([^"]+)"/.exec((await site.visit(to, { token })).text)?.[1] ?? ''
  const without = await site.visit(to, { token, form: { key, reason: ' ' } })
  const sent = await site.visit(to, { token, form: { key, reason: 'Its source is wrong.' } })
  const again = await site.visit(to, { token, form: { key, reason: 'Its source is wrong.' } })
  expect([sent.status, sent.location, again.status]).toEqual([303, `/job?jobId=${jobId}`, 303])
  const { job } = await world().admin.get(`/admin/jobs/timeline?jobId=${jobId}&limit=1`)
  expect(job.lifecycle.status).toBe('paused')
  const cookie = `__Host-console=${token}; ${sent.headers.get('set-cookie')?.split(';')[0]}`
  const page = await site.visit(`/job?jobId=${jobId}`, { headers: { cookie } })
  expect([page.text.includes('The job is paused.'), page.headers.get('set-cookie')]).toEqual([
    true,
    expect.stringMatching(/^__Host-console-done=; Max-Age=0/),
  ])
  // The steps of a job that is not listed any more are there, too.
  expect((await site.visit(`/do/reopen-job?jobId=${jobId}`, { token })).text).toContain('Open the job again')
  const later = await site.visit(`/job?jobId=${jobId}&done=pause-job`, { token })
  expect(later.text).not.toContain('The job is paused.')
  expect(without.status).toBe(400)
})

test('a cross-chain request ends by what an operator records, and its row says how', async () => {
  const { token } = readers.admin
  const { requestId = '' } = subjects
  const visit = (path: string, form?: Record<string, string>) =>
    site.visit(path, { token, ...(form && { form: { ...form, key: crypto.randomUUID() } }) })
  const rowOf = async () => (await visit('/xcm')).text.split('<tr>').find((row) => row.includes(requestId)) ?? ''
  const [observe, settle] = [`/do/observe-request?requestId=${requestId}`, `/do/finalize-request?requestId=${requestId}`]
  const { text: preview } = await visit(observe)
  for (const words of ['>pending<', 'Deposit', '1 USDC', subjects.wallet]) expect(preview).toContain(words)
  const early = await visit(settle, {})
  expect([early.status, early.text.includes('xcm_request_not_observed')]).toEqual([409, true])
  expect(await rowOf()).toBe('')

  const nothing = { status: 'cancelled', settledAssets: '0', settledShares: '0' }
  const refused = await visit(observe, { ...nothing, settledAssets: '7' })
  expect([refused.status, refused.text.includes('must be 0 unless succeeded'), refused.text.includes('value="7"')]).toEqual([
    400,
    true,
    true,
  ])
  const recorded = await visit(observe, nothing)
  expect([recorded.status, recorded.location]).toEqual([303, '/xcm'])
  const row = await eventually('the settlement of the request', rowOf, (found) => !found.includes('the service tries'))
  for (const words of ['>cancelled<', `operator:${world().admin.account.address.toLowerCase()}`]) expect(row).toContain(words)
  expect(row).not.toContain('/do/')

  const late = await visit(observe, { ...nothing, status: 'failed', failureCode: `0x${'1f'.repeat(32)}` })
  expect([late.status, late.text.includes('Nothing was recorded'), late.text.includes('>cancelled<')]).toEqual([200, true, true])
  const settled = await visit(settle, {})
  expect([settled.status, settled.location]).toEqual([303, '/xcm'])
  expect((await visit(observe)).text).toContain('The request has ended on chain.')
})
