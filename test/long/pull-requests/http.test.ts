import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import type { PullChange } from '../../../local/codehost/world.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { claim, createJob, encode, fundedAgent, sessionOf } from '../../e2e/support/jobs.ts'
import { readBalances } from '../../e2e/support/money.ts'
import {
  failNext,
  handIn,
  looked,
  type OfferedWork,
  offered,
  play,
  pullRequestJob,
  removePull,
  renameRepository,
  resultOf,
  seenOf,
  statusOf,
  until,
} from '../../e2e/support/pull-requests.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'

const world = useWorld()

const status = (work: OfferedWork, wanted: string) =>
  until(
    () => statusOf(work),
    (found) => found === wanted,
  )
const held = async (work: OfferedWork): Promise<void> => {
  await handIn(work)
  await looked(world(), work.sessionId)
}
/** Repository and number of a pull request. */
const placeOf = ({ url }: OfferedWork): [repo: string, number: number] => {
  const [owner, name, , number] = new URL(url).pathname.slice(1).split('/')
  return [`${owner}/${name}`, Number(number)]
}
/** The verdict of an operator who asks for one. */
const runByOperator = (work: OfferedWork, body: object = {}) =>
  world().verifier.call('/verifier/run', { body: { sessionId: work.sessionId, ...body } })

describe('work that is a pull request', () => {
  let work: OfferedWork
  beforeAll(async () => {
    work = await offered(world(), 'acme/paid', 1, { runs: [{ name: 'test', conclusion: 'failure' }] })
  })

  test('is shown how to name its claimant at the claim, and again before it is handed in', async () => {
    expect(work.footer).toContain(`Agent identity: ${work.agent.account.address}`)
    expect(work.footer).toContain(`Claim session: ${work.sessionId}`)
    const { disclosure, warnings } = await world().expectCall(200, '/jobs/validate-submission', {
      body: { jobId: work.jobId, submission: { ...work.submission, prBody: 'Fixes #7.' } },
    })
    expect(disclosure.footer).toContain(`Claim session: ${work.sessionId}`)
    expect(warnings).toMatchObject([{ code: 'disclosure_binding_missing' }])
  })

  test('is held while it is not approved: submitted, undecided, nothing moved', async () => {
    await handIn(work)
    await looked(world(), work.sessionId)
    expect(await statusOf(work)).toBe('submitted')
    expect(await resultOf(work)).toMatchObject({ status: 'verifying' })
    expect(await seenOf(world(), work.sessionId)).toMatchObject({ disposition: 'waiting_for_merge', delivery: 'open', repo: 'acme/paid' })
    expect(await world().view.escrowOf(work.jobId)).toMatchObject({ state: 'submitted' })
  })

  test('keeps what was handed in as it was: no footer is written into it', async () => {
    const { submission } = await sessionOf(work.agent, work.sessionId)
    expect(submission.structured).toEqual(work.submission)
  })

  test('that is merged is paid and badged, as decided by a machine', async () => {
    const before = await readBalances(world(), work.agent.account.address)
    await play(world(), 'acme/paid', 1, { merged: true })
    await status(work, 'resolved')
    const session = await sessionOf(work.agent, work.sessionId)
    expect(session.verificationSummary).toMatchObject({
      outcome: 'approved',
      reasonCode: 'CODEHOST_PR_EVIDENCE_ACCEPTED',
      handler: 'codehost_pr',
    })
    const verdict = await resultOf(work)
    expect(verdict).toMatchObject({ score: 95, blockers: [], codehostLookup: { status: 'verified', merged: true } })
    const badge = await world().expectCall(200, `/badges/${encode(work.sessionId)}`)
    expect(badge.service.verifierMode).toBe('deterministic')
    const after = await readBalances(world(), work.agent.account.address)
    expect(after.worker.locked).toBe(0n)
    expect(after.worker.liquid - before.worker.liquid).toBeGreaterThan(900_000n)
    expect(await seenOf(world(), work.sessionId)).toMatchObject({ delivery: 'merged' })
  })
})

