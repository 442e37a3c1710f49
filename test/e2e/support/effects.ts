// Effects of a request: rows and versions of every table, transactions of every key of the service, runs of every workflow.
import type { Client } from '@temporalio/client'
import { sql } from 'kysely'
import type { Database } from '../../../activities/database/database.ts'
import { localKeys } from '../../../local/keys.ts'
import { eventually } from '../../support/eventually.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import { followerAtHead } from '../../support/follower-head.ts'

type Place = Pick<FleetWorld, 'database' | 'view'>

/** Count of each thing by its name. */
export type Effects = Record<string, number>

/** Tables that change with every request or with the clock. */
const MOVES_BY_ITSELF = ['rate_window', 'reward_bank_reading', 'verdict_need', 'chain_mark', 'audit_check']
/** Runs that are counted: audits begin every hour. */
const COUNTED_RUNS = 'WorkflowType != "audit"'
/** Workflows that run a step at all times. */
const STEADY = ['chainFollower', 'audit', 'sessionLog']
/** `PendingActivityState` of the server for a step that a worker has. */
const STARTED = 2

interface Table {
  name: string
  versioned: boolean
}

const tablesOf = async ({ rows }: Database): Promise<Table[]> => {
  const found = await sql<Table>`
    select tablename as name, exists (
      select 1 from information_schema.columns c
      where c.table_schema = 'public' and c.table_name = tablename and c.column_name = 'version'
    ) as versioned from pg_tables where schemaname = 'public'`.execute(rows)
  return found.rows.filter(({ name }) => !MOVES_BY_ITSELF.includes(name))
}

/** Rows of a table, and the sum of their versions where each change raises one. */
const countTable = async ({ rows }: Database, { name, versioned }: Table): Promise<Effects> => {
  const versions = versioned ? sql`coalesce(sum(version), 0)` : sql`0`
  const found = await sql<{ count: string; versions: string }>`select count(*), ${versions} as versions from ${sql.table(name)}`.execute(
    rows,
  )
  const [row] = found.rows
  return { [name]: Number(row?.count), ...(versioned && { [`versions of ${name}`]: Number(row?.versions) }) }
}

const countTransactions = async ({ view }: Place): Promise<Effects> => {
  const counts = await Promise.all(
    Object.entries(localKeys()).map(
      async ([name, { address }]) => [`transactions of ${name}`, await view.client.getTransactionCount({ address })] as const,
    ),
  )
  return Object.fromEntries(counts)
}

const countRows = async ({ database }: Place): Promise<Effects> => {
  const tables = await tablesOf(database)
  return Object.assign({}, ...(await Promise.all(tables.map((table) => countTable(database, table)))))
}

/** All counts. */
const countAll = async (world: Place, engine: Client): Promise<Effects> => {
  const [rows, transactions, { count }] = await Promise.all([
    countRows(world),
    countTransactions(world),
    engine.workflow.count(COUNTED_RUNS),
  ])
  return { ...rows, ...transactions, 'runs of processes': count }
}

/** Steps and tasks of a workflow that the server or a worker works on now; a step between two attempts, or a timer, is none. */
const workOf = async (engine: Client, workflowId: string): Promise<string[]> => {
  const { status, raw } = await engine.workflow.getHandle(workflowId).describe()
  if (status.name !== 'RUNNING') return []
  const steps = (raw.pendingActivities ?? []).filter(({ state, attempt }) => state === STARTED || (attempt ?? 1) === 1)
  return [
    ...(raw.pendingWorkflowTask == null ? [] : [`${workflowId}: task ${raw.pendingWorkflowTask.attempt}`]),
    ...steps.map(({ activityType, attempt }) => `${workflowId}: ${activityType?.name} ${attempt}`),
  ]
}

/** What the service works on: events without a number, transactions that are not mined, and the work of each workflow. */
const findWork = async ({ database: { rows } }: Place, engine: Client): Promise<string[]> => {
  const open = await sql<{ what: string }>`select 'event ' || id || ' without a number' as what from event where seq is null
    union all select 'transaction ' || intent_key || ' ' || status from chain_transaction where status in ('signed', 'broadcast')`.execute(
    rows,
  )
  const work = open.rows.map(({ what }) => what)
  for await (const { workflowId, type } of engine.workflow.list({ query: 'ExecutionStatus="Running"' }))
    if (!STEADY.includes(type)) work.push(...(await workOf(engine, workflowId)))
  return work
}

/** For this long the counts must stay the same: the server lists a new run late. */
const QUIET_MS = 450

/** Differences between two counts. */
export const moved = (before: Effects, after: Effects): Effects =>
  Object.fromEntries(
    Object.keys(after)
      .map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const)
      .filter(([, difference]) => difference !== 0),
  )

/** The counts, once no part of the service works and they stay the same. */
export const quietCounts = async (world: Place, engine: Client): Promise<Effects> => {
  let before: Effects = {}
  let since = 0
  const read = async () => {
    await followerAtHead(world)
    const work = await findWork(world, engine)
    const counts = await countAll(world, engine)
    const changed = Object.keys(moved(before, counts))
    const now = performance.now()
    if (work.length > 0 || changed.length > 0) since = now
    before = counts
    return { work, changed, isQuiet: now - since >= QUIET_MS, counts }
  }
  return (await eventually('the service has no work', read, ({ isQuiet }) => isQuiet)).counts
}
