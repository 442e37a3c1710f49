import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Gauge, Registry } from 'prom-client'
import type { Clock } from '../../activities/common/clock.ts'
import type { Database } from '../../activities/database/database.ts'
import { type Figures, readFigures, type Waiting } from '../../activities/observability/gauges.ts'
import { AUDIT_CHECK_NAMES } from '../../schemas/audit/checks.ts'
import { CLAIM_STAGES } from '../../schemas/sessions/record.ts'
import type { Metrics, Sample } from '../subjects.ts'
import type { EngineFigures } from './engine-metrics.ts'

const FRESH_MS = 1_000
/** Time that a scrape waits for a database that hangs. */
const BOUND_MS = 1_000

export interface WorkerFiguresDeps {
  registry: Registry
  database: Pick<Database, 'rows'>
  chainId: number
  clock: Clock
  /** Metrics of all subjects, and their current values. */
  metrics: readonly Metrics[]
  readSamples: () => readonly Sample[]
  engine: EngineFigures
}

/** Metrics of the page itself, which need no database. */
export const PAGE_METRICS = {
  database_up: { help: '1 when the metrics of the records could be read for this answer.' },
  workflow_engine_figures_up: { help: '1 when this answer includes the metrics of the workflow engine.' },
} satisfies Metrics

/** Metrics of the records, in a registry of their own: without a reading the page omits them all. */
export const RECORD_METRICS = {
  claims_pending: { help: 'Admitted claims without a session.', labels: ['stage'] },
  claims_pending_oldest_seconds: { help: 'Age of the oldest of them.', labels: ['stage'] },
  sessions_overdue: { help: 'Claims past their expiry that have not ended.' },
  sessions_overdue_oldest_seconds: { help: 'Time since the oldest of those expiries.' },
  sessions_awaiting_verdict: { help: 'Sessions that wait for a verdict, or for people.', labels: ['status'] },
  sessions_awaiting_verdict_oldest_seconds: { help: 'How long the oldest of them waits.', labels: ['status'] },
  events_unsequenced: { help: 'Events without a public sequence; counted up to 100000.' },
  events_unsequenced_oldest_seconds: { help: 'Age of the oldest of them.' },
  chain_follower_lag_seconds: { help: 'Time since the records held every confirmed event of the chain.' },
  chain_follower_blocks_behind: { help: 'Blocks between the head of the chain and the newest block whose events are recorded.' },
  chain_follower_missed_events: { help: 'Events that a first reading missed and a later one added.' },
  chain_follower_gap: { help: '1 while the records lack events of an own transaction.' },
  chain_notifications_pending: { help: 'Changes of escrow jobs that their processes were not notified of.' },
  chain_notifications_pending_oldest_seconds: { help: 'How long the oldest of them waits.' },
  chain_transactions_pending: { help: 'Journalled transactions that are not known to be mined.', labels: ['function', 'status'] },
  audit_findings: { help: 'Findings of the last audit.', labels: ['check'] },
  audit_unread: { help: '1 when the last audit could not read what the check needs.', labels: ['check'] },
  audit_passed_age_seconds: { help: 'Time since the check last passed.', labels: ['check'] },
  chain_journal_oldest_unsent_seconds: { help: 'Age of the oldest transaction that no write address accepted.', labels: ['signer'] },
  chain_journal_oldest_unmined_seconds: { help: 'Age of the oldest transaction that is not known to be mined.', labels: ['signer'] },
} satisfies Metrics
type RecordMetric = keyof typeof RECORD_METRICS
/** A metric whose age of the oldest has its name and `_oldest_seconds`. */
type WaitingMetric = { [Name in RecordMetric]: `${Name}_oldest_seconds` extends RecordMetric ? Name : never }[RecordMetric]

/** Registers metrics. Returns a function that replaces their values. */
export const createGauges = (registry: Registry, metrics: readonly Metrics[]) => {
  const declared = metrics.flatMap((of) => Object.entries(of))
  const gauges = new Map(
    declared.map(([name, { help, labels = [] }]) => [name, new Gauge({ name, help, labelNames: labels, registers: [registry] })]),
  )
  return (samples: readonly Sample[]): void => {
    for (const one of gauges.values()) one.reset()
    for (const { metric, labels = {}, value } of samples) gauges.get(metric)?.set(labels, value)
  }
}