describe('work whose claim was lost in the workflow engine', () => {
  let connection: Connection
  let engine: Client
  beforeAll(() => {
    connection = Connection.lazy({ address: world().info.temporalAddress })
    engine = new Client({ connection })
  })
  afterAll(() => connection?.close())

  /** Handed in and held; its process is gone. */
  const bereft = async (repo: string): Promise<OfferedWork> => {
    const work = await offered(world(), repo, 1, { runs: [{ name: 'test', conclusion: 'failure' }] })
    await held(work)
    await engine.workflow.getHandle(claimWorkflowId(work.jobId)).terminate('lost in this test')
    return work
  }

  test('is paid by a later approval all the same', async () => {
    const work = await bereft('acme/bereft')
    const before = await readBalances(world(), work.agent.account.address)
    await play(world(), 'acme/bereft', 1, { merged: true })
    await status(work, 'resolved')
    const after = await readBalances(world(), work.agent.account.address)
    expect(after.worker.locked).toBe(0n)
    expect(after.worker.liquid - before.worker.liquid).toBeGreaterThan(900_000n)
    expect((await world().call(`/badges/${encode(work.sessionId)}`)).status).toBe(200)
  })

  test('is rejected by a verdict that an operator asks for, and its window runs', async () => {
    const work = await bereft('acme/forlorn')
    expect(await runByOperator(work)).toMatchObject({ status: 200, body: { outcome: 'rejected', session: { status: 'rejected' } } })
    expect(await world().view.escrowOf(work.jobId)).toMatchObject({ state: 'rejected' })
    expect(await sessionOf(work.agent, work.sessionId)).toMatchObject({ status: 'rejected', chainState: 'rejected' })
  })
})

describe('a pull request that is good at first sight', () => {
  const GREEN = { runs: [{ name: 'test', conclusion: 'success' }] }
  const queued = async ({ sessionId }: OfferedWork) =>
    (await world().verifier.get('/verifier/pending?limit=200')).pending.find((row: { sessionId: string }) => row.sessionId === sessionId)
  const isHeld = async (work: OfferedWork, disposition: string, because: string): Promise<void> => {
    const standing = () => world().view.standingOf(work.agent.account.address)
    const before = await standing()
    await held(work)
    const again = serviceNow(world())
    await play(world(), ...placeOf(work), {})
    await looked(world(), work.sessionId, again)
    expect(await statusOf(work)).toBe('submitted')
    expect(await resultOf(work)).toMatchObject({ status: 'verifying' })
    expect(await world().view.escrowOf(work.jobId)).toMatchObject({ state: 'submitted' })
    expect(await standing()).toEqual(before)
    expect(await queued(work)).toMatchObject({ disposition, prUrl: work.url, heldBecause: expect.stringContaining(because) })
  }

  test('stays submitted, with nothing moved, until an operator asks: then it is paid', async () => {
    const work = await offered(world(), 'acme/green', 1, GREEN)
    await isHeld(work, 'waiting_for_merge', 'Waiting for an operator or its merge.')
    expect((await runByOperator(work, { preview: true })).body).toMatchObject({ outcome: 'approved', preview: true })
    expect(await statusOf(work)).toBe('submitted')
    expect((await runByOperator(work)).body).toMatchObject({ outcome: 'approved', score: 90 })
    await status(work, 'resolved')
    expect(await queued(work)).toBeUndefined()
  })

  test('is paid by itself when it is merged then', async () => {
    const work = await offered(world(), 'acme/green-then-merged', 1, GREEN)
    await held(work)
    await play(world(), 'acme/green-then-merged', 1, { merged: true })
    await status(work, 'resolved')
    expect((await resultOf(work)).score).toBe(95)
  })

  test('is not paid because its checks have failed and passed again: the operator sees that, and its merge pays', async () => {
    const work = await offered(world(), 'acme/green-again', 1, GREEN)
    await held(work)
    const shows = async (change: PullChange, heldBecause: string): Promise<void> => {
      const before = serviceNow(world())
      await play(world(), 'acme/green-again', 1, change)
      await looked(world(), work.sessionId, before)
      expect(await statusOf(work)).toBe('submitted')
      expect(await queued(work)).toMatchObject({ heldBecause: expect.stringContaining(heldBecause) })
    }
    await shows({ runs: [{ name: 'test', conclusion: 'failure' }] }, 'Not met: checks_failing.')
    await shows(GREEN, 'Waiting for an operator or its merge.')
    await play(world(), 'acme/green-again', 1, { merged: true })
    await status(work, 'resolved')
  })

  test('is not paid while it is a draft, nor merged into another branch than the default', async () => {
    const work = await offered(world(), 'acme/sandbox', 1, {
      draft: true,
      runs: [{ name: 'test', conclusion: null, status: 'in_progress' }],
    })
    await held(work)
    const draft = serviceNow(world())
    await play(world(), 'acme/sandbox', 1, GREEN)
    await looked(world(), work.sessionId, draft)
    expect(await queued(work)).toMatchObject({ heldBecause: expect.stringContaining('until the draft is ready and merged') })
    const merged = serviceNow(world())
    await play(world(), 'acme/sandbox', 1, { draft: false, baseRef: 'wip/sandbox', merged: true })
    await looked(world(), work.sessionId, merged)
    expect(await queued(work)).toMatchObject({ heldBecause: expect.stringContaining('its target is the branch wip/sandbox, not main.') })
    expect(await statusOf(work)).toBe('submitted')
  })

  test('because it is merged already waits for an operator all the same', async () => {
    const work = await offered(world(), 'acme/merged', 1, { merged: true, ...GREEN })
    await isHeld(work, 'operator_review', 'Waiting for an operator: it was not open at the first read.')
    expect((await runByOperator(work)).body).toMatchObject({ outcome: 'approved', score: 95 })
    await status(work, 'resolved')
  })
})

