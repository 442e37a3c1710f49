import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { Skeleton } from './0001-skeleton.ts'
import { CatalogueAtSize } from './0002-catalogue-at-size.ts'
import { Replacements } from './0003-replacements.ts'
import { ChainFollower } from './0004-chain-follower.ts'
import { Codehost } from './0005-codehost.ts'
import { Disputes } from './0006-disputes.ts'
import { Words } from './0007-words.ts'
import { AnswersAsGiven } from './0008-answers-as-given.ts'
import { Elsewhere } from './0009-elsewhere.ts'
import { HeardDeliveries } from './0010-heard-deliveries.ts'
import { ReviewEnds } from './0011-review-ends.ts'
import { FirstSight } from './0012-first-sight.ts'

/** In order; a released one is never edited, a change is a new file. */
export const MIGRATIONS = [
  { name: '0001-skeleton', class: Skeleton },
  { name: '0002-catalogue-at-size', class: CatalogueAtSize },
  { name: '0003-replacements', class: Replacements },
  { name: '0004-chain-follower', class: ChainFollower },
  { name: '0005-codehost', class: Codehost },
  { name: '0006-disputes', class: Disputes },
  { name: '0007-words', class: Words },
  { name: '0008-answers-as-given', class: AnswersAsGiven },
  { name: '0009-elsewhere', class: Elsewhere },
  { name: '0010-heard-deliveries', class: HeardDeliveries },
  { name: '0011-review-ends', class: ReviewEnds },
  { name: '0012-first-sight', class: FirstSight },
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

/** Brings the database forward to the newest migration, or to the one named; safe to run from several processes at once (advisory lock). */
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

/** Takes the migrations above `to` down again, newest first; every one unless said otherwise. For tests of the way down. */
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
