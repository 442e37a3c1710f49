import { beforeAll, describe, expect, test } from '@jest/globals'
import type { ApiDeps } from '../../../api/deps.ts'
import { createSessionAdminHandlers } from '../../../api/sessions/admin-handlers.ts'
import { SESSION_STATUSES, WAITING_FOR } from '../../../schemas/sessions/record.ts'
import { accounts, tokenOf } from '../../support/api.ts'
import { NOW as SECOND } from '../support/account-world.ts'
import { addSessionCase, type SessionCase, sessionCases } from '../support/session-cases.ts'
import { useApi } from '../support/started.ts'

/** Half a second into a second: deadlines count by whole seconds. */
const NOW = SECOND + 500
const [HOUR, DAY] = [3_600_000, 86_400_000]
const A = `0x${'a1'.repeat(20)}`
const B = `0x${'b2'.repeat(20)}`

const api = useApi({ now: NOW, handlers: (deps) => ({ ...createSessionAdminHandlers(deps as ApiDeps) }) })

const CASES = sessionCases(NOW)
const names = Object.keys(CASES)
const ENDED = ['rejection-final', 'paid', 'closed', 'expired', 'timed-out', 'diverged-and-closed']

let token = ''
beforeAll(async () => {
  token = await tokenOf(api, accounts.admin)
  for (const [index, name] of names.entries())
    await addSessionCase(api.deps.database, NOW, { name, wallet: index % 2 === 0 ? A : B, ...(CASES[name] as SessionCase) })
})

