import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { findJob } from '../../../activities/catalogue/jobs.ts'
import type { RepositoryFacts } from '../../../activities/codehost/repository-shapes.ts'
import { createSourceRequests } from '../../../activities/ingestion/http/requests.ts'
import { createFetches } from '../../../activities/outbound/clients.ts'
import { createPolicyReader } from '../../../activities/pull-requests/policy-reader.ts'
import { findPolicies } from '../../../activities/pull-requests/policy-records.ts'
import { POLICY_MAX_AGE_SECONDS } from '../../../domain/pull-requests/policy/standing.ts'
import type { ContentChange } from '../../../local/codehost/content.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { prBody } from '../../domain/builders/job.ts'
import { type Records, startRecords } from '../support/service.ts'

let host: LocalCodehost
let records: Records
beforeAll(async () => {
  ;[host, records] = await Promise.all([startCodehost(), startRecords()])
})
afterAll(() => Promise.all([host.stop(), records.stop()]))
beforeEach(async () => {
  host.world.clear()
  host.content.clear()
  host.takeRequests()
  await sql`delete from repository_policy`.execute(records.rows)
  await sql`delete from source_issue`.execute(records.rows)
})

const REPO = 'acme/widgets'
const reader = (changes: Record<string, string> = {}) => {
  const settings = readSettings({ DATABASE_URL: 'unused', CHAIN_FILE: 'unused', ...codehostSettings(host.url), ...changes })
  return createPolicyReader({ ...records, settings, fetch: createFetches(settings).codehost })
}
const paths = () => host.takeRequests().map(({ path, conditional }) => `${conditional ? '304 ' : ''}${path}`)
/** Makes the stored readings older than a claim accepts. */
const age = async () => {
  await sql`update repository_policy set read_at = read_at - interval '10 minutes'`.execute(records.rows)
  await sql`update source_issue set read_at = read_at - interval '10 minutes'`.execute(records.rows)
}
const AGE = POLICY_MAX_AGE_SECONDS
const NO = 'We do not accept AI-generated contributions.'

let count = 0
const addJob = async (repo = REPO, changes: Parameters<typeof prBody>[0] = {}) => {
  count += 1
  const { id: _id, ...body } = prBody({
    source: { type: 'codehost_issue', repo, issueNumber: 7, issueUrl: `https://codehost.example/${repo}/issues/7` },
    ...changes,
  })
  const id = await records.addJob(`policy-${count}`, {
    ...body,
    verifierTerms: undefined,
    verifierConfig: { requireClaimantBinding: true },
  })
  const job = await findJob(records.rows, id)
  if (job === null) throw new Error('the job is missing')
  return job
}
const stateOf = async (id: string) => (await findJob(records.rows, id))?.lifecycleStatus

