import { beforeAll, describe, expect, test } from '@jest/globals'
import { countDeliveries } from '../../../activities/deliveries/records.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createBadgeHandlers } from '../../../api/reputation/badge-handlers.ts'
import { sessionId } from '../../../domain/common/ids.ts'
import { deliveryCounts } from '../../../domain/deliveries/view.ts'
import { ERRORS, isServiceError } from '../../../schemas/errors.ts'
import { aSession } from '../../domain/builders/session.ts'
import { aDelivery } from '../../support/records/delivery-row.ts'
import { endWithReceipt } from '../../support/records/receipt-rows.ts'
import { ask, BASE_URL, NOW, refusal, reputation, worker } from '../support/account-world.ts'
import { useDatabase } from '../support/own-database.ts'
import { addBadge, addIntent, addSession, approvedAt, HASH } from '../support/work-rows.ts'

const database = useDatabase()
let handlers: ReturnType<typeof createBadgeHandlers>
beforeAll(async () => {
  handlers = createBadgeHandlers({ database, clock: { now: () => NOW }, baseUrl: BASE_URL } as ApiDeps)
  for (const [jobId, at] of ISSUED) {
    await addSession(database, worker, jobId, at, approvedAt(at))
    await addBadge(database, worker, jobId, at)
  }
})

/** Two of them in the same instant, where only the session id decides. */
const ISSUED = [
  ['docs-1', NOW - 3_000],
  ['docs-2', NOW - 1_000],
  ['docs-3', NOW - 2_000],
  ['docs-4', NOW - 2_000],
  ['docs-5', NOW - 4_000],
] as const
const NEWEST_FIRST = ['docs-2', 'docs-3', 'docs-4', 'docs-1', 'docs-5']

const list = async (query: Record<string, string> = {}) => (await ask(reputation.listBadges, handlers.listBadges, { query })).body
const draw = (id: string) => ask(reputation.getBadgeImage, handlers.getBadgeImage, { params: { sessionId: id } })
const get = (id: string) => ask(reputation.getBadge, handlers.getBadge, { params: { sessionId: id } })

describe('the list of badges', () => {
  test('is newest first, with the whole document in every row', async () => {
    const { badges: rows, limit, nextCursor } = await list()
    expect(rows.map(({ jobId }) => jobId)).toEqual(NEWEST_FIRST)
    expect({ limit, nextCursor }).toEqual({ limit: 100, nextCursor: null })
    const [first] = rows
    expect(first).toMatchObject({
      kind: 'badge',
      worker,
      level: 1,
      category: 'docs',
      issuedAt: new Date(NOW - 1_000).toISOString(),
      evidenceHash: HASH('e'),
      canonicalUrl: `${BASE_URL}/badges/${encodeURIComponent(first?.sessionId ?? '')}`,
      signers: [{ role: 'worker', wallet: worker, status: 'submitted' }],
    })
    expect(first?.blockRef).toBe(first?.badge.service.chainJobId)
    expect(first?.badge).toEqual((await get(first?.sessionId ?? '')).body)
  })

  test.each([1, 2, 3])('in pages of %i it shows each badge once, also when a newer one comes in between', async (limit) => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: String(limit), ...(cursor !== null && { cursor }) })
      seen.push(...page.badges.map(({ jobId }) => jobId))
      cursor = page.nextCursor
      if (seen.length === limit) {
        await addSession(database, worker, `late-${limit}`, NOW + limit)
        await addBadge(database, worker, `late-${limit}`, NOW + limit)
      }
    } while (cursor !== null)
    expect(seen.filter((jobId) => jobId.startsWith('docs'))).toEqual(NEWEST_FIRST)
    expect(seen).not.toContain(`late-${limit}`)
  })

  test.each(['0', '501', '-1', '1.5', 'ten', ''])('the limit "%s" is refused, not clamped', (limit) => {
    expect(reputation.listBadges.query.safeParse({ limit }).success).toBe(false)
  })

  test('a cursor that cannot be read is refused', async () => {
    expect(await refusal(list({ cursor: 'nonsense' }))).toBe('invalid_request')
  })
})

