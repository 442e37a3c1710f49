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

const gaugeFactory =
  (registry: Registry) =>
  <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] })

/** Metrics of the records, in a registry of their own: without a reading the page omits them all. */
export const createRecordGauges = (registry: Registry) => {
  const gauge = gaugeFactory(registry)
  return {
    claims: gauge('claims_pending', 'Admitted claims without a session.', ['stage']),
    claimsAge: gauge('claims_pending_oldest_seconds', 'Age of the oldest of them.', ['stage']),
    overdue: gauge('sessions_overdue', 'Claims past their expiry that have not ended.'),
    overdueAge: gauge('sessions_overdue_oldest_seconds', 'Time since the oldest of those expiries.'),
    awaiting: gauge('sessions_awaiting_verdict', 'Sessions that wait for a verdict, or for people.', ['status']),
    awaitingAge: gauge('sessions_awaiting_verdict_oldest_seconds', 'How long the oldest of them waits.', ['status']),
    outbox: gauge('events_unsequenced', 'Events without a public sequence; counted up to 100000.'),
    outboxAge: gauge('events_unsequenced_oldest_seconds', 'Age of the oldest of them.'),
    lag: gauge('chain_follower_lag_seconds', 'Time since the records held every confirmed event of the chain.'),
    behind: gauge('chain_follower_blocks_behind', 'Blocks between the head of the chain and the newest block whose events are recorded.'),
    missed: gauge('chain_follower_missed_events', 'Events that a first reading missed and a later one added.'),
    gapOpen: gauge('chain_follower_gap', '1 while the records lack events of an own transaction.'),
    pendingNotifications: gauge('chain_notifications_pending', 'Changes of escrow jobs that their processes were not notified of.'),
    pendingNotificationsAge: gauge('chain_notifications_pending_oldest_seconds', 'How long the oldest of them waits.'),
    pending: gauge('chain_transactions_pending', 'Journalled transactions that are not known to be mined.', ['function', 'status']),
    auditFindings: gauge('audit_findings', 'Findings of the last audit.', ['check']),
    auditUnread: gauge('audit_unread', '1 when the last audit could not read what the check needs.', ['check']),
    auditAge: gauge('audit_passed_age_seconds', 'Time since the check last passed.', ['check']),
    unsentAge: gauge('chain_journal_oldest_unsent_seconds', 'Age of the oldest transaction that no write address accepted.', ['signer']),
    unminedAge: gauge('chain_journal_oldest_unmined_seconds', 'Age of the oldest transaction that is not known to be mined.', ['signer']),
  }
}
type RecordGauges = ReturnType<typeof createRecordGauges>

/** Metrics that need no database. */
export const createGauges = (registry: Registry) => {
  const gauge = gaugeFactory(registry)
  return {
    databaseUp: gauge('database_up', '1 when the metrics of the records could be read for this answer.'),
    engineUp: gauge('workflow_engine_figures_up', '1 when this answer includes the metrics of the workflow engine.'),
  }
}

/** The metrics that subjects declare, each with the values of the last answer. */
export const createSubjectGauges = (registry: Registry, metrics: readonly Metrics[]) => {
  const gauge = gaugeFactory(registry)
  const declared = metrics.flatMap((of) => Object.entries(of))
  const gauges = new Map(declared.map(([name, { help, labels = [] }]) => [name, gauge<string>(name, help, [...labels])]))
  return (samples: readonly Sample[]): void => {
    for (const one of gauges.values()) one.reset()
    for (const { metric, labels = {}, value } of samples) gauges.get(metric)?.set(labels, value)
  }
}

const ageAt = (now: number) => (at: number | null) => (at === null ? 0 : Math.max(0, (now - at) / 1_000))

