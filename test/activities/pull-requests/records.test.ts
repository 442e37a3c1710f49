import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openPullRequestCapacity, openPullRequests, reserveDelivery, sessionsAwaiting } from '../../../activities/pull-requests/records.ts'
import { createDeliveries } from '../../../activities/pull-requests/refresh.ts'
import { findSession, getSession } from '../../../activities/sessions/records.ts'
import { createFixtureSources } from '../../../activities/verification/fixtures/fixture.ts'
import type { VerifierHandler, VerifierInput } from '../../../activities/verification/handler.ts'
import { createPullRequestChecks } from '../../../activities/verification/pull-request-checks.ts'
import { latestVerdict } from '../../../activities/verification/records.ts'
import { createVerifierHandlers } from '../../../activities/verification/registry.ts'
import { disclosureFooter } from '../../../domain/pull-requests/disclosure.ts'
import { pinnedDefinition } from '../../../domain/sessions/snapshot.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import type { PullRequestReading, PullRequestRef } from '../../../schemas/pull-requests/record.ts'
import { prBody } from '../../domain/builders/job.ts'
import { reading, run } from '../../domain/builders/pull-request.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { bondAt, type Records, startRecords, walletAt } from '../support/service.ts'

let records: Records
beforeAll(async () => {
  const wide = '1000000000'
  records = await startRecords({
    WORKER_OPEN_EXPOSURE_CAP_RAW: wide,
    WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: wide,
    WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: wide,
  })
})
afterAll(() => records.stop())

let count = 0
/** A claimed job about issue 7 of a repository. */
const claimed = async (repo: string): Promise<AdmittedClaim> => {
  count += 1
  const number = count
  const { id: _id, ...body } = prBody({ source: { type: 'codehost_issue', repo, issueNumber: 7 } })
  const jobId = await records.addJob(`pr-${number}`, {
    ...body,
    verifierTerms: undefined,
    verifierConfig: { requireClaimantBinding: true },
  })
  const wallet = walletAt(500 + number)
  const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}` }), runId: `pr-run-${number}` }
  const admitted = await records.admission.admitClaim(claim)
  await records.claims.recordClaim({ claim, admitted, bond: bondAt(records.clock.now()) })
  return admitted
}

const urlOf = (repo: string, number: number): string => `https://codehost.example/${repo}/pull/${number}`
const admit = (claim: AdmittedClaim, url: string) =>
  records.claims.admitSubmission({
    ...claim,
    submission: { prUrl: url, summary: 'The last row is kept.', tests: 'npm test: 12 passed' },
    requestId: 'request-2',
    protocol: 'http',
  })
const submitted = async (repo: string, number = 1): Promise<AdmittedClaim> => {
  const claim = await claimed(repo)
  await admit(claim, urlOf(repo, number))
  const submittedAt = new Date(records.clock.now()).toISOString()
  await records.claims.recordSubmission({ ...claim, txHash: `0x${'d'.repeat(64)}`, submittedAt, protocol: 'http' })
  return claim
}

const refusal = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (error) {
    if (isServiceError(error)) return { code: error.code, details: error.info.details }
    throw error
  }
  return null
}
const openIn = async (repo: string) => (await openPullRequests(records.rows, repo, records.clock.now())).map(({ number }) => number)