describe('one badge', () => {
  const id = sessionId('docs-1', worker)

  test('is found under any case of the address', async () => {
    for (const spelling of [id, id.toLowerCase(), `docs-1:0x${worker.slice(2).toUpperCase()}`]) {
      expect((await get(spelling)).body.service.sessionId).toBe(id)
    }
  })

  test.each(['no-such-job:0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'not a session', 'docs-1', `docs-1:${'0x12'}`, 'x\u2028y'])(
    'the id "%s" names no session',
    async (unknown) => {
      expect(await refusal(get(unknown))).toBe('session_not_found')
    },
  )

  test('names its picture, which is drawn', async () => {
    const id = sessionId('docs-1', worker)
    const { body: badge } = await get(id)
    expect(badge.image).toBe(`${badge.external_url}/picture.png`)
    expect((await draw(id)).body.subarray(1, 4)).toEqual(Buffer.from('PNG'))
  })

  test.each(['claimed', 'submitted', 'disputed'])('a session that is %s may still get one', async (status) => {
    const session = await addSession(database, worker, `without-${status}`, NOW, { status })
    expect(await refusal(get(session))).toBe(`badge_not_ready ${status}`)
    expect(await refusal(draw(session))).toBe(`badge_not_ready ${status}`)
  })

  test.each(['expired', 'closed', 'timed_out', 'chain_state_diverged'])('a session that ended as %s never gets one', async (status) => {
    const session = await addSession(database, worker, `ended-${status}`, NOW, { status })
    const error = await get(session).catch((thrown: unknown) => thrown)
    if (!isServiceError(error)) throw error
    expect([error.code, error.info.reason]).toEqual(['badge_not_earned', status])
    expect([ERRORS[error.code].status, ERRORS[error.code].retryable]).toEqual([410, false])
    expect(error.info.nextActions?.length).toBeGreaterThan(0)
    expect(await refusal(draw(session))).toBe(`badge_not_earned ${status}`)
  })

  test('a rejection may still get one until it is final, and names the dispute meanwhile', async () => {
    const session = await addSession(database, worker, 'refused', NOW, {
      status: 'rejected',
      rejectedAt: NOW,
      jobSnapshot: { ...aSession().jobSnapshot },
    })
    const error = await get(session).catch((thrown: unknown) => thrown)
    expect(isServiceError(error) && [error.code, error.info.nextActions?.map(({ kind }) => kind)]).toEqual([
      'badge_not_ready',
      ['http', 'transaction'],
    ])
    await endWithReceipt(database, session, { rejectionFinalizedAt: NOW })
    expect(await refusal(get(session))).toBe('badge_not_earned rejected')
  })

  test('a lapsed claim counts as expired', async () => {
    const session = await addSession(database, worker, 'lapsed', NOW - 7_200_000)
    expect(await refusal(get(session))).toBe('badge_not_earned expired')
  })

  test('a claim without a session is pending', async () => {
    const session = await addSession(database, worker, 'converging', NOW, { status: 'expired' })
    await database.rows.deleteFrom('session').where('sessionId', '=', session).execute()
    await addIntent(database, worker, 'converging')
    expect(await refusal(get(session))).toBe('badge_not_ready pending')
  })

  test('the refusal names the read to poll', async () => {
    const session = await addSession(database, worker, 'polled', NOW)
    const error = await get(session).catch((thrown: unknown) => thrown)
    expect(isServiceError(error) && error.info.nextActions).toEqual([
      { kind: 'http', method: 'GET', path: `/verifier/result?sessionId=${encodeURIComponent(session)}`, description: expect.any(String) },
    ])
  })
})

describe('what became of the work of a badge', () => {
  const id = sessionId('docs-4', worker)
  const row = aDelivery({ sessionId: id, jobId: 'docs-4', wallet: worker, state: 'merged', endedAt: NOW })
  beforeAll(async () => {
    await database.rows.insertInto('tracked_delivery').values(row).execute()
  })

  test('stands beside the signed badge in the list, without the address', async () => {
    const shown = (await list()).badges.find(({ sessionId: listed }) => listed === id)
    expect(shown?.delivery).toEqual({
      kind: 'pull_request',
      state: 'merged',
      since: new Date(row.changedAt).toISOString(),
      isFinal: true,
      readAt: new Date(row.readAt ?? 0).toISOString(),
    })
    expect(JSON.stringify(shown)).not.toContain(row.address)
    expect((await list()).badges.filter(({ delivery }) => delivery !== undefined)).toHaveLength(1)
  })

  test('is on its page, while the document stays as it was signed', async () => {
    const stored = await database.rows.selectFrom('badge').select('document').where('sessionId', '=', id).executeTakeFirstOrThrow()
    const answer = await get(id)
    expect(answer.body).toEqual(stored.document)
    const text = (await (answer as { page?: () => Promise<string> }).page?.()) ?? ''
    expect(text).toContain('The pull request was merged.')
    expect(text).not.toContain(row.address)
  })

  test('is counted by its state', async () => {
    const counts = deliveryCounts(await countDeliveries(database.rows, worker))
    expect(counts).toEqual({ open: 0, merged: 1, closedUnmerged: 0, stale: 0, reverted: 0 })
  })
})
