import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import type { Audit } from '../../../activities/audit/context.ts'
import { checkDeliveries } from '../../../activities/audit/deliveries.ts'
import { createArticleDeliveries } from '../../../activities/deliveries/article-reader.ts'
import { createPullRequestDeliveries } from '../../../activities/deliveries/pull-request-reader.ts'
import { findTracked } from '../../../activities/deliveries/records.ts'
import { createDeliverySteps } from '../../../activities/deliveries/steps.ts'
import { createDeliveryWaker } from '../../../activities/deliveries/wake.ts'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { openPullRequests } from '../../../activities/pull-requests/records.ts'
import { readScores } from '../../../activities/reputation/ledger.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { createMessageSender } from '../../../activities/temporal/send.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { deliveryChanged, deliveryProgress, deliveryWorkflowId } from '../../../schemas/deliveries/process.ts'
import { type HttpServer, startHttpServer } from '../../activities/support/http-server.ts'
import { bondAt, type Records, startRecords, UNLIMITED, walletAt } from '../../activities/support/service.ts'
import { prBody } from '../../domain/builders/job.ts'
import { payWork } from '../../support/records/paid-work.ts'
import { claimInput } from '../support/claim-input.ts'
import { DAY, HOUR, MINUTE, shownState, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()
let records: Records
let codehost: LocalCodehost
let encyclopedia: HttpServer
/** Wikitext of the article now; null while the encyclopedia does not answer. */
let article: string | null = ''
const PINNED = 'The bridge was opened in 1900.'
const PROPOSED = 'The bridge was opened in 1901.<ref>Gazette</ref>'

const page = (query: URLSearchParams) => {
  const isPinned = query.get('revids') === '42'
  const content = isPinned ? PINNED : article
  const revision = { revid: isPinned ? 42 : 43, slots: { main: { content } } }
  return { query: { pages: isPinned || query.get('pageids') === '5' ? [{ pageid: 5, revisions: [revision] }] : [] } }
}

beforeAll(async () => {
  codehost = await startCodehost()
  encyclopedia = await startHttpServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://encyclopedia')
    if (article === null) response.writeHead(503).end()
    else response.end(JSON.stringify(page(searchParams)))
  })
  records = await startRecords({ ...UNLIMITED, ...codehostSettings(codehost.url), WIKIPEDIA_API_URL: `${encyclopedia.url}/{language}` })
})
afterAll(async () => {
  await records.stop()
  await encyclopedia.stop()
  await codehost.stop()
})

let count = 0
const claimed = async (changes: object) => {
  count += 1
  const { id: _id, ...body } = prBody()
  const jobId = await records.addJob(`delivered-${count}`, { ...body, verifierTerms: undefined, ...changes })
  const wallet = walletAt(800 + count)
  const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}` }), runId: `delivered-run-${count}` }
  const admitted = await records.admission.admitClaim(claim)
  await records.claims.recordClaim({ claim, admitted, bond: bondAt(records.clock.now()) })
  return admitted
}

/** Submits the work of a claim and pays it, as the settlement records it. */
const pay = async (claim: Awaited<ReturnType<typeof claimed>>, submission: object): Promise<string> => {
  await records.claims.admitSubmission({ ...claim, submission, requestId: 'request-2', protocol: 'http' })
  await payWork(records, claim)
  return claim.sessionId
}

/** Starts what waits for a start, as the loop of a worker does. The service clock is that of the engine. */
const wake = () => {
  const clock = { now: () => engine.now() }
  const fetch = createGuardedFetch({ allowedHosts: [new URL(codehost.url).host, encyclopedia.host] })
  const { settings, database } = records
  const readers = {
    readPullRequestDelivery: createPullRequestDeliveries({ settings, fetch }),
    readArticleDelivery: createArticleDeliveries({ settings, fetch }),
  }
  engine.service.play(createDeliverySteps({ database, clock, ...readers }))
  return createDeliveryWaker({ send: createMessageSender(engine.client as never), database, clock })()
}
const handleOf = (sessionId: string): WorkflowHandle => engine.client.workflow.getHandle(deliveryWorkflowId(sessionId))
const readingsOf = async (sessionId: string): Promise<number> => (await findTracked(records.rows, sessionId))?.readings ?? 0
const begin = async (sessionId: string): Promise<WorkflowHandle> => {
  await wake()
  await until(async () => (await readingsOf(sessionId)) > 0)
  return handleOf(sessionId)
}
/** Moves on and waits for the reading that is due then. */
const moveTo = async (sessionId: string, ms: number): Promise<void> => {
  const before = await readingsOf(sessionId)
  await engine.move(ms)
  await until(async () => (await readingsOf(sessionId)) > before)
}

const pullRequest = async (repo: string, number: number): Promise<string> => {
  codehost.world.set(repo, number, {})
  const claim = await claimed({ source: { type: 'codehost_issue', repo, issueNumber: 7 } })
  return pay(claim, {
    prUrl: `https://codehost.example/${repo}/pull/${number}`,
    summary: 'The last row is kept.',
    tests: 'npm test: 12 passed',
  })
}
const deliveryOf = async (sessionId: string) =>
  (await records.rows.selectFrom('pull_request').select('delivery').where('sessionId', '=', sessionId).executeTakeFirst())?.delivery
