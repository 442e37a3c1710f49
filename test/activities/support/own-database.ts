import { afterAll, beforeAll } from '@jest/globals'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

/** A migrated database of its own for the tests of a file: opened before them and dropped after them. */
export const useOwnDatabase = (poolSize = 8) => {
  let place: TestDatabase
  let database: Database
  beforeAll(async () => {
    place = await createTestDatabase()
    database = openDatabase({ url: place.url, poolSize })
  })
  afterAll(async () => {
    await database?.close()
    await place?.drop()
  })
  return { url: () => place.url, database: () => database, rows: () => database.rows }
}
