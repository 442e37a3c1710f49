import { appendFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { listWallets } from '../../activities/accounts/wallets.ts'
import { listOperatorSessions, type OperatorFilter } from '../../activities/sessions/operator-list.ts'
import { listPaymentDays, listPayments } from '../../activities/settlement/payment-list.ts'
import { readSessionMoney } from '../../activities/settlement/session-money.ts'
import { useDatabase } from '../api/support/own-database.ts'
import { planOf } from '../support/postgres/plans.ts'
import { seededRows, seedOperatorRecords } from '../support/records/operator-rows.ts'

const database = useDatabase()
const out = (line: string) => appendFileSync('/tmp/measure.txt', line + '\n')

test('measure', async () => {
  writeFileSync('/tmp/measure.txt', '')
  const N = Number(process.env.N ?? 100000)
  const t0 = performance.now()
  await seedOperatorRecords(database, N)
  out(`seed ${(performance.now() - t0).toFixed(0)} ms`)
  const now = seededRows.now
  const timeOf = async (name: string, work: (rows: any) => Promise<unknown>) => {
    await work(database.rows)
    const times: number[] = []
    let found: any
    for (let i = 0; i < 5; i++) {
      const b = performance.now()
      found = await work(database.rows)
      times.push(performance.now() - b)
    }
    out(`${name}: ${times.sort((a, b) => a - b)[2]!.toFixed(1)} ms rows=${Array.isArray(found) ? found.length : 1}`)
    if (process.env.PLANS) out(await planOf(database.rows, work, true))
  }
  const base = { order: 'updated', limit: 51, after: null } as const
  const cases: [string, Partial<OperatorFilter>][] = [
    ['all', {}],
    ['all deadline', { order: 'deadline' }],
    ['status=expired', { status: 'expired' }],
    ['status=claimed', { status: 'claimed' }],
    ['status=rejected', { status: 'rejected' }],
    ['status=resolved deadline', { status: 'resolved', order: 'deadline' }],
    ...(['worker', 'chain', 'verifier', 'pull_request', 'reviewer', 'arbitrator', 'operator'] as const).flatMap(
      (w): [string, Partial<OperatorFilter>][] => [
        [`waitingFor=${w}`, { waitingFor: w }],
        [`waitingFor=${w} deadline`, { waitingFor: w, order: 'deadline' }],
      ],
    ),
    ['stuck', { view: 'stuck' }],
    ['stuck deadline', { view: 'stuck', order: 'deadline' }],
    ['money', { view: 'money_waiting' }],
    ['money deadline', { view: 'money_waiting', order: 'deadline' }],
    ['wallet', { wallet: seededRows.walletOf(7) }],
    ['wallet deadline', { wallet: seededRows.walletOf(7), order: 'deadline' }],
    ['wallet money deadline', { wallet: seededRows.walletOf(7), view: 'money_waiting', order: 'deadline' }],
    ['job', { jobId: 'job-77', order: 'deadline' }],
  ]
  for (const [name, filter] of cases) await timeOf(name, (rows) => listOperatorSessions(rows, { ...base, ...filter }, now))
  const day = (ago: number) => new Date(now - ago * 86400000).toISOString().slice(0, 10)
  await timeOf('days 30', (rows) => listPaymentDays(rows, 31337, { from: day(29), to: day(0) }))
  await timeOf('days 366', (rows) => listPaymentDays(rows, 31337, { from: day(365), to: day(0) }))
  await timeOf('payments', (rows) => listPayments(rows, 31337, { limit: 51, after: null }))
  await timeOf('payments day', (rows) => listPayments(rows, 31337, { day: day(20), limit: 51, after: null }))
  await timeOf('payments wallet', (rows) => listPayments(rows, 31337, { wallet: seededRows.walletOf(7), limit: 51, after: null }))
  await timeOf('money of session', (rows) => readSessionMoney(rows, 31337, seededRows.sessionOf(99)))
  await timeOf('wallets', (rows) => listWallets(rows, 31337, { limit: 51, after: null }, now))
  await timeOf('wallets worker', (rows) => listWallets(rows, 31337, { who: 'worker', limit: 51, after: null }, now))
  await timeOf('wallets one', (rows) => listWallets(rows, 31337, { wallet: seededRows.walletOf(7), limit: 51, after: null }, now))
  expect(1).toBe(1)
}, 600000)
