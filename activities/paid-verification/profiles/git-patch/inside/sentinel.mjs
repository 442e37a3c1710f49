// Loaded before each test file, into its process. Adds a test after the file's own that must fail: where it passes, assertions or the runner
// no longer work. Assertions cannot be replaced; an attempt makes the test pass.
import assert from 'node:assert'
import strict from 'node:assert/strict'
import test from 'node:test'

const name = process.env.JUDGE_SENTINEL
const isTestFile = process.env.NODE_TEST_CONTEXT === 'child-v8'
if (isTestFile) {
  // Programs that tests start are none of the judge's.
  delete process.env.JUDGE_SENTINEL
  delete process.env.NODE_OPTIONS
}

let isTampered = false
const guard = (target) => {
  for (const key of Object.keys(target)) {
    const value = target[key]
    if (typeof value !== 'function') continue
    Object.defineProperty(target, key, {
      get: () => value,
      set: (next) => {
        if (next !== value) isTampered = true
      },
      configurable: false,
      enumerable: true,
    })
  }
}

const throwsFor = (check) => {
  try {
    check()
    return false
  } catch (error) {
    return error instanceof Error
  }
}

const { AssertionError } = assert
const { random } = Math
/** Whether assertions still fail for what is wrong, with values that nothing can know before. */
const canFail = () => {
  const [left, right] = [random(), random() + 1]
  const checks = [assert, strict].flatMap((one) => [
    () => one.equal(left, right),
    () => one.strictEqual(left, right),
    () => one.deepEqual({ left }, { left: right }),
    () => one.deepStrictEqual([left], [right]),
    () => one.notStrictEqual(left, left),
    () => one.ok(left === right),
    () => one.match(String(left), /^x/),
    () => one.throws(() => left),
    () => one(false),
    () => one.fail(),
  ])
  return checks.every(throwsFor)
}

/** Runs the test of this file before the runner takes the end of the event loop for the end of its tests. */
const addLast = (file) => {
  let isDone = false
  const { emit } = process
  const [start, stop] = [setInterval, clearInterval]
  process.emit = function (event, ...rest) {
    if (event !== 'beforeExit' || isDone) return Reflect.apply(emit, this, [event, ...rest])
    isDone = true
    const alive = start(() => undefined, 1_000)
    const ended = test(`${name} ${file}`, () => {
      if (!isTampered && canFail()) throw new AssertionError({ message: 'as it must' })
    })
    ended.finally(() => stop(alive))
    return true
  }
}

if (isTestFile && name !== undefined) {
  guard(assert)
  guard(strict)
  addLast(process.argv[1])
}
