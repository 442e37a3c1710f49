// What test files import as '@jest/globals'. Each file has a framework of its own, so each call goes to the present one.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { ModuleMocker } = require('jest-mock')
const { ModernFakeTimers } = require('@jest/fake-timers')

let framework
/** Functions of the framework for the file that is loaded next. */
export const setFramework = (functions) => {
  framework = functions
}

const forward = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _self, given) => framework[name](...given),
    get: (_target, member) => framework[name][member],
  })

export const test = forward('test')
export const it = forward('it')
export const describe = forward('describe')
export const beforeAll = forward('beforeAll')
export const beforeEach = forward('beforeEach')
export const afterAll = forward('afterAll')
export const afterEach = forward('afterEach')
export const { jestExpect: expect } = require('@jest/expect')

const mocker = new ModuleMocker(globalThis)
const timers = new ModernFakeTimers({ config: { fakeTimers: {}, rootDir: process.cwd() }, global: globalThis })

/** The members of jest's `jest` that need no module registry. */
export const jest = {
  fn: (implementation) => mocker.fn(implementation),
  spyOn: (object, member, access) => mocker.spyOn(object, member, access),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTimeAsync: (milliseconds) => timers.advanceTimersByTimeAsync(milliseconds),
  setTimeout: (milliseconds) => {
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = milliseconds
  },
}
