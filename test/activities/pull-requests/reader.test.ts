import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createFetches } from '../../../activities/outbound/clients.ts'
import { createPullRequests } from '../../../activities/pull-requests/reader.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { newSha } from '../../../local/codehost/world.ts'
import type { PullRequestPage } from '../../../schemas/codehost/record.ts'
import type { PullRequestReading, PullRequestRef } from '../../../schemas/pull-requests/record.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { startHttpServer } from '../support/http-server.ts'

let host: LocalCodehost
beforeAll(async () => {
  host = await startCodehost()
})
afterAll(() => host.stop())
beforeEach(() => {
  host.world.clear()
  host.takeRequests()
})

const REPO = 'acme/widgets'
const ref = (changes: Partial<PullRequestRef> = {}): PullRequestRef => ({
  host: 'codehost.example',
  owner: 'acme',
  repo: 'widgets',
  number: 12,
  url: 'https://codehost.example/acme/widgets/pull/12',
  ...changes,
})

/** A client that has read nothing yet. */
const client = (changes: Record<string, string> = {}) => {
  const settings = readSettings({ DATABASE_URL: 'unused', CHAIN_FILE: 'unused', ...codehostSettings(host.url), ...changes })
  // A clock that no test sets: the system's own may be set while a test runs.
  const epochMs = Date.now() - performance.now()
  let offsetMs = 0
  const read = createPullRequests({
    settings,
    fetch: createFetches(settings).codehost,
    now: () => epochMs + performance.now() + offsetMs,
  })
  return {
    read: (changed: Partial<PullRequestRef> = {}) => read(ref(changed)),
    later: (ms: number): void => {
      offsetMs += ms
    },
  }
}

const AT = '2026-01-02T03:04:05.000Z'
const open = (number = 12) =>
  host.world.set(REPO, number, {
    title: 'Keep the last row',
    body: 'Fixes #7.',
    runs: [{ name: 'test', conclusion: 'success', started_at: AT }],
    statuses: [{ context: 'ci', state: 'success', updated_at: AT }],
    reviews: [{ reviewer: 'maintainer', state: 'APPROVED' }],
  })

const unavailable = async (reading: Promise<PullRequestReading>) => {
  const found = await reading
  if (found.status !== 'unavailable') throw new Error(`it was ${found.status}`)
  return found
}

