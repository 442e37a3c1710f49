// The one PostgreSQL of a test run.
import { startMigratedPostgres } from '../../../local/database/migrated.ts'
import { choosePorts } from '../../../local/ports.ts'
import { sharedInRun } from '../shared.ts'
import { STACK_CACHE } from '../state-directory.ts'

export interface SharedPostgres {
  /** Address of the maintenance database. */
  maintenance: string
  /** Name of a migrated database that nothing is connected to: a new one is its copy. */
  template: string
}

/** The server of this run, started now when no file has needed it before. A test may lose its data with the power. */
export const sharedPostgres = (): Promise<SharedPostgres> =>
  sharedInRun('postgres', async ({ files, processes }) => {
    const { ports, release } = await choosePorts({ postgres: 0 })
    const request = { processes, files: { ...files, cache: STACK_CACHE }, port: ports.postgres, say: () => undefined }
    const { databaseUrl } = await startMigratedPostgres({ ...request, settings: { fsync: 'off' } }).finally(release)
    const maintenance = new URL(databaseUrl)
    const template = maintenance.pathname.slice(1)
    maintenance.pathname = '/postgres'
    return { maintenance: maintenance.href, template }
  })
