import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createAdmission } from '../../../activities/claims/admission.ts'
import { openPullRequestCapacity } from '../../../activities/pull-requests/capacity.ts'
import { storePolicy } from '../../../activities/pull-requests/policy-records.ts'
import { endDelivery, openPullRequests, reserveDelivery, sessionsAwaiting } from '../../../activities/pull-requests/records.ts'
import { createDeliveries } from '../../../activities/pull-requests/refresh.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import type { VerifierHandler, VerifierInput } from '../../../activities/verification/handlers.ts'
import { latestVerdict } from '../../../activities/verification/records.ts'
import { createVerifierHandlers, type VerifierHandlers } from '../../../activities/verification/registry.ts'
import { createVerifications } from '../../../activities/verification/steps.ts'
import { disclosureFooter } from '../../../domain/pull-requests/disclosure.ts'
import { pinnedDefinition } from '../../../domain/sessions/snapshot.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import type { PullRequestReading, PullRequestRef } from '../../../schemas/pull-requests/record.ts'
import { prBody } from '../../domain/builders/job.ts'
import { policyOf } from '../../domain/builders/maintainers.ts'
import { reading, run } from '../../domain/builders/pull-request.ts'
import { createMaintainers } from '../../support/records/maintainers.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { bondAt, type Records, startRecords, UNLIMITED, walletAt } from '../support/service.ts'
import { createFixtureSources } from '../verification/fixtures/fixture.ts'

let records: Records
beforeAll(async () => {
  records = await startRecords(UNLIMITED)
})
afterAll(() => records.stop())

