// What a request changed: rows and versions of every table, transactions of every key of the service, runs of every process.
import type { Client } from '@temporalio/client'
import { sql } from 'kysely'
import type { Database } from '../../../activities/database/database.ts'
import { localKeys } from '../../../local/keys.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import { followerAtHead } from '../../support/follower-head.ts'

/** What is counted → how much of it there is. */
export type Effects = Record<string, number>

/** Tables that move with every request or with the clock, whatever is asked. */
const MOVES_BY_ITSELF = ['rate_window', 'reward_bank_reading', 'verdict_need', 'chain_mark', 'audit_check']
/** Which runs are counted: audits begin every hour by themselves. */
const COUNTED_RUNS = 'WorkflowType != "audit"'
const QUIET_MS = 450
const STEP_MS = 150
const LIMIT_MS = 30_000

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

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

const countTransactions = async ({ view }: FleetWorld): Promise<Effects> => {
  const counts = await Promise.all(
    Object.entries(localKeys()).map(
      async ([name, { address }]) => [`transactions of ${name}`, await view.client.getTransactionCount({ address })] as const,
    ),
  )
  return Object.fromEntries(counts)
}

const countRows = async ({ database }: FleetWorld): Promise<Effects> => {
  const tables = await tablesOf(database)
  return Object.assign({}, ...(await Promise.all(tables.map((table) => countTable(database, table)))))
}

/** Everything that there is to count now. */
const countAll = async (world: FleetWorld, engine: Client): Promise<Effects> => {
  const [rows, transactions, { count }] = await Promise.all([
    countRows(world),
    countTransactions(world),
    engine.workflow.count(COUNTED_RUNS),
  ])
  return { ...rows, ...transactions, 'runs of processes': count }
}

/** The counts, once nothing has moved for a while. */
export const quietCounts = async (world: FleetWorld, engine: Client): Promise<Effects> => {
  await followerAtHead(world)
  let counts = await countAll(world, engine)
  let quietMs = 0
  for (const end = Date.now() + LIMIT_MS; quietMs < QUIET_MS && Date.now() < end; ) {
    await sleep(STEP_MS)
    await followerAtHead(world)
    const next = await countAll(world, engine)
    quietMs = JSON.stringify(next) === JSON.stringify(counts) ? quietMs + STEP_MS : 0
    counts = next
  }
  if (quietMs < QUIET_MS) throw new Error('the records do not come to rest')
  return counts
}

/** What became more or less between two looks. */
export const moved = (before: Effects, after: Effects): Effects =>
  Object.fromEntries(
    Object.keys(after)
      .map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const)
      .filter(([, difference]) => difference !== 0),
  )