const changesOf = async (sessionId: string) =>
  (
    await records.rows
      .selectFrom('event')
      .selectAll()
      .where('sessionId', '=', sessionId)
      .where('topic', '=', 'delivery.changed')
      .orderBy('id')
      .execute()
  ).map(({ data, wallets }) => [data.from, data.state, wallets.length])
const findings = async (): Promise<unknown[]> => {
  const found: unknown[] = []
  await checkDeliveries({ rows: records.rows } as Audit, (finding) => found.push(finding))
  return found
}

describe('a paid pull request', () => {
  test('is read at once and every day, merged, and final after its watch; its scores stay', async () => {
    const repo = 'acme/merged'
    const sessionId = await pullRequest(repo, 7)
    const { wallet } = await getSession(records.rows, sessionId)
    const scores = await readScores(records.rows, wallet)
    const handle = await begin(sessionId)
    expect(await handle.query(deliveryProgress)).toMatchObject({ state: 'open', isOver: false })
    expect(await shownState(handle)).toBe('open')
    expect(await openPullRequests(records.rows, repo, records.clock.now())).toHaveLength(1)
    await moveTo(sessionId, DAY + MINUTE)
    codehost.world.set(repo, 7, { merged: true })
    await moveTo(sessionId, DAY + MINUTE)
    expect(await deliveryOf(sessionId)).toBe('merged')
    expect(await openPullRequests(records.rows, repo, records.clock.now())).toEqual([])
    for (let day = 1; day < 7; day += 1) await moveTo(sessionId, DAY + MINUTE)
    await engine.move(DAY)
    expect(await handle.result()).toEqual({ state: 'merged' })
    expect(await changesOf(sessionId)).toEqual([['open', 'merged', 1]])
    expect(await readScores(records.rows, wallet)).toEqual(scores)
    const tracked = await findTracked(records.rows, sessionId)
    expect(tracked?.history.map(({ state }) => state)).toEqual(['open', 'merged'])
    expect(tracked).toMatchObject({ readings: 10, failedReadings: 0 })
  })

  test('is reverted by a commit of the default branch while it is watched', async () => {
    const sessionId = await pullRequest('acme/reverted', 7)
    const { mergeCommit } = codehost.world.set('acme/reverted', 7, { merged: true })
    const handle = await begin(sessionId)
    codehost.commits.add('acme/reverted', { message: 'Fix the lexer (#8)' })
    await moveTo(sessionId, DAY + MINUTE)
    expect(await deliveryOf(sessionId)).toBe('merged')
    const sha = codehost.commits.add('acme/reverted', { message: `Revert "Change 7"\n\nThis reverts commit ${mergeCommit}.` })
    await engine.move(DAY + MINUTE)
    expect(await handle.result()).toEqual({ state: 'reverted' })
    expect(await deliveryOf(sessionId)).toBe('reverted')
    expect((await findTracked(records.rows, sessionId))?.facts).toMatchObject({ revertedBy: sha })
  })

  test('is reverted by a merged pull request that states it', async () => {
    const sessionId = await pullRequest('acme/taken-back', 7)
    codehost.world.set('acme/taken-back', 7, { merged: true })
    codehost.world.set('acme/taken-back', 9, { title: 'Revert "Change 7"', body: 'Reverts acme/taken-back#7', merged: true })
    expect(await (await begin(sessionId)).result()).toEqual({ state: 'reverted' })
    expect((await findTracked(records.rows, sessionId))?.facts).toMatchObject({ revertedBy: '#9' })
  })

  test('is closed without a merge as soon as a message says that it changed', async () => {
    const sessionId = await pullRequest('acme/closed', 7)
    const handle = await begin(sessionId)
    codehost.world.set('acme/closed', 7, { state: 'closed' })
    await handle.signal(deliveryChanged, { deliveryId: 'a-webhook' })
    expect(await handle.result()).toEqual({ state: 'closed_unmerged' })
    expect(await deliveryOf(sessionId)).toBe('closed_unmerged')
  })

  test('is stale after thirty days', async () => {
    const sessionId = await pullRequest('acme/stale', 7)
    const handle = await begin(sessionId)
    await engine.move(30 * DAY + MINUTE)
    expect(await handle.result()).toEqual({ state: 'open_stale' })
    expect(await deliveryOf(sessionId)).toBe('open_stale')
  })

  test.each([
    ['answers 503', { status: 503 }],
    ['closes the connection', { status: 0 }],
    ['sends another shape', { status: 200, body: { number: 7 } }],
  ])('keeps its state when its host %s, and the failure is counted', async (_what, failure) => {
    const repo = `acme/fails-${failure.status}`
    const sessionId = await pullRequest(repo, 7)
    codehost.world.fail({ path: repo, ...failure })
    await begin(sessionId)
    expect(await findTracked(records.rows, sessionId)).toMatchObject({ state: 'open', readings: 1, failedReadings: 1, facts: null })
    await engine.move(HOUR)
    codehost.world.set(repo, 7, { state: 'closed' })
    await moveTo(sessionId, DAY)
    expect(await findTracked(records.rows, sessionId)).toMatchObject({
      state: 'closed_unmerged',
      readings: 2,
      failedReadings: 1,
      failure: null,
    })
  })

  test('of a repository that another one replaced is not read as its successor', async () => {
    const sessionId = await pullRequest('acme/replaced', 7)
    const { repoId } = codehost.world.set('acme/replaced', 7, {})
    const firstState = { repo: 'acme/replaced', repoId } as never
    await records.rows.updateTable('pull_request').set({ firstState }).where('sessionId', '=', sessionId).execute()
    codehost.world.changeRepository('acme/replaced', { recreate: true })
    codehost.world.set('acme/replaced', 7, { merged: true })
    await begin(sessionId)
    expect(await findTracked(records.rows, sessionId)).toMatchObject({ state: 'open', failure: 'repository_replaced' })
  })

  test.each([
    ['is closed when it is gone from a repository that can be read', [8], 'closed_unmerged', null],
    ['keeps its state when its whole repository is gone', [], 'open', 'codehost_api_404'],
  ])('%s', async (_what, others, state, failure) => {
    const repo = `acme/gone-${others.length}`
    const sessionId = await pullRequest(repo, 7)
    for (const number of others) codehost.world.set(repo, number, {})
    codehost.world.remove(repo, 7)
    await begin(sessionId)
    expect(await findTracked(records.rows, sessionId)).toMatchObject({ state, failure })
  })
})