let count = 0
/** A claim of a job about issue 7 of a repository, before its admission; `posted`: the job is one of a poster. */
const claimOf = async (repo: string, { posted = false } = {}) => {
  count += 1
  const number = count
  const { id: _id, ...body } = prBody({ source: { type: 'codehost_issue', repo, issueNumber: 7 } })
  const jobId = await records.addJob(`pr-${number}`, {
    ...body,
    verifierTerms: undefined,
    verifierConfig: { requireClaimantBinding: true },
    rewardAmount: 0.2,
  })
  if (posted) await records.rows.updateTable('job').set({ postingRoute: 'external-direct' }).where('id', '=', jobId).execute()
  const wallet = walletAt(500 + number)
  return { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}` }), runId: `pr-run-${number}` }
}
type Claim = Awaited<ReturnType<typeof claimOf>>
const record = async (claim: Claim, admitted: AdmittedClaim): Promise<AdmittedClaim> => {
  await records.claims.recordClaim({ claim, admitted, bond: bondAt(records.clock.now()) })
  return admitted
}
const claimed = async (repo: string, options: { posted?: boolean } = {}): Promise<AdmittedClaim> => {
  const claim = await claimOf(repo, options)
  return record(claim, await records.admission.admitClaim(claim))
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

const REACHED = 'maintainer_open_pr_cap_reached'
/** Refusals of claims that come together. */
const claimTogether = async (repo: string, many: number) => {
  const claims = await Promise.all(Array.from({ length: many }, () => claimOf(repo)))
  return Promise.all(claims.map(async (claim) => (await refusal(records.admission.admitClaim(claim)))?.code ?? null))
}

describe('the cap of open pull requests at the claim', () => {
  test('holds when claims come together, of recorded and of unrecorded ones', async () => {
    const first = await claimTogether('acme/race', 5)
    expect(first.filter((code) => code === null)).toHaveLength(3)
    expect(first.filter((code) => code === REACHED)).toHaveLength(2)
    expect(await claimTogether('acme/race', 1)).toEqual([REACHED])
  })

  test('counts deliveries and the claims that may still make one, whatever the case of their repository', async () => {
    await admit(await claimed('acme/case'), urlOf('ACME/Case', 1))
    await claimed('Acme/Case')
    await records.admission.admitClaim(await claimOf('acme/CASE'))
    expect(await claimTogether('acme/case', 1)).toEqual([REACHED])
  })

  test('leaves every admitted claim its place at the submission', async () => {
    const claims = await Promise.all([1, 2, 3].map(() => claimed('acme/places')))
    const posted = await claimed('acme/places', { posted: true })
    expect(await refusal(admit(posted, urlOf('acme/places', 7)))).toMatchObject({ code: REACHED })
    const refusals = await Promise.all(claims.map((claim, index) => refusal(admit(claim, urlOf('acme/places', index + 1)))))
    expect(refusals).toEqual([null, null, null])
  })

  const EXPIRED = { result: 'expired', observedState: 'open', observedWorker: null, blockNumber: '9', txHash: null } as const
  test.each<[string, (repo: string, claim: Claim, admitted: AdmittedClaim) => Promise<unknown>]>([
    ['released', (_repo, { runId }) => records.admission.releaseClaim({ runId, code: 'insufficient_liquidity' })],
    [
      'expired',
      async (_repo, claim, admitted) => {
        await record(claim, admitted)
        await records.claims.recordExpiry({ runId: claim.runId, sessionId: admitted.sessionId, expiry: EXPIRED })
      },
    ],
    [
      'merged',
      async (repo, claim, admitted) => {
        await admit(await record(claim, admitted), urlOf(repo, 5))
        await records.database.transaction((rows) => endDelivery(rows, admitted.sessionId, 'merged', records.clock.now()))
      },
    ],
  ])('has a place again once a claim is %s', async (how, end) => {
    const repo = `acme/freed-${how}`
    const claim = await claimOf(repo)
    const admitted = await records.admission.admitClaim(claim)
    expect(await claimTogether(repo, 3)).toContain(REACHED)
    await end(repo, claim, admitted)
    expect(await claimTogether(repo, 1)).toEqual([null])
  })

  test('is one for the names of one repository', async () => {
    for (const repo of ['acme/before', 'acme/after']) await storePolicy(records.rows, repo, policyOf(repo, { repoId: 4711 }))
    const admission = createAdmission({ ...records, maintainers: createMaintainers(records.database, { repoId: 4711 }) })
    for (const repo of ['acme/before', 'acme/before', 'acme/after']) await admission.admitClaim(await claimOf(repo))
    expect((await refusal(admission.admitClaim(await claimOf('acme/after'))))?.code).toBe(REACHED)
  })

  test('is that of the policy of the job, and pinned with the claim', async () => {
    const { id: _id, ...body } = prBody({
      source: { type: 'codehost_issue', repo: 'acme/own-cap', issueNumber: 7, maintainerPolicy: { openPrCap: 1 } },
    })
    const capped = { ...body, verifierTerms: undefined, verifierConfig: { requireClaimantBinding: true } }
    const claims = await Promise.all(
      [1, 2].map(async (number) => {
        const jobId = await records.addJob(`own-cap-${number}`, capped)
        return { ...claimInput(jobId, { wallet: walletAt(800 + number) }), runId: `own-cap-${number}` }
      }),
    )
    const results = await Promise.all(claims.map(async (claim) => (await refusal(records.admission.admitClaim(claim)))?.code ?? null))
    expect(results.sort()).toEqual([REACHED, null].sort())
    const intent = await records.rows
      .selectFrom('claim_intent')
      .select('terms')
      .where('runId', 'like', 'own-cap-%')
      .executeTakeFirstOrThrow()
    expect(intent.terms.openPrCap).toBe(1)
  })
})

describe('the cap of open pull requests at the submission of a posted job', () => {
  test('holds when submissions come together', async () => {
    const claims = await Promise.all([1, 2, 3, 4, 5].map(() => claimed('acme/posted', { posted: true })))
    const refusals = await Promise.all(claims.map((claim, index) => refusal(admit(claim, urlOf('acme/posted', index + 1)))))
    const refused = refusals.filter((found) => found !== null)
    expect(refused).toHaveLength(2)
    for (const found of refused) expect(found).toEqual({ code: REACHED, details: { repo: 'acme/posted', openCount: 3, openPrCap: 3 } })
    expect(await openIn('acme/posted')).toHaveLength(3)
  })

  test('counts pull requests, whatever the case of their repository, and the own one not', async () => {
    for (const number of [1, 2, 3]) await admit(await claimed('acme/posted-case', { posted: true }), urlOf('ACME/Posted-Case', number))
    expect(await refusal(admit(await claimed('acme/posted-case', { posted: true }), urlOf('acme/posted-case', 3)))).toBeNull()
    expect(await refusal(admit(await claimed('acme/posted-case', { posted: true }), urlOf('acme/posted-case', 4)))).toMatchObject({
      code: REACHED,
    })
  })

  test('stamps its refusal, so that the same work sent again is another attempt', async () => {
    const claim = await claimed('acme/posted', { posted: true })
    expect((await getSession(records.rows, claim.sessionId)).submitFailedAt).toBeNull()
    expect(await refusal(admit(claim, urlOf('acme/posted', 9)))).not.toBeNull()
    const after = await getSession(records.rows, claim.sessionId)
    expect(after).toMatchObject({ status: 'claimed', submission: null })
    expect(after.submitFailedAt).toBeGreaterThan(0)
  })
})

describe('the cap of open pull requests', () => {
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
    await createDeliveries({ ...records, readPullRequest, readTracked: async () => false }).refresh('acme/refresh')
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
    await createDeliveries({ ...records, readPullRequest, readTracked: async () => false }).refresh(repo)
    expect(await openIn(repo)).toEqual(open)
  })
})

test('a submission that names the repository of another job takes no place there, and learns nothing of its cap', async () => {
  const misnamed = async (number: number) => refusal(admit(await claimed(`attacker/own-${number}`), urlOf('victim/repo', number)))
  for (const number of [901, 902, 903]) expect(await misnamed(number)).toMatchObject({ code: 'invalid_request' })
  expect(await openIn('victim/repo')).toEqual([])
  for (const number of [1, 2, 3]) expect(await refusal(admit(await claimed('victim/repo'), urlOf('victim/repo', number)))).toBeNull()
  expect(await openIn('victim/repo')).toEqual([1, 2, 3])
  expect(await misnamed(904)).toMatchObject({ code: 'invalid_request' })
})

// Which states settle an approval: test/domain/verification/auto-settlement.test.ts. Here: which states are stored and compared.
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
  const looksOf = new Map<string, number>()
  /** Reads the pull request in its next attempt, or in the one that is named. */
  const look = (
    { sessionId }: AdmittedClaim,
    pullRequest: PullRequestReading,
    input: { attempt?: number; decisive?: boolean } = {},
    handlers = createVerifierHandlers(createFixtureSources({ pullRequest })),
  ) => {
    const attempt = (looksOf.get(sessionId) ?? 0) + 1
    looksOf.set(sessionId, attempt)
    const looks = createVerifications({ ...records, handlers, publicBaseUrl: 'https://work.example' })
    return looks.readPullRequest({ sessionId, runId: `watch-${sessionId}`, attempt, requestedBy: 'test', decisive: false, ...input })
  }
  const lookAt = async (claim: AdmittedClaim, ...state: [Parameters<typeof reading>[0]?, (string | null)?]) =>
    look(claim, await seen(claim, ...state))
  const rowOf = ({ sessionId }: AdmittedClaim) =>
    records.rows.selectFrom('pull_request').selectAll().where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
  const newest = ({ sessionId }: AdmittedClaim) => latestVerdict(records.rows, sessionId)
  /** Submitted, and read while its checks fail. */
  const failing = async (repo: string) => {
    const claim = await submitted(`acme/${repo}`)
    expect(await lookAt(claim, {}, 'failure')).toMatchObject({ kind: 'undecided', outcome: 'rejected' })
    return claim
  }

  const MERGED = { merged: true, state: 'closed' } as const
  const approval = { kind: 'verdict', outcome: 'approved' }
  const waits = (because: string) => ({ kind: 'undecided', outcome: 'approved', detail: expect.stringContaining(because) })
  const startReview = ({ sessionId }: AdmittedClaim) =>
    records.verifications.recordReviewRequired({ sessionId, runId: `watch-${sessionId}` })

  test('that finds an open pull request merged stores one verdict, also when it is repeated or was killed before its verdict', async () => {
    const claim = await failing('merged')
    const first = await lookAt(claim, MERGED)
    expect(first).toMatchObject(approval)
    expect(await look(claim, await seen(claim, {}, 'failure'), { attempt: 2 })).toEqual(first)
    expect(await newest(claim)).toMatchObject({ seq: 1, outcome: 'approved' })
    await records.rows.deleteFrom('verification').where('sessionId', '=', claim.sessionId).execute()
    expect(await look(claim, await seen(claim, MERGED), { attempt: 2 })).toMatchObject(approval)
  })

  test.each([
    ['green', {}, 'Waiting for an operator or its merge.'],
    ['merged', MERGED, 'Waiting for an operator: it was not open at the first read.'],
  ])('that finds it %s at first sight waits for an operator, and says so', async (name, pull, because) => {
    const claim = await submitted(`acme/first-${name}`)
    for (const _look of [1, 2]) expect(await lookAt(claim, pull)).toMatchObject(waits(because))
    expect(await newest(claim)).toBeNull()
    expect(await rowOf(claim)).toMatchObject({ heldBecause: expect.stringContaining(because) })
    expect(await look(claim, await seen(claim, pull), { decisive: true })).toMatchObject(approval)
    expect(await rowOf(claim)).toMatchObject({ heldBecause: null })
  })

  test.each(['acme/renamed-since', 'other/renamed'])('that finds it merged in its repository under the name %s settles', async (repo) => {
    const claim = await submitted('acme/renamed', repo.length)
    await lookAt(claim, { repoId: repo.length })
    const named = { repo, repoId: repo.length, numbers: [repo.length], shas: [] }
    expect(await sessionsAwaiting(records.rows, named)).toEqual([claim.sessionId])
    expect(await sessionsAwaiting(records.rows, { ...named, repoId: 999 })).toEqual([])
    expect(await sessionsAwaiting(records.rows, { ...named, repoId: null })).toEqual([])
    expect(await lookAt(claim, { ...MERGED, repo, repoId: repo.length })).toMatchObject(approval)
  })

  test.each<[string, Parameters<typeof reading>[0], Parameters<typeof reading>[0]]>([
    ['another repository under another name', {}, { repo: 'other/moved', repoId: 2 }],
    ['a repository that had another name at the first read', { repo: 'other/moved' }, { repo: 'other/moved' }],
  ])('that finds it merged in %s leaves it to people', async (_what, first, later) => {
    const claim = await submitted('acme/moved', first?.repo === undefined ? 1 : 2)
    await lookAt(claim, first)
    const found = await lookAt(claim, { ...MERGED, ...later })
    expect(found).toMatchObject({ kind: 'undecided', outcome: 'disputed', detail: 'codehost_repository_renamed' })
  })

  test('that finds checks passed after the review began settles; earlier results do not count', async () => {
    const claim = await failing('reviewed')
    await startReview(claim)
    expect(await rowOf(claim)).toMatchObject({ stateAtReview: { ci: 'failing' } })
    expect(await lookAt(claim)).toMatchObject(approval)

    const green = await failing('reviewed-green')
    await lookAt(green)
    await startReview(green)
    for (const conclusion of ['success', 'failure', null]) expect(await lookAt(green, {}, conclusion)).toMatchObject({ kind: 'undecided' })
    expect(await lookAt(green)).toMatchObject(waits('its merge or a new result of its checks.'))
    expect(await lookAt(green, MERGED)).toMatchObject(approval)
  })

  test('is not compared when it failed right before the review: the first complete one after it is', async () => {
    const claim = await failing('unread')
    await look(claim, { ...(await seen(claim)), reviews: null })
    await startReview(claim)
    expect(await rowOf(claim)).toMatchObject({ stateAtReview: null, reviewStartedAt: expect.any(Number) })
    expect(await lookAt(claim)).toMatchObject(waits('Waiting for an operator or its merge.'))
    expect(await rowOf(claim)).toMatchObject({ stateAtReview: { ci: 'passing' } })
    expect(await lookAt(claim)).toMatchObject(waits('its merge or a new result of its checks.'))
  })

  test('is compared with the first start of the review, however often it is started', async () => {
    const claim = await failing('called-twice')
    await startReview(claim)
    const partly = { ...(await seen(claim)), statuses: null }
    expect(await look(claim, partly, { decisive: true })).toMatchObject({ outcome: 'disputed' })
    expect(await rowOf(claim)).toMatchObject({ stateAtReview: { ci: 'failing' } })
    expect(await lookAt(claim)).toMatchObject(approval)
  })

  test('that finds checks passed after an operator sent it to people settles', async () => {
    const claim = await submitted('acme/sent-to-people')
    const gate = async (conclusion: string | null) => ({
      ...(await seen(claim)),
      runs: [run('test', 'success'), run('EasyCLA', conclusion)],
    })
    await look(claim, await gate(null))
    const asked = await look(claim, await gate(null), { decisive: true })
    expect(asked).toMatchObject({ kind: 'verdict', reasonCode: 'HUMAN_REVIEW_REQUIRED' })
    expect(await look(claim, await gate('success'))).toMatchObject(approval)
  })

  test('sees other work that is handed in for the first time', async () => {
    const claim = await failing('anew')
    await startReview(claim)
    expect(await rowOf(claim)).toMatchObject({ firstState: { state: 'open' }, stateAtReview: { state: 'open' } })
    const session = { ...(await getSession(records.rows, claim.sessionId)), status: 'claimed' as const }
    await reserveDelivery(records.rows, session, { prUrl: urlOf('acme/anew', 2) }, { usualCap: 3, now: records.clock.now() })
    expect(await rowOf(claim)).toMatchObject({ number: 2, firstState: null, latestState: null, stateAtReview: null, heldBecause: null })
  })

  test('that does not approve stores what was seen and no verdict, unless a caller asked for one', async () => {
    const claim = await failing('asked')
    expect(await rowOf(claim)).toMatchObject({ disposition: 'waiting_for_merge', delivery: 'open', headSha: 'a'.repeat(40) })
    expect(await newest(claim)).toBeNull()
    const asked = await look(claim, await seen(claim, {}, 'failure'), { decisive: true })
    expect(asked).toMatchObject({ kind: 'verdict', outcome: 'rejected' })
    expect(await newest(claim)).toMatchObject({ verdict: { requestedBy: 'test' } })
  })

  test('stores a fault of the platform once: later looks add none unless a caller asks for a verdict', async () => {
    const claim = await submitted('acme/looks', 2)
    const fault = { outcome: 'platform_fault' }
    const { jobSnapshot } = await getSession(records.rows, claim.sessionId)
    const change = (set: object) => records.rows.updateTable('session').set(set).where('sessionId', '=', claim.sessionId).execute()
    await change({ jobSnapshot: { ...jobSnapshot, specHash: `0x${'0'.repeat(64)}` } })
    expect(await lookAt(claim)).toMatchObject({ kind: 'verdict', ...fault })
    await change({ status: 'disputed' })
    expect(await lookAt(claim)).toMatchObject({ kind: 'undecided', ...fault })
    expect(await newest(claim)).toMatchObject({ seq: 1, ...fault })
    expect(await look(claim, await seen(claim), { decisive: true })).toMatchObject({ kind: 'verdict', ...fault })
    await change({ jobSnapshot })
    await lookAt(claim)
    expect(await lookAt(claim, MERGED)).toMatchObject(approval)
  })

  test('that reads nothing keeps what is known, and says when to come again', async () => {
    const claim = await failing('away')
    const { firstState } = await rowOf(claim)
    const away = { status: 'unavailable', reason: 'codehost_api_429', isTransient: true, retryAfterSeconds: 17 } as const
    for (const decisive of [false, true])
      expect(await look(claim, away, { decisive })).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 17 })
    const gone = { status: 'unavailable', reason: 'codehost_api_404', isTransient: false, retryAfterSeconds: null } as const
    expect(await look(claim, gone)).toMatchObject({ kind: 'undecided', disposition: 'awaiting_evidence' })
    expect(await rowOf(claim)).toMatchObject({ delivery: 'open', firstState, latestState: null })
  })

  test('that approves after the review began adds a second verdict of the same run', async () => {
    const claim = await submitted('acme/looks', 3)
    for (const _start of [1, 2]) await startReview(claim)
    await lookAt(claim)
    expect(await newest(claim)).toMatchObject({ seq: 1, reasonCode: 'HUMAN_REVIEW_REQUIRED' })
    await lookAt(claim, { merged: true })
    expect(await newest(claim)).toMatchObject({ seq: 2, outcome: 'approved' })
  })

  test('that began before the arbitration decides nothing any more', async () => {
    const claim = await failing('arbitrated')
    const { verdictId } = await startReview(claim)
    const usual = createVerifierHandlers(createFixtureSources({ pullRequest: await seen(claim) })).get('codehost_pr') as VerifierHandler
    const meanwhile = async (input: VerifierInput) => {
      const found = await usual.evaluate(input)
      const arbitrated = { status: 'disputed', chainState: 'disputed' }
      await records.rows.updateTable('session').set(arbitrated).where('sessionId', '=', claim.sessionId).execute()
      return found
    }
    const handlers: VerifierHandlers = new Map([['codehost_pr', { handler: 'codehost_pr', evaluate: meanwhile }]] as const)
    expect(await look(claim, await seen(claim), {}, handlers)).toMatchObject({ verdictId, outcome: 'disputed' })
    expect(await newest(claim)).toMatchObject({ id: verdictId, seq: 1 })
    expect(await lookAt(claim)).toEqual({ kind: 'ended', status: 'disputed' })
  })

  test('is over for a session whose money moved already', async () => {
    const claim = await claimed('acme/looks')
    expect(await lookAt(claim)).toEqual({ kind: 'ended', status: 'claimed' })
  })
})
