import { beforeAll, expect, test } from '@jest/globals'
import { listWallets } from '../../../activities/accounts/wallets.ts'
import type { Rows } from '../../../activities/database/database.ts'
import { listOperatorSessions, type OperatorFilter } from '../../../activities/sessions/operator-list.ts'
import { listPaymentDays, listPayments } from '../../../activities/settlement/payment-list.ts'
import { readSessionMoney } from '../../../activities/settlement/session-money.ts'
import { SESSION_STATUSES, WAITING_FOR } from '../../../schemas/sessions/record.ts'
import { useDatabase } from '../../api/support/own-database.ts'
import { planOf } from '../../support/postgres/plans.ts'
import { seededRows, seedOperatorRecords } from '../../support/records/operator-rows.ts'

const database = useDatabase()
beforeAll(() => seedOperatorRecords(database, 5_000))

const { now, walletOf, sessionOf } = seededRows
const CHAIN_ID = 31_337
const first = { order: 'updated', limit: 51, after: null } as const
const sessions = (filter: Partial<OperatorFilter>) => (rows: Rows) => listOperatorSessions(rows, { ...first, ...filter }, now)
const after = { updatedAt: now - 9_000_000, sessionId: 'job-9:1' }

const READS: Record<string, (rows: Rows) => Promise<unknown>> = {
  sessions: sessions({}),
  'sessions by deadline': sessions({ order: 'deadline' }),
  'a later page': sessions({ after: { ...after, deadline: null } }),
  'a later page by deadline': sessions({ order: 'deadline', after: { ...after, deadline: now } }),
  'stuck sessions': sessions({ view: 'stuck' }),
  'stuck sessions by deadline': sessions({ view: 'stuck', order: 'deadline' }),
  'waiting money': sessions({ view: 'money_waiting' }),
  'sessions of a wallet': sessions({ wallet: walletOf(7), order: 'deadline' }),
  'sessions of a job': sessions({ jobId: 'job-7', view: 'money_waiting' }),
  ...Object.fromEntries(SESSION_STATUSES.map((status) => [`status ${status}`, sessions({ status })])),
  ...Object.fromEntries(WAITING_FOR.map((waitingFor) => [`waiting for ${waitingFor}`, sessions({ waitingFor, order: 'deadline' })])),
  payments: (rows) => listPayments(rows, CHAIN_ID, { limit: 51, after: null }),
  'payments of a day': (rows) => listPayments(rows, CHAIN_ID, { day: '2026-06-14', limit: 51, after: null }),
  'payments of a wallet': (rows) => listPayments(rows, CHAIN_ID, { wallet: walletOf(7), limit: 51, after: null }),
  'payments by day': (rows) => listPaymentDays(rows, CHAIN_ID, { from: '2026-06-15', to: '2026-06-15' }),
  'money of a session': (rows) => readSessionMoney(rows, CHAIN_ID, sessionOf(99)),
  wallets: (rows) => listWallets(rows, CHAIN_ID, { limit: 51, after: null }, now),
}

test.each(Object.entries(READS))('%s: no session and no event is read without an index', async (_what, read) => {
  const plan = await planOf(database.rows, read)
  expect(plan).toContain('cost=')
  expect(plan).not.toMatch(/Seq Scan on (session|chain_event)\b/)
})
