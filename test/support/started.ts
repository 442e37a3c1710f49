import { afterAll, beforeAll } from '@jest/globals'

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