describe('a pull request', () => {
  test('is read with its statuses, runs and reviews', async () => {
    const { headSha } = open()
    expect(await client().read()).toEqual({
      status: 'verified',
      pull: {
        htmlUrl: 'https://codehost.example/acme/widgets/pull/12',
        repo: REPO,
        repoId: expect.any(Number),
        baseRef: 'main',
        defaultBranch: 'main',
        number: 12,
        title: 'Keep the last row',
        body: 'Fixes #7.',
        state: 'open',
        merged: false,
        draft: false,
        headSha,
        author: 'contributor',
      },
      statuses: [{ id: 1, context: 'ci', state: 'success', description: '', updatedAt: AT }],
      runs: [{ id: 1, name: 'test', app: 'ci', startedAt: AT, status: 'completed', conclusion: 'success' }],
      reviews: [{ reviewer: 'maintainer', state: 'approved', maintainer: true }],
    })
  })

  test.each<[string, Parameters<LocalCodehost['world']['set']>[2], Partial<PullRequestPage>]>([
    ['a draft', { draft: true }, { draft: true, state: 'open', merged: false }],
    ['with another target', { baseRef: 'wip/sandbox' }, { baseRef: 'wip/sandbox', defaultBranch: 'main' }],
    ['merged into another target', { baseRef: 'wip/sandbox', merged: true }, { baseRef: 'wip/sandbox', merged: true, state: 'closed' }],
    ['of a repository with another default branch', { defaultBranch: 'trunk' }, { baseRef: 'main', defaultBranch: 'trunk' }],
    ['closed', { state: 'closed' }, { state: 'closed', merged: false }],
    ['ready after it was a draft', { draft: false }, { draft: false }],
  ])('that is %s is read so, also when only that changed since the last read', async (_what, change, expected) => {
    open()
    if (change.draft === false) host.world.set(REPO, 12, { draft: true })
    const reader = client()
    await reader.read()
    host.world.set(REPO, 12, change)
    for (const { read } of [reader, client()]) expect(await read()).toMatchObject({ status: 'verified', pull: expected })
  })

  test.each(['acme/gadgets', 'other/widgets'])('whose repository is %s now bears that name and the same id', async (renameTo) => {
    const { repoId } = open()
    host.world.changeRepository(REPO, { renameTo })
    expect(await client().read()).toMatchObject({
      status: 'verified',
      pull: { repo: renameTo, repoId, htmlUrl: `https://codehost.example/${renameTo}/pull/12` },
      runs: [{ name: 'test' }],
    })
  })

  test('of a recreated repository has another id under the same name', async () => {
    const { repoId } = open()
    host.world.changeRepository(REPO, { recreate: true })
    const found = await client().read()
    expect(found).toMatchObject({ status: 'verified', pull: { repo: REPO, repoId: expect.any(Number) } })
    expect(found).not.toMatchObject({ pull: { repoId } })
  })

  test('with a check time that is none has checks that could not be read', async () => {
    open()
    host.world.set(REPO, 12, { runs: [{ name: 'test', started_at: 'yesterday' }] })
    expect(await client().read()).toMatchObject({ runs: null, statuses: [{ context: 'ci' }] })
  })

  test('that was force-pushed has the checks of its new head only', async () => {
    open()
    const reader = client()
    await reader.read()
    const headSha = newSha()
    host.world.set(REPO, 12, { headSha })
    expect(await reader.read()).toMatchObject({ status: 'verified', pull: { headSha }, runs: [], statuses: [] })
  })

  test('with an empty text is readable', async () => {
    open()
    host.world.set(REPO, 12, { body: null })
    expect(await client().read()).toMatchObject({ pull: { body: '' } })
  })

  test('that has not changed costs nothing of the limit when it is read again', async () => {
    open()
    const reader = client()
    const first = await reader.read()
    host.takeRequests()
    expect(await reader.read()).toEqual(first)
    expect(host.takeRequests().map(({ conditional }) => conditional)).toEqual([true, true, true, true])
    host.world.set(REPO, 12, { title: 'Another title' })
    expect(await reader.read()).toMatchObject({ pull: { title: 'Another title' } })
  })

  test('has all its runs, page after page, or none when there are too many', async () => {
    open()
    const runs = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `run ${index}`, conclusion: 'success' }))
    host.world.set(REPO, 12, { runs: runs(230) })
    const many = await client().read()
    expect(many.status === 'verified' && many.runs?.length).toBe(230)
    host.world.set(REPO, 12, { runs: runs(600) })
    expect(await client().read()).toMatchObject({ status: 'verified', runs: null })
  })

  test.each([
    ['/status', 'statuses'],
    ['/check-runs', 'runs'],
    ['/reviews', 'reviews'],
  ])('is verified although %s cannot be read; the part is missing, not empty', async (path, part) => {
    open()
    host.world.fail({ path, status: 500 })
    expect(await client().read()).toMatchObject({ status: 'verified', [part]: null })
  })
})

describe('a pull request that cannot be read', () => {
  test.each([
    ['deleted', () => host.world.remove(REPO, 12)],
    ['private', () => void host.world.set(REPO, 12, { private: true })],
  ])('because it is %s is lasting', async (_name, script) => {
    open()
    script()
    expect(await unavailable(client().read())).toMatchObject({ reason: 'codehost_api_404', isTransient: false })
  })

  test.each([
    [403, false],
    [410, false],
    [451, false],
    [401, true],
    [500, true],
    [502, true],
    [503, true],
  ])('with status %i; passing: %s', async (status, isTransient) => {
    open()
    host.world.fail({ status })
    expect(await unavailable(client().read())).toMatchObject({ reason: `codehost_api_${status}`, isTransient })
  })

  test('because the connection breaks, the host is slow or talks nonsense is passing', async () => {
    open()
    host.world.fail({ status: 0 })
    expect(await unavailable(client().read())).toMatchObject({ reason: 'codehost_network', isTransient: true })
    host.world.fail({ status: 200, body: { number: 'twelve' } })
    expect(await unavailable(client().read())).toMatchObject({ reason: 'codehost_bad_answer', isTransient: true })
    // It takes the request and never answers: one that is merely fast might be faster than any limit.
    const mute = await startHttpServer(() => undefined)
    const impatient = client({ ...codehostSettings(mute.url), CODEHOST_TIMEOUT_SECONDS: '0.1' })
    expect(await unavailable(impatient.read())).toMatchObject({ reason: 'codehost_timeout', isTransient: true })
    await mute.stop()
  })

  test('without a token, or on another host, is not asked for', async () => {
    open()
    expect(await client({ CODEHOST_TOKEN: '' }).read()).toEqual({ status: 'skipped', reason: 'codehost_token_not_configured' })
    expect(await client().read({ host: 'elsewhere.example' })).toEqual({
      status: 'not_applicable',
      reason: 'codehost_host_not_configured',
    })
    expect(host.takeRequests()).toEqual([])
  })
})