describe('a pull request that is handed in', () => {
  test('counts for its own claimant only: a labelled line of another wallet is refused when an operator asks', async () => {
    const body = `Fixes #7.\n\nAgent Work Service\nAgent identity: 0x${'12'.repeat(20)}`
    const work = await offered(world(), 'acme/foreign', 1, { merged: true, body })
    await held(work)
    expect(await statusOf(work)).toBe('submitted')
    const { body: preview } = await runByOperator(work, { preview: true })
    expect(preview).toMatchObject({ outcome: 'rejected', preview: true, blockers: ['claimant_binding_mismatched'] })
    expect(await statusOf(work)).toBe('submitted')
    expect((await runByOperator(work)).body).toMatchObject({ outcome: 'rejected', reasonCode: 'CODEHOST_PR_EVIDENCE_INCOMPLETE' })
    await status(work, 'rejected')
  })

  test('of another repository is refused at validation and submission in the same words, and another form of the address is read', async () => {
    const work = await offered(world(), 'acme/own', 1, { merged: true })
    const elsewhere = { ...work.submission, prUrl: 'https://codehost.example/mine/own/pull/1' }
    const { jobId, sessionId } = work
    const validation = await world().expectCall(200, '/jobs/validate-submission', { body: { jobId, submission: elsewhere } })
    expect(validation).toMatchObject({ valid: false, submitSafe: false, path: 'payload.submission.prUrl' })
    const { status: code, body } = await work.agent.call('/jobs/submit', { body: { sessionId, submission: elsewhere } })
    expect([code, body.code, body.detail, body.errors]).toEqual([400, validation.code, validation.message, validation.errors])
    expect(await statusOf(work)).toBe('claimed')
    await held({ ...work, submission: { ...work.submission, prUrl: '<http://www.codehost.example/acme/own/pull/1>.' } })
    expect((await runByOperator(work)).body).toMatchObject({ outcome: 'approved', codehostLookup: { status: 'verified' } })
  })

  test('is paid by itself after its repository was renamed and it was merged there', async () => {
    const work = await offered(world(), 'acme/before', 1)
    await held(work)
    await renameRepository(world(), 'acme/before', 'acme/after')
    await play(world(), 'acme/after', 1, { merged: true })
    await status(work, 'resolved')
    expect(await resultOf(work)).toMatchObject({ codehostLookup: { repo: 'acme/after' }, checks: { repoMatches: true } })
  })

  test('whose text is edited after it was handed in is judged by the text it has', async () => {
    const work = await offered(world(), 'acme/edited', 1, {
      runs: [{ name: 'test', conclusion: null, status: 'in_progress' }],
      title: 'WIP',
    })
    await play(world(), 'acme/edited', 1, { body: 'Fixes #7. No footer any more.' })
    await held(work)
    const before = serviceNow(world())
    await play(world(), 'acme/edited', 1, { merged: true })
    await looked(world(), work.sessionId, before)
    expect(await statusOf(work)).toBe('submitted')
    expect(await seenOf(world(), work.sessionId)).toMatchObject({ disposition: 'operator_review' })
    await play(world(), 'acme/edited', 1, { body: `Fixes #7.\n\n${work.footer}` })
    await status(work, 'resolved')
  })

  test('that is force-pushed shows its new head, and is paid when it is merged', async () => {
    const work = await offered(world(), 'acme/pushed', 1, { statuses: [{ context: 'ci', state: 'failure' }] })
    await held(work)
    const { headSha } = await seenOf(world(), work.sessionId)
    await play(world(), 'acme/pushed', 1, { headSha: 'f'.repeat(40), statuses: [{ context: 'ci', state: 'failure' }] })
    const moved = await until(
      () => seenOf(world(), work.sessionId),
      (seen) => seen.headSha === 'f'.repeat(40),
    )
    expect(moved.headSha).not.toBe(headSha)
    expect(await statusOf(work)).toBe('submitted')
    await play(world(), 'acme/pushed', 1, { statuses: [{ context: 'ci', state: 'success' }], merged: true })
    await status(work, 'resolved')
  })
})

