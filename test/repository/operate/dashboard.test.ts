import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { read } from '../files.ts'
import { publishedMetrics, watchedRows } from '../texts/metrics.ts'
import { promtool, testWithPromtool } from '../texts/promtool.ts'

interface Panel {
  type: string
  title: string
  datasource?: { uid: string }
  targets?: { expr: string; datasource: { uid: string } }[]
}
interface Dashboard {
  panels: Panel[]
  templating: { list: { name: string; type: string }[] }
}

const dashboard = JSON.parse(read('operate/dashboard.json')) as Dashboard
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
/** Names of metrics in a query: what stands before a selector, a range or the end of an argument, and is no function, label or keyword. */
const metricsIn = (query: string): string[] =>
  [...query.replaceAll(/by \([^)]*\)|"[^"]*"/g, '').matchAll(/\b([a-z]+(?:_[a-z]+)+)\b(?!\()/g)].map(([, name = '']) =>
    name.replace(/_bucket$/, ''),
  )

test('the dashboard queries metrics that the service publishes', async () => {
  const known = new Set([...(await publishedMetrics()), ...watchedRows().flatMap(({ metrics }) => metrics)])
  const named = queries.flatMap(metricsIn)
  expect(named.filter((name) => !known.has(name))).toEqual([])
  expect(queries.filter((query) => metricsIn(query).length === 0)).toEqual([])
})

test('the dashboard reads from the source that its reader chooses', () => {
  expect(dashboard.templating.list).toEqual([expect.objectContaining({ name: 'datasource', type: 'datasource' })])
  const sources = panels.flatMap(({ datasource, targets = [] }) => [datasource?.uid, ...targets.map((target) => target.datasource.uid)])
  expect(sources.filter((uid) => uid === undefined || !/^\$\{datasource\}$/.test(uid))).toEqual([])
})

test.each([
  ['settlement', 'sessions_awaiting_verdict_oldest_seconds'],
  ['the lag of the follower', 'chain_follower_lag_seconds'],
  ['the nonce', 'chain_nonce_gap'],
  ['requests by status', 'http_requests_total'],
  ['the time to answer', 'http_request_duration_seconds'],
  ['steps by outcome', 'activities_total'],
  ['the pool of connections', 'database_pool_waiting'],
  ['events without a number', 'events_unsequenced_oldest_seconds'],
  ['money', 'verification_captures_pending'],
])('the dashboard shows %s', (_subject, metric) => {
  expect(queries.flatMap(metricsIn)).toContain(metric)
})

testWithPromtool('the queries of the dashboard are valid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
  try {
    const rules = queries.map((query, index) => ({ record: `query:${index}`, expr: query.replaceAll('$__rate_interval', '5m') }))
    const file = join(folder, 'queries.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    expect(promtool('check', 'rules', file)).toMatchObject({ status: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