/** Values of the metrics of the records. Before the first position of the follower, or the first pass of a check, the age is this process's uptime. */
const recordSamples = (figures: Figures, now: number): Sample[] => {
  const { claims, awaitingVerdict, follower, transactions, journal } = figures
  const age = (at: number | null): number => (at === null ? 0 : Math.max(0, (now - at) / 1_000))
  const sample = (metric: RecordMetric, value: number, labels: Sample['labels'] = {}): Sample => ({ metric, labels, value })
  const waiting = (metric: WaitingMetric, { count, oldestAt }: Waiting, labels?: Sample['labels']): Sample[] => [
    sample(metric, count, labels),
    sample(`${metric}_oldest_seconds`, age(oldestAt), labels),
  ]
  const none: Waiting = { count: 0, oldestAt: null }
  const stages = new Set([...CLAIM_STAGES, ...claims.keys()])
  const audit = new Map(figures.audit.map((one) => [one.name, one]))
  return [
    ...[...stages].flatMap((stage) => waiting('claims_pending', claims.get(stage) ?? none, { stage })),
    ...waiting('sessions_overdue', figures.overdueClaims),
    ...[...awaitingVerdict].flatMap(([status, found]) => waiting('sessions_awaiting_verdict', found, { status })),
    ...waiting('events_unsequenced', figures.outbox),
    sample('chain_follower_lag_seconds', follower?.lagSeconds ?? process.uptime()),
    sample('chain_follower_blocks_behind', follower === null ? 0 : Math.max(0, Number(follower.head - follower.cursor))),
    sample('chain_follower_missed_events', follower?.missedEvents ?? 0),
    sample('chain_follower_gap', follower === null || follower.gapBlock === null ? 0 : 1),
    ...waiting('chain_notifications_pending', figures.pendingNotifications),
    ...transactions.map(({ functionName, status, count }) =>
      sample('chain_transactions_pending', count, { function: functionName, status }),
    ),
    ...AUDIT_CHECK_NAMES.flatMap((check) => [
      sample('audit_findings', audit.get(check)?.findings ?? 0, { check }),
      sample('audit_unread', audit.get(check)?.outcome === 'unread' ? 1 : 0, { check }),
      sample('audit_passed_age_seconds', audit.get(check)?.passedAgeSeconds ?? process.uptime(), { check }),
    ]),
    ...journal.flatMap(({ signer, oldestUnsentAt, oldestUnminedAt }) => [
      sample('chain_journal_oldest_unsent_seconds', age(oldestUnsentAt), { signer }),
      sample('chain_journal_oldest_unmined_seconds', age(oldestUnminedAt), { signer }),
    ]),
  ]
}

/**
 * The worker's metrics page. Metrics that cannot be read are omitted, never repeated from an earlier answer; `database_up` and
 * `workflow_engine_figures_up` are 0 then.
 */
export const createWorkerFigures = (deps: WorkerFiguresDeps): (() => Promise<string>) => {
  const { registry, database, chainId, clock, metrics, readSamples, engine } = deps
  const setGauges = createGauges(registry, [PAGE_METRICS, ...metrics])
  const recordRegistry = new Registry()
  const setRecordGauges = createGauges(recordRegistry, [RECORD_METRICS])
  const kept = new LRUCache<'records', Figures>({
    max: 1,
    ttl: FRESH_MS,
    fetchMethod: () => readFigures(database.rows, chainId, clock.now()),
  })
  /** Concurrent scrapes share one reading, and one that hangs is not repeated. Null for one that fails or takes too long. */
  const records = (): Promise<Figures | null> =>
    Promise.race([kept.forceFetch('records').catch(() => null), sleep(BOUND_MS, null, { ref: false })])

  return async () => {
    const [figures, engineText] = await Promise.all([records(), engine().catch(() => null)])
    setGauges([
      ...readSamples(),
      { metric: 'database_up', value: figures === null ? 0 : 1 },
      { metric: 'workflow_engine_figures_up', value: engineText === null ? 0 : 1 },
    ])
    if (figures !== null) setRecordGauges(recordSamples(figures, clock.now()))
    const recordsText = figures === null ? '' : `${await recordRegistry.metrics()}\n`
    return `${await registry.metrics()}\n${recordsText}${engineText ?? ''}`
  }
}