interface Row {
  jobId: string
  jobTitle?: string
  wallet: string
  status: string
  waitingFor: string | null
  deadline?: string
  updatedAt: string
  sessionId: string
  locked?: { raw: string }
}
const read = async (query: string): Promise<{ sessions: Row[]; nextCursor: string | null; compact: boolean }> => {
  const { status, body } = await api.call(`/admin/sessions?format=compact&${query}`, { token })
  expect([query, status]).toEqual([query, 200])
  return body
}
/** Every page of the list, two rows each. */
const readAll = async (query: string): Promise<Row[]> => {
  const rows: Row[] = []
  let cursor = ''
  do {
    const { sessions, nextCursor } = await read(`limit=2&${query}${cursor}`)
    rows.push(...sessions)
    cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`
  } while (cursor !== '')
  return rows
}
const jobs = (rows: Row[]): string[] => rows.map(({ jobId }) => jobId)
const whole = async (): Promise<Row[]> => (await read('limit=250')).sessions

const ORDERS = {
  updated: (rows: Row[]): Row[] => rows.toSorted((x, y) => y.updatedAt.localeCompare(x.updatedAt) || (x.sessionId < y.sessionId ? -1 : 1)),
  deadline: (rows: Row[]): Row[] => [
    ...rows
      .filter(({ deadline }) => deadline !== undefined)
      .toSorted((x, y) => (x.deadline ?? '').localeCompare(y.deadline ?? '') || (x.sessionId < y.sessionId ? -1 : 1)),
    ...ORDERS.updated(rows.filter(({ deadline }) => deadline === undefined)),
  ],
}
const orders = ['updated', 'deadline'] as const

describe('the list of sessions for operators', () => {
  test.each(orders)('has every session once, page by page, by %s', async (order) => {
    const all = await whole()
    expect(all).toHaveLength(names.length)
    expect(jobs(await readAll(`order=${order}`))).toEqual(jobs(ORDERS[order](all)))
  })

  test.each(orders.flatMap((order) => WAITING_FOR.map((waitingFor) => [waitingFor, order] as const)))(
    'waitingFor=%s has the rows that answer it, by %s',
    async (waitingFor, order) => {
      const expected = (await whole()).filter((row) => row.waitingFor === waitingFor)
      expect(expected).not.toEqual([])
      expect(jobs(await readAll(`waitingFor=${waitingFor}&order=${order}`))).toEqual(jobs(ORDERS[order](expected)))
    },
  )

  test.each(orders.flatMap((order) => SESSION_STATUSES.map((status) => [status, order] as const)))(
    'status=%s has the rows that show it, by %s',
    async (status, order) => {
      const expected = (await whole()).filter((row) => row.status === status)
      expect(expected).not.toEqual([])
      expect(jobs(await readAll(`status=${status}&order=${order}`))).toEqual(jobs(ORDERS[order](expected)))
    },
  )

  test('shows a claim past its deadline as expired, and one in its last second as claimed', async () => {
    expect(jobs(await readAll('status=expired')).toSorted()).toEqual(['expired', 'lapsed', 'stuck-lapsed'])
    expect(jobs(await readAll('status=claimed&waitingFor=worker')).toSorted()).toEqual(['claim', 'claim-in-its-last-second'])
  })

  test.each(orders)('the view of stuck sessions has those that should have moved, by %s', async (order) => {
    const expected = (await whole()).filter(({ jobId }) => jobId.startsWith('stuck'))
    expect(jobs(await readAll(`view=stuck&order=${order}`))).toEqual(jobs(ORDERS[order](expected)))
  })

  test.each(orders)('the view of waiting money has the sessions that have not ended, by %s', async (order) => {
    const expected = (await whole()).filter(({ jobId }) => !ENDED.includes(jobId))
    expect(jobs(await readAll(`view=money_waiting&order=${order}`))).toEqual(jobs(ORDERS[order](expected)))
  })

  test('takes several filters together', async () => {
    const all = await whole()
    const mine = all.filter(({ wallet }) => wallet === A)
    const stuck = mine.filter(({ jobId }) => jobId.startsWith('stuck'))
    expect(jobs(await readAll(`wallet=${A}&order=deadline`))).toEqual(jobs(ORDERS.deadline(mine)))
    expect(jobs(await readAll(`wallet=${A}&view=stuck`))).toEqual(jobs(ORDERS.updated(stuck)))
    expect(jobs(await readAll('jobId=review&order=deadline'))).toEqual(['review'])
    expect(await readAll('status=resolved&waitingFor=worker')).toEqual([])
    expect(await readAll('status=resolved&view=stuck')).toEqual([])
  })

  test('has short rows with title, reward and the bond that the escrow holds', async () => {
    const { sessions, compact } = await read('limit=250')
    expect(compact).toBe(true)
    const bonds = new Map(sessions.map(({ jobId, locked }) => [jobId, locked?.raw]))
    for (const name of names) {
      const isHeld = !ENDED.includes(name) && name !== 'stuck-diverged'
      expect([name, bonds.get(name)]).toEqual([name, isHeld ? '250000' : '0'])
    }
    expect(sessions.find(({ jobId }) => jobId === 'review')).toEqual({
      sessionId: expect.stringMatching(/^review:/),
      ...{
        jobId: 'review',
        jobTitle: 'Title of review',
        wallet: expect.any(String),
        status: 'disputed',
        waitingFor: 'reviewer',
        reason: 'became_disputed',
      },
      ...{ since: expect.any(String), deadline: new Date(NOW - 3 * HOUR + 14 * DAY).toISOString(), updatedAt: expect.any(String) },
      ...{ claimedAt: expect.any(String), disposition: 'human_review', disputeId: expect.any(String) },
      reward: { asset: 'USDC', raw: '2000000', decimals: 6, display: '2' },
      locked: { asset: 'USDC', raw: '250000', decimals: 6, display: '0.25' },
    })
  })

  test.each([
    ['a status of no session', 'status=done'],
    ['a view that does not exist', 'view=stuck%27%20or%201=1'],
    ['a view of another spelling', 'view=Stuck'],
    ['an order that does not exist', 'order=deadline;drop table session'],
    ['an empty word to wait for', 'waitingFor='],
    ['an unknown format', 'format=tiny'],
    ['a wallet with a quote', "wallet=0x'or'"],
    ['a NUL in a job id', 'jobId=a%00b'],
    ['too many rows', 'limit=251'],
    ['a cursor that is none', 'cursor=zzz'],
  ])('refuses %s', async (_what, query) => {
    const { status, body } = await api.call(`/admin/sessions?${query}`, { token })
    expect([query, status, body.code]).toEqual([query, 400, 'invalid_request'])
  })

  test('refuses a cursor of other filters', async () => {
    const { nextCursor } = await read('limit=2&view=stuck')
    for (const query of ['view=money_waiting', 'view=stuck&order=deadline', 'view=stuck&waitingFor=worker', 'view=stuck&status=claimed']) {
      const { status } = await api.call(`/admin/sessions?${query}&cursor=${nextCursor}`, { token })
      expect([query, status]).toEqual([query, 400])
    }
    const { status, body } = await api.call(`/admin/sessions?view=stuck&jobId=claim`, { token })
    expect([status, body.compact]).toEqual([200, false])
  })

  test.each(['worker', 'verifier', 'arbitrator'] as const)('is not for the role %s', async (name) => {
    const { status, body } = await api.call('/admin/sessions', { token: await tokenOf(api, accounts[name]) })
    expect([status, body.code]).toEqual([403, 'missing_role'])
  })
})
