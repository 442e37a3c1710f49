import { Gauge, Registry } from 'prom-client'
import type { Clock } from '../../activities/common/clock.ts'
import type { Database } from '../../activities/database/database.ts'
import { type Figures, readFigures, type Waiting } from '../../activities/observability/gauges.ts'
import { CLAIM_STAGES } from '../../schemas/sessions/record.ts'
import { keptReading } from '../catalogue/cached-reading.ts'
import type { NonceLook } from '../chain/nonce-keeper.ts'
import type { EngineFigures } from './engine-metrics.ts'

/** Several scrapers at once cost one reading; a database that hangs costs each a second. */
const READING = { freshMs: 1_000, boundMs: 1_000 }
const TROUBLES = ['stuck', 'refused', 'missing', 'behind'] as const

export interface WorkerFiguresDeps {
  registry: Registry
  database: Pick<Database, 'rows'>
  chainId: number
  clock: Clock
  /** The last look at the nonces; null before the first. */
  nonces: () => NonceLook | null
  /** When the reward bank was last read, ms of this process; null before the first time. */
  bankReadAt: () => number | null
  engine: EngineFigures
}

const gaugesOn =
  (registry: Registry) =>
  <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] })

/** What the records say: a page of its own, since it is left out whole when they cannot be read. */
export const createRecordGauges = (registry: Registry) => {
  const gauge = gaugesOn(registry)
  return {
    claims: gauge('claims_pending', 'Admitted claims without a session.', ['stage']),
    claimsAge: gauge('claims_pending_oldest_seconds', 'Age of the oldest of them.', ['stage']),
    overdue: gauge('sessions_overdue', 'Claims past their expiry that nothing has ended.'),
    overdueAge: gauge('sessions_overdue_oldest_seconds', 'Time since the oldest of those expiries.'),
    awaiting: gauge('sessions_awaiting_verdict', 'Sessions that wait for a verdict, or for people.', ['status']),
    awaitingAge: gauge('sessions_awaiting_verdict_oldest_seconds', 'How long the oldest of them waits.', ['status']),
    outbox: gauge('events_unsequenced', 'Events without a public sequence; counted up to 100000.'),
    outboxAge: gauge('events_unsequenced_oldest_seconds', 'Age of the oldest of them.'),
    lag: gauge('chain_follower_lag_seconds', 'Time since nothing confirmed on the chain was missing in the records.'),
    behind: gauge(
      'chain_follower_blocks_behind',
      'Blocks between the newest one the node named and the newest one whose events are recorded.',
    ),
    untold: gauge('chain_news_untold', 'Moves of escrow jobs that their processes were not told of.'),
    untoldAge: gauge('chain_news_untold_oldest_seconds', 'How long the oldest of them waits.'),
    pending: gauge('chain_transactions_pending', 'Journalled transactions that are not known to be mined.', ['function', 'status']),
    unsentAge: gauge('chain_journal_oldest_unsent_seconds', 'Age of the oldest bytes that no write address took.', ['signer']),
    unminedAge: gauge('chain_journal_oldest_unmined_seconds', 'Age of the oldest transaction that is not known to be mined.', ['signer']),
  }
}
type RecordGauges = ReturnType<typeof createRecordGauges>

/** What the process knows by itself. */
export const createGauges = (registry: Registry) => {
  const gauge = gaugesOn(registry)
  return {
    databaseUp: gauge('database_up', '1 when the figures of the records could be read for this answer.'),
    engineUp: gauge('workflow_engine_figures_up', '1 when the figures of the workflow engine stand below.'),
    looked: gauge('chain_nonce_look_age_seconds', 'Time since chain and journal were last compared.'),
    gap: gauge('chain_nonce_gap', 'Next nonce of the journal minus what the chain has counted.', ['signer']),
    missing: gauge('chain_nonce_missing', 'Nonces that were handed out and that no row holds.', ['signer']),
    stuck: gauge('chain_nonce_stuck', '1 while the lowest open nonce holds up the others.', ['signer', 'kind']),
    bank: gauge('reward_bank_read_age_seconds', 'Time since this process last read the reward bank.'),
  }
}
type Gauges = ReturnType<typeof createGauges>

const ages = (now: number) => (at: number | null) => (at === null ? 0 : Math.max(0, (now - at) / 1_000))

/** A chain that nobody ever followed is as far behind as this process is old. */
const showFollower = (gauges: RecordGauges, { follower, pendingNotifications }: Figures, age: (at: number | null) => number): void => {
  gauges.lag.set(follower?.lagSeconds ?? process.uptime())
  gauges.behind.set(follower === null ? 0 : Math.max(0, Number(follower.head - follower.cursor)))
  gauges.untold.set(pendingNotifications.count)
  gauges.untoldAge.set(age(pendingNotifications.oldestAt))
}

const showRecords = (gauges: RecordGauges, figures: Figures, now: number): void => {
  const age = ages(now)
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
  showFollower(gauges, figures, age)
  gauges.pending.reset()
  for (const { functionName, status, count } of figures.transactions) gauges.pending.set({ function: functionName, status }, count)
  for (const { signer, oldestUnsentAt, oldestUnminedAt } of figures.journal) {
    gauges.unsentAge.set({ signer }, age(oldestUnsentAt))
    gauges.unminedAge.set({ signer }, age(oldestUnminedAt))
  }
}

const showNonces = (gauges: Gauges, { at, signers }: NonceLook): void => {
  gauges.looked.set(ages(Date.now())(at))
  for (const { signer, nextNonce, chainLatest, missing, trouble } of signers) {
    gauges.gap.set({ signer }, nextNonce - chainLatest)
    gauges.missing.set({ signer }, missing.length)
    for (const kind of TROUBLES) gauges.stuck.set({ signer, kind }, trouble?.kind === kind ? 1 : 0)
  }
}

/**
 * The worker's page of figures. What cannot be read is left out of the page, never shown as it was: `database_up` and
 * `workflow_engine_figures_up` say so, and the rest still answers.
 */
export const createWorkerFigures = (deps: WorkerFiguresDeps): (() => Promise<string>) => {
  const { registry, database, chainId, clock, nonces, bankReadAt, engine } = deps
  const startedAt = Date.now()
  const gauges = createGauges(registry)
  const ofRecords = new Registry()
  const recordGauges = createRecordGauges(ofRecords)
  const records = keptReading(() => readFigures(database.rows, chainId, clock.now()), READING)

  const recordsPage = async (figures: Figures | null): Promise<string> => {
    gauges.databaseUp.set(figures === null ? 0 : 1)
    if (figures === null) return ''
    showRecords(recordGauges, figures, clock.now())
    return `${await ofRecords.metrics()}\n`
  }

  const showProcess = (): void => {
    // What was never looked at is as old as the process.
    const look = nonces() ?? { at: startedAt, signers: [] }
    showNonces(gauges, look)
    gauges.bank.set(ages(Date.now())(bankReadAt() ?? startedAt))
  }

  return async () => {
    const [figures, engineText] = await Promise.all([records(), engine().catch(() => null)])
    gauges.engineUp.set(engineText === null ? 0 : 1)
    showProcess()
    const recordsText = await recordsPage(figures)
    return `${await registry.metrics()}\n${recordsText}${engineText ?? ''}`
  }
}
