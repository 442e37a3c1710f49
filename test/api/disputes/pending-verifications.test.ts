import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ApiDeps } from '../../../api/deps.ts'
import { createReviewHandlers } from '../../../api/disputes/review-handlers.ts'
import { type Api, accounts, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addSession } from '../support/work-rows.ts'

const WALLET = `0x${'b2'.repeat(20)}`
const HOUR = 3_600_000
const MONDAY = Date.UTC(2026, 0, 5)
const URL_OF_WORK = 'https://codehost.example/acme/widgets/pull/12'

let place: TestDatabase
let api: Api
beforeAll(async () => {
  place = await createTestDatabase()
  // The handlers need what the API is made of, which exists only once it runs.
  const holder: { handlers?: ReturnType<typeof createReviewHandlers> } = {}
  api = await startApi({
    databaseUrl: place.url,
    handlers: { listPendingVerifications: (input: never) => holder.handlers?.listPendingVerifications(input) ?? Promise.reject() },
  })
  holder.handlers = createReviewHandlers({ ...api.deps, engine: {}, clients: {} } as unknown as ApiDeps)
})
afterAll(async () => {
  await api.close()
  await place.drop()
})

const submit = (jobId: string, verifierMode: string, changes: object = {}) => {
  const jobSnapshot = { specDefinition: { title: 'A job' } }
  const evidence = { verifierMode, assetDecimals: 6, gasRetainedRaw: '0' }
  const state = { status: 'submitted', chainState: 'submitted', submittedAt: MONDAY, jobSnapshot, evidence }
  return addSession(api.deps.database, WALLET, jobId, MONDAY, { ...state, ...changes })
}
const offer = async (sessionId: string, jobId: string, disposition: string | null, heldBecause: string | null = null) => {
  await api.deps.database.rows
    .insertInto('pull_request')
    .values({
      sessionId,
      jobId,
      wallet: WALLET,
      host: 'codehost.example',
      repo: 'acme/widgets',
      number: 12,
      url: URL_OF_WORK,
      delivery: 'open',
      submittedAt: MONDAY,
      disposition,
      headSha: null,
      readAt: null,
      heldBecause,
    })
    .execute()
  return sessionId
}
const pending = async (): Promise<Record<string, Record<string, unknown>>> => {
  const { status, body } = await api.call('/verifier/pending', { token: await tokenOf(api, accounts.verifier) })
  expect(status).toBe(200)
  const rows = (body as { pending: { sessionId: string }[] }).pending
  return Object.fromEntries(rows.map((row) => [row.sessionId, { ...row }]))
}
const due = (hours: number): string => new Date(MONDAY + hours * HOUR).toISOString()

describe('the list of pending verifications', () => {
  test('shows the address, disposition and review deadline of a pull request', async () => {
    const seen = await offer(await submit('seen', 'codehost_pr', { reviewEndsAt: MONDAY + 6 * HOUR }), 'seen', 'waiting_for_merge')
    const unseen = await offer(await submit('unseen', 'codehost_pr', { reviewEndsAt: MONDAY + 5 * HOUR }), 'unseen', null)
    const found = await pending()
    expect(found[seen]).toMatchObject({ prUrl: URL_OF_WORK, disposition: 'waiting_for_merge', slaDeadline: due(6) })
    expect(found[unseen]).toMatchObject({ prUrl: URL_OF_WORK, disposition: 'awaiting_verdict', slaDeadline: due(5) })
  })

  test('shows why a pull request is held after its first read', async () => {
    const because = 'Score 90 (80 needed). Waiting for an operator or its merge.'
    const held = await offer(await submit('held', 'codehost_pr'), 'held', 'waiting_for_merge', because)
    const unseen = await offer(await submit('not-yet', 'codehost_pr'), 'not-yet', null)
    const found = await pending()
    expect(found[held]).toMatchObject({ heldBecause: because })
    expect(found[unseen]).not.toHaveProperty('heldBecause')
  })

  test('shows what a pull request waits for in human review, too', async () => {
    const changes = { status: 'disputed', disputedAt: MONDAY + 6 * HOUR }
    const called = await offer(await submit('called', 'codehost_pr', changes), 'called', 'operator_review')
    const unread = await offer(await submit('unread', 'codehost_pr', changes), 'unread', null)
    const found = await pending()
    expect(found[called]).toMatchObject({ prUrl: URL_OF_WORK, disposition: 'operator_review' })
    expect(found[unread]).toMatchObject({ prUrl: URL_OF_WORK, disposition: 'human_review' })
  })

  test('of other modes have no address, and two days where an older release kept no end', async () => {
    const plain = await submit('plain', 'benchmark')
    const found = await pending()
    expect(found[plain]).toMatchObject({ disposition: 'awaiting_verdict', slaDeadline: due(48) })
    expect(found[plain]).not.toHaveProperty('prUrl')
  })
})
