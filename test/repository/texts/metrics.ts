import { pino } from 'pino'
import { Registry } from 'prom-client'
import { createChainNodes } from '../../../activities/chain/node/nodes.ts'
import { observeJournal } from '../../../activities/observability/journal.ts'
import { observeNode } from '../../../activities/observability/process.ts'
import { createMetrics } from '../../../api/observability/metrics.ts'
import { observeActivities } from '../../../workers/observability/activity-log.ts'
import { createGauges, PAGE_METRICS, RECORD_METRICS } from '../../../workers/observability/metrics.ts'
import { loadWorkerSubjects } from '../../../workers/subjects.ts'
import { rowsOf, section } from './documents.ts'

/** Names of the metrics that API and worker publish, those of the Temporal SDK left out. */
export const publishedMetrics = async (): Promise<Set<string>> => {
  const subjects = await loadWorkerSubjects()
  const registry = new Registry()
  createGauges(registry, [PAGE_METRICS, RECORD_METRICS, ...subjects.map(({ module }) => module.metrics ?? {})])
  const pool = { pool: () => ({ max: 1, inUse: 0, idle: 0, waiting: 0 }), replica: () => null }
  observeActivities(registry, pino({ enabled: false }))
  observeJournal(registry, pino({ enabled: false }))
  observeNode(registry, createChainNodes({ chainId: 1, rpc: { primary: 'http://node.test', backups: [], writeUrls: [] } }))
  return new Set([...registry.getMetricsAsArray(), ...createMetrics(pool).registry.getMetricsAsArray()].map(({ name }) => name))
}

/** A row of the tables of what to watch. */
export interface WatchedRow {
  metrics: string[]
  /** The cells "alert when" and "do". */
  when: string
  remedy: string
}

export const watchedRows = (): WatchedRow[] =>
  rowsOf(section('docs/operations.md', 'What to watch'))
    .filter(([names]) => names?.startsWith('`'))
    .map(([names = '', , , when = '', remedy = '']) => ({
      metrics: [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
      when,
      remedy,
    }))