describe('a code host that does not answer well', () => {
  test.each([
    ['deleted', (repo: string) => removePull(world(), repo, 1)],
    ['made private', (repo: string) => play(world(), repo, 1, { private: true })],
  ])('because the pull request was %s: held, and an operator who asks sends it to people', async (name, script) => {
    const repo = `acme/${name.replace(' ', '-')}`
    const work = await offered(world(), repo, 1, { merged: true })
    await script(repo)
    await held(work)
    expect(await statusOf(work)).toBe('submitted')
    expect((await runByOperator(work)).body).toMatchObject({
      outcome: 'disputed',
      reasonCode: 'HUMAN_REVIEW_REQUIRED',
      handler: 'human_fallback',
      escalatedFrom: 'codehost_pr',
      detail: 'codehost_api_404',
    })
    await status(work, 'disputed')
    expect(await world().view.escrowOf(work.jobId)).toMatchObject({ state: 'submitted' })
  })

  test('because it is forbidden: people decide, and when it is readable again its merge still settles', async () => {
    const work = await offered(world(), 'acme/forbidden', 1, { runs: [{ name: 'test', conclusion: 'failure' }] })
    await held(work)
    await failNext(world(), { status: 403, times: 1, path: '/acme/forbidden/' })
    // The preview is computed by the API, the run by the worker: each has its own client.
    expect((await runByOperator(work)).body).toMatchObject({ outcome: 'disputed', detail: 'codehost_api_403' })
    await status(work, 'disputed')
    await play(world(), 'acme/forbidden', 1, { merged: true })
    await status(work, 'resolved')
    const badge = await world().expectCall(200, `/badges/${encode(work.sessionId)}`)
    expect(badge.service.verifierMode).toBe('deterministic')
  })

  test('because it is down: no verdict for any caller', async () => {
    const work = await offered(world(), 'acme/down', 1, { runs: [{ name: 'test', conclusion: 'failure' }] })
    await held(work)
    await failNext(world(), { status: 503, times: 1, path: '/acme/down/' })
    expect(await runByOperator(work)).toMatchObject({
      status: 502,
      body: { code: 'upstream_failure', reason: 'CODEHOST_PR_LOOKUP_UNAVAILABLE' },
    })
    expect(await resultOf(work)).toMatchObject({ status: 'verifying' })
    expect(await statusOf(work)).toBe('submitted')
  })
})

describe('the cap of a repository', () => {
  const REPO = 'acme/busy'

  test('is shown before a fourth claim and refuses it, until a pull request is closed', async () => {
    const open = { runs: [{ name: 'test', conclusion: 'failure' }] }
    // One after the other: all are funded by one wallet.
    const work = (number: number) => offered(world(), REPO, number, open)
    const first = await work(1)
    for (const one of [first, await work(2), await work(3)]) await handIn(one)
    const agent = await fundedAgent(world())
    const jobId = await createJob(world(), pullRequestJob(REPO))
    const openPullRequests = { repo: REPO, openCount: 3, openPrCap: 3 }
    expect(await agent.get(`/jobs/preflight?jobId=${jobId}`)).toMatchObject({ openPullRequests })
    const checked = await world().expectCall(200, '/jobs/validate-submission', { body: { jobId, submission: first.submission } })
    expect(checked).toMatchObject({
      valid: true,
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'maintainer_open_pr_cap_reached' })]),
    })
    expect(await agent.call('/jobs/claim', { body: { jobId } })).toMatchObject({
      status: 409,
      body: { code: 'maintainer_open_pr_cap_reached', details: openPullRequests },
    })
    await play(world(), REPO, 1, { state: 'closed' })
    expect((await claim(agent, jobId)).status).toBe('claimed')
    expect(await seenOf(world(), first.sessionId)).toMatchObject({ delivery: 'closed_unmerged' })
  })

  test('does not count a repository that is denied: no job is listed there', async () => {
    const body = {
      id: 'denied-pr',
      description: 'x',
      category: 'coding',
      rewardAmount: 1,
      ...pullRequestJob('golang/go'),
      verifierTerms: undefined,
    }
    expect(await world().admin.call('/admin/jobs', { body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: expect.stringContaining('/source/repo'), rule: 'repo_denylisted' }] },
    })
  })
})