describe('the cap of open pull requests', () => {
  test('holds when submissions come together', async () => {
    const claims = await Promise.all([1, 2, 3, 4, 5].map(() => claimed('acme/race')))
    const refusals = await Promise.all(claims.map((claim, index) => refusal(admit(claim, urlOf('acme/race', index + 1)))))
    const refused = refusals.filter((found) => found !== null)
    expect(refused).toHaveLength(2)
    for (const found of refused)
      expect(found).toEqual({ code: 'maintainer_open_pr_cap_reached', details: { repo: 'acme/race', openCount: 3, openPrCap: 3 } })
    expect(await openIn('acme/race')).toHaveLength(3)
  })

  test('counts pull requests, whatever the case of their repository, and the own one not', async () => {
    for (const number of [1, 2, 3]) await admit(await claimed('acme/case'), urlOf('ACME/Case', number))
    expect(await refusal(admit(await claimed('acme/case'), urlOf('acme/case', 3)))).toBeNull()
    expect((await refusal(admit(await claimed('acme/case'), urlOf('acme/case', 4))))?.code).toBe('maintainer_open_pr_cap_reached')
  })

  test('stamps its refusal, so that the same work sent again is another attempt', async () => {
    const claim = await claimed('acme/race')
    expect((await getSession(records.rows, claim.sessionId)).submitFailedAt).toBeNull()
    expect(await refusal(admit(claim, urlOf('acme/race', 9)))).not.toBeNull()
    const after = await getSession(records.rows, claim.sessionId)
    expect(after).toMatchObject({ status: 'claimed', submission: null })
    expect(after.submitFailedAt).toBeGreaterThan(0)
  })

  test('does not count what the chain refused', async () => {
    const claim = await claimed('acme/dropped')
    await admit(claim, urlOf('acme/dropped', 1))
    await records.claims.dropSubmission({ sessionId: claim.sessionId, code: 'blockchain_revert' })
    expect(await openIn('acme/dropped')).toEqual([])
    await admit(claim, urlOf('acme/dropped', 2))
    expect(await openIn('acme/dropped')).toEqual([2])
  })

  test('does not count a pull request without a change for a month', async () => {
    const claim = await submitted('acme/stale')
    const definition = pinnedDefinition((await getSession(records.rows, claim.sessionId)).jobSnapshot)
    const roomAt = (now: number) => openPullRequestCapacity(records.rows, definition, { usualCap: 3, now })
    const now = records.clock.now()
    expect(await roomAt(now)).toEqual({ repo: 'acme/stale', openCount: 1, openPrCap: 3 })
    expect(await roomAt(now + 30 * 86_400_000)).toMatchObject({ openCount: 0 })
  })

  test('forgets what the host says is merged or closed, and nothing that it does not say', async () => {
    for (const number of [1, 2, 3]) await submitted('acme/refresh', number)
    const answers: Record<number, PullRequestReading> = {
      1: reading({ merged: true, state: 'closed' }),
      2: { status: 'unavailable', reason: 'codehost_api_404', isTransient: false, retryAfterSeconds: null },
      3: reading({ state: 'closed' }),
    }
    const readPullRequest = async ({ number }: PullRequestRef) => answers[number] ?? reading()
    await createDeliveries({ ...records, readPullRequest }).refresh('acme/refresh')
    expect(await openIn('acme/refresh')).toEqual([2])
  })

  test.each([
    ['rejected', 'codehost_api_404', false, []],
    ['chain_state_diverged', 'codehost_api_410', false, []],
    ['submitted', 'codehost_api_404', false, [1]],
    ['disputed', 'codehost_api_410', false, [1]],
    ['rejected', 'codehost_api_403', false, [1]],
    ['rejected', 'codehost_api_503', true, [1]],
  ])('forgets what is not there once its session is over: %s, %s', async (status, reason, isTransient, open) => {
    const repo = `acme/absent-${status}-${reason}`
    const { sessionId } = await submitted(repo)
    await records.rows.updateTable('session').set({ status }).where('sessionId', '=', sessionId).execute()
    const readPullRequest = async () => ({ status: 'unavailable', reason, isTransient, retryAfterSeconds: null }) as const
    await createDeliveries({ ...records, readPullRequest }).refresh(repo)
    expect(await openIn(repo)).toEqual(open)
  })
})

describe('a repository that another job is about', () => {
  test('keeps its places when the submission of another job names it', async () => {
    for (const number of [901, 902, 903])
      expect(await refusal(admit(await claimed('attacker/own'), urlOf('victim/repo', number)))).toMatchObject({ code: 'invalid_request' })
    expect(await openIn('victim/repo')).toEqual([])
    expect(await refusal(admit(await claimed('victim/repo'), urlOf('victim/repo', 1)))).toBeNull()
    expect(await openIn('victim/repo')).toEqual([1])
  })

  test('tells its cap to no work that names it wrongly', async () => {
    for (const number of [1, 2, 3]) await admit(await claimed('victim/full'), urlOf('victim/full', number))
    expect(await refusal(admit(await claimed('acme/elsewhere'), urlOf('victim/full', 4)))).toMatchObject({ code: 'invalid_request' })
  })
})

