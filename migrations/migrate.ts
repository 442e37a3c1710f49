import { readdirSync } from 'node:fs'
import { Migration, Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { databaseSsl } from '../schemas/database-url.ts'
import { exitOnBadSettings } from '../schemas/run-process.ts'
import { readValues } from '../schemas/settings.ts'
import { SettingsError } from '../schemas/settings-error.ts'

/** Tables of one subject, or a change of them, as SQL. */
type TableMigration = { name: string; up: string; down: string }

const FILE = /^\d{4}-.*\.ts$/

const load = async (file: string): Promise<TableMigration> => {
  const { up, down } = await import(new URL(file, import.meta.url).href)
  return { name: file.replace('.ts', ''), up, down }
}

/** In order of their numbers: the tables of each subject, then changes of them. A migration refers only to tables of earlier ones. */
export const MIGRATIONS: readonly TableMigration[] = await Promise.all(
  readdirSync(import.meta.dirname)
    .filter((file) => FILE.test(file))
    .sort()
    .map(load),
)

const toMigration = ({ name, up, down }: TableMigration) => ({
  name,
  class: class extends Migration {
    override up(): void {
      this.addSql(up)
    }

    override down(): void {
      this.addSql(down)
    }
  },
})

const openMigrator = (databaseUrl: string) =>
  new MikroORM({
    clientUrl: databaseUrl,
    driverOptions: { ssl: databaseSsl(databaseUrl) },
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    logger: () => undefined,
    migrations: { migrationsList: MIGRATIONS.map(toMigration), transactional: true, allOrNothing: true, snapshot: false },
  })

/** Applies pending migrations up to `to`, or all of them. An advisory lock lets several processes call it at once. */
export const migrate = async (databaseUrl: string, to?: string): Promise<string[]> => {
  const orm = openMigrator(databaseUrl)
  try {
    await orm.em.execute('select pg_advisory_lock(727001)')
    const applied = await orm.migrator.up(to === undefined ? undefined : { to })
    return applied.map((migration) => migration.name)
  } finally {
    await orm.close(true)
  }
}

/** Reverts the migrations after `to`, newest first; 0 reverts all. Only tests call it. */
export const migrateDown = async (databaseUrl: string, to: string | 0 = 0): Promise<void> => {
  const orm = openMigrator(databaseUrl)
  try {
    await orm.migrator.down({ to })
  } finally {
    await orm.close(true)
  }
}

const main = async (): Promise<void> => {
  // The lock of a migration belongs to its connection, which a pooler may hand to another one.
  const { values, problems } = readValues(process.env)
  const unreadable = problems.filter((problem) => /^DATABASE_(DIRECT_)?URL_FILE:/.test(problem))
  if (unreadable.length > 0) throw new SettingsError(unreadable)
  const url = values.DATABASE_DIRECT_URL ?? values.DATABASE_URL
  if (url === undefined) throw new SettingsError(['DATABASE_URL: is required'])
  const applied = await migrate(url)
  console.log(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'the database is up to date')
}

if (import.meta.main) await exitOnBadSettings(main)