describe('the process of a delivery', () => {
  test('is started again when it was lost, and the delivery is read when it is due', async () => {
    const sessionId = await pullRequest('acme/lost', 7)
    const lost = await begin(sessionId)
    await lost.terminate('lost')
    await wake()
    expect(await readingsOf(sessionId)).toBe(1)
    await engine.move(DAY + 2 * HOUR)
    await wake()
    await until(async () => (await readingsOf(sessionId)) === 2)
    expect((await handleOf(sessionId).describe()).status.name).toBe('RUNNING')
  })

  test('is not started for other work, and once for a payment that is recorded twice', async () => {
    const claim = await claimed({ source: { type: 'codehost_issue', repo: 'acme/once', issueNumber: 7 } })
    codehost.world.set('acme/once', 7, {})
    const sessionId = await pay(claim, {
      prUrl: 'https://codehost.example/acme/once/pull/7',
      summary: 'The last row is kept.',
      tests: 'npm test',
    })
    await begin(sessionId)
    const { runId } = await handleOf(sessionId).describe()
    await wake()
    expect([(await handleOf(sessionId).describe()).runId, await readingsOf(sessionId)]).toEqual([runId, 1])
    const other = await claimed({ ...BENCHMARK, source: undefined })
    expect(await findTracked(records.rows, await pay(other, PROPOSAL))).toBeNull()
  })

  test('leaves records that agree with each other', async () => {
    expect(await findings()).toEqual([])
    const sessionId = await pullRequest('acme/disagrees', 7)
    await records.rows.updateTable('pull_request').set({ delivery: 'merged' }).where('sessionId', '=', sessionId).execute()
    expect(await findings()).toEqual([{ subject: sessionId, expected: 'a payout, and a pull request that is open', found: 'merged' }])
    await records.rows.updateTable('pull_request').set({ delivery: 'open' }).where('sessionId', '=', sessionId).execute()
  })
})

