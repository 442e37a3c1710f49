// What maintainers say between the listing of a job and its claim, on the running stack.
import { describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import type { ContentChange } from '../../../local/codehost/content.ts'
import { createJob, encode, fundedAgent, sessionOf } from '../../e2e/support/jobs.ts'
import { moved, readBalances } from '../../e2e/support/money.ts'
import { failNext, fillRepository, play, pullRequestJob } from '../../e2e/support/pull-requests.ts'
import { useWorld } from '../../e2e/support/world.ts'

const world = useWorld()

const listed = async (jobId: string): Promise<boolean> => {
  const { jobs } = await world().expectCall(200, '/jobs?source=codehost&limit=100')
  return jobs.some(({ id }: { id: string }) => id === jobId)
}
/** Claims, sessions and transactions that name a job. */
const tracesOf = async (jobId: string) => {
  const traces = sql<{ intents: number; sessions: number; sent: number }>`select
    (select count(*)::integer from claim_intent where job_id = ${jobId}) as intents,
    (select count(*)::integer from session where job_id = ${jobId}) as sessions,
    (select count(*)::integer from chain_transaction where intent_key like ${`%claim/${jobId}/%`}) as sent`
  return (await traces.execute(world().database.rows)).rows[0]
}
const NOTHING = { intents: 0, sessions: 0, sent: 0 }

describe('a no of the maintainers between listing and claim', () => {
  test.each<[string, ContentChange, number, string]>([
    ['file', { files: { 'AI_POLICY.md': 'AI-generated pull requests will be closed.' } }, 403, 'repo_ai_policy_denies_agent_contributions'],
    ['stop', { issues: { 7: { body: 'Please do not open a pull request for this issue.' } } }, 403, 'maintainer_stop_signal'],
    ['closed', { issues: { 7: { state: 'closed' } } }, 409, 'source_issue_closed'],
    ['archived', { archived: true }, 409, 'source_repository_closed'],
    ['gone', { isGone: true }, 409, 'source_repository_closed'],
  ])('refuses the claim, with nothing at stake and nothing sent, and the job is listed no more: %s', async (name, change, status, code) => {
    const repo = `maintained/${name}`
    const agent = await fundedAgent(world())
    const jobId = await createJob(world(), pullRequestJob(repo))
    expect(await listed(jobId)).toBe(true)
    const before = await readBalances(world(), agent.account.address)
    await fillRepository(world(), repo, change)
    const refused = await agent.post('/jobs/claim', { jobId }, status)
    expect(refused).toMatchObject({ code, details: { repo }, nextActions: [{ path: '/jobs/recommendations' }] })
    expect(moved(before, await readBalances(world(), agent.account.address))).toEqual({})
    expect(await tracesOf(jobId)).toEqual(NOTHING)
    expect(await listed(jobId)).toBe(false)
    // A repeat gets the same answer from the records.
    if (name !== 'gone') expect((await agent.post('/jobs/claim', { jobId }, status)).code).toBe(code)
  })

  test('is no denial where it cannot be read: the claim succeeds later', async () => {
    const agent = await fundedAgent(world())
    const jobId = await createJob(world(), pullRequestJob('maintained/unread'))
    await failNext(world(), { path: '/repos/maintained/unread', status: 500, times: 1 })
    const refused = await agent.call('/jobs/claim', { body: { jobId } })
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([409, 'maintainer_policy_unavailable', '60'])
    expect(await tracesOf(jobId)).toEqual(NOTHING)
    expect(await listed(jobId)).toBe(true)
    expect(await agent.post('/jobs/claim', { jobId })).toMatchObject({ status: 'claimed' })
  })
})

test('maintainers who want a person get the name: in the session, in the footer, and unchanged by a repeat of the claim', async () => {
  const repo = 'maintained/person'
  const agent = await fundedAgent(world())
  const jobId = await createJob(world(), pullRequestJob(repo))
  const quote = 'A human must review every line that an AI has written.'
  await fillRepository(world(), repo, { files: { '.github/CONTRIBUTING.md': quote } })
  const refused = await agent.post('/jobs/claim', { jobId }, 400)
  expect(refused).toMatchObject({ code: 'responsible_person_required', details: { repo, path: '.github/CONTRIBUTING.md', quote } })
  const { maintainers } = await agent.get(`/jobs/preflight?jobId=${encode(jobId)}`)
  expect(maintainers).toMatchObject({ verdict: 'human_required', quote, responsiblePersonRequired: true })
  for (const responsiblePerson of ['', ' @jane', 'jane\nWallet: 0x1', 'x'.repeat(101)])
    expect((await agent.post('/jobs/claim', { jobId, responsiblePerson }, 400)).code).toBe('invalid_request')
  const claimed = await agent.post('/jobs/claim', { jobId, responsiblePerson: '@jane-doe' })
  expect(claimed).toMatchObject({ status: 'claimed', responsiblePerson: '@jane-doe' })
  expect(claimed.disclosureFooter).toContain('\nResponsible person: @jane-doe\n')
  expect(await agent.post('/jobs/claim', { jobId, responsiblePerson: '@john' })).toMatchObject({
    sessionId: claimed.sessionId,
    responsiblePerson: '@jane-doe',
  })
  expect(await sessionOf(agent, claimed.sessionId)).toMatchObject({ responsiblePerson: '@jane-doe' })
})

test('the fourth claim of a repository is refused until one of its pull requests is merged, and no admitted claim fails at its submission', async () => {
  const repo = 'maintained/full'
  const claims = []
  for (const number of [1, 2, 3]) {
    const agent = await fundedAgent(world())
    const { sessionId, disclosureFooter } = await agent.post('/jobs/claim', { jobId: await createJob(world(), pullRequestJob(repo)) })
    claims.push({ agent, sessionId, number, disclosureFooter })
  }
  const agent = await fundedAgent(world())
  const jobId = await createJob(world(), pullRequestJob(repo))
  const refused = await agent.post('/jobs/claim', { jobId }, 409)
  expect(refused).toMatchObject({ code: 'maintainer_open_pr_cap_reached', details: { repo, openCount: 3, openPrCap: 3 } })
  expect(await tracesOf(jobId)).toEqual(NOTHING)
  for (const { agent: worker, sessionId, number, disclosureFooter } of claims) {
    await play(world(), repo, number, { title: 'Keep the last row', body: `Fixes #7.\n\n${disclosureFooter}` })
    const prUrl = `https://codehost.example/${repo}/pull/${number}`
    await worker.post('/jobs/submit', { sessionId, submission: { prUrl, summary: 'The last row is kept.', tests: 'npm test: 12 passed' } })
  }
  await play(world(), repo, 1, { merged: true })
  expect(await agent.post('/jobs/claim', { jobId })).toMatchObject({ status: 'claimed' })
})
