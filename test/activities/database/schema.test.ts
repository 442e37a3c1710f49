import { describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { MIGRATIONS, migrate, migrateDown } from '../../../migrations/migrate.ts'
import { ENTITIES } from '../../../schemas/entities/tables.ts'
import { useOwnDatabase } from '../support/own-database.ts'

interface Column {
  table_name: string
  column_name: string
  is_nullable: 'YES' | 'NO'
  data_type: string
}

const own = useOwnDatabase()

/** Metadata that the ORM derives from an entity. */
const getMetadata = (name: string) => {
  const found = [...own.database().orm.getMetadata().getAll().values()].find((metadata) => metadata.className === name)
  if (found === undefined) throw new Error(`no entity ${name}`)
  return found
}

const listColumns = async (table: string): Promise<Column[]> => {
  const found = await sql<Column>`
    select table_name, column_name, is_nullable, data_type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by column_name`.execute(own.rows())
  return found.rows
}

const listTables = async (): Promise<string[]> => {
  const found = await sql<{ table_name: string }>`
    select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'mikro_orm_migrations' order by table_name`.execute(
    own.rows(),
  )
  return found.rows.map((row) => row.table_name)
}

/** Every table, view, sequence and index, by name. */
const listRelations = async (): Promise<string[]> => {
  const found = await sql<{ relation: string }>`
    select relname || ': ' || coalesce(pg_get_indexdef(indexrelid), relkind::text) as relation
    from pg_class left join pg_index on indexrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relname not like 'mikro_orm_migrations%' order by relname`.execute(own.rows())
  return found.rows.map((row) => row.relation)
}

const TYPES: Record<string, string> = {
  text: 'text',
  integer: 'integer',
  int: 'integer',
  bigint: 'bigint',
  bigserial: 'bigint',
  boolean: 'boolean',
  json: 'json',
  'text[]': 'ARRAY',
  jsonb: 'jsonb',
  'numeric(78,0)': 'numeric',
  'timestamptz(3)': 'timestamp with time zone',
}

describe('migrated database and entities', () => {
  test('have the same tables', async () => {
    expect(await listTables()).toEqual(ENTITIES.map(({ name }) => getMetadata(name).tableName).sort())
  })

  test.each(ENTITIES.map((entity) => entity.name))('have the same columns of %s', async (name) => {
    const metadata = getMetadata(name)
    const declared = Object.values(metadata.properties)
      .map((property) => ({
        table_name: metadata.tableName,
        column_name: property.fieldNames[0],
        is_nullable: property.nullable ? 'YES' : 'NO',
        data_type: TYPES[property.columnTypes[0] ?? ''] ?? property.columnTypes[0],
      }))
      .sort((left, right) => ((left.column_name ?? '') < (right.column_name ?? '') ? -1 : 1))
    expect(await listColumns(metadata.tableName)).toEqual(declared)
  })
})

describe('migrations', () => {
  test('revert to an empty database and apply again, and a second run changes nothing', async () => {
    await migrateDown(own.url())
    expect(await listTables()).toEqual([])
    expect(await migrate(own.url())).toEqual(MIGRATIONS.map(({ name }) => name))
    expect(await migrate(own.url())).toEqual([])
    expect((await listTables()).length).toBe(ENTITIES.length)
  })

  test('each drop on the way down what they create, and nothing else', async () => {
    await migrateDown(own.url())
    const stages = [await listRelations()]
    for (const { name } of MIGRATIONS) {
      expect(await migrate(own.url(), name)).toEqual([name])
      stages.push(await listRelations())
    }
    for (const [index, stage] of [...stages.entries()].slice(0, -1).reverse()) {
      await migrateDown(own.url(), MIGRATIONS[index - 1]?.name)
      expect(await listRelations()).toEqual(stage)
    }
    await migrate(own.url())
  })

  test('apply once when several processes start them at the same time', async () => {
    await migrateDown(own.url())
    const applied = await Promise.all([migrate(own.url()), migrate(own.url()), migrate(own.url())])
    expect(applied.flat()).toEqual(MIGRATIONS.map(({ name }) => name))
  })
})
