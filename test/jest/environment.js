import { createRequire } from 'node:module'

const { ModuleMocker } = createRequire(import.meta.url)('jest-mock')

/** What jest asks of a test environment, without a global scope of its own: the native runner loads test files in that of the worker. */
// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default class NativeEnvironment {
  global = { process, Symbol, Error }
  moduleMocker = new ModuleMocker(globalThis)
  fakeTimers = null
  fakeTimersModern = null

  getVmContext() {
    return null
  }

  exportConditions() {
    return ['node', 'import']
  }

  async setup() {}

  async teardown() {}
}