/** Before the first position of the follower the lag is the uptime of this process. */
const setFollowerGauges = (gauges: RecordGauges, { follower, pendingNotifications }: Figures, age: (at: number | null) => number): void => {
  gauges.lag.set(follower?.lagSeconds ?? process.uptime())
  gauges.behind.set(follower === null ? 0 : Math.max(0, Number(follower.head - follower.cursor)))
  gauges.missed.set(follower?.missedEvents ?? 0)
  gauges.gapOpen.set(follower === null || follower.gapBlock === null ? 0 : 1)
  gauges.pendingNotifications.set(pendingNotifications.count)
  gauges.pendingNotificationsAge.set(age(pendingNotifications.oldestAt))
}

/** Before a check has passed, its age is the uptime of this process. */
const setAuditGauges = (gauges: RecordGauges, { audit }: Figures): void => {
  const results = new Map(audit.map((one) => [one.name, one]))
  for (const check of AUDIT_CHECK_NAMES) {
    const result = results.get(check)
    gauges.auditFindings.set({ check }, result?.findings ?? 0)
    gauges.auditUnread.set({ check }, result?.outcome === 'unread' ? 1 : 0)
    gauges.auditAge.set({ check }, result?.passedAgeSeconds ?? process.uptime())
  }
}

const setRecordGauges = (gauges: RecordGauges, figures: Figures, now: number): void => {
  const age = ageAt(now)
  const none: Waiting = { count: 0, oldestAt: null }
  for (const stage of new Set([...CLAIM_STAGES, ...figures.claims.keys()])) {
    const { count, oldestAt } = figures.claims.get(stage) ?? none
    gauges.claims.set({ stage }, count)
    gauges.claimsAge.set({ stage }, age(oldestAt))
  }
  gauges.overdue.set(figures.overdueClaims.count)
  gauges.overdueAge.set(age(figures.overdueClaims.oldestAt))
  for (const [status, { count, oldestAt }] of figures.awaitingVerdict) {
    gauges.awaiting.set({ status }, count)
    gauges.awaitingAge.set({ status }, age(oldestAt))
  }
  gauges.outbox.set(figures.outbox.count)
  gauges.outboxAge.set(age(figures.outbox.oldestAt))
  setFollowerGauges(gauges, figures, age)
  setAuditGauges(gauges, figures)
  gauges.pending.reset()
  for (const { functionName, status, count } of figures.transactions) gauges.pending.set({ function: functionName, status }, count)
  for (const { signer, oldestUnsentAt, oldestUnminedAt } of figures.journal) {
    gauges.unsentAge.set({ signer }, age(oldestUnsentAt))
    gauges.unminedAge.set({ signer }, age(oldestUnminedAt))
  }
}

/**
 * The worker's metrics page. Metrics that cannot be read are omitted, never repeated from an earlier answer; `database_up` and
 * `workflow_engine_figures_up` are 0 then.
 */
export const createWorkerFigures = (deps: WorkerFiguresDeps): (() => Promise<string>) => {
  const { registry, database, chainId, clock, metrics, readSamples, engine } = deps
  const gauges = createGauges(registry)
  const setSubjectGauges = createSubjectGauges(registry, metrics)
  const recordRegistry = new Registry()
  const recordGauges = createRecordGauges(recordRegistry)
  const kept = new LRUCache<'records', Figures>({
    max: 1,
    ttl: FRESH_MS,
    fetchMethod: () => readFigures(database.rows, chainId, clock.now()),
  })
  /** Concurrent scrapes share one reading, and one that hangs is not repeated. Null for one that fails or takes too long. */
  const records = (): Promise<Figures | null> =>
    Promise.race([kept.forceFetch('records').catch(() => null), sleep(BOUND_MS, null, { ref: false })])

  const recordsPage = async (figures: Figures | null): Promise<string> => {
    gauges.databaseUp.set(figures === null ? 0 : 1)
    if (figures === null) return ''
    setRecordGauges(recordGauges, figures, clock.now())
    return `${await recordRegistry.metrics()}\n`
  }

  return async () => {
    const [figures, engineText] = await Promise.all([records(), engine().catch(() => null)])
    gauges.engineUp.set(engineText === null ? 0 : 1)
    setSubjectGauges(readSamples())
    const recordsText = await recordsPage(figures)
    return `${await registry.metrics()}\n${recordsText}${engineText ?? ''}`
  }
}