describe('the policy of a repository', () => {
  test.each([
    'CONTRIBUTING.md',
    'contributing.rst',
    'AI_POLICY.md',
    'LLM-usage.md',
    'README.md',
    'AI-AGENTS.md',
    'AGENTS.md',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    '.github/CONTRIBUTING.md',
    '.github/PULL_REQUEST_TEMPLATE.md',
    '.github/PULL_REQUEST_TEMPLATE/feature.md',
    'docs/CONTRIBUTING.md',
  ])('is read in %s', async (path) => {
    host.content.change(REPO, { files: { [path]: NO, 'src/main.ts': '' } })
    expect(await reader().readPolicy(REPO)).toMatchObject({
      ok: true,
      policy: {
        repo: REPO,
        verdict: 'denies',
        reason: 'repo_ai_policy_denies_agent_contributions',
        path,
        quote: NO,
        scannedPaths: expect.arrayContaining([path, 'README.md']),
      },
    })
  })

  test.each(['docs/README.md', 'src/CONTRIBUTING.md', 'docs/guide/AGENTS.md'])('is not read in %s', async (path) => {
    host.content.change(REPO, { files: { [path]: NO } })
    expect(await reader().readPolicy(REPO)).toMatchObject({ policy: { verdict: 'allows', scannedPaths: ['README.md'] } })
  })

  test('is that of the owner too', async () => {
    host.content.change('acme/.github', { files: { 'CONTRIBUTING.md': NO } })
    const read = await reader().readPolicy(REPO)
    expect(read).toMatchObject({ policy: { verdict: 'denies', path: '.github:CONTRIBUTING.md' } })
  })

  test('costs listings and the files that exist, and later only conditional listings', async () => {
    host.content.change(REPO, {
      files: { 'CONTRIBUTING.md': 'Please disclose any use of AI.', '.github/AGENTS.md': 'Hello.', 'a.ts': '' },
    })
    const { readPolicy } = reader()
    await readPolicy(REPO)
    const listings = ['/repos/acme/widgets', '/repos/acme/widgets/contents/', '/repos/acme/widgets/contents/.github']
    const files = ['CONTRIBUTING.md', '.github/AGENTS.md', 'README.md'].map((path) => `/repos/acme/widgets/contents/${path}`)
    expect(paths()).toEqual([...listings, ...files, '/repos/acme/.github/contents/'])
    await readPolicy(REPO)
    expect(paths()).toEqual([])
    await age()
    await readPolicy(REPO)
    expect(paths()).toEqual([...listings.map((path) => `304 ${path}`), '/repos/acme/.github/contents/'])
  })

  test('costs a later step of a run nothing, another run conditional listings alone, and a repository that the step has read no request', async () => {
    host.content.change(REPO, { files: { 'CONTRIBUTING.md': 'Please disclose any use of AI.' } })
    const settings = readSettings({ DATABASE_URL: 'unused', CHAIN_FILE: 'unused', ...codehostSettings(host.url) })
    const open = createSourceRequests({
      ...records,
      settings,
      fetches: createFetches(settings),
      contact: 'ops',
      seed: 'one',
      now: Date.now,
    })
    const read = async (known?: RepositoryFacts) => {
      expect(await open('github', 20, async () => undefined).readPolicy(REPO, known)).toMatchObject({ verdict: 'disclose' })
      return paths()
    }
    const [repository, listing] = ['/repos/acme/widgets', '/repos/acme/widgets/contents/']
    const ofOwner = '/repos/acme/.github/contents/'
    expect(await read()).toEqual([repository, listing, `${listing}CONTRIBUTING.md`, `${listing}README.md`, ofOwner])
    await age()
    expect(await read()).toEqual([])
    await sql`update repository_policy set read_at = read_at - interval '30 minutes'`.execute(records.rows)
    expect(await read({ id: 1, fullName: REPO, isClosed: false })).toEqual([`304 ${listing}`, ofOwner])
  })

  test('is not decided by files that are longer together than a decision may take', async () => {
    const half = 'Thanks. '.repeat(32 * 1_024)
    host.content.change(REPO, { files: { 'CONTRIBUTING.md': half, 'README.md': half } })
    expect(await reader().readPolicy(REPO)).toMatchObject({ ok: true, policy: { verdict: 'allows' } })
    await age()
    host.content.change(REPO, { files: { 'CONTRIBUTING.md': half, 'README.md': `${half}.` } })
    expect(await reader().readPolicy(REPO, 0)).toMatchObject({ ok: false, failure: { reason: 'codehost_answer_too_large' } })
  })

  test('is read once for callers at the same time', async () => {
    const { readPolicy } = reader()
    await Promise.all(Array.from({ length: 8 }, () => readPolicy(REPO)))
    expect(paths()).toHaveLength(4)
  })

  test('is stored with the numeric id and the new name of a renamed repository', async () => {
    const before = await reader().readPolicy(REPO)
    host.world.changeRepository(REPO, { renameTo: 'acme/gadgets' })
    host.content.change('acme/gadgets', { files: { 'CONTRIBUTING.md': NO } })
    await age()
    const after = await reader().readPolicy(REPO)
    const repoId = before.ok ? before.policy.repoId : 0
    expect(repoId).toBeGreaterThan(0)
    expect(after).toMatchObject({ policy: { repo: 'acme/gadgets', repoId, verdict: 'denies' } })
    expect((await findPolicies(records.rows, [REPO])).get(REPO)?.value).toMatchObject({ repo: 'acme/gadgets', repoId, verdict: 'denies' })
  })

  test('of a repository on the list of the operator is a no', async () => {
    expect(await reader({ MAINTAINER_REPO_DENYLIST: 'acme/*' }).readPolicy(REPO)).toMatchObject({
      policy: { verdict: 'denies', reason: 'repo_denylisted' },
    })
  })

  test.each<[string, Parameters<LocalCodehost['world']['fail']>[0], string]>([
    ['a file', { path: 'CONTRIBUTING.md', status: 500 }, 'codehost_api_500'],
    ['a folder', { path: 'contents/.github', status: 403 }, 'codehost_api_403'],
    ['the owner', { path: '/.github/contents', status: 502 }, 'codehost_api_502'],
    ['the repository', { path: REPO, status: 429, headers: { 'retry-after': '120' } }, 'codehost_api_429'],
    ['a listing', { path: 'contents/', status: 200, body: { name: 'no list' } }, 'codehost_bad_answer'],
    ['a file above a megabyte', { path: 'CONTRIBUTING.md', status: 200, body: { encoding: 'none', content: '' } }, 'codehost_bad_answer'],
  ])('is unread where %s could not be read, and nothing is stored', async (_what, failure, reason) => {
    host.content.change(REPO, { files: { 'CONTRIBUTING.md': 'Hello.', '.github/x.md': '' } })
    host.world.fail(failure)
    expect(await reader().readPolicy(REPO)).toMatchObject({ ok: false, failure: { reason } })
    expect((await findPolicies(records.rows, [REPO])).size).toBe(0)
  })
})

