// APIs that a test file or a block of it starts before its tests and stops after them.
import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { type Api, type ApiOptions, startApi } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { useStarted } from '../../support/started.ts'

type Options = Omit<ApiOptions, 'databaseUrl'>

/** An API on an empty database. */
export const useApi = (options: Options | (() => Options) = {}): Api & { databaseUrl: string } =>
  useStarted(
    async () => {
      const { url: databaseUrl, drop } = await createTestDatabase()
      const api = await startApi({ databaseUrl, ...(typeof options === 'function' ? options() : options) })
      return { ...api, databaseUrl, drop }
    },
    async ({ close, drop }) => {
      await close()
      await drop()
    },
  )

/** Starts APIs that are closed after each test, on one database unless the options name another. */
export const useApis = () => {
  const databases: TestDatabase[] = []
  const started: Api[] = []
  const createDatabase = async (): Promise<string> => {
    const database = await createTestDatabase()
    databases.push(database)
    return database.url
  }
  let shared = ''
  beforeAll(async () => {
    shared = await createDatabase()
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((api) => api.close()))
  })
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()))
  })
  const start = async (options: Partial<ApiOptions> = {}): Promise<Api> => {
    const api = await startApi({ databaseUrl: shared, ...options })
    started.push(api)
    return api
  }
  return { start, createDatabase }
}
