import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { type Database, openDatabase, readRow } from '../../../activities/database/database.ts'
import { databaseOutage } from '../../../activities/database/outages.ts'
import { EVENTS_CHANNEL } from '../../../activities/events/relay.ts'
import { createTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { missingPooler, startPooler } from '../../support/postgres/pooler.ts'
import { useStarted } from '../../support/started.ts'

const missing = missingPooler()
const THROUGH_THE_POOLER = 3
if (missing !== null) process.stderr.write(`${THROUGH_THE_POOLER} tests of the pooler are skipped: ${missing}\n`)

const direct = useStarted(createTestDatabase, (database) => database.drop())

/** The time limits of a connection, and how they end a statement, a wait for a lock and an idle transaction. */
const limitsOf = async ({ rows }: Database) =>
  readRow(
    rows,
    sql<Record<string, string>>`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`,
  )
const LIMITS = { statement: '300ms', lock: '5s', idle: '20s' }
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => databaseOutage(error)?.code ?? error,
  )

describe.each(['the server itself', 'a pooler in session mode'])('a database behind %s', (where) => {
  const isDirect = where === 'the server itself'
  const given = isDirect || missing === null ? test : test.skip
  const pooler = useStarted(
    () =>
      isDirect || missing !== null
        ? Promise.resolve({ url: direct.url, stop: async () => undefined })
        : startPooler({ databaseUrl: direct.url, poolSize: 3 }),
    ({ stop }) => stop(),
  )
  const open = (poolSize: number) =>
    openDatabase({ url: pooler.url, directUrl: direct.url, poolSize, statementTimeoutMs: 300, connectMs: 500 })

  given('has the time limits on every connection', async () => {
    const database = open(3)
    const limits = await Promise.all([1, 2, 3].map(() => limitsOf(database)))
    expect(limits).toEqual([LIMITS, LIMITS, LIMITS])
    expect(await failureOf(sql`select count(*) from pg_attribute a, pg_attribute b, pg_attribute c`.execute(database.rows))).toBe(
      'state_store_unavailable',
    )
    // The driver's statements have parameters, and the transaction keeps its connection.
    const sum = await database.transaction(async (rows) => {
      const [left, right] = [
        await readRow(rows, sql<{ n: number }>`select ${1}::integer as n`),
        await readRow(rows, sql<{ n: number }>`select ${2}::integer as n`),
      ]
      return left.n + right.n
    })
    expect(sum).toBe(3)
    await database.close()
    // What one client set is gone when another one gets its connection.
    const next = openDatabase({ url: pooler.url, poolSize: 1, statementTimeoutMs: 7_000 })
    expect(await limitsOf(next)).toEqual({ ...LIMITS, statement: '7s' })
    await next.close()
  })

  given('notifies by its direct address', async () => {
    const database = open(2)
    const woken: (string | null)[] = []
    database.listen(EVENTS_CHANNEL, (payload) => void woken.push(payload))
    await eventually('it listens', () => woken.length === 1)
    await database.transaction((rows) => sql`select pg_notify(${EVENTS_CHANNEL}, '7')`.execute(rows))
    await eventually('it is notified', () => woken.includes('7'))
    await database.close()
  })

  given('answers 503 in time when no connection is free, and serves again', async () => {
    const [holder, database] = [open(3), open(1)]
    const held = Promise.withResolvers<void>()
    const begun = Array.from({ length: isDirect ? 0 : 3 }, () => Promise.withResolvers<void>())
    const holding = begun.map(({ resolve }) =>
      holder.transaction(async (rows) => {
        await limitsOf({ rows } as Database)
        resolve()
        await held.promise
      }),
    )
    await Promise.all(begun.map(({ promise }) => promise))
    expect(await failureOf(limitsOf(database))).toBe(isDirect ? null : 'state_store_unavailable')
    held.resolve()
    await Promise.all(holding)
    await holder.close()
    await eventually('it serves again', () =>
      limitsOf(database).then(
        () => true,
        () => false,
      ),
    )
    await database.close()
  })
})

test('a migration uses the direct address', () => {
  const script = fileURLToPath(new URL('../../../migrations/migrate.ts', import.meta.url))
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: 'postgresql://127.0.0.1:1/pooler', DATABASE_DIRECT_URL: direct.url }
  const { status, stdout } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
  expect([status, stdout.trim()]).toEqual([0, 'the database is up to date'])
})