describe('before the claim of a job', () => {
  test('policy and issue are read, and an open job of friendly maintainers stays open', async () => {
    const job = await addJob()
    await reader().refreshJob(job, AGE)
    expect(paths()).toContain('/repos/acme/widgets/issues/7')
    expect(await stateOf(job.id)).toBe('open')
    await reader().refreshJob(job, AGE)
    expect(paths()).toEqual([])
  })

  test('a claim reads them again, however short ago they were read', async () => {
    const job = await addJob()
    await reader().refreshJob(job, AGE)
    host.content.change(REPO, { files: { 'CONTRIBUTING.md': NO } })
    await reader().refreshJob(job, AGE)
    expect(await stateOf(job.id)).toBe('open')
    await reader().refreshJob(job, 0)
    expect(await stateOf(job.id)).toBe('paused')
  })

  test.each<[string, ContentChange, string]>([
    ['a no in a file', { files: { 'CONTRIBUTING.md': NO } }, 'repo_ai_policy_denies_agent_contributions'],
    [
      'a request to stop in the issue',
      { issues: { 7: { body: 'Please do not open a pull request for this issue.' } } },
      'maintainer_stop_signal',
    ],
    ['a closed issue', { issues: { 7: { state: 'closed' } } }, 'source_issue_closed'],
    ['a deleted issue', { issues: { 7: { isDeleted: true } } }, 'source_issue_closed'],
    ['a transferred issue', { issues: { 7: { movedTo: 'acme/other' } } }, 'source_issue_closed'],
    ['an archived repository', { archived: true }, 'source_repository_closed'],
    ['a deleted repository', { isGone: true }, 'source_repository_closed'],
  ])('%s pauses the job with its reason, and leaves jobs of other repositories', async (_what, change, reason) => {
    const [job, other] = [await addJob(), await addJob('acme/free')]
    host.content.change(REPO, change)
    await reader()
      .refreshJob(job, AGE)
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'source_repository_closed' }))
    expect([await stateOf(job.id), await stateOf(other.id)]).toEqual(['paused', 'open'])
    const events = await sql<{
      data: unknown
    }>`select data from event where job_id = ${job.id} and topic = 'job.lifecycle_changed'`.execute(records.rows)
    expect(events.rows.map(({ data }) => data)).toMatchObject([{ action: 'pause', reason, by: 'maintainer_policy' }])
  })

  test('a repository that was created again refuses the claim and pauses its jobs, but for those of the new one', async () => {
    const repoId = host.world.repoIdOf(REPO)
    const jobOf = (id: number) => addJob(REPO, { source: { type: 'codehost_issue', repo: REPO, repoId: id, issueNumber: 7 } })
    const [job, unnamed] = [await jobOf(repoId), await addJob()]
    await reader().refreshJob(job, 0)
    host.world.changeRepository(REPO, { recreate: true })
    const renewed = await jobOf(host.world.repoIdOf(REPO))
    const refused = { code: 'source_repository_closed', info: { details: { repo: REPO, state: 'replaced' } } }
    await expect(reader().refreshJob(job, 0)).rejects.toMatchObject(refused)
    // From the record too.
    await expect(reader().refreshJob(job, AGE)).rejects.toMatchObject(refused)
    await reader().refreshJob(renewed, 0)
    expect(await Promise.all([job, unnamed, renewed].map(({ id }) => stateOf(id)))).toEqual(['paused', 'open', 'open'])
  })

  test('a repository that was renamed is the same one for its job', async () => {
    const repoId = host.world.repoIdOf(REPO)
    const job = await addJob(REPO, { source: { type: 'codehost_issue', repo: REPO, repoId, issueNumber: 7 } })
    host.world.changeRepository(REPO, { renameTo: 'acme/gadgets' })
    await reader().refreshJob(job, 0)
    expect(await stateOf(job.id)).toBe('open')
  })

  test.each([
    ['the host fails', { path: '', status: 500 }, 60],
    ['the host asks to wait', { path: '', status: 429, headers: { 'retry-after': '90' } }, 90],
    ['the issue cannot be read', { path: '/issues/7', status: 503 }, 60],
  ])('a policy that cannot be read is no denial, and has a time to retry: %s', async (_why, failure, retryAfterSeconds) => {
    const job = await addJob()
    host.world.fail({ ...failure, times: 1 })
    await expect(reader().refreshJob(job, AGE)).rejects.toMatchObject({
      code: 'maintainer_policy_unavailable',
      info: { retryAfterSeconds },
    })
    expect(await stateOf(job.id)).toBe('open')
    await sql`delete from repository_policy`.execute(records.rows)
  })

  test('nothing is read for a job of another host, of a poster, or without a pull request', async () => {
    const job = await addJob()
    const { refreshJob } = reader()
    await refreshJob({ ...job, postingRoute: 'external-direct' }, AGE)
    await refreshJob({ ...job, definition: { ...job.definition, verifierMode: 'benchmark' } }, AGE)
    const issueUrl = 'https://elsewhere.example/acme/widgets/issues/7'
    const source = { type: 'codehost_issue', repo: REPO, issueNumber: 7, issueUrl }
    await expect(refreshJob({ ...job, definition: { ...job.definition, source } }, AGE)).rejects.toMatchObject({
      code: 'maintainer_policy_unavailable',
      info: { reason: 'codehost_host_not_configured' },
    })
    expect(paths()).toEqual([])
  })
})