describe('a limit of the host', () => {
  const spent = () => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 600) })

  test.each([
    ['the second limit, with a time', { status: 429, headers: { 'retry-after': '17' } }, 17],
    ['a host that says when it is back', { status: 503, headers: { 'retry-after': '20' } }, 20],
    ['the second limit as 403', { status: 403, headers: { 'retry-after': '9' } }, 9],
    ['the second limit by its words', { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } }, 60],
    ['the second limit, without a time', { status: 429 }, 60],
    ['a time longer than any caller waits', { status: 429, headers: { 'retry-after': '999999' } }, 3_600],
  ])('is kept: %s', async (_name, failure, seconds) => {
    open()
    host.world.fail(failure)
    const reader = client()
    expect(await unavailable(reader.read())).toMatchObject({ isTransient: true, retryAfterSeconds: seconds })
    host.takeRequests()
    expect(await unavailable(reader.read())).toMatchObject({ reason: 'codehost_rate_limited', isTransient: true })
    expect(host.takeRequests()).toEqual([])
    reader.later((seconds + 1) * 1_000)
    expect(await reader.read()).toMatchObject({ status: 'verified' })
  })

  test('that is used up is kept until it begins again', async () => {
    open()
    host.world.fail({ status: 403, headers: spent() })
    const reader = client()
    const { retryAfterSeconds } = await unavailable(reader.read())
    expect(retryAfterSeconds).toBeGreaterThan(590)
    expect(retryAfterSeconds).toBeLessThanOrEqual(600)
    reader.later(300_000)
    expect(await unavailable(reader.read())).toMatchObject({ reason: 'codehost_rate_limited' })
    reader.later(301_000)
    expect(await reader.read()).toMatchObject({ status: 'verified' })
  })

  test('that the last good answer used up stops what follows', async () => {
    open()
    host.world.fail({ path: '/reviews', status: 200, body: [], headers: spent() })
    const reader = client()
    expect(await reader.read()).toMatchObject({ status: 'verified' })
    expect(await unavailable(reader.read())).toMatchObject({ reason: 'codehost_rate_limited' })
  })

  test('in the middle of a reading leaves the rest unavailable, not empty', async () => {
    open()
    host.world.fail({ path: '/check-runs', status: 429, headers: { 'retry-after': '5' } })
    expect(await client().read()).toMatchObject({ status: 'verified', runs: null, reviews: null })
  })
})

describe('the script of another process', () => {
  test('opens, changes and removes a pull request', async () => {
    const script = (method: string, body?: object) =>
      fetch(`${host.url}/_script/pulls/acme/widgets/12`, { method, ...(body && { body: JSON.stringify(body) }) })
    await script('PUT', { title: 'By script' })
    expect(await client().read()).toMatchObject({ pull: { title: 'By script', state: 'open' } })
    await script('PUT', { merged: true })
    expect(await client().read()).toMatchObject({ pull: { title: 'By script', state: 'closed', merged: true } })
    expect((await script('PUT', { unknown: 1 })).status).toBe(400)
    await script('DELETE')
    expect(await unavailable(client().read())).toMatchObject({ reason: 'codehost_api_404' })
  })
})
