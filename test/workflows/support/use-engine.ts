import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { type Engine, type EngineOptions, startEngine } from './engine.ts'

/** An engine for the tests of one file or group: ready in its tests, settled after each of them, stopped at the end. Options as for `startEngine`. */
export const useEngine = (options?: EngineOptions): Engine => {
  const engine = {} as Engine
  beforeAll(async () => {
    Object.assign(engine, await startEngine(options))
  })
  afterEach(() => engine.settle())
  afterAll(() => engine.stop())
  return engine
}
