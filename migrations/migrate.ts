import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { Identity } from './0001-identity.ts'
import { Http } from './0002-http.ts'
import { Chain } from './0003-chain.ts'
import { Events } from './0004-events.ts'
import { Catalogue } from './0005-catalogue.ts'
import { Claims } from './0006-claims.ts'
import { Sessions } from './0007-sessions.ts'
import { Verification } from './0008-verification.ts'
import { PullRequests } from './0009-pull-requests.ts'
import { Disputes } from './0010-disputes.ts'
import { Reputation } from './0011-reputation.ts'
import { Content } from './0012-content.ts'

/** One migration per subject, in dependency order: a migration refers only to tables of earlier ones. */
export const MIGRATIONS = [
  { name: '0001-identity', class: Identity },
  { name: '0002-http', class: Http },
  { name: '0003-chain', class: Chain },
  { name: '0004-events', class: Events },
  { name: '0005-catalogue', class: Catalogue },
  { name: '0006-claims', class: Claims },
  { name: '0007-sessions', class: Sessions },
  { name: '0008-verification', class: Verification },
  { name: '0009-pull-requests', class: PullRequests },
  { name: '0010-disputes', class: Disputes },
  { name: '0011-reputation', class: Reputation },
  { name: '0012-content', class: Content },
]

const openMigrator = (databaseUrl: string) =>
  new MikroORM({
    clientUrl: databaseUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    logger: () => undefined,
    migrations: { migrationsList: MIGRATIONS, transactional: true, allOrNothing: true, snapshot: false },
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

if (import.meta.main) {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('set DATABASE_URL')
  const applied = await migrate(url)
  console.log(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'the database is up to date')
}
