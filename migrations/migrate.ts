import { Migration, Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { databaseSsl } from '../schemas/database-url.ts'
import { exitOnBadSettings } from '../schemas/run-process.ts'
import { SettingsError } from '../schemas/settings-error.ts'
import { identity } from './0001-identity.ts'
import { http } from './0002-http.ts'
import { chain } from './0003-chain.ts'
import { events } from './0004-events.ts'
import { catalogue } from './0005-catalogue.ts'
import { claims } from './0006-claims.ts'
import { sessions } from './0007-sessions.ts'
import { verification } from './0008-verification.ts'
import { pullRequests } from './0009-pull-requests.ts'
import { disputes } from './0010-disputes.ts'
import { reputation } from './0011-reputation.ts'
import { content } from './0012-content.ts'
import { accounts } from './0013-accounts.ts'
import { pool } from './0014-pool.ts'
import { audit } from './0015-audit.ts'
import { crossChain } from './0016-cross-chain.ts'
import { lockedDeposits } from './0017-locked-deposits.ts'
import { idleAllocation } from './0018-idle-allocation.ts'
import { receipts } from './0019-receipts.ts'
import { sessionLog } from './0020-session-log.ts'
import { directory } from './0021-directory.ts'
import { webhooks } from './0022-webhooks.ts'
import { shares } from './0023-shares.ts'

/** Tables of one subject, as SQL. */
export type TableMigration = { name: string; up: string; down: string }

/** One migration per subject, in dependency order: a migration refers only to tables of earlier ones. */
export const MIGRATIONS: readonly TableMigration[] = [
  identity,
  http,
  chain,
  events,
  catalogue,
  claims,
  sessions,
  verification,
  pullRequests,
  disputes,
  reputation,
  content,
  accounts,
  pool,
  audit,
  crossChain,
  lockedDeposits,
  idleAllocation,
  receipts,
  sessionLog,
  directory,
  webhooks,
  shares,
]

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
  const url = process.env.DATABASE_URL?.trim()
  if (!url) throw new SettingsError(['DATABASE_URL: is required'])
  const applied = await migrate(url)
  console.log(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'the database is up to date')
}

if (import.meta.main) await exitOnBadSettings(main)