describe('a look at a pull request', () => {
  const seen = async (
    { sessionId, wallet }: AdmittedClaim,
    pull: Parameters<typeof reading>[0] = {},
    conclusion: string | null = 'success',
  ) => {
    const footer = disclosureFooter({ wallet, sessionId, definitionUrl: 'https://work.example/job' })
    const row = await records.rows.selectFrom('pull_request').select('repo').where('sessionId', '=', sessionId).executeTakeFirst()
    return reading({ repo: row?.repo ?? 'acme/looks', body: `Fixes #7.\n\n${footer}`, ...pull }, { runs: [run('test', conclusion)] })
  }
  const look = (claim: AdmittedClaim, pullRequest: PullRequestReading, input: { attempt?: number; decisive?: boolean } = {}) => {
    const handlers = createVerifierHandlers(createFixtureSources({ pullRequest }))
    const looks = createPullRequestChecks({ ...records, handlers, publicBaseUrl: 'https://work.example' })
    const { sessionId } = claim
    return looks.readPullRequest({ sessionId, runId: `watch-${sessionId}`, attempt: 1, requestedBy: 'test', decisive: false, ...input })
  }
  const rowOf = ({ sessionId }: AdmittedClaim) =>
    records.rows.selectFrom('pull_request').selectAll().where('sessionId', '=', sessionId).executeTakeFirstOrThrow()

  const MERGED = { merged: true, state: 'closed' } as const
  const approval = { kind: 'verdict', outcome: 'approved' }
  const waits = (because: string) => ({ kind: 'undecided', outcome: 'approved', detail: expect.stringContaining(because) })
  const startReview = ({ sessionId }: AdmittedClaim) =>
    records.verifications.recordReviewRequired({ sessionId, runId: `watch-${sessionId}` })

  test('that finds an open pull request merged stores one verdict, however often it is repeated', async () => {
    const claim = await submitted('acme/looks')
    await look(claim, await seen(claim, {}, 'failure'))
    const first = await look(claim, await seen(claim, MERGED), { attempt: 2 })
    expect(first).toMatchObject(approval)
    expect(await look(claim, await seen(claim, {}, 'failure'), { attempt: 2 })).toEqual(first)
    expect(await latestVerdict(records.rows, claim.sessionId)).toMatchObject({ seq: 1, outcome: 'approved' })
  })

  test.each([
    ['green', {}, 'Waiting for an operator or its merge.'],
    ['merged', MERGED, 'Waiting for an operator: it was not open at the first read.'],
  ])('that finds it %s at first sight waits for an operator, and says so', async (name, pull, because) => {
    const first = await submitted(`acme/first-${name}`)
    for (const number of [1, 2]) expect(await look(first, await seen(first, pull), { attempt: number })).toMatchObject(waits(because))
    expect(await latestVerdict(records.rows, first.sessionId)).toBeNull()
    expect(await rowOf(first)).toMatchObject({ heldBecause: expect.stringContaining(because) })
    expect(await look(first, await seen(first, pull), { attempt: 3, decisive: true })).toMatchObject(approval)
    expect(await rowOf(first)).toMatchObject({ heldBecause: null })
  })

  test('that an operator asked for is one of any outcome, the first one too', async () => {
    const claim = await submitted('acme/looks', 2)
    expect(await look(claim, await seen(claim, { merged: true }), { decisive: true })).toMatchObject(approval)
  })

  test('that finds new results, a new head or another text of an open pull request pays nothing before people are called', async () => {
    const claim = await submitted('acme/rerun')
    const found = await seen(claim)
    const later = [
      { ...found, runs: [] },
      found,
      await seen(claim, { headSha: 'b'.repeat(40) }),
      await seen(claim, { title: 'Keep every row' }),
    ]
    await look(claim, await seen(claim, {}, 'failure'))
    for (const [index, reading] of later.entries())
      expect(await look(claim, reading, { attempt: index + 2 })).toMatchObject(waits('Waiting for an operator or its merge.'))
    expect(await look(claim, await seen(claim, MERGED), { attempt: 6 })).toMatchObject(approval)
  })

  test('that finds a draft whose checks turned green pays nothing (case 3)', async () => {
    const claim = await submitted('acme/draft')
    await look(claim, await seen(claim, { draft: true }, null))
    const draft = await seen(claim, { draft: true })
    expect(await look(claim, draft, { attempt: 2 })).toMatchObject(waits('until the draft is ready and merged'))
    await startReview(claim)
    expect(await look(claim, draft, { attempt: 3 })).toMatchObject(waits('until the draft is ready and merged'))
    expect(await look(claim, await seen(claim, MERGED), { attempt: 4 })).toMatchObject(approval)
  })

  test('that finds it merged into another branch than the default leaves it to people (case 4)', async () => {
    const claim = await submitted('acme/sandbox')
    const sandbox = { baseRef: 'wip/sandbox' }
    await look(claim, await seen(claim, sandbox))
    const merged = await seen(claim, { ...sandbox, ...MERGED })
    expect(await look(claim, merged, { attempt: 2 })).toMatchObject(waits('its target is the branch wip/sandbox, not main.'))
    await startReview(claim)
    expect(await look(claim, merged, { attempt: 3 })).toMatchObject({ kind: 'undecided', disposition: 'operator_review' })
  })

  test('that finds it merged in a repository of the same name with another id leaves it to people', async () => {
    const claim = await submitted('acme/recreated')
    await look(claim, await seen(claim))
    const merged = await seen(claim, { ...MERGED, repoId: 2 })
    expect(await look(claim, merged, { attempt: 2 })).toMatchObject(waits('its repository is not the one of the first read.'))
  })

  test.each(['acme/renamed-since', 'other/renamed'])('that finds it merged in its repository under the name %s settles', async (repo) => {
    const claim = await submitted('acme/renamed', repo.length)
    await look(claim, await seen(claim, { repoId: repo.length }))
    const named = { repo, repoId: repo.length, numbers: [repo.length], shas: [] }
    expect(await sessionsAwaiting(records.rows, named)).toEqual([claim.sessionId])
    expect(await sessionsAwaiting(records.rows, { ...named, repoId: 999 })).toEqual([])
    expect(await sessionsAwaiting(records.rows, { ...named, repoId: null })).toEqual([])
    expect(await look(claim, await seen(claim, { ...MERGED, repo, repoId: repo.length }), { attempt: 2 })).toMatchObject(approval)
  })

  test.each<[string, Parameters<typeof reading>[0], Parameters<typeof reading>[0]]>([
    ['another repository under another name', {}, { repo: 'other/moved', repoId: 2 }],
    ['a repository that had another name at the first read', { repo: 'other/moved' }, { repo: 'other/moved' }],
  ])('that finds it merged in %s leaves it to people', async (_what, first, later) => {
    const claim = await submitted('acme/moved', first?.repo === undefined ? 1 : 2)
    await look(claim, await seen(claim, first))
    const found = await look(claim, await seen(claim, { ...MERGED, ...later }), { attempt: 2 })
    expect(found).toMatchObject({ kind: 'undecided', outcome: 'disputed', detail: 'codehost_repository_renamed' })
  })

  test('that finds checks passed after the review time settles; earlier results do not count', async () => {
    const claim = await submitted('acme/reviewed')
    await look(claim, await seen(claim, {}, 'failure'))
    await startReview(claim)
    expect(await rowOf(claim)).toMatchObject({ stateAtReview: { ci: 'failing' } })
    expect(await look(claim, await seen(claim), { attempt: 2 })).toMatchObject(approval)

    const green = await submitted('acme/reviewed-green')
    await look(green, await seen(green, {}, 'failure'))
    await look(green, await seen(green), { attempt: 2 })
    await startReview(green)
    for (const [index, conclusion] of ['success', 'failure', null].entries())
      expect(await look(green, await seen(green, {}, conclusion), { attempt: index + 3 })).toMatchObject({ kind: 'undecided' })
    expect(await look(green, await seen(green), { attempt: 6 })).toMatchObject(waits('its merge or a new result of its checks.'))
    expect(await look(green, await seen(green, MERGED), { attempt: 7 })).toMatchObject(approval)
  })

  test('that failed right before people were called counts for nothing: the first complete one after it is compared', async () => {
    const claim = await submitted('acme/unread')
    await look(claim, await seen(claim, {}, 'failure'))
    await look(claim, { ...(await seen(claim)), reviews: null }, { attempt: 2 })
    await startReview(claim)
    expect(await rowOf(claim)).toMatchObject({ stateAtReview: null, reviewStartedAt: expect.any(Number) })
    expect(await look(claim, await seen(claim), { attempt: 3 })).toMatchObject(waits('Waiting for an operator or its merge.'))
    expect(await rowOf(claim)).toMatchObject({ stateAtReview: { ci: 'passing' } })
    expect(await look(claim, await seen(claim), { attempt: 4 })).toMatchObject(waits('its merge or a new result of its checks.'))
    expect(await look(claim, await seen(claim, MERGED), { attempt: 5 })).toMatchObject(approval)
  })

  test('that is compared with the first call of people, however often they are called', async () => {
    const claim = await submitted('acme/called-twice')
    await look(claim, await seen(claim, {}, 'failure'))
    await startReview(claim)
    const partly = { ...(await seen(claim)), statuses: null }
    expect(await look(claim, partly, { attempt: 2, decisive: true })).toMatchObject({ outcome: 'disputed' })
    expect(await rowOf(claim)).toMatchObject({ stateAtReview: { ci: 'failing' } })
    expect(await look(claim, await seen(claim), { attempt: 3 })).toMatchObject(approval)
  })

  test('that finds checks passed after an operator sent it to people settles', async () => {
    const claim = await submitted('acme/sent-to-people')
    const gate = (conclusion: string | null, base: Awaited<ReturnType<typeof seen>>) => ({
      ...base,
      runs: [run('test', 'success'), run('EasyCLA', conclusion)],
    })
    await look(claim, gate(null, await seen(claim)))
    const asked = await look(claim, gate(null, await seen(claim)), { attempt: 2, decisive: true })
    expect(asked).toMatchObject({ kind: 'verdict', reasonCode: 'HUMAN_REVIEW_REQUIRED' })
    expect(await look(claim, gate('success', await seen(claim)), { attempt: 3 })).toMatchObject(approval)
  })

  test('pays a merge also when it was killed between what it saw and its verdict', async () => {
    const claim = await submitted('acme/killed')
    await look(claim, await seen(claim, {}, 'failure'))
    await look(claim, await seen(claim, MERGED), { attempt: 2 })
    await records.rows.deleteFrom('verification').where('sessionId', '=', claim.sessionId).execute()
    expect(await look(claim, await seen(claim, MERGED), { attempt: 2 })).toMatchObject(approval)
  })

  test('that reads a merge in part waits until it is whole', async () => {
    const claim = await submitted('acme/partly')
    const merged = await seen(claim, MERGED)
    await look(claim, { ...(await seen(claim)), runs: null })
    expect(await look(claim, { ...merged, reviews: null }, { attempt: 2 })).toMatchObject({
      kind: 'undecided',
      disposition: 'awaiting_evidence',
    })
    expect(await look(claim, merged, { attempt: 3 })).toMatchObject(approval)
  })

  test('sees other work that is handed in for the first time', async () => {
    const claim = await submitted('acme/anew')
    await look(claim, await seen(claim, {}, 'failure'))
    await startReview(claim)
    expect(await rowOf(claim)).toMatchObject({ firstState: { state: 'open' }, stateAtReview: { state: 'open' } })
    const session = { ...(await getSession(records.rows, claim.sessionId)), status: 'claimed' as const }
    await reserveDelivery(records.rows, session, { prUrl: urlOf('acme/anew', 2) }, { usualCap: 3, now: records.clock.now() })
    expect(await rowOf(claim)).toMatchObject({ number: 2, firstState: null, latestState: null, stateAtReview: null, heldBecause: null })
  })

  test('that does not approve stores what was seen and no verdict, unless a caller asked for one', async () => {
    const claim = await submitted('acme/looks', 2)
    expect(await look(claim, await seen(claim, {}, 'failure'))).toMatchObject({ kind: 'undecided', outcome: 'rejected' })
    expect(await look(claim, await seen(claim, {}, 'failure'), { attempt: 2 })).toMatchObject({ kind: 'undecided' })
    expect(await rowOf(claim)).toMatchObject({ disposition: 'waiting_for_merge', delivery: 'open', headSha: 'a'.repeat(40) })
    expect(await latestVerdict(records.rows, claim.sessionId)).toBeNull()
    const asked = await look(claim, await seen(claim, {}, 'failure'), { attempt: 3, decisive: true })
    expect(asked).toMatchObject({ kind: 'verdict', outcome: 'rejected' })
    expect(await latestVerdict(records.rows, claim.sessionId)).toMatchObject({ verdict: { requestedBy: 'test' } })
  })

  test('stores a fault of the platform once: later looks add none unless a caller asks for a verdict', async () => {
    const claim = await submitted('acme/looks', 2)
    const { jobSnapshot } = await getSession(records.rows, claim.sessionId)
    const change = (set: object) => records.rows.updateTable('session').set(set).where('sessionId', '=', claim.sessionId).execute()
    await change({ jobSnapshot: { ...jobSnapshot, specHash: `0x${'0'.repeat(64)}` } })
    expect(await look(claim, await seen(claim))).toMatchObject({ kind: 'verdict', outcome: 'platform_fault' })
    await change({ status: 'disputed' })
    for (const number of [2, 3])
      expect(await look(claim, await seen(claim), { attempt: number })).toMatchObject({ kind: 'undecided', outcome: 'platform_fault' })
    expect(await latestVerdict(records.rows, claim.sessionId)).toMatchObject({ seq: 1, outcome: 'platform_fault' })
    const asked = await look(claim, await seen(claim), { attempt: 4, decisive: true })
    expect(asked).toMatchObject({ kind: 'verdict', outcome: 'platform_fault' })
    await change({ jobSnapshot })
    expect(await look(claim, await seen(claim), { attempt: 5 })).toMatchObject({ kind: 'undecided', outcome: 'approved' })
    expect(await look(claim, await seen(claim, { merged: true }), { attempt: 6 })).toMatchObject({ kind: 'verdict', outcome: 'approved' })
  })

  test('that reads nothing keeps what is known, and says when to come again', async () => {
    const claim = await submitted('acme/looks', 3)
    await look(claim, await seen(claim, {}, 'failure'))
    const before = await rowOf(claim)
    const away = { status: 'unavailable', reason: 'codehost_api_429', isTransient: true, retryAfterSeconds: 17 } as const
    for (const decisive of [false, true])
      expect(await look(claim, away, { attempt: 2, decisive })).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 17 })
    const gone = { status: 'unavailable', reason: 'codehost_api_404', isTransient: false, retryAfterSeconds: null } as const
    expect(await look(claim, gone, { attempt: 3 })).toMatchObject({ kind: 'undecided', disposition: 'awaiting_evidence' })
    expect(await rowOf(claim)).toMatchObject({ delivery: 'open', firstState: before.firstState, latestState: null })
  })

  test('an approval after people were called is a second verdict of the same run', async () => {
    const claim = await submitted('acme/looks', 3)
    const runId = `watch-${claim.sessionId}`
    await records.verifications.recordReviewRequired({ sessionId: claim.sessionId, runId })
    await records.verifications.recordReviewRequired({ sessionId: claim.sessionId, runId })
    expect(await latestVerdict(records.rows, claim.sessionId)).toMatchObject({ seq: 1, reasonCode: 'HUMAN_REVIEW_REQUIRED' })
    await look(claim, await seen(claim), { attempt: 2 })
    expect(await latestVerdict(records.rows, claim.sessionId)).toMatchObject({ seq: 1 })
    await look(claim, await seen(claim, { merged: true }), { attempt: 3 })
    expect(await latestVerdict(records.rows, claim.sessionId)).toMatchObject({ seq: 2, outcome: 'approved' })
  })

  test('that began before the arbitration decides nothing any more', async () => {
    const claim = await submitted('acme/looks', 3)
    await look(claim, await seen(claim, {}, 'failure'))
    const { verdictId } = await records.verifications.recordReviewRequired({
      sessionId: claim.sessionId,
      runId: `watch-${claim.sessionId}`,
    })
    const usual = createVerifierHandlers(createFixtureSources({ pullRequest: await seen(claim) })).get('codehost_pr') as VerifierHandler
    const meanwhile = async (input: VerifierInput) => {
      const found = await usual.evaluate(input)
      const arbitrated = { status: 'disputed', chainState: 'disputed' }
      await records.rows.updateTable('session').set(arbitrated).where('sessionId', '=', claim.sessionId).execute()
      return found
    }
    const handlers = new Map([['codehost_pr', { handler: 'codehost_pr', evaluate: meanwhile }]] as const)
    const looks = createPullRequestChecks({ ...records, handlers, publicBaseUrl: 'https://work.example' })
    const asked = { sessionId: claim.sessionId, runId: `watch-${claim.sessionId}`, attempt: 2, requestedBy: 'test', decisive: false }
    expect(await looks.readPullRequest(asked)).toMatchObject({ verdictId, outcome: 'disputed' })
    expect(await latestVerdict(records.rows, claim.sessionId)).toMatchObject({ id: verdictId, seq: 1 })
    expect(await looks.readPullRequest({ ...asked, attempt: 3 })).toEqual({ kind: 'ended', status: 'disputed' })
  })

  test('is over for a session whose money moved already', async () => {
    const claim = await claimed('acme/looks')
    expect((await findSession(records.rows, claim.sessionId))?.status).toBe('claimed')
    expect(await look(claim, await seen(claim))).toEqual({ kind: 'ended', status: 'claimed' })
  })
})