const BENCHMARK = {
  title: 'Repair citations of the bridge',
  verifierMode: 'benchmark',
  verifierConfig: { requiredKeywords: ['bridge', 'opened'], minimumMatches: 2 },
  outputSchemaRef: 'schema://jobs/wikipedia-citation-repair-output',
}
const PROPOSAL = {
  page_title: 'Bridge',
  revision_id: '42',
  citation_findings: [{ section: 'History', problem: 'weak_source', current_claim: PINNED, evidence_url: 'https://gazette.example/' }],
  proposed_changes: [
    { change_type: 'replace_citation', target_text: PINNED, replacement_text: PROPOSED, source_url: 'https://gazette.example/1901' },
  ],
  review_notes: 'None.',
}

describe('a paid proposal for an article', () => {
  const proposal = async (): Promise<string> => {
    const source = { type: 'wikipedia_article', language: 'en', pageTitle: 'Bridge', revisionId: '42' }
    return pay(await claimed({ ...BENCHMARK, source }), PROPOSAL)
  }

  test.each<[string, [days: number, text: string | null][], string]>([
    [
      'is merged when its text stood for seven days',
      [
        [2, `A ${PROPOSED.toUpperCase()}`],
        [7.1, `A ${PROPOSED} and more`],
      ],
      'merged',
    ],
    [
      'is reverted when its text is gone again',
      [
        [2, PROPOSED],
        [3, PINNED],
      ],
      'reverted',
    ],
    ['is stale when nothing adopted it', [[14.1, PINNED]], 'open_stale'],
    [
      'is not changed by days without an answer',
      [
        [2, PROPOSED],
        [3, null],
        [4.5, PROPOSED],
      ],
      'merged',
    ],
  ])('%s', async (_what, days, state) => {
    article = PINNED
    const sessionId = await proposal()
    const handle = await begin(sessionId)
    expect(await findTracked(records.rows, sessionId)).toMatchObject({
      kind: 'edit',
      state: 'open',
      address: `${encyclopedia.url}/?oldid=42`,
    })
    for (const [ms, text] of days) {
      article = text
      await engine.move(ms * DAY + MINUTE)
    }
    expect(await handle.result()).toEqual({ state })
    expect(await findTracked(records.rows, sessionId)).toMatchObject({ state })
  })
})
