// What a test file or a block of it starts before its tests and stops after them.

import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { type Api, type ApiOptions, startApi } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

/** Starts before the tests of this block and stops after them. The members of the result can be read once a test or a hook runs. */
export const useStarted = <T extends object>(start: () => Promise<T>, stop: (started: T) => Promise<unknown>): T => {
  let started: T | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => {
    if (started !== undefined) await stop(started)
  })
  const get = (_target: T, name: string | symbol): unknown => {
    if (started === undefined) throw new Error(`${String(name)} is read before it is started`)
    return Reflect.get(started, name)
  }
  return new Proxy({} as T, { get })
}

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
