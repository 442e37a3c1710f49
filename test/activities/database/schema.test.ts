import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { MIGRATIONS, migrate, migrateDown } from '../../../migrations/migrate.ts'
import { ENTITIES } from '../../../schemas/entities/tables.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

interface Column {
  table_name: string
  column_name: string
  is_nullable: 'YES' | 'NO'
  data_type: string
}

let place: TestDatabase
let database: Database

beforeAll(async () => {
  place = await createTestDatabase()
  database = openDatabase({ url: place.url, poolSize: 2 })
}, 60_000)

afterAll(async () => {
  await database.close()
  await place.drop()
})

/** What the ORM made of an entity. */
const metadataOf = (name: string) => {
  const found = [...database.orm.getMetadata().getAll().values()].find((metadata) => metadata.className === name)
  if (found === undefined) throw new Error(`no entity ${name}`)
  return found
}

const columnsOf = async (table: string): Promise<Column[]> => {
  const found = await sql<Column>`
    select table_name, column_name, is_nullable, data_type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by column_name`.execute(database.rows)
  return found.rows
}

const tables = async (): Promise<string[]> => {
  const found = await sql<{ table_name: string }>`
    select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'mikro_orm_migrations' order by table_name`.execute(
    database.rows,
  )
  return found.rows.map((row) => row.table_name)
}

const indexes = async (): Promise<string[]> => {
  const found = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'mikro_orm_migrations' order by indexname`.execute(
    database.rows,
  )
  return found.rows.map((row) => row.indexdef)
}

const TYPES: Record<string, string> = {
  text: 'text',
  integer: 'integer',
  int: 'integer',
  bigint: 'bigint',
  bigserial: 'bigint',
  boolean: 'boolean',
  json: 'json',
  jsonb: 'jsonb',
  'numeric(78,0)': 'numeric',
  'timestamptz(3)': 'timestamp with time zone',
}

describe('the migrated database and the entities', () => {
  test('name the same tables', async () => {
    expect(await tables()).toEqual(ENTITIES.map(({ name }) => metadataOf(name).tableName).sort())
  })

  test.each(ENTITIES.map((entity) => entity.name))('agree on every column of %s', async (name) => {
    const metadata = metadataOf(name)
    const declared = Object.values(metadata.properties)
      .map((property) => ({
        table_name: metadata.tableName,
        column_name: property.fieldNames[0],
        is_nullable: property.nullable ? 'YES' : 'NO',
        data_type: TYPES[property.columnTypes[0] ?? ''] ?? property.columnTypes[0],
      }))
      .sort((left, right) => ((left.column_name ?? '') < (right.column_name ?? '') ? -1 : 1))
    expect(await columnsOf(metadata.tableName)).toEqual(declared)
  })
})

describe('the migrations', () => {
  test('go down to nothing and up again, and a second run changes nothing', async () => {
    await migrateDown(place.url)
    expect(await tables()).toEqual([])
    expect(await migrate(place.url)).toEqual(MIGRATIONS.map(({ name }) => name))
    expect(await migrate(place.url)).toEqual([])
    expect((await tables()).length).toBe(ENTITIES.length)
  })

  test('one at a time: the way down of each leaves the indexes as the ones before it made them', async () => {
    await migrateDown(place.url)
    const stages = [await indexes()]
    for (const { name } of MIGRATIONS) {
      expect(await migrate(place.url, name)).toEqual([name])
      stages.push(await indexes())
    }
    for (const [index, stage] of [...stages.entries()].slice(0, -1).reverse()) {
      await migrateDown(place.url, MIGRATIONS[index - 1]?.name)
      expect(await indexes()).toEqual(stage)
    }
    await migrate(place.url)
  })

  test('take replacements down and up again without losing a transaction', async () => {
    const { rows } = database
    const of = { intentKey: 'kept', chainId: 1, signer: '0x1', nonce: 4, toAddress: '0x2', functionName: 'mint', data: '0x', gas: 1n }
    const none = { jobId: null, sessionId: null, requestId: null, blockNumber: null, blockHash: null, blockTime: null, revertReason: null }
    const out = { status: 'broadcast', broadcasts: 1, broadcastAt: 5_000, createdAt: 4_000, updatedAt: 6_000 }
    await rows
      .insertInto('chain_transaction')
      .values({ ...of, ...none, ...out, txHash: '0xb', rawTransaction: '0x0b' })
      .execute()
    const signatures = ['0xa', '0xb'].map((txHash, number) => ({ txHash, number, intentKey: 'kept', rawTransaction: '0x', signedAt: 1 }))
    await rows.insertInto('chain_signature').values(signatures).execute()
    await migrateDown(place.url, '0002-catalogue-at-size')
    expect(await tables()).not.toContain('chain_signature')
    expect(await migrate(place.url)).toEqual(MIGRATIONS.slice(2).map(({ name }) => name))
    const row = await rows.selectFrom('chain_transaction').selectAll().where('intentKey', '=', 'kept').executeTakeFirstOrThrow()
    expect(row).toMatchObject({ txHash: '0xb', rawTransaction: '0x0b', status: 'broadcast', broadcastAt: 6_000 })
  })

  test('may be run by several processes at once', async () => {
    await migrateDown(place.url)
    const applied = await Promise.all([migrate(place.url), migrate(place.url), migrate(place.url)])
    expect(applied.flat()).toEqual(MIGRATIONS.map(({ name }) => name))
  })
})
